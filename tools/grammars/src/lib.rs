//! Nothing but a test: whether the parsers in the sources are those that pest makes from the grammars.
