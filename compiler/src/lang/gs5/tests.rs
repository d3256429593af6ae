//! Tests of the gs5 front end: text in, text out.
