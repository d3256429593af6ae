//! Tests of the bgc front end.
