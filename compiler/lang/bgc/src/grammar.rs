//! The parser that pest makes from `script.pest`.
//!
//! Change the grammar instead of this file: `UPDATE_EXPECT=1 cargo test -p rulec-grammars` writes it anew.

#![allow(clippy::all, dead_code, missing_docs, unreachable_pub, unused_imports, reason = "generated")]

/// Entry to the rules of the grammar.
pub(super) struct ScriptGrammar;
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
    r#whole,
    r#cond,
    r#or,
    r#and,
    r#eq,
    r#rel,
    r#add,
    r#mul,
    r#unary,
    r#or_op,
    r#and_op,
    r#eq_op,
    r#rel_op,
    r#add_op,
    r#mul_op,
    r#unary_op,
    r#primary,
    r#math,
    r#name,
    r#math_name,
    r#word,
    r#tail,
    r#number,
    r#string,
}
impl Rule {
    pub fn all_rules() -> &'static [Rule] {
        &[
            Rule::r#WHITESPACE,
            Rule::r#whole,
            Rule::r#cond,
            Rule::r#or,
            Rule::r#and,
            Rule::r#eq,
            Rule::r#rel,
            Rule::r#add,
            Rule::r#mul,
            Rule::r#unary,
            Rule::r#or_op,
            Rule::r#and_op,
            Rule::r#eq_op,
            Rule::r#rel_op,
            Rule::r#add_op,
            Rule::r#mul_op,
            Rule::r#unary_op,
            Rule::r#primary,
            Rule::r#math,
            Rule::r#name,
            Rule::r#math_name,
            Rule::r#word,
            Rule::r#tail,
            Rule::r#number,
            Rule::r#string,
        ]
    }
}
#[allow(clippy::all)]
impl ::pest::Parser<Rule> for ScriptGrammar {
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
                pub fn r#whole(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#whole,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#SOI(state)
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#cond))
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#EOI))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#cond(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#cond,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#or(state)
                                                .and_then(step(super::hidden::skip))
                                                .and_then(
                                                    step(|state| {
                                                        state
                                                            .optional(
                                                                step(|state| {
                                                                    state
                                                                        .sequence(
                                                                            step(|state| {
                                                                                state
                                                                                    .match_string("?")
                                                                                    .and_then(step(super::hidden::skip))
                                                                                    .and_then(step(self::r#cond))
                                                                                    .and_then(step(super::hidden::skip))
                                                                                    .and_then(step(|state| { state.match_string(":") }))
                                                                                    .and_then(step(super::hidden::skip))
                                                                                    .and_then(step(self::r#cond))
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
                pub fn r#or(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#or,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#and(state)
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
                                                                                            self::r#or_op(state)
                                                                                                .and_then(step(super::hidden::skip))
                                                                                                .and_then(step(self::r#and))
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
                                                                                                                                            self::r#or_op(state)
                                                                                                                                                .and_then(step(super::hidden::skip))
                                                                                                                                                .and_then(step(self::r#and))
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
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#and(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#and,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#eq(state)
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
                                                                                            self::r#and_op(state)
                                                                                                .and_then(step(super::hidden::skip))
                                                                                                .and_then(step(self::r#eq))
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
                                                                                                                                            self::r#and_op(state)
                                                                                                                                                .and_then(step(super::hidden::skip))
                                                                                                                                                .and_then(step(self::r#eq))
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
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#eq(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#eq,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#rel(state)
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
                                                                                            self::r#eq_op(state)
                                                                                                .and_then(step(super::hidden::skip))
                                                                                                .and_then(step(self::r#rel))
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
                                                                                                                                            self::r#eq_op(state)
                                                                                                                                                .and_then(step(super::hidden::skip))
                                                                                                                                                .and_then(step(self::r#rel))
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
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#rel(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#rel,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#add(state)
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
                                                                                            self::r#rel_op(state)
                                                                                                .and_then(step(super::hidden::skip))
                                                                                                .and_then(step(self::r#add))
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
                                                                                                                                            self::r#rel_op(state)
                                                                                                                                                .and_then(step(super::hidden::skip))
                                                                                                                                                .and_then(step(self::r#add))
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
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#add(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#add,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#mul(state)
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
                                                                                            self::r#add_op(state)
                                                                                                .and_then(step(super::hidden::skip))
                                                                                                .and_then(step(self::r#mul))
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
                                                                                                                                            self::r#add_op(state)
                                                                                                                                                .and_then(step(super::hidden::skip))
                                                                                                                                                .and_then(step(self::r#mul))
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
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#mul(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#mul,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#unary(state)
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
                                                                                            self::r#mul_op(state)
                                                                                                .and_then(step(super::hidden::skip))
                                                                                                .and_then(step(self::r#unary))
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
                                                                                                                                            self::r#mul_op(state)
                                                                                                                                                .and_then(step(super::hidden::skip))
                                                                                                                                                .and_then(step(self::r#unary))
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
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#unary(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#unary,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#unary_op(state)
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#unary))
                                        }),
                                    )
                                    .or_else(step(self::r#primary))
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#or_op(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#or_op, step(|state| { state.match_string("||") }))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#and_op(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(Rule::r#and_op, step(|state| { state.match_string("&&") }))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#eq_op(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#eq_op,
                            step(|state| {
                                state
                                    .match_string("===")
                                    .or_else(step(|state| { state.match_string("!==") }))
                                    .or_else(step(|state| { state.match_string("==") }))
                                    .or_else(step(|state| { state.match_string("!=") }))
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#rel_op(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#rel_op,
                            step(|state| {
                                state
                                    .match_string("<=")
                                    .or_else(step(|state| { state.match_string(">=") }))
                                    .or_else(step(|state| { state.match_string("<") }))
                                    .or_else(step(|state| { state.match_string(">") }))
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#add_op(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#add_op,
                            step(|state| {
                                state
                                    .match_string("+")
                                    .or_else(step(|state| { state.match_string("-") }))
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#mul_op(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#mul_op,
                            step(|state| {
                                state
                                    .match_string("*")
                                    .or_else(step(|state| { state.match_string("/") }))
                                    .or_else(step(|state| { state.match_string("%") }))
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#unary_op(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#unary_op,
                            step(|state| {
                                state
                                    .match_string("!")
                                    .or_else(step(|state| { state.match_string("-") }))
                                    .or_else(step(|state| { state.match_string("+") }))
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#primary(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    let state = state.check_stack_limit()?;
                    self::r#number(state)
                        .or_else(step(self::r#string))
                        .or_else(step(self::r#math))
                        .or_else(step(self::r#name))
                        .or_else(
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            state
                                                .match_string("(")
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#cond))
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(|state| { state.match_string(")") }))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#math(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#math,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            state
                                                .match_string("Math")
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(|state| { state.match_string(".") }))
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#word))
                                                .and_then(step(super::hidden::skip))
                                                .and_then(
                                                    step(|state| {
                                                        state
                                                            .optional(
                                                                step(|state| {
                                                                    state
                                                                        .sequence(
                                                                            step(|state| {
                                                                                state
                                                                                    .match_string("(")
                                                                                    .and_then(step(super::hidden::skip))
                                                                                    .and_then(
                                                                                        step(|state| {
                                                                                            state
                                                                                                .optional(
                                                                                                    step(|state| {
                                                                                                        state
                                                                                                            .sequence(
                                                                                                                step(|state| {
                                                                                                                    self::r#cond(state)
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
                                                                                                                                                                        .and_then(step(self::r#cond))
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
                                                                                                                                                                                                                        .and_then(step(self::r#cond))
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
                                                                                    .and_then(step(|state| { state.match_string(")") }))
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
                pub fn r#name(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#name,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            state
                                                .lookahead(false, step(self::r#math_name))
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#word))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#math_name(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#math_name,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state
                                                            .match_string("Math")
                                                            .and_then(
                                                                step(|state| { state.lookahead(false, step(self::r#tail)) }),
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
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        self::r#ASCII_ALPHA(state)
                                                            .or_else(step(|state| { state.match_string("_") }))
                                                            .or_else(step(|state| { state.match_string("$") }))
                                                            .and_then(
                                                                step(|state| { state.repeat(step(self::r#tail)) }),
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
                pub fn r#tail(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    let state = state.check_stack_limit()?;
                    self::r#ASCII_ALPHANUMERIC(state)
                        .or_else(step(|state| { state.match_string("_") }))
                        .or_else(step(|state| { state.match_string("$") }))
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
                                                            .sequence(
                                                                step(|state| {
                                                                    state
                                                                        .sequence(
                                                                            step(|state| {
                                                                                self::r#ASCII_DIGIT(state)
                                                                                    .and_then(
                                                                                        step(|state| { state.repeat(step(self::r#ASCII_DIGIT)) }),
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
                                                            .or_else(
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
                                                            .and_then(
                                                                step(|state| { state.lookahead(false, step(self::r#tail)) }),
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
                                                            .match_string("'")
                                                            .and_then(
                                                                step(|state| {
                                                                    let strings = ["'", "\\"];
                                                                    state.skip_until(&strings)
                                                                }),
                                                            )
                                                            .and_then(step(|state| { state.match_string("'") }))
                                                    }),
                                                )
                                                .or_else(
                                                    step(|state| {
                                                        state
                                                            .sequence(
                                                                step(|state| {
                                                                    state
                                                                        .match_string("\"")
                                                                        .and_then(
                                                                            step(|state| {
                                                                                let strings = ["\"", "\\"];
                                                                                state.skip_until(&strings)
                                                                            }),
                                                                        )
                                                                        .and_then(step(|state| { state.match_string("\"") }))
                                                                }),
                                                            )
                                                    }),
                                                )
                                                .or_else(
                                                    step(|state| {
                                                        state
                                                            .sequence(
                                                                step(|state| {
                                                                    state
                                                                        .match_string("`")
                                                                        .and_then(
                                                                            step(|state| {
                                                                                let strings = ["`", "\\", "${"];
                                                                                state.skip_until(&strings)
                                                                            }),
                                                                        )
                                                                        .and_then(step(|state| { state.match_string("`") }))
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
                pub fn ASCII_ALPHA(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .match_range('a'..'z')
                        .or_else(step(|state| state.match_range('A'..'Z')))
                }
                #[inline]
                #[allow(dead_code, non_snake_case, unused_variables)]
                pub fn ASCII_ALPHANUMERIC(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .match_range('a'..'z')
                        .or_else(step(|state| state.match_range('A'..'Z')))
                        .or_else(step(|state| state.match_range('0'..'9')))
                }
            }
            pub use self::visible::*;
        }
        ::pest::state(
            input,
            |state| {
                match rule {
                    Rule::r#WHITESPACE => rules::r#WHITESPACE(state),
                    Rule::r#whole => rules::r#whole(state),
                    Rule::r#cond => rules::r#cond(state),
                    Rule::r#or => rules::r#or(state),
                    Rule::r#and => rules::r#and(state),
                    Rule::r#eq => rules::r#eq(state),
                    Rule::r#rel => rules::r#rel(state),
                    Rule::r#add => rules::r#add(state),
                    Rule::r#mul => rules::r#mul(state),
                    Rule::r#unary => rules::r#unary(state),
                    Rule::r#or_op => rules::r#or_op(state),
                    Rule::r#and_op => rules::r#and_op(state),
                    Rule::r#eq_op => rules::r#eq_op(state),
                    Rule::r#rel_op => rules::r#rel_op(state),
                    Rule::r#add_op => rules::r#add_op(state),
                    Rule::r#mul_op => rules::r#mul_op(state),
                    Rule::r#unary_op => rules::r#unary_op(state),
                    Rule::r#primary => rules::r#primary(state),
                    Rule::r#math => rules::r#math(state),
                    Rule::r#name => rules::r#name(state),
                    Rule::r#math_name => rules::r#math_name(state),
                    Rule::r#word => rules::r#word(state),
                    Rule::r#tail => rules::r#tail(state),
                    Rule::r#number => rules::r#number(state),
                    Rule::r#string => rules::r#string(state),
                    Rule::EOI => rules::EOI(state),
                }
            },
        )
    }
}
