//! Statements.

use super::super::ast::{Expr, ExprKind, Stmt, StmtKind, Target, Who};
use super::super::codes;
use super::super::lex::Kind;
use super::{Parsed, Parser, Reported};
use crate::diag::Diagnostic;

impl Parser<'_> {
    /// Statements up to the end, or up to one of these words.
    pub(super) fn statements(&mut self, ends: &[&str]) -> Vec<Stmt> {
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

    pub(super) fn skip_statement(&mut self) {
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

    pub(super) fn target(&mut self) -> Parsed<Target> {
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
            if self.too_deep {
                return Err(Reported);
            }
            let found = Diagnostic::new(&codes::SYNTAX, begin, "this `if` has no `end`");
            let first = no.as_ref().and_then(|no| no.first());
            let chained = first.is_some_and(|stmt| matches!(stmt.kind, StmtKind::If(..)));
            return self.fail(match chained {
                true => found
                    .help("the `if` behind `else` is one of its own: each of them needs an `end`"),
                false => found,
            });
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

    pub(super) fn who(&mut self) -> Option<Who> {
        let who = match self.token().kind {
            Kind::Word("cp") => Who::Current,
            Kind::Word("np") => Who::Next,
            Kind::Word("pp") => Who::Previous,
            _ => return None,
        };
        self.next();
        Some(who)
    }
}
