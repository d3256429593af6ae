//! The parser that pest makes from `grammar.pest`.
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
    r#separator,
    r#letter,
    r#edge,
    r#digit,
    r#expression,
    r#expr,
    r#item,
    r#branches,
    r#prefix,
    r#not,
    r#abs,
    r#neg,
    r#if_word,
    r#if_bare,
    r#then_word,
    r#else_word,
    r#to_word,
    r#binary,
    r#eq,
    r#ne,
    r#le,
    r#ge,
    r#lt,
    r#gt,
    r#add,
    r#sub,
    r#mul,
    r#div,
    r#rem,
    r#assign,
    r#subset,
    r#is_part_of,
    r#in_set,
    r#set_minus,
    r#except_of,
    r#union,
    r#intersect,
    r#and,
    r#or,
    r#operator,
    r#primary,
    r#loop_to,
    r#loop_word,
    r#boolean,
    r#number,
    r#call,
    r#word,
    r#arguments,
    r#set,
    r#list,
    r#group,
    r#variable,
    r#name,
    r#string,
    r#hole,
    r#text,
    r#pattern,
    r#header,
    r#header_name,
    r#record_name,
    r#base,
    r#integer,
    r#shape,
    r#shape_word,
}
impl Rule {
    pub fn all_rules() -> &'static [Rule] {
        &[
            Rule::r#WHITESPACE,
            Rule::r#separator,
            Rule::r#letter,
            Rule::r#edge,
            Rule::r#digit,
            Rule::r#expression,
            Rule::r#expr,
            Rule::r#item,
            Rule::r#branches,
            Rule::r#prefix,
            Rule::r#not,
            Rule::r#abs,
            Rule::r#neg,
            Rule::r#if_word,
            Rule::r#if_bare,
            Rule::r#then_word,
            Rule::r#else_word,
            Rule::r#to_word,
            Rule::r#binary,
            Rule::r#eq,
            Rule::r#ne,
            Rule::r#le,
            Rule::r#ge,
            Rule::r#lt,
            Rule::r#gt,
            Rule::r#add,
            Rule::r#sub,
            Rule::r#mul,
            Rule::r#div,
            Rule::r#rem,
            Rule::r#assign,
            Rule::r#subset,
            Rule::r#is_part_of,
            Rule::r#in_set,
            Rule::r#set_minus,
            Rule::r#except_of,
            Rule::r#union,
            Rule::r#intersect,
            Rule::r#and,
            Rule::r#or,
            Rule::r#operator,
            Rule::r#primary,
            Rule::r#loop_to,
            Rule::r#loop_word,
            Rule::r#boolean,
            Rule::r#number,
            Rule::r#call,
            Rule::r#word,
            Rule::r#arguments,
            Rule::r#set,
            Rule::r#list,
            Rule::r#group,
            Rule::r#variable,
            Rule::r#name,
            Rule::r#string,
            Rule::r#hole,
            Rule::r#text,
            Rule::r#pattern,
            Rule::r#header,
            Rule::r#header_name,
            Rule::r#record_name,
            Rule::r#base,
            Rule::r#integer,
            Rule::r#shape,
            Rule::r#shape_word,
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
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#separator(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    let state = state.check_stack_limit()?;
                    state
                        .match_string("=")
                        .or_else(step(|state| { state.match_string("!") }))
                        .or_else(step(|state| { state.match_string("<") }))
                        .or_else(step(|state| { state.match_string(">") }))
                        .or_else(step(|state| { state.match_string("+") }))
                        .or_else(step(|state| { state.match_string("-") }))
                        .or_else(step(|state| { state.match_string("*") }))
                        .or_else(step(|state| { state.match_string("/") }))
                        .or_else(step(|state| { state.match_string("%") }))
                        .or_else(step(|state| { state.match_string("(") }))
                        .or_else(step(|state| { state.match_string(")") }))
                        .or_else(step(|state| { state.match_string("{") }))
                        .or_else(step(|state| { state.match_string("}") }))
                        .or_else(step(|state| { state.match_string("[") }))
                        .or_else(step(|state| { state.match_string("]") }))
                        .or_else(step(|state| { state.match_string(",") }))
                        .or_else(step(|state| { state.match_string("\"") }))
                        .or_else(step(|state| { state.match_string("$") }))
                        .or_else(step(|state| { state.match_string(" ") }))
                        .or_else(step(|state| { state.match_string("\t") }))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#letter(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .sequence(
                            step(|state| {
                                state
                                    .lookahead(false, step(self::r#separator))
                                    .and_then(step(super::hidden::skip))
                                    .and_then(step(self::r#ANY))
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#edge(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.lookahead(false, step(self::r#letter))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#digit(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.match_range('0'..'9')
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#expression(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .sequence(
                            step(|state| {
                                self::r#SOI(state)
                                    .and_then(step(super::hidden::skip))
                                    .and_then(step(self::r#expr))
                                    .and_then(step(super::hidden::skip))
                                    .and_then(step(self::r#EOI))
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#expr(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#expr,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#item(state)
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
                                                                                            self::r#binary(state)
                                                                                                .and_then(step(super::hidden::skip))
                                                                                                .and_then(step(self::r#item))
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
                                                                                                                                            self::r#binary(state)
                                                                                                                                                .and_then(step(super::hidden::skip))
                                                                                                                                                .and_then(step(self::r#item))
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
                                                .and_then(
                                                    step(|state| { state.optional(step(self::r#branches)) }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#item(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .sequence(
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            state
                                                .optional(
                                                    step(|state| {
                                                        self::r#prefix(state)
                                                            .and_then(
                                                                step(|state| {
                                                                    state
                                                                        .repeat(
                                                                            step(|state| {
                                                                                state
                                                                                    .sequence(
                                                                                        step(|state| {
                                                                                            super::hidden::skip(state).and_then(step(self::r#prefix))
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
                                    .and_then(step(self::r#primary))
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#branches(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#branches,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#then_word(state)
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#expr))
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#else_word))
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#expr))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#prefix(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    let state = state.check_stack_limit()?;
                    self::r#not(state)
                        .or_else(step(self::r#abs))
                        .or_else(step(self::r#neg))
                        .or_else(step(self::r#if_word))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#not(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#not,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state.match_string("NOT").and_then(step(self::r#edge))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#abs(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#abs,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state.match_string("ABS").and_then(step(self::r#edge))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#neg(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#neg, step(|state| { state.match_string("-") }))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#if_word(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#if_word,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#if_bare(state)
                                                .and_then(step(super::hidden::skip))
                                                .and_then(
                                                    step(|state| {
                                                        state
                                                            .lookahead(false, step(|state| { state.match_string("(") }))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#if_bare(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#if_bare,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state.match_string("IF").and_then(step(self::r#edge))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#then_word(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#then_word,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state.match_string("THEN").and_then(step(self::r#edge))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#else_word(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#else_word,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state.match_string("ELSE").and_then(step(self::r#edge))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#to_word(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#to_word,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state.match_string("TO").and_then(step(self::r#edge))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#binary(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    let state = state.check_stack_limit()?;
                    self::r#eq(state)
                        .or_else(step(self::r#ne))
                        .or_else(step(self::r#le))
                        .or_else(step(self::r#ge))
                        .or_else(step(self::r#lt))
                        .or_else(step(self::r#gt))
                        .or_else(step(self::r#add))
                        .or_else(step(self::r#sub))
                        .or_else(step(self::r#mul))
                        .or_else(step(self::r#div))
                        .or_else(step(self::r#rem))
                        .or_else(step(self::r#subset))
                        .or_else(step(self::r#is_part_of))
                        .or_else(step(self::r#in_set))
                        .or_else(step(self::r#set_minus))
                        .or_else(step(self::r#except_of))
                        .or_else(step(self::r#union))
                        .or_else(step(self::r#intersect))
                        .or_else(step(self::r#and))
                        .or_else(step(self::r#or))
                        .or_else(step(self::r#assign))
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
                                            state
                                                .match_string("=")
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(|state| { state.match_string("=") }))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#ne(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#ne,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            state
                                                .match_string("!")
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(|state| { state.match_string("=") }))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#le(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#le,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            state
                                                .match_string("<")
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(|state| { state.match_string("=") }))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#ge(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#ge,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            state
                                                .match_string(">")
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(|state| { state.match_string("=") }))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#lt(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#lt, step(|state| { state.match_string("<") }))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#gt(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#gt, step(|state| { state.match_string(">") }))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#add(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#add, step(|state| { state.match_string("+") }))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#sub(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#sub, step(|state| { state.match_string("-") }))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#mul(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#mul, step(|state| { state.match_string("*") }))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#div(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#div, step(|state| { state.match_string("/") }))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#rem(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#rem, step(|state| { state.match_string("%") }))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#assign(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#assign, step(|state| { state.match_string("=") }))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#subset(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#subset,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state.match_string("SUBSET").and_then(step(self::r#edge))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#is_part_of(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#is_part_of,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state.match_string("ISPARTOF").and_then(step(self::r#edge))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#in_set(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#in_set,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state.match_string("IN").and_then(step(self::r#edge))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#set_minus(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#set_minus,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state.match_string("SETMINUS").and_then(step(self::r#edge))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#except_of(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#except_of,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state.match_string("EXCEPTOF").and_then(step(self::r#edge))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#union(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#union,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state.match_string("UNION").and_then(step(self::r#edge))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#intersect(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#intersect,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state.match_string("INTERSECT").and_then(step(self::r#edge))
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
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state.match_string("AND").and_then(step(self::r#edge))
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
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state.match_string("OR").and_then(step(self::r#edge))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#operator(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    let state = state.check_stack_limit()?;
                    self::r#not(state)
                        .or_else(step(self::r#abs))
                        .or_else(step(self::r#subset))
                        .or_else(step(self::r#is_part_of))
                        .or_else(step(self::r#in_set))
                        .or_else(step(self::r#set_minus))
                        .or_else(step(self::r#except_of))
                        .or_else(step(self::r#union))
                        .or_else(step(self::r#intersect))
                        .or_else(step(self::r#and))
                        .or_else(step(self::r#or))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#primary(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    let state = state.check_stack_limit()?;
                    self::r#loop_to(state)
                        .or_else(step(self::r#boolean))
                        .or_else(step(self::r#number))
                        .or_else(step(self::r#call))
                        .or_else(step(self::r#string))
                        .or_else(step(self::r#variable))
                        .or_else(step(self::r#set))
                        .or_else(step(self::r#list))
                        .or_else(step(self::r#group))
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#loop_to(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#loop_to,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#loop_word(state)
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#variable))
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(|state| { state.match_string("=") }))
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#expr))
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#to_word))
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#expr))
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#expr))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#loop_word(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#loop_word,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state
                                                            .match_string("FORALL")
                                                            .or_else(step(|state| { state.match_string("FORSOME") }))
                                                            .and_then(step(self::r#edge))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#boolean(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#boolean,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state
                                                            .match_insensitive("true")
                                                            .or_else(step(|state| { state.match_insensitive("false") }))
                                                            .and_then(step(self::r#edge))
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
                                                        self::r#digit(state)
                                                            .and_then(
                                                                step(|state| { state.repeat(step(self::r#letter)) }),
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
                pub fn r#call(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#call,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#word(state)
                                                .and_then(step(super::hidden::skip))
                                                .and_then(
                                                    step(|state| { state.optional(step(self::r#arguments)) }),
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
                                                        state
                                                            .lookahead(false, step(self::r#operator))
                                                            .and_then(step(self::r#letter))
                                                            .and_then(
                                                                step(|state| { state.repeat(step(self::r#letter)) }),
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
                pub fn r#arguments(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#arguments,
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
                                                                                self::r#expr(state)
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
                                                                                                                                    .and_then(step(self::r#expr))
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
                                                                                                                                                                                    .and_then(step(self::r#expr))
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
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#set(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#set,
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
                                                                                self::r#expr(state)
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
                                                                                                                                    .and_then(step(self::r#expr))
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
                                                                                                                                                                                    .and_then(step(self::r#expr))
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
                pub fn r#list(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#list,
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
                                                                                self::r#expr(state)
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
                                                                                                                                    .and_then(step(self::r#expr))
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
                                                                                                                                                                                    .and_then(step(self::r#expr))
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
                pub fn r#group(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#group,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            state
                                                .match_string("(")
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#expr))
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(|state| { state.match_string(")") }))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#variable(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            step(|state| {
                                state
                                    .rule(
                                        Rule::r#variable,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state
                                                            .match_string("$")
                                                            .and_then(
                                                                step(|state| { state.repeat(step(self::r#WHITESPACE)) }),
                                                            )
                                                            .and_then(step(self::r#name))
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
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        self::r#letter(state)
                                                            .and_then(
                                                                step(|state| { state.repeat(step(self::r#letter)) }),
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
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            step(|state| {
                                state
                                    .rule(
                                        Rule::r#string,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state
                                                            .match_string("\"")
                                                            .and_then(
                                                                step(|state| {
                                                                    state
                                                                        .repeat(
                                                                            step(|state| {
                                                                                self::r#hole(state).or_else(step(self::r#text))
                                                                            }),
                                                                        )
                                                                }),
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
                pub fn r#hole(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            step(|state| {
                                state
                                    .rule(
                                        Rule::r#hole,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state
                                                            .match_string("$")
                                                            .and_then(
                                                                step(|state| { state.repeat(step(self::r#WHITESPACE)) }),
                                                            )
                                                            .and_then(step(self::r#name))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#text(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#text,
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
                                                                        .lookahead(
                                                                            false,
                                                                            step(|state| {
                                                                                state
                                                                                    .match_string("\"")
                                                                                    .or_else(step(|state| { state.match_string("$") }))
                                                                            }),
                                                                        )
                                                                        .and_then(step(self::r#ANY))
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
                                                                                            state
                                                                                                .lookahead(
                                                                                                    false,
                                                                                                    step(|state| {
                                                                                                        state
                                                                                                            .match_string("\"")
                                                                                                            .or_else(step(|state| { state.match_string("$") }))
                                                                                                    }),
                                                                                                )
                                                                                                .and_then(step(self::r#ANY))
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
                pub fn r#pattern(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            step(|state| {
                                state
                                    .rule(
                                        Rule::r#pattern,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        self::r#SOI(state)
                                                            .and_then(
                                                                step(|state| {
                                                                    state
                                                                        .repeat(
                                                                            step(|state| {
                                                                                self::r#hole(state).or_else(step(self::r#text))
                                                                            }),
                                                                        )
                                                                }),
                                                            )
                                                            .and_then(step(self::r#EOI))
                                                    }),
                                                )
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#header(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#header,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#SOI(state)
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#header_name))
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
                                                                                                                    self::r#variable(state)
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
                                                                                                                                                                        .and_then(step(self::r#variable))
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
                                                                                                                                                                                                                        .and_then(step(self::r#variable))
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
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#EOI))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#header_name(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#header_name,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        self::r#letter(state)
                                                            .and_then(
                                                                step(|state| { state.repeat(step(self::r#letter)) }),
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
                pub fn r#record_name(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#record_name,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#SOI(state)
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#base))
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
                                                                                    .and_then(step(self::r#integer))
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
                                                                                                                                    .and_then(step(self::r#integer))
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
                                                                                                                                                                                    .and_then(step(self::r#integer))
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
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#EOI))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#base(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#base,
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
                                                                        .lookahead(
                                                                            false,
                                                                            step(|state| {
                                                                                state
                                                                                    .match_string("(")
                                                                                    .or_else(step(|state| { state.match_string(")") }))
                                                                                    .or_else(step(|state| { state.match_string(",") }))
                                                                                    .or_else(step(|state| { state.match_string("\"") }))
                                                                                    .or_else(step(|state| { state.match_string("$") }))
                                                                            }),
                                                                        )
                                                                        .and_then(step(self::r#ANY))
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
                                                                                            state
                                                                                                .lookahead(
                                                                                                    false,
                                                                                                    step(|state| {
                                                                                                        state
                                                                                                            .match_string("(")
                                                                                                            .or_else(step(|state| { state.match_string(")") }))
                                                                                                            .or_else(step(|state| { state.match_string(",") }))
                                                                                                            .or_else(step(|state| { state.match_string("\"") }))
                                                                                                            .or_else(step(|state| { state.match_string("$") }))
                                                                                                    }),
                                                                                                )
                                                                                                .and_then(step(self::r#ANY))
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
                pub fn r#integer(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#integer,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        state
                                                            .optional(
                                                                step(|state| {
                                                                    state
                                                                        .match_string("-")
                                                                        .or_else(step(|state| { state.match_string("+") }))
                                                                }),
                                                            )
                                                            .and_then(step(self::r#digit))
                                                            .and_then(
                                                                step(|state| { state.repeat(step(self::r#digit)) }),
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
                pub fn r#shape(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#shape,
                            step(|state| {
                                state
                                    .sequence(
                                        step(|state| {
                                            self::r#SOI(state)
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#shape_word))
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
                                                                                    .and_then(step(self::r#integer))
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
                                                                                                                                    .and_then(step(self::r#integer))
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
                                                                                                                                                                                    .and_then(step(self::r#integer))
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
                                                .and_then(step(super::hidden::skip))
                                                .and_then(step(self::r#EOI))
                                        }),
                                    )
                            }),
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#shape_word(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#shape_word,
                            step(|state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        step(|state| {
                                            state
                                                .sequence(
                                                    step(|state| {
                                                        self::r#ASCII_ALPHA(state)
                                                            .and_then(
                                                                step(|state| { state.repeat(step(self::r#ASCII_ALPHA)) }),
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
                pub fn ASCII_ALPHA(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .match_range('a'..'z')
                        .or_else(step(|state| state.match_range('A'..'Z')))
                }
            }
            pub use self::visible::*;
        }
        ::pest::state(
            input,
            |state| {
                match rule {
                    Rule::r#WHITESPACE => rules::r#WHITESPACE(state),
                    Rule::r#separator => rules::r#separator(state),
                    Rule::r#letter => rules::r#letter(state),
                    Rule::r#edge => rules::r#edge(state),
                    Rule::r#digit => rules::r#digit(state),
                    Rule::r#expression => rules::r#expression(state),
                    Rule::r#expr => rules::r#expr(state),
                    Rule::r#item => rules::r#item(state),
                    Rule::r#branches => rules::r#branches(state),
                    Rule::r#prefix => rules::r#prefix(state),
                    Rule::r#not => rules::r#not(state),
                    Rule::r#abs => rules::r#abs(state),
                    Rule::r#neg => rules::r#neg(state),
                    Rule::r#if_word => rules::r#if_word(state),
                    Rule::r#if_bare => rules::r#if_bare(state),
                    Rule::r#then_word => rules::r#then_word(state),
                    Rule::r#else_word => rules::r#else_word(state),
                    Rule::r#to_word => rules::r#to_word(state),
                    Rule::r#binary => rules::r#binary(state),
                    Rule::r#eq => rules::r#eq(state),
                    Rule::r#ne => rules::r#ne(state),
                    Rule::r#le => rules::r#le(state),
                    Rule::r#ge => rules::r#ge(state),
                    Rule::r#lt => rules::r#lt(state),
                    Rule::r#gt => rules::r#gt(state),
                    Rule::r#add => rules::r#add(state),
                    Rule::r#sub => rules::r#sub(state),
                    Rule::r#mul => rules::r#mul(state),
                    Rule::r#div => rules::r#div(state),
                    Rule::r#rem => rules::r#rem(state),
                    Rule::r#assign => rules::r#assign(state),
                    Rule::r#subset => rules::r#subset(state),
                    Rule::r#is_part_of => rules::r#is_part_of(state),
                    Rule::r#in_set => rules::r#in_set(state),
                    Rule::r#set_minus => rules::r#set_minus(state),
                    Rule::r#except_of => rules::r#except_of(state),
                    Rule::r#union => rules::r#union(state),
                    Rule::r#intersect => rules::r#intersect(state),
                    Rule::r#and => rules::r#and(state),
                    Rule::r#or => rules::r#or(state),
                    Rule::r#operator => rules::r#operator(state),
                    Rule::r#primary => rules::r#primary(state),
                    Rule::r#loop_to => rules::r#loop_to(state),
                    Rule::r#loop_word => rules::r#loop_word(state),
                    Rule::r#boolean => rules::r#boolean(state),
                    Rule::r#number => rules::r#number(state),
                    Rule::r#call => rules::r#call(state),
                    Rule::r#word => rules::r#word(state),
                    Rule::r#arguments => rules::r#arguments(state),
                    Rule::r#set => rules::r#set(state),
                    Rule::r#list => rules::r#list(state),
                    Rule::r#group => rules::r#group(state),
                    Rule::r#variable => rules::r#variable(state),
                    Rule::r#name => rules::r#name(state),
                    Rule::r#string => rules::r#string(state),
                    Rule::r#hole => rules::r#hole(state),
                    Rule::r#text => rules::r#text(state),
                    Rule::r#pattern => rules::r#pattern(state),
                    Rule::r#header => rules::r#header(state),
                    Rule::r#header_name => rules::r#header_name(state),
                    Rule::r#record_name => rules::r#record_name(state),
                    Rule::r#base => rules::r#base(state),
                    Rule::r#integer => rules::r#integer(state),
                    Rule::r#shape => rules::r#shape(state),
                    Rule::r#shape_word => rules::r#shape_word(state),
                    Rule::EOI => rules::EOI(state),
                }
            },
        )
    }
}
