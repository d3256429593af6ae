//! Tests of the bgm front end.
