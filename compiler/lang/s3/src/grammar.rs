//! The parser that pest makes from `grammar.pest`.
//!
//! Change the grammar instead of this file: `UPDATE_EXPECT=1 cargo test -p rulec-grammars` writes it anew.

#![allow(clippy::all, dead_code, missing_docs, unreachable_pub, reason = "generated")]

/// Entry to the rules of the grammar.
pub(super) struct Grammar;
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
                use super::super::Rule;
                #[inline]
                #[allow(dead_code, non_snake_case, unused_variables)]
                pub fn skip(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    if state.atomicity() == ::pest::Atomicity::NonAtomic {
                        state.repeat(|state| super::visible::WHITESPACE(state))
                    } else {
                        Ok(state)
                    }
                }
            }
            pub mod visible {
                use super::super::Rule;
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
                            |state| {
                                state
                                    .match_string(" ")
                                    .or_else(|state| { state.match_string("\t") })
                            },
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
                        .or_else(|state| { state.match_string("!") })
                        .or_else(|state| { state.match_string("<") })
                        .or_else(|state| { state.match_string(">") })
                        .or_else(|state| { state.match_string("+") })
                        .or_else(|state| { state.match_string("-") })
                        .or_else(|state| { state.match_string("*") })
                        .or_else(|state| { state.match_string("/") })
                        .or_else(|state| { state.match_string("%") })
                        .or_else(|state| { state.match_string("(") })
                        .or_else(|state| { state.match_string(")") })
                        .or_else(|state| { state.match_string("{") })
                        .or_else(|state| { state.match_string("}") })
                        .or_else(|state| { state.match_string("[") })
                        .or_else(|state| { state.match_string("]") })
                        .or_else(|state| { state.match_string(",") })
                        .or_else(|state| { state.match_string("\"") })
                        .or_else(|state| { state.match_string("$") })
                        .or_else(|state| { state.match_string(" ") })
                        .or_else(|state| { state.match_string("\t") })
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#letter(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .sequence(|state| {
                            state
                                .lookahead(false, |state| { self::r#separator(state) })
                                .and_then(|state| { super::hidden::skip(state) })
                                .and_then(|state| { self::r#ANY(state) })
                        })
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#edge(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.lookahead(false, |state| { self::r#letter(state) })
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
                        .sequence(|state| {
                            self::r#SOI(state)
                                .and_then(|state| { super::hidden::skip(state) })
                                .and_then(|state| { self::r#expr(state) })
                                .and_then(|state| { super::hidden::skip(state) })
                                .and_then(|state| { self::r#EOI(state) })
                        })
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        self::r#item(state)
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| {
                                                state
                                                    .sequence(|state| {
                                                        state
                                                            .optional(|state| {
                                                                state
                                                                    .sequence(|state| {
                                                                        self::r#binary(state)
                                                                            .and_then(|state| { super::hidden::skip(state) })
                                                                            .and_then(|state| { self::r#item(state) })
                                                                    })
                                                                    .and_then(|state| {
                                                                        state
                                                                            .repeat(|state| {
                                                                                state
                                                                                    .sequence(|state| {
                                                                                        super::hidden::skip(state)
                                                                                            .and_then(|state| {
                                                                                                state
                                                                                                    .sequence(|state| {
                                                                                                        self::r#binary(state)
                                                                                                            .and_then(|state| { super::hidden::skip(state) })
                                                                                                            .and_then(|state| { self::r#item(state) })
                                                                                                    })
                                                                                            })
                                                                                    })
                                                                            })
                                                                    })
                                                            })
                                                    })
                                            })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| {
                                                state.optional(|state| { self::r#branches(state) })
                                            })
                                    })
                            },
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
                        .sequence(|state| {
                            state
                                .sequence(|state| {
                                    state
                                        .optional(|state| {
                                            self::r#prefix(state)
                                                .and_then(|state| {
                                                    state
                                                        .repeat(|state| {
                                                            state
                                                                .sequence(|state| {
                                                                    super::hidden::skip(state)
                                                                        .and_then(|state| { self::r#prefix(state) })
                                                                })
                                                        })
                                                })
                                        })
                                })
                                .and_then(|state| { super::hidden::skip(state) })
                                .and_then(|state| { self::r#primary(state) })
                        })
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        self::r#then_word(state)
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#expr(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#else_word(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#expr(state) })
                                    })
                            },
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
                        .or_else(|state| { self::r#abs(state) })
                        .or_else(|state| { self::r#neg(state) })
                        .or_else(|state| { self::r#if_word(state) })
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("NOT")
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("ABS")
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#neg(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#neg, |state| { state.match_string("-") })
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        self::r#if_bare(state)
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| {
                                                state.lookahead(false, |state| { state.match_string("(") })
                                            })
                                    })
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("IF")
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("THEN")
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("ELSE")
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("TO")
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                        .or_else(|state| { self::r#ne(state) })
                        .or_else(|state| { self::r#le(state) })
                        .or_else(|state| { self::r#ge(state) })
                        .or_else(|state| { self::r#lt(state) })
                        .or_else(|state| { self::r#gt(state) })
                        .or_else(|state| { self::r#add(state) })
                        .or_else(|state| { self::r#sub(state) })
                        .or_else(|state| { self::r#mul(state) })
                        .or_else(|state| { self::r#div(state) })
                        .or_else(|state| { self::r#rem(state) })
                        .or_else(|state| { self::r#subset(state) })
                        .or_else(|state| { self::r#is_part_of(state) })
                        .or_else(|state| { self::r#in_set(state) })
                        .or_else(|state| { self::r#set_minus(state) })
                        .or_else(|state| { self::r#except_of(state) })
                        .or_else(|state| { self::r#union(state) })
                        .or_else(|state| { self::r#intersect(state) })
                        .or_else(|state| { self::r#and(state) })
                        .or_else(|state| { self::r#or(state) })
                        .or_else(|state| { self::r#assign(state) })
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .match_string("=")
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { state.match_string("=") })
                                    })
                            },
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .match_string("!")
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { state.match_string("=") })
                                    })
                            },
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .match_string("<")
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { state.match_string("=") })
                                    })
                            },
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .match_string(">")
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { state.match_string("=") })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#lt(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#lt, |state| { state.match_string("<") })
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#gt(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#gt, |state| { state.match_string(">") })
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#add(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#add, |state| { state.match_string("+") })
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#sub(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#sub, |state| { state.match_string("-") })
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#mul(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#mul, |state| { state.match_string("*") })
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#div(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#div, |state| { state.match_string("/") })
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#rem(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#rem, |state| { state.match_string("%") })
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#assign(
                    state: ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::std::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::r#assign, |state| { state.match_string("=") })
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("SUBSET")
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("ISPARTOF")
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("IN")
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("SETMINUS")
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("EXCEPTOF")
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("UNION")
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("INTERSECT")
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("AND")
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("OR")
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                        .or_else(|state| { self::r#abs(state) })
                        .or_else(|state| { self::r#subset(state) })
                        .or_else(|state| { self::r#is_part_of(state) })
                        .or_else(|state| { self::r#in_set(state) })
                        .or_else(|state| { self::r#set_minus(state) })
                        .or_else(|state| { self::r#except_of(state) })
                        .or_else(|state| { self::r#union(state) })
                        .or_else(|state| { self::r#intersect(state) })
                        .or_else(|state| { self::r#and(state) })
                        .or_else(|state| { self::r#or(state) })
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
                        .or_else(|state| { self::r#boolean(state) })
                        .or_else(|state| { self::r#number(state) })
                        .or_else(|state| { self::r#call(state) })
                        .or_else(|state| { self::r#string(state) })
                        .or_else(|state| { self::r#variable(state) })
                        .or_else(|state| { self::r#set(state) })
                        .or_else(|state| { self::r#list(state) })
                        .or_else(|state| { self::r#group(state) })
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        self::r#loop_word(state)
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#variable(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { state.match_string("=") })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#expr(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#to_word(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#expr(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#expr(state) })
                                    })
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("FORALL")
                                                        .or_else(|state| { state.match_string("FORSOME") })
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_insensitive("true")
                                                        .or_else(|state| { state.match_insensitive("false") })
                                                        .and_then(|state| { self::r#edge(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    self::r#digit(state)
                                                        .and_then(|state| {
                                                            state.repeat(|state| { self::r#letter(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        self::r#word(state)
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| {
                                                state.optional(|state| { self::r#arguments(state) })
                                            })
                                    })
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .lookahead(false, |state| { self::r#operator(state) })
                                                        .and_then(|state| { self::r#letter(state) })
                                                        .and_then(|state| {
                                                            state.repeat(|state| { self::r#letter(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .match_string("(")
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| {
                                                state
                                                    .optional(|state| {
                                                        state
                                                            .sequence(|state| {
                                                                self::r#expr(state)
                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                    .and_then(|state| {
                                                                        state
                                                                            .sequence(|state| {
                                                                                state
                                                                                    .optional(|state| {
                                                                                        state
                                                                                            .sequence(|state| {
                                                                                                state
                                                                                                    .match_string(",")
                                                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                                                    .and_then(|state| { self::r#expr(state) })
                                                                                            })
                                                                                            .and_then(|state| {
                                                                                                state
                                                                                                    .repeat(|state| {
                                                                                                        state
                                                                                                            .sequence(|state| {
                                                                                                                super::hidden::skip(state)
                                                                                                                    .and_then(|state| {
                                                                                                                        state
                                                                                                                            .sequence(|state| {
                                                                                                                                state
                                                                                                                                    .match_string(",")
                                                                                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                                                                                    .and_then(|state| { self::r#expr(state) })
                                                                                                                            })
                                                                                                                    })
                                                                                                            })
                                                                                                    })
                                                                                            })
                                                                                    })
                                                                            })
                                                                    })
                                                            })
                                                    })
                                            })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { state.match_string(")") })
                                    })
                            },
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .match_string("{")
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| {
                                                state
                                                    .optional(|state| {
                                                        state
                                                            .sequence(|state| {
                                                                self::r#expr(state)
                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                    .and_then(|state| {
                                                                        state
                                                                            .sequence(|state| {
                                                                                state
                                                                                    .optional(|state| {
                                                                                        state
                                                                                            .sequence(|state| {
                                                                                                state
                                                                                                    .match_string(",")
                                                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                                                    .and_then(|state| { self::r#expr(state) })
                                                                                            })
                                                                                            .and_then(|state| {
                                                                                                state
                                                                                                    .repeat(|state| {
                                                                                                        state
                                                                                                            .sequence(|state| {
                                                                                                                super::hidden::skip(state)
                                                                                                                    .and_then(|state| {
                                                                                                                        state
                                                                                                                            .sequence(|state| {
                                                                                                                                state
                                                                                                                                    .match_string(",")
                                                                                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                                                                                    .and_then(|state| { self::r#expr(state) })
                                                                                                                            })
                                                                                                                    })
                                                                                                            })
                                                                                                    })
                                                                                            })
                                                                                    })
                                                                            })
                                                                    })
                                                            })
                                                    })
                                            })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { state.match_string("}") })
                                    })
                            },
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .match_string("[")
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| {
                                                state
                                                    .optional(|state| {
                                                        state
                                                            .sequence(|state| {
                                                                self::r#expr(state)
                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                    .and_then(|state| {
                                                                        state
                                                                            .sequence(|state| {
                                                                                state
                                                                                    .optional(|state| {
                                                                                        state
                                                                                            .sequence(|state| {
                                                                                                state
                                                                                                    .match_string(",")
                                                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                                                    .and_then(|state| { self::r#expr(state) })
                                                                                            })
                                                                                            .and_then(|state| {
                                                                                                state
                                                                                                    .repeat(|state| {
                                                                                                        state
                                                                                                            .sequence(|state| {
                                                                                                                super::hidden::skip(state)
                                                                                                                    .and_then(|state| {
                                                                                                                        state
                                                                                                                            .sequence(|state| {
                                                                                                                                state
                                                                                                                                    .match_string(",")
                                                                                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                                                                                    .and_then(|state| { self::r#expr(state) })
                                                                                                                            })
                                                                                                                    })
                                                                                                            })
                                                                                                    })
                                                                                            })
                                                                                    })
                                                                            })
                                                                    })
                                                            })
                                                    })
                                            })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { state.match_string("]") })
                                    })
                            },
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .match_string("(")
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#expr(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { state.match_string(")") })
                                    })
                            },
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
                            |state| {
                                state
                                    .rule(
                                        Rule::r#variable,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("$")
                                                        .and_then(|state| {
                                                            state.repeat(|state| { self::r#WHITESPACE(state) })
                                                        })
                                                        .and_then(|state| { self::r#name(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    self::r#letter(state)
                                                        .and_then(|state| {
                                                            state.repeat(|state| { self::r#letter(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .rule(
                                        Rule::r#string,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("\"")
                                                        .and_then(|state| {
                                                            state
                                                                .repeat(|state| {
                                                                    self::r#hole(state).or_else(|state| { self::r#text(state) })
                                                                })
                                                        })
                                                        .and_then(|state| { state.match_string("\"") })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .rule(
                                        Rule::r#hole,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("$")
                                                        .and_then(|state| {
                                                            state.repeat(|state| { self::r#WHITESPACE(state) })
                                                        })
                                                        .and_then(|state| { self::r#name(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .sequence(|state| {
                                                            state
                                                                .lookahead(
                                                                    false,
                                                                    |state| {
                                                                        state
                                                                            .match_string("\"")
                                                                            .or_else(|state| { state.match_string("$") })
                                                                    },
                                                                )
                                                                .and_then(|state| { self::r#ANY(state) })
                                                        })
                                                        .and_then(|state| {
                                                            state
                                                                .repeat(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            state
                                                                                .lookahead(
                                                                                    false,
                                                                                    |state| {
                                                                                        state
                                                                                            .match_string("\"")
                                                                                            .or_else(|state| { state.match_string("$") })
                                                                                    },
                                                                                )
                                                                                .and_then(|state| { self::r#ANY(state) })
                                                                        })
                                                                })
                                                        })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .rule(
                                        Rule::r#pattern,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    self::r#SOI(state)
                                                        .and_then(|state| {
                                                            state
                                                                .repeat(|state| {
                                                                    self::r#hole(state).or_else(|state| { self::r#text(state) })
                                                                })
                                                        })
                                                        .and_then(|state| { self::r#EOI(state) })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        self::r#SOI(state)
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#header_name(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| {
                                                state
                                                    .optional(|state| {
                                                        state
                                                            .sequence(|state| {
                                                                state
                                                                    .match_string("(")
                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                    .and_then(|state| {
                                                                        state
                                                                            .optional(|state| {
                                                                                state
                                                                                    .sequence(|state| {
                                                                                        self::r#variable(state)
                                                                                            .and_then(|state| { super::hidden::skip(state) })
                                                                                            .and_then(|state| {
                                                                                                state
                                                                                                    .sequence(|state| {
                                                                                                        state
                                                                                                            .optional(|state| {
                                                                                                                state
                                                                                                                    .sequence(|state| {
                                                                                                                        state
                                                                                                                            .match_string(",")
                                                                                                                            .and_then(|state| { super::hidden::skip(state) })
                                                                                                                            .and_then(|state| { self::r#variable(state) })
                                                                                                                    })
                                                                                                                    .and_then(|state| {
                                                                                                                        state
                                                                                                                            .repeat(|state| {
                                                                                                                                state
                                                                                                                                    .sequence(|state| {
                                                                                                                                        super::hidden::skip(state)
                                                                                                                                            .and_then(|state| {
                                                                                                                                                state
                                                                                                                                                    .sequence(|state| {
                                                                                                                                                        state
                                                                                                                                                            .match_string(",")
                                                                                                                                                            .and_then(|state| { super::hidden::skip(state) })
                                                                                                                                                            .and_then(|state| { self::r#variable(state) })
                                                                                                                                                    })
                                                                                                                                            })
                                                                                                                                    })
                                                                                                                            })
                                                                                                                    })
                                                                                                            })
                                                                                                    })
                                                                                            })
                                                                                    })
                                                                            })
                                                                    })
                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                    .and_then(|state| { state.match_string(")") })
                                                            })
                                                    })
                                            })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#EOI(state) })
                                    })
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    self::r#letter(state)
                                                        .and_then(|state| {
                                                            state.repeat(|state| { self::r#letter(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        self::r#SOI(state)
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#base(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| {
                                                state
                                                    .optional(|state| {
                                                        state
                                                            .sequence(|state| {
                                                                state
                                                                    .match_string("(")
                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                    .and_then(|state| { self::r#integer(state) })
                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                    .and_then(|state| {
                                                                        state
                                                                            .sequence(|state| {
                                                                                state
                                                                                    .optional(|state| {
                                                                                        state
                                                                                            .sequence(|state| {
                                                                                                state
                                                                                                    .match_string(",")
                                                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                                                    .and_then(|state| { self::r#integer(state) })
                                                                                            })
                                                                                            .and_then(|state| {
                                                                                                state
                                                                                                    .repeat(|state| {
                                                                                                        state
                                                                                                            .sequence(|state| {
                                                                                                                super::hidden::skip(state)
                                                                                                                    .and_then(|state| {
                                                                                                                        state
                                                                                                                            .sequence(|state| {
                                                                                                                                state
                                                                                                                                    .match_string(",")
                                                                                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                                                                                    .and_then(|state| { self::r#integer(state) })
                                                                                                                            })
                                                                                                                    })
                                                                                                            })
                                                                                                    })
                                                                                            })
                                                                                    })
                                                                            })
                                                                    })
                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                    .and_then(|state| { state.match_string(")") })
                                                            })
                                                    })
                                            })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#EOI(state) })
                                    })
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .sequence(|state| {
                                                            state
                                                                .lookahead(
                                                                    false,
                                                                    |state| {
                                                                        state
                                                                            .match_string("(")
                                                                            .or_else(|state| { state.match_string(")") })
                                                                            .or_else(|state| { state.match_string(",") })
                                                                            .or_else(|state| { state.match_string("\"") })
                                                                            .or_else(|state| { state.match_string("$") })
                                                                    },
                                                                )
                                                                .and_then(|state| { self::r#ANY(state) })
                                                        })
                                                        .and_then(|state| {
                                                            state
                                                                .repeat(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            state
                                                                                .lookahead(
                                                                                    false,
                                                                                    |state| {
                                                                                        state
                                                                                            .match_string("(")
                                                                                            .or_else(|state| { state.match_string(")") })
                                                                                            .or_else(|state| { state.match_string(",") })
                                                                                            .or_else(|state| { state.match_string("\"") })
                                                                                            .or_else(|state| { state.match_string("$") })
                                                                                    },
                                                                                )
                                                                                .and_then(|state| { self::r#ANY(state) })
                                                                        })
                                                                })
                                                        })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .optional(|state| {
                                                            state
                                                                .match_string("-")
                                                                .or_else(|state| { state.match_string("+") })
                                                        })
                                                        .and_then(|state| { self::r#digit(state) })
                                                        .and_then(|state| {
                                                            state.repeat(|state| { self::r#digit(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
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
                            |state| {
                                state
                                    .sequence(|state| {
                                        self::r#SOI(state)
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#shape_word(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| {
                                                state
                                                    .optional(|state| {
                                                        state
                                                            .sequence(|state| {
                                                                state
                                                                    .match_string("(")
                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                    .and_then(|state| { self::r#integer(state) })
                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                    .and_then(|state| {
                                                                        state
                                                                            .sequence(|state| {
                                                                                state
                                                                                    .optional(|state| {
                                                                                        state
                                                                                            .sequence(|state| {
                                                                                                state
                                                                                                    .match_string(",")
                                                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                                                    .and_then(|state| { self::r#integer(state) })
                                                                                            })
                                                                                            .and_then(|state| {
                                                                                                state
                                                                                                    .repeat(|state| {
                                                                                                        state
                                                                                                            .sequence(|state| {
                                                                                                                super::hidden::skip(state)
                                                                                                                    .and_then(|state| {
                                                                                                                        state
                                                                                                                            .sequence(|state| {
                                                                                                                                state
                                                                                                                                    .match_string(",")
                                                                                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                                                                                    .and_then(|state| { self::r#integer(state) })
                                                                                                                            })
                                                                                                                    })
                                                                                                            })
                                                                                                    })
                                                                                            })
                                                                                    })
                                                                            })
                                                                    })
                                                                    .and_then(|state| { super::hidden::skip(state) })
                                                                    .and_then(|state| { state.match_string(")") })
                                                            })
                                                    })
                                            })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#EOI(state) })
                                    })
                            },
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
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    self::r#ASCII_ALPHA(state)
                                                        .and_then(|state| {
                                                            state.repeat(|state| { self::r#ASCII_ALPHA(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
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
                    state.rule(Rule::EOI, |state| state.end_of_input())
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
                        .or_else(|state| state.match_range('A'..'Z'))
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
