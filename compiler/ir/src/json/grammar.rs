//! The parser that pest makes from `json.pest`.
//!
//! Change the grammar instead of this file: `UPDATE_EXPECT=1 cargo test -p rulec-grammars` writes it anew.

#![allow(clippy::all, dead_code, missing_docs, unreachable_pub, unused_imports, reason = "generated")]

/// Entry to the rules of the grammar.
pub(super) struct Grammar;
type State<'i> = ::std::boxed::Box<::pest::ParserState<'i, Rule>>;
type Step<'i> = fn(State<'i>) -> ::pest::ParseResult<State<'i>>;
/// A step as a pointer: what is done with steps is compiled once, and not for each of them.
fn step<'i>(step: Step<'i>) -> Step<'i> {
    step
}
#[allow(dead_code, non_camel_case_types, clippy::upper_case_acronyms)]
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(super) enum Rule {
    ///End-of-input
    EOI,
    r#WHITESPACE,
    r#file,
    r#value,
    r#object,
    r#pair,
    r#array,
    r#string,
    r#number,
    r#word,
    r#character,
    r#escape,
    r#control,
}
impl Rule {
    pub fn all_rules() -> &'static [Rule] {
        &[
            Rule::r#WHITESPACE,
            Rule::r#file,
            Rule::r#value,
            Rule::r#object,
            Rule::r#pair,
            Rule::r#array,
            Rule::r#string,
            Rule::r#number,
            Rule::r#word,
            Rule::r#character,
            Rule::r#escape,
            Rule::r#control,
        ]
    }
}
#[allow(clippy::all)]
impl ::pest::Parser<Rule> for Grammar {
    fn parse<'i>(
        rule: Rule,
        input: &'i str,
    ) -> ::std::result::Result<
        ::pest::iterators::Pairs<'i, Rule>,
        ::pest::error::Error<Rule>,
    > {
        mod rules {
            #![allow(clippy::upper_case_acronyms)]
            pub mod hidden {
                use super::super::{Rule, step};
                #[inline]
                #[allow(dead_code, non_snake_case, unused_variables)]
                pub fn skip(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    if state.atomicity() == ::pest::Atomicity::NonAtomic {
                        state.repeat(step(super::visible::WHITESPACE))
                    } else {
                        Ok(state)
                    }
                }
            }
            pub mod visible {
                use super::super::{Rule, step};
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#WHITESPACE(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::Atomic,
                            step(|state| {
                                state
                                    .match_string(" ")
                                    .or_else(step(|state| { state.match_string("\t") }))
                                    .or_else(step(|state| { state.match_string("\r") }))
                                    .or_else(step(|state| { state.match_string("\n") }))
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#file(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#file,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#SOI(state)
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#value))
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#EOI))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#value(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    let state = state.check_stack_limit()?;
                    self::r#object(state)
                        .or_else(step(self::r#array))
                        .or_else(step(self::r#string))
                        .or_else(step(self::r#number))
                        .or_else(step(self::r#word))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#object(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#object,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            state
                                                .match_string("{")
                                                .and_then(step(super::hidden::skip))
                                                .and_then(
                                                    step(|state| {
                                                        state
                                                            .optional(
                                                                step(|state| {
                                                                    state
                                                                        .sequence(
                                                                            step(|state| {
                                                                                self::r#pair(state)
                                                                                    .and_then(step(super::hidden::skip))
                                                                                    .and_then(
                                                                                        step(|state| {
                                                                                            state
                                                                                                .sequence(
                                                                                                    step(|state| {
                                                                                                        state
                                                                                                            .optional(
                                                                                                                step(|state| {
                                                                                                                    state
                                                                                                                        .sequence(
                                                                                                                            step(|state| {
                                                                                                                                state
                                                                                                                                    .match_string(",")
                                                                                                                                    .and_then(step(super::hidden::skip))
                                                                                                                                    .and_then(step(self::r#pair))
                                                                                                                            }),
                                                                                                                        )
                                                                                                                        .and_then(
                                                                                                                            step(|state| {
                                                                                                                                state
                                                                                                                                    .repeat(
                                                                                                                                        step(|state| {
                                                                                                                                            state
                                                                                                                                                .sequence(
                                                                                                                                                    step(|state| {
                                                                                                                                                        super::hidden::skip(state)
                                                                                                                                                            .and_then(
                                                                                                                                                                step(|state| {
                                                                                                                                                                    state
                                                                                                                                                                        .sequence(
                                                                                                                                                                            step(|state| {
                                                                                                                                                                                state
                                                                                                                                                                                    .match_string(",")
                                                                                                                                                                                    .and_then(step(super::hidden::skip))
                                                                                                                                                                                    .and_then(step(self::r#pair))
                                                                                                                                                                            }),
                                                                                                                                                                        )
                                                                                                                                                                }),
                                                                                                                                                            )
                                                                                                                                                    }),
                                                                                                                                                )
                                                                                                                                        }),
                                                                                                                                    )
                                                                                                                            }),
                                                                                                                        )
                                                                                                                }),
                                                                                                            )
                                                                                                    }),
                                                                                                )
                                                                                        }),
                                                                                    )
                                                                            }),
                                                                        )
                                                                }),
                                                            )
                                                    }),
                                                )
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(|state| { state.match_string("}") }))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#pair(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#pair,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#string(state)
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(|state| { state.match_string(":") }))
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#value))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#array(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#array,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            state
                                                .match_string("[")
                                                .and_then(step(super::hidden::skip))
                                                .and_then(
                                                    step(|state| {
                                                        state
                                                            .optional(
                                                                step(|state| {
                                                                    state
                                                                        .sequence(
                                                                            step(|state| {
                                                                                self::r#value(state)
                                                                                    .and_then(step(super::hidden::skip))
                                                                                    .and_then(
                                                                                        step(|state| {
                                                                                            state
                                                                                                .sequence(
                                                                                                    step(|state| {
                                                                                                        state
                                                                                                            .optional(
                                                                                                                step(|state| {
                                                                                                                    state
                                                                                                                        .sequence(
                                                                                                                            step(|state| {
                                                                                                                                state
                                                                                                                                    .match_string(",")
                                                                                                                                    .and_then(step(super::hidden::skip))
                                                                                                                                    .and_then(step(self::r#value))
                                                                                                                            }),
                                                                                                                        )
                                                                                                                        .and_then(
                                                                                                                            step(|state| {
                                                                                                                                state
                                                                                                                                    .repeat(
                                                                                                                                        step(|state| {
                                                                                                                                            state
                                                                                                                                                .sequence(
                                                                                                                                                    step(|state| {
                                                                                                                                                        super::hidden::skip(state)
                                                                                                                                                            .and_then(
                                                                                                                                                                step(|state| {
                                                                                                                                                                    state
                                                                                                                                                                        .sequence(
                                                                                                                                                                            step(|state| {
                                                                                                                                                                                state
                                                                                                                                                                                    .match_string(",")
                                                                                                                                                                                    .and_then(step(super::hidden::skip))
                                                                                                                                                                                    .and_then(step(self::r#value))
                                                                                                                                                                            }),
                                                                                                                                                                        )
                                                                                                                                                                }),
                                                                                                                                                            )
                                                                                                                                                    }),
                                                                                                                                                )
                                                                                                                                        }),
                                                                                                                                    )
                                                                                                                            }),
                                                                                                                        )
                                                                                                                }),
                                                                                                            )
                                                                                                    }),
                                                                                                )
                                                                                        }),
                                                                                    )
                                                                            }),
                                                                        )
                                                                }),
                                                            )
                                                    }),
                                                )
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(|state| { state.match_string("]") }))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#string(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#string,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state
                                                            .match_string("\"")
                                                            .and_then(
                                                                step(|state| { state.repeat(step(self::r#character)) }),
                                                            )
                                                            .and_then(step(|state| { state.match_string("\"") }))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#number(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#number,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state
                                                            .optional(step(|state| { state.match_string("-") }))
                                                            .and_then(
                                                                step(|state| {
                                                                    state
                                                                        .match_string("0")
                                                                        .or_else(
                                                                            step(|state| {
                                                                                state
                                                                                    .sequence(
                                                                                        step(|state| {
                                                                                            self::r#ASCII_NONZERO_DIGIT(state)
                                                                                                .and_then(
                                                                                                    step(|state| { state.repeat(step(self::r#ASCII_DIGIT)) }),
                                                                                                )
                                                                                        }),
                                                                                    )
                                                                            }),
                                                                        )
                                                                }),
                                                            )
                                                            .and_then(
                                                                step(|state| {
                                                                    state
                                                                        .optional(
                                                                            step(|state| {
                                                                                state
                                                                                    .sequence(
                                                                                        step(|state| {
                                                                                            state
                                                                                                .match_string(".")
                                                                                                .and_then(step(self::r#ASCII_DIGIT))
                                                                                                .and_then(
                                                                                                    step(|state| { state.repeat(step(self::r#ASCII_DIGIT)) }),
                                                                                                )
                                                                                        }),
                                                                                    )
                                                                            }),
                                                                        )
                                                                }),
                                                            )
                                                            .and_then(
                                                                step(|state| {
                                                                    state
                                                                        .optional(
                                                                            step(|state| {
                                                                                state
                                                                                    .sequence(
                                                                                        step(|state| {
                                                                                            state
                                                                                                .match_insensitive("e")
                                                                                                .and_then(
                                                                                                    step(|state| {
                                                                                                        state
                                                                                                            .optional(
                                                                                                                step(|state| {
                                                                                                                    state
                                                                                                                        .match_string("+")
                                                                                                                        .or_else(step(|state| { state.match_string("-") }))
                                                                                                                }),
                                                                                                            )
                                                                                                    }),
                                                                                                )
                                                                                                .and_then(step(self::r#ASCII_DIGIT))
                                                                                                .and_then(
                                                                                                    step(|state| { state.repeat(step(self::r#ASCII_DIGIT)) }),
                                                                                                )
                                                                                        }),
                                                                                    )
                                                                            }),
                                                                        )
                                                                }),
                                                            )
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#word(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#word,
                            step(|state| {
                                state
                                    .match_string("true")
                                    .or_else(step(|state| { state.match_string("false") }))
                                    .or_else(step(|state| { state.match_string("null") }))
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#character(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#character,
                            step(|state| {
                                self::r#escape(state)
                                    .or_else(
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state
                                                            .lookahead(
                                                                false,
                                                                step(|state| {
                                                                    state
                                                                        .match_string("\"")
                                                                        .or_else(step(|state| { state.match_string("\\") }))
                                                                        .or_else(step(self::r#control))
                                                                }),
                                                            )
                                                            .and_then(step(super::hidden::skip))
                                                            .and_then(step(self::r#ANY))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#escape(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#escape,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            state
                                                .match_string("\\")
                                                .and_then(step(super::hidden::skip))
                                                .and_then(
                                                    step(|state| {
                                                        state
                                                            .match_string("\"")
                                                            .or_else(step(|state| { state.match_string("\\") }))
                                                            .or_else(step(|state| { state.match_string("/") }))
                                                            .or_else(step(|state| { state.match_string("b") }))
                                                            .or_else(step(|state| { state.match_string("f") }))
                                                            .or_else(step(|state| { state.match_string("n") }))
                                                            .or_else(step(|state| { state.match_string("r") }))
                                                            .or_else(step(|state| { state.match_string("t") }))
                                                            .or_else(
                                                                step(|state| {
                                                                    state
                                                                        .sequence(
                                                                            step(|state| {
                                                                                state
                                                                                    .match_string("u")
                                                                                    .and_then(step(super::hidden::skip))
                                                                                    .and_then(step(self::r#ASCII_HEX_DIGIT))
                                                                                    .and_then(step(super::hidden::skip))
                                                                                    .and_then(step(self::r#ASCII_HEX_DIGIT))
                                                                                    .and_then(step(super::hidden::skip))
                                                                                    .and_then(step(self::r#ASCII_HEX_DIGIT))
                                                                                    .and_then(step(super::hidden::skip))
                                                                                    .and_then(step(self::r#ASCII_HEX_DIGIT))
                                                                            }),
                                                                        )
                                                                }),
                                                            )
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#control(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#control,
                            step(|state| {
                                state
                                    .match_range('\0'..'\u{8}')
                                    .or_else(
                                        step(|state| { state.match_range('\n'..'\u{1f}') }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(dead_code, non_snake_case, unused_variables)]
                pub fn ANY(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.skip(1)
                }
                #[inline]
                #[allow(dead_code, non_snake_case, unused_variables)]
                pub fn EOI(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::EOI, step(|state| state.end_of_input()))
                }
                #[inline]
                #[allow(dead_code, non_snake_case, unused_variables)]
                pub fn SOI(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.start_of_input()
                }
                #[inline]
                #[allow(dead_code, non_snake_case, unused_variables)]
                pub fn ASCII_DIGIT(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.match_range('0'..'9')
                }
                #[inline]
                #[allow(dead_code, non_snake_case, unused_variables)]
                pub fn ASCII_NONZERO_DIGIT(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.match_range('1'..'9')
                }
                #[inline]
                #[allow(dead_code, non_snake_case, unused_variables)]
                pub fn ASCII_HEX_DIGIT(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .match_range('0'..'9')
                        .or_else(step(|state| state.match_range('a'..'f')))
                        .or_else(step(|state| state.match_range('A'..'F')))
                }
            }
            pub use self::visible::*;
        }
        ::pest::state(
            input,
            |state| {
                match rule {
                    Rule::r#WHITESPACE => rules::r#WHITESPACE(state),
                    Rule::r#file => rules::r#file(state),
                    Rule::r#value => rules::r#value(state),
                    Rule::r#object => rules::r#object(state),
                    Rule::r#pair => rules::r#pair(state),
                    Rule::r#array => rules::r#array(state),
                    Rule::r#string => rules::r#string(state),
                    Rule::r#number => rules::r#number(state),
                    Rule::r#word => rules::r#word(state),
                    Rule::r#character => rules::r#character(state),
                    Rule::r#escape => rules::r#escape(state),
                    Rule::r#control => rules::r#control(state),
                    Rule::EOI => rules::EOI(state),
                }
            },
        )
    }
}
