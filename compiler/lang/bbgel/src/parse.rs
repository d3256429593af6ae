//! The command language: words to a tree.
//!
//! After a mistake the parser goes on behind the next separator, so that one run shows the mistakes of all statements.

use super::ast::{
    Binary, Decl, Def, Expr, ExprKind, Name, Program, Stmt, StmtKind, Target, Unary, Who,
};
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
        out,
    };
    parser.program()
}

struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
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

    /// Statements up to the end, or up to one of these words.
    fn statements(&mut self, ends: &[&str]) -> Vec<Stmt> {
        let mut all = Vec::new();
        let mut told = false;
        loop {
            while self.separators() {}
            if ends.iter().any(|word| self.is_word(word)) || self.token().kind == Kind::End {
                break;
            }
            let at = self.at;
            match self.statement() {
                Ok(stmt) => all.push(stmt),
                Err(Reported) => {
                    told = true;
                    self.skip_statement();
                    if self.at == at {
                        self.next();
                    }
                    continue;
                }
            }
            let done = self.is_separator()
                || self.token().kind == Kind::End
                || ends.iter().any(|word| self.is_word(word));
            if !done {
                told = true;
                let _: Parsed<()> = match all.last().map(|stmt| &stmt.kind) {
                    Some(StmtKind::Expr(Expr {
                        kind: ExprKind::Name(name),
                        ..
                    })) if name.of.is_none() && self.begins_argument() => {
                        let name = name.clone();
                        self.stray(&name)
                    }
                    _ => self.expected("a new line or `;` after the statement"),
                };
                self.skip_statement();
                if self.at == at {
                    self.next();
                }
            }
        }
        if all.is_empty() && !told {
            let message = "a statement is missing here";
            let found = Diagnostic::new(&codes::SYNTAX, self.span(), message);
            self.out.push(found);
        }
        all
    }

    fn skip_statement(&mut self) {
        while !self.is_separator() && self.token().kind != Kind::End && !self.is_word("end") {
            self.next();
        }
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let (start, line) = (self.span(), self.token().line);
        let kind = self.nested(Self::statement_kind)?;
        Ok(Stmt {
            kind,
            span: start.to(self.last()),
            line,
        })
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        let Kind::Word(word) = self.token().kind else {
            if self.is_def() {
                return self.late_block();
            }
            if let Kind::Ident(name) = &self.token().kind
                && matches!(name.as_str(), "elseif" | "elif" | "elsif")
            {
                let message = format!("there is no `{name}`");
                let found = Diagnostic::new(&codes::SYNTAX, self.span(), message);
                let help =
                    "write `else if ... then ... end`, and one more `end` for the first `if`";
                return self.fail(found.help(help));
            }
            return Ok(StmtKind::Expr(self.expr()?));
        };
        Ok(match word {
            "int" | "bool" => StmtKind::Decl(self.decl()?),
            "if" => return self.branch(),
            "force" => {
                self.next();
                StmtKind::Force
            }
            "control" => return self.control(),
            "goto" => {
                self.next();
                StmtKind::Goto(self.target()?)
            }
            "game_start" => {
                self.next();
                let opener = self.open()?;
                let cond = match self.is_sign(")") {
                    true => None,
                    false => Some(self.expr()?),
                };
                self.close(")", opener)?;
                StmtKind::GameStart(cond)
            }
            "game_end" => self.plain_call(StmtKind::GameEnd)?,
            "rollback" => self.plain_call(StmtKind::Rollback)?,
            "begin_scope" => self.plain_call(StmtKind::BeginScope)?,
            "end_scope" => self.plain_call(StmtKind::EndScope)?,
            "limit_scope" => self.plain_call(StmtKind::LimitScope)?,
            "move" => StmtKind::Move(self.call_with_one()?),
            "log" => StmtKind::Log(self.call_with_one()?),
            "sleep" => {
                self.next();
                let opener = self.open()?;
                let Some(who) = self.who() else {
                    let what = "a player: `cp`, `np` or `pp`";
                    let message = format!("expected {what}, found {}", self.found());
                    let found = Diagnostic::new(&codes::SYNTAX, self.here(), message);
                    let help = "such as `sleep(np, 1)`: the next player misses one turn";
                    return self.fail(found.help(help));
                };
                if !self.is_sign(",") {
                    let found = self.expectation("`,` and how many turns");
                    let found = match found.help {
                        Some(_) => found,
                        None => {
                            found.help("such as `sleep(np, 1)`: the next player misses one turn")
                        }
                    };
                    return self.fail(found);
                }
                self.sign(",")?;
                let rounds = self.expr()?;
                self.close(")", opener)?;
                StmtKind::Sleep(who, rounds)
            }
            "return" => {
                self.next();
                StmtKind::Return(self.expr()?)
            }
            "game" => return self.late_block(),
            "end" | "then" | "else" => {
                let message = format!("`{word}` belongs to no `if`");
                let found = Diagnostic::new(&codes::SYNTAX, self.span(), message);
                let found = match word {
                    "else" => found.note("an `end` before it closed the `if`"),
                    _ => found,
                };
                self.next();
                if word == "else" && !self.is_word("if") {
                    // What it decides about has its own `end`.
                    self.statements(&["end"]);
                    self.eat_word("end");
                }
                return self.fail(found);
            }
            _ => StmtKind::Expr(self.expr()?),
        })
    }

    /// A block where only statements may stand.
    fn late_block<T>(&mut self) -> Parsed<T> {
        let message = "blocks of the setup stand before the statements, with `---` between";
        let found = Diagnostic::new(&codes::SYNTAX, self.span(), message);
        self.skip_block();
        self.fail(found)
    }

    fn plain_call(&mut self, kind: StmtKind) -> Parsed<StmtKind> {
        self.next();
        let opener = self.open()?;
        self.close(")", opener)?;
        Ok(kind)
    }

    fn call_with_one(&mut self) -> Parsed<Expr> {
        self.next();
        let opener = self.open()?;
        let value = self.expr()?;
        self.close(")", opener)?;
        Ok(value)
    }

    fn target(&mut self) -> Parsed<Target> {
        if self.is_sign("-") {
            let message = "the numbers of fields have no sign";
            let found = Diagnostic::new(&codes::SYNTAX, self.span(), message);
            return self.fail(found);
        }
        let (id, span) = self.number("the number of a field")?;
        Ok(Target { id, span })
    }

    fn branch(&mut self) -> Parsed<StmtKind> {
        let begin = self.span();
        self.next();
        let cond = match self.expr() {
            Ok(cond) => Ok(cond),
            Err(Reported) => {
                // Whatever the condition is, the blocks behind it are read.
                while !self.is_word("then") && !self.is_separator() {
                    if self.token().kind == Kind::End {
                        return Err(Reported);
                    }
                    self.next();
                }
                Err(Reported)
            }
        };
        let line = self.at;
        self.skip_lines();
        if self.is_word("then") {
            self.next();
        } else {
            let behind = self.at;
            self.at = line;
            cond?;
            let missing: Parsed<()> = self.expected("`then`");
            if !self.is_separator() {
                missing?;
            }
            // It ends the line: the blocks behind it are read all the same.
            self.at = behind;
            self.blocks()?;
            self.eat_word("end");
            return Err(Reported);
        }
        let (yes, no) = self.blocks()?;
        if !self.eat_word("end") {
            let found = Diagnostic::new(&codes::SYNTAX, begin, "this `if` has no `end`");
            return self.fail(found);
        }
        Ok(StmtKind::If(cond?, yes, no))
    }

    /// What an `if` does, up to its `end`.
    fn blocks(&mut self) -> Parsed<(Vec<Stmt>, Option<Vec<Stmt>>)> {
        let yes = self.statements(&["else", "end"]);
        let no = match self.eat_word("else") {
            true => Some(self.statements(&["end"])),
            false => None,
        };
        Ok((yes, no))
    }

    fn control(&mut self) -> Parsed<StmtKind> {
        self.next();
        if self.eat_word("goto") {
            return Ok(StmtKind::ControlGoto(self.target()?));
        }
        if !self.is_word("if") {
            return self.expected("`goto` or `if` on the same line");
        }
        self.next();
        let read = self.control_if();
        if read.is_err() {
            // The statement ends with its `end`, wherever the mistake is.
            while !self.is_word("end") && self.token().kind != Kind::End {
                self.next();
            }
            self.eat_word("end");
        }
        read
    }

    fn control_if(&mut self) -> Parsed<StmtKind> {
        let cond = self.expr()?;
        self.skip_lines();
        self.word("then")?;
        let yes = self.control_branch()?;
        self.skip_lines();
        if self.is_word("end") {
            let message = "a `control if` needs an `else`: the token must have a way in both cases";
            let found = Diagnostic::new(&codes::SYNTAX, self.span(), message);
            return self.fail(found.help("add `else goto NUMBER`"));
        }
        self.word("else")?;
        let no = self.control_branch()?;
        self.skip_lines();
        self.word("end")?;
        Ok(StmtKind::ControlIf(cond, yes, no))
    }

    fn control_branch(&mut self) -> Parsed<Target> {
        self.skip_lines();
        if !self.eat_word("goto") {
            let found = self.found();
            let message = format!("expected `goto`, found {found}");
            let found = Diagnostic::new(&codes::SYNTAX, self.span(), message);
            return self.fail(found.help("a `control if` has nothing but `goto NUMBER` in it"));
        }
        self.target()
    }

    fn who(&mut self) -> Option<Who> {
        let who = match self.token().kind {
            Kind::Word("cp") => Who::Current,
            Kind::Word("np") => Who::Next,
            Kind::Word("pp") => Who::Previous,
            _ => return None,
        };
        self.next();
        Some(who)
    }

    fn expr(&mut self) -> Parsed<Expr> {
        self.nested(Self::expr_inside)
    }

    fn expr_inside(&mut self) -> Parsed<Expr> {
        let start = self.at;
        let cond = self.chain(0)?;
        if self.is_sign("=") {
            let ExprKind::Name(name) = cond.kind else {
                let span = cond.span.to(self.span());
                let message = "only a variable can be assigned to";
                let found = Diagnostic::new(&codes::SYNTAX, span, message);
                return self.fail(found.help("`==` compares two values"));
            };
            // `(x) = 1` and `a + x = 1` are none.
            if self.tokens[start].span.start != name.span.start {
                let message = "only a variable can be assigned to";
                let found = Diagnostic::new(&codes::SYNTAX, cond.span, message);
                return self.fail(found);
            }
            self.next();
            let value = self.expr()?;
            let span = cond.span.to(value.span);
            return Ok(Expr {
                kind: ExprKind::Assign(name, Box::new(value)),
                span,
            });
        }
        if !self.eat_sign("?") {
            return Ok(cond);
        }
        let yes = self.expr()?;
        self.sign(":")?;
        let no = self.expr()?;
        let span = cond.span.to(no.span);
        Ok(Expr {
            kind: ExprKind::Ternary(Box::new(cond), Box::new(yes), Box::new(no)),
            span,
        })
    }

    /// Signs between operands, from a level of [`LEVELS`] on.
    fn chain(&mut self, level: usize) -> Parsed<Expr> {
        let Some((signs, chains)) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.chain(level + 1)?;
        let mut count = 0;
        while let Some((_, op)) = signs.iter().find(|(sign, _)| self.is_sign(sign)) {
            count += 1;
            if count > 1 && !chains {
                let message = "comparisons cannot follow each other";
                let found = Diagnostic::new(&codes::SYNTAX, self.span(), message);
                return self.fail(found.help("put one of them into parentheses, or use `and`"));
            }
            if count > MAX_CHAIN {
                let message = format!("more than {MAX_CHAIN} signs follow each other");
                let found = Diagnostic::new(&codes::TOO_DEEP, self.span(), message);
                return self.fail(found);
            }
            let sign = self.next().span;
            self.no_combined(&left, sign)?;
            let right = self.chain(level + 1)?;
            let span = left.span.to(right.span);
            left = Expr {
                kind: ExprKind::Binary(*op, Box::new(left), Box::new(right)),
                span,
            };
        }
        Ok(left)
    }

    /// Tells of `+=` and its like.
    fn no_combined(&mut self, left: &Expr, sign: Span) -> Parsed<()> {
        let (ExprKind::Name(name), true) = (&left.kind, self.is_sign("=")) else {
            return Ok(());
        };
        let span = sign.to(self.span());
        let sign = match self.tokens[self.at.saturating_sub(1)].kind {
            Kind::Sign(sign @ ("+" | "-" | "*" | "/" | "%")) => sign,
            _ => return Ok(()),
        };
        let message = format!("there is no `{sign}=`");
        let found = Diagnostic::new(&codes::SYNTAX, span, message);
        self.fail(found.fix(
            format!("write `{name} = {name} {sign} ...`"),
            span,
            format!("= {name} {sign}"),
        ))
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let op = match self.token().kind {
            Kind::Sign("+") => Unary::Plus,
            Kind::Sign("-") => Unary::Minus,
            Kind::Sign("!") => Unary::Not,
            _ => return self.primary(),
        };
        let start = self.next().span;
        let operand = self.nested(Self::unary)?;
        let span = start.to(operand.span);
        Ok(Expr {
            kind: ExprKind::Unary(op, Box::new(operand)),
            span,
        })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.token().kind.clone() {
            Kind::Number(value) => {
                self.next();
                if self.is_sign(".") && matches!(self.ahead(1), Kind::Number(_)) {
                    let dot = self.next().span;
                    let span = start.to(self.span());
                    let found = Diagnostic::new(&codes::SYNTAX, span, "numbers are whole here");
                    return self.fail(found.also(dot, "there are no fractions"));
                }
                ExprKind::Int(value)
            }
            Kind::Sign("(") => {
                let opener = self.next().span;
                let mut inner = self.expr()?;
                self.close(")", opener)?;
                inner.span = start.to(self.last());
                return Ok(inner);
            }
            Kind::Sign(sign @ ("++" | "--")) => {
                self.next();
                let name = self.qname()?;
                ExprKind::Step {
                    name,
                    before: true,
                    up: sign == "++",
                }
            }
            Kind::Word("true") => self.value(ExprKind::Bool(true)),
            Kind::Word("false") => self.value(ExprKind::Bool(false)),
            Kind::Word("$leftSteps") => self.value(ExprKind::LeftSteps),
            Kind::Word("$result") => self.value(ExprKind::Result),
            Kind::Word("$numPlayers") => self.value(ExprKind::NumPlayers),
            Kind::Word("roll") => {
                self.next();
                let opener = self.open()?;
                let sides = match self.is_sign(")") {
                    true => None,
                    false => Some(Box::new(self.expr()?)),
                };
                self.close(")", opener)?;
                ExprKind::Roll(sides)
            }
            Kind::Word("choose_bool") => {
                self.next();
                let opener = self.open()?;
                self.close(")", opener)?;
                ExprKind::ChooseBool
            }
            Kind::Word("cp" | "np" | "pp") | Kind::Ident(_) => {
                let name = self.qname()?;
                match self.token().kind {
                    Kind::Sign("(" | ".") if name.of.is_none() => return self.stray(&name),
                    Kind::Sign(sign @ ("++" | "--")) => {
                        self.next();
                        ExprKind::Step {
                            name,
                            before: false,
                            up: sign == "++",
                        }
                    }
                    _ => ExprKind::Name(name),
                }
            }
            _ => return self.expected("a value"),
        };
        Ok(Expr {
            kind,
            span: start.to(self.last()),
        })
    }

    fn value(&mut self, kind: ExprKind) -> ExprKind {
        self.next();
        kind
    }

    fn qname(&mut self) -> Parsed<Name> {
        let start = self.span();
        let of = self.who();
        if let Some(who) = of
            && !self.eat_sign(".")
        {
            let message = format!("`{who}` alone is no value");
            let found = Diagnostic::new(&codes::SYNTAX, start, message);
            return self
                .fail(found.help(format!("write `{who}.name` for a variable of the player")));
        }
        let (name, _) = self.name("the name of a variable")?;
        Ok(Name {
            of,
            name,
            span: start.to(self.last()),
        })
    }
}

/// Most signs of one level in a row.
const MAX_CHAIN: u32 = 100;

/// Signs from the loosest to the tightest, and whether they may follow each other.
const LEVELS: &[(&[(&str, Binary)], bool)] = &[
    (&[("||", Binary::Or)], true),
    (&[("&&", Binary::And)], true),
    (&[("==", Binary::Eq), ("!=", Binary::Ne)], false),
    (
        &[
            ("<", Binary::Lt),
            (">", Binary::Gt),
            ("<=", Binary::Le),
            (">=", Binary::Ge),
        ],
        false,
    ),
    (&[("+", Binary::Add), ("-", Binary::Sub)], true),
    (
        &[("*", Binary::Mul), ("/", Binary::Div), ("%", Binary::Rem)],
        true,
    ),
];
