//! The command language: words to a tree.
//!
//! After a mistake the parser goes on behind the next separator, so that one run shows the mistakes of all statements.

mod exprs;
mod statements;

use super::ast::{Decl, Def, ExprKind, Name, Program};
use super::codes;
use super::lex::{Kind, Token, known_words, lex};
use super::text::Text;
use crate::diag::{Diagnostic, Diagnostics, closest};
use crate::source::Span;

/// Most blocks, parentheses and signs inside each other.
const MAX_DEPTH: u32 = 64;

/// Words that begin a statement.
const STATEMENTS: &[&str] = &[
    "int",
    "bool",
    "if",
    "force",
    "control",
    "goto",
    "game_start",
    "game_end",
    "move",
    "rollback",
    "sleep",
    "log",
    "begin_scope",
    "end_scope",
    "limit_scope",
    "return",
];

/// Words in front of parentheses.
const CALLS: &[&str] = &[
    "roll",
    "choose_bool",
    "game_start",
    "game_end",
    "move",
    "rollback",
    "sleep",
    "log",
    "begin_scope",
    "end_scope",
    "limit_scope",
];

/// The message for a word that is neither a statement nor a variable.
pub(super) fn no_statement(name: &str, span: Span) -> Diagnostic {
    let message = format!("there is no statement `{name}`");
    let found = Diagnostic::new(&codes::SYNTAX, span, message);
    let found = found.did_you_mean(name, span, STATEMENTS.iter().copied());
    found.note(format!(
        "a statement is an assignment or begins with {}",
        STATEMENTS.join(", ")
    ))
}

/// A mistake that was told.
struct Reported;

type Parsed<T> = Result<T, Reported>;

/// Reads a text; mistakes are told and left out.
pub(super) fn parse(text: &Text, out: &mut Diagnostics) -> Program {
    let tokens = lex(text, out);
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        too_deep: false,
        out,
    };
    parser.program()
}

struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    /// Whether nesting was too deep, so that the rest was not read.
    too_deep: bool,
    out: &'a mut Diagnostics,
}

impl Parser<'_> {
    fn token(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn ahead(&self, count: usize) -> &Kind {
        &self.tokens[(self.at + count).min(self.tokens.len() - 1)].kind
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// The present place; of the end of a line only its beginning.
    fn here(&self) -> Span {
        let span = self.span();
        match self.token().kind {
            Kind::Newline | Kind::End => Span::new(span.file, span.start, span.start),
            _ => span,
        }
    }

    /// The place of the word before the present one.
    fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn next(&mut self) -> Token {
        let token = self.token().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token().kind, Kind::Sign(found) if found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.token().kind, Kind::Word(found) if found == word)
    }

    fn eat_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.next();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    /// Skips what may stand where the grammar has `nl`: line ends and `;`.
    fn skip_lines(&mut self) {
        self.separators();
    }

    fn is_separator(&self) -> bool {
        self.token().kind == Kind::Newline || self.is_sign(";")
    }

    /// Skips separators; whether there was one.
    fn separators(&mut self) -> bool {
        let found = self.is_separator();
        while self.is_separator() {
            self.next();
        }
        found
    }

    fn fail<T>(&mut self, found: Diagnostic) -> Parsed<T> {
        self.out.push(found);
        Err(Reported)
    }

    fn found(&self) -> String {
        match &self.token().kind {
            Kind::Number(value) => format!("`{value}`"),
            Kind::Ident(name) => format!("`{name}`"),
            Kind::Word(word) => format!("`{word}`"),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::Newline => "the end of the line".to_owned(),
            Kind::End => "the end of the text".to_owned(),
        }
    }

    /// Tells that something else was expected here.
    fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let diagnostic = self.expectation(what);
        self.fail(diagnostic)
    }

    fn expectation(&self, what: &str) -> Diagnostic {
        let found = self.found();
        let mut diagnostic = Diagnostic::new(
            &codes::SYNTAX,
            self.here(),
            format!("expected {what}, found {found}"),
        );
        if let Kind::Ident(name) = &self.token().kind
            && let Some(near) = closest(name, known_words())
        {
            diagnostic = diagnostic.fix(format!("did you mean `{near}`?"), self.span(), near);
        }
        diagnostic
    }

    /// The opening parenthesis of a call, whose word stands before it.
    fn open(&mut self) -> Parsed<Span> {
        let (span, word) = (self.span(), self.found_before());
        if self.eat_sign("(") {
            return Ok(span);
        }
        let found = self.expectation("`(`");
        self.fail(found.help(format!("`{word}` is written with parentheses: `{word}()`")))
    }

    /// The word before the present one, as the language spells it.
    fn found_before(&self) -> &'static str {
        match self.tokens[self.at.saturating_sub(1)].kind {
            Kind::Word(word) => word,
            _ => "",
        }
    }

    /// The sign that closes what was opened there.
    fn close(&mut self, sign: &'static str, opener: Span) -> Parsed<()> {
        if self.eat_sign(sign) {
            return Ok(());
        }
        let comma = self.is_sign(",");
        let found = self
            .expectation(&format!("`{sign}`"))
            .also(opener, "opened here");
        self.fail(match comma {
            true => found.help("there is no further value here"),
            false => found,
        })
    }

    /// Whether here stands what may follow a misspelt word of the language: an argument or a call, no operator.
    fn begins_argument(&self) -> bool {
        match self.token().kind {
            Kind::Sign(sign) => matches!(sign, "(" | "."),
            _ => true,
        }
    }

    /// Tells of a name that stands where only a statement, a call or a player makes sense.
    fn stray<T>(&mut self, name: &Name) -> Parsed<T> {
        let word = name.name.as_str();
        let found = if self.is_sign("(") {
            let message = format!("there is no function `{word}`");
            let found = Diagnostic::new(&codes::SYNTAX, name.span, message);
            let found = found.did_you_mean(word, name.span, CALLS.iter().copied());
            found.note(format!("before parentheses stand {}", CALLS.join(", ")))
        } else if self.is_sign(".") {
            let message = format!("`{word}` is no player");
            let found = Diagnostic::new(&codes::SYNTAX, name.span, message);
            let found = found.did_you_mean(word, name.span, ["cp", "np", "pp"]);
            found.note("players are `cp`, the current one, `np`, the next, and `pp`, the previous")
        } else {
            no_statement(word, name.span)
        };
        self.fail(found)
    }

    fn sign(&mut self, sign: &'static str) -> Parsed<()> {
        match self.eat_sign(sign) {
            true => Ok(()),
            false => self.expected(&format!("`{sign}`")),
        }
    }

    fn word(&mut self, word: &'static str) -> Parsed<()> {
        match self.eat_word(word) {
            true => Ok(()),
            false => self.expected(&format!("`{word}`")),
        }
    }

    fn number(&mut self, what: &str) -> Parsed<(i64, Span)> {
        match self.token().kind {
            Kind::Number(value) => Ok((value, self.next().span)),
            _ => self.expected(what),
        }
    }

    fn name(&mut self, what: &str) -> Parsed<(String, Span)> {
        match &self.token().kind {
            Kind::Ident(name) => Ok((name.clone(), self.next().span)),
            Kind::Word(word) => {
                let message = format!("`{word}` is a word of the language and cannot be a name");
                let found = Diagnostic::new(&codes::SYNTAX, self.span(), message);
                self.fail(found)
            }
            _ => self.expected(what),
        }
    }

    /// Counts a level of nesting while something inside is read.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} things are inside each other here");
            let found = Diagnostic::new(&codes::TOO_DEEP, self.span(), message);
            // What follows would be told again and again.
            self.at = self.tokens.len() - 1;
            self.too_deep = true;
            return self.fail(found);
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn program(&mut self) -> Program {
        let mut program = Program::default();
        if self.token().kind == Kind::End {
            return program;
        }
        self.separators();
        let mut told = false;
        while self.is_def() {
            match self.def() {
                Ok(def) => program.defs.push(def),
                Err(Reported) => {
                    told = true;
                    self.skip_block();
                }
            }
            let separated = self.separators();
            if self.is_sign("---") || self.token().kind == Kind::End {
                break;
            }
            if !separated {
                let _: Parsed<()> = self.expected("a new line after the block");
                self.skip_statement();
                self.separators();
            }
        }
        if self.is_sign("---") {
            if program.defs.is_empty() && !told {
                let message = "`---` ends the blocks of a setup, and there is none before it";
                let found = Diagnostic::new(&codes::SYNTAX, self.span(), message);
                self.out.push(found.help("leave it out"));
            }
            self.next();
            self.skip_lines();
        } else if self.token().kind == Kind::End {
            if program.defs.is_empty() && !told {
                let message = "there is no statement, only separators";
                let span = self.tokens[0].span;
                self.out
                    .push(Diagnostic::new(&codes::SYNTAX, span, message));
            }
            return program;
        } else if !program.defs.is_empty() {
            if matches!(self.ahead(1), Kind::Word("players")) {
                let _: Parsed<()> = self.expected("how many players there are, as a number");
                self.skip_block();
                self.separators();
                return program;
            }
            let _: Parsed<()> = self.expected("`---` between the blocks and the statements");
        }
        program.code = self.statements(&[]);
        program
    }

    fn is_def(&self) -> bool {
        self.is_word("game")
            || (matches!(self.token().kind, Kind::Number(_)) && self.players_ahead())
    }

    /// Whether the next word is `players`, or nearly, in front of a brace.
    fn players_ahead(&self) -> bool {
        match self.ahead(1) {
            Kind::Word(word) => *word == "players",
            Kind::Ident(name) => {
                *self.ahead(2) == Kind::Sign("{") && closest(name, ["players"]).is_some()
            }
            _ => false,
        }
    }

    /// Skips to behind the brace that closes the block.
    fn skip_block(&mut self) {
        let mut open = 0_u32;
        while self.token().kind != Kind::End && !self.is_sign("---") {
            if self.eat_sign("}") {
                if open == 0 {
                    return;
                }
                open -= 1;
                continue;
            }
            open += u32::from(self.is_sign("{"));
            self.next();
        }
    }

    fn def(&mut self) -> Parsed<Def> {
        let start = self.span();
        if self.eat_word("game") {
            let opener = self.span();
            self.sign("{")?;
            self.skip_lines();
            let max = self.property("maxDiceValue", |parser| {
                Ok(parser.number("the greatest value of the die")?.0)
            })?;
            let end = self.property("endCondition", Self::expr)?;
            let vars = self.vars(opener)?;
            return Ok(Def::Game {
                max,
                end,
                vars,
                span: start.to(self.last()),
            });
        }
        let (count, count_span) = self.number("the number of players")?;
        self.word("players")?;
        let opener = self.span();
        self.sign("{")?;
        self.skip_lines();
        let tokens = self.property("numTokens", |parser| parser.number("a number of tokens"))?;
        let vars = self.vars(opener)?;
        Ok(Def::Players {
            count,
            count_span,
            tokens,
            vars,
            span: start.to(self.last()),
        })
    }

    /// A property of a block, with the separator behind it.
    fn property<T>(
        &mut self,
        word: &'static str,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<Option<T>> {
        if !self.eat_word(word) {
            return Ok(None);
        }
        self.eat_sign(":");
        let value = read(self)?;
        if !self.is_sign("}") && !self.separators() {
            return self.expected("a new line, `;` or `}`");
        }
        Ok(Some(value))
    }

    /// The variables of a block, and its closing brace.
    fn vars(&mut self, opener: Span) -> Parsed<Vec<Decl>> {
        let mut vars = Vec::new();
        let unclosed = |parser: &mut Self, what: &str| {
            let found = parser.expectation(what);
            parser.fail(match parser.token().kind {
                Kind::End | Kind::Number(_) => found.also(opener, "this brace is not closed"),
                _ => found,
            })
        };
        while !self.eat_sign("}") {
            if let Kind::Word(word @ ("maxDiceValue" | "endCondition" | "numTokens")) =
                self.token().kind
            {
                let message = format!("`{word}` cannot stand here");
                let found = Diagnostic::new(&codes::SYNTAX, self.span(), message);
                let order = match word {
                    "numTokens" => "`numTokens` belongs to `players`, before the variables",
                    _ => {
                        "a `game` block has first `maxDiceValue`, then `endCondition`, then variables"
                    }
                };
                return self.fail(found.help(order));
            }
            if !self.is_word("int") && !self.is_word("bool") {
                return unclosed(self, "a variable or `}`");
            }
            vars.push(self.decl()?);
            if !self.is_sign("}") && !self.separators() {
                return unclosed(self, "a new line, `;` or `}`");
            }
        }
        Ok(vars)
    }

    fn decl(&mut self) -> Parsed<Decl> {
        let is_int = self.is_word("int");
        self.next();
        let (name, name_span) = self.name("a name")?;
        let limit = match (is_int, self.is_sign("{")) {
            (true, true) => {
                let opener = self.next().span;
                let (limit, _) = self.number("the greatest value of the variable")?;
                self.close("}", opener)?;
                Some(limit)
            }
            (true, false) => {
                let message = format!("`{name}` has no greatest value");
                let found = Diagnostic::new(&codes::SYNTAX, name_span, message);
                let help = format!("write `int {name} {{100}} = 0`: it holds -101 to 100");
                return self.fail(found.help(help));
            }
            (false, true) => {
                let message = "truth values have no greatest value";
                let found = Diagnostic::new(&codes::SYNTAX, self.span(), message);
                return self.fail(found.help("leave the braces out"));
            }
            (false, false) => None,
        };
        if !self.is_sign("=") {
            return self.expected(&format!("`=` and the first value of `{name}`"));
        }
        self.next();
        let init = self.expr()?;
        if let (Some(limit), ExprKind::Int(first)) = (limit, &init.kind)
            && *first > limit
        {
            let message = format!("`{name}` holds at most {limit}");
            let found = Diagnostic::new(&codes::BEYOND_LIMIT, init.span, message);
            self.out.push(found.help(format!(
                "write `int {name} {{{first}}} = {first}`, or a greater bound"
            )));
        }
        Ok(Decl {
            name,
            name_span,
            limit,
            init,
        })
    }
}
