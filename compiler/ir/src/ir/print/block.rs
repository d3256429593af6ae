//! Statements.

use std::fmt::Write;

use super::super::*;
use super::*;
use crate::source::Span;

impl Printer<'_> {
    /// The line of a place, as a comment.
    pub(super) fn origin(&self, span: Span) -> String {
        let Some(source) = self.game.sources.get(span.file.0 as usize) else {
            return String::new();
        };
        let line = source
            .lines
            .partition_point(|&start| start <= span.start)
            .max(1);
        match self.game.sources.len() {
            1 => format!("  @{line}"),
            _ => format!("  @{}:{line}", source.name),
        }
    }

    pub(super) fn block(&mut self, block: &[Stmt]) {
        if block.is_empty() {
            self.line("nothing");
        }
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let origin = self.origin(stmt.span);
        match &stmt.kind {
            StmtKind::If(cond, yes, no) => {
                let cond = self.expr(cond);
                self.block_of(format_args!("if {cond}{origin}"), |p| p.block(yes));
                if !no.is_empty() {
                    self.block_of("else", |p| p.block(no));
                }
            }
            StmtKind::For {
                local,
                from,
                to,
                count,
                body,
                charged,
            } => {
                let word = match count {
                    Count::Up => "up to",
                    Count::Down => "down to",
                    Count::Toward => "toward",
                };
                let charged = if *charged { " charged" } else { "" };
                let (from, to) = (self.expr(from), self.expr(to));
                let local = self.local(*local);
                let head = format!("for {local} = {from} {word} {to}{charged}{origin}");
                self.block_of(head, |p| p.block(body));
            }
            StmtKind::ForEach(local, over, body) => {
                let (local, over) = (self.local(*local), self.over(over));
                self.block_of(format_args!("for {local} in {over}{origin}"), |p| {
                    p.block(body)
                });
            }
            StmtKind::While { cond, bound, body } => {
                let cond = self.expr(cond);
                let bound = match *bound {
                    u32::MAX => String::new(),
                    bound => format!(" at most {bound} times"),
                };
                self.block_of(format_args!("while {cond}{bound}{origin}"), |p| {
                    p.block(body)
                });
            }
            StmtKind::Trial {
                body,
                keep,
                ok,
                value,
            } => {
                let word = if *keep { "try" } else { "try and drop" };
                self.block_of(format_args!("{word}{origin}"), |p| p.block(body));
                let mut gives = self.local(*ok);
                if let Some((value, into)) = value {
                    let _ = write!(gives, ", {} = {}", self.local(*into), self.expr(value));
                }
                self.line(format_args!("tried {gives}"));
            }
            StmtKind::Choose(choose) => self.choose("", choose, &origin),
            _ => {
                let text = self.simple(stmt);
                self.line(format_args!("{text}{origin}"));
            }
        }
    }

    fn simple(&self, stmt: &Stmt) -> String {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                format!("{} = {}", self.local(*local), self.expr(value))
            }
            StmtKind::SetEnv(var, value) => format!("{} = {}", self.env(*var), self.expr(value)),
            StmtKind::SetVar(var, index, value) => {
                format!(
                    "{}{} := {}",
                    self.var(*var),
                    self.index(index),
                    self.expr(value)
                )
            }
            StmtKind::Put(id, piece, place) => {
                let (piece, place) = (self.expr(piece), self.expr(place));
                format!("put {piece} on {place} in {}", self.placement(*id))
            }
            StmtKind::Bring(id, piece, place, _) => {
                let (piece, place) = (self.expr(piece), self.expr(place));
                format!("bring {piece} to {place} in {}", self.placement(*id))
            }
            StmtKind::Take(id, piece) => {
                format!("take {} from {}", self.expr(piece), self.placement(*id))
            }
            StmtKind::SetContent(id, place, kind) => {
                let (place, kind) = (self.expr(place), self.expr(kind));
                format!("{}[{place}] := {kind}", self.placement(*id))
            }
            StmtKind::Break => String::from("break"),
            StmtKind::Continue => String::from("continue"),
            StmtKind::Call { func, args, into } => {
                let into = match into {
                    Some(into) => format!("{} = ", self.local(*into)),
                    None => String::new(),
                };
                format!("{into}call {}({})", self.func(*func), self.exprs(args))
            }
            StmtKind::Return(Some(value)) => format!("return {}", self.expr(value)),
            StmtKind::Return(None) => String::from("return"),
            StmtKind::Emit(Emit::Log(parts)) => {
                let part = |part: &LogPart| match part {
                    LogPart::Text(text) => format!("{text:?}"),
                    LogPart::Value(value) => self.expr(value),
                };
                let parts: Vec<String> = parts.iter().map(part).collect();
                format!("log {}", parts.join(" "))
            }
            StmtKind::Emit(Emit::Signal(name, values)) => {
                format!("signal {name}({})", self.exprs(values))
            }
            StmtKind::Emit(Emit::Count(counter, member)) => {
                let name = name_of(&self.game.counters, counter.index(), |c| &c.name);
                match member {
                    Some(member) => format!("count {name} {}", self.expr(member)),
                    None => format!("count {name}"),
                }
            }
            StmtKind::Fault(message) => format!("fault {message:?}"),
            StmtKind::End { reason, winners } => {
                let reason = match reason {
                    EndReason::Win => "win",
                    EndReason::Draw => "draw",
                    EndReason::Stuck => "stuck",
                    EndReason::Elimination => "elimination",
                    EndReason::Limit => "limit",
                };
                format!("end {reason} {}", self.expr(winners))
            }
            StmtKind::Fail => String::from("fail"),
            StmtKind::Snapshot(slot) => format!("snapshot {}", self.slot(*slot)),
            StmtKind::Restore(slot) => format!("restore {}", self.slot(*slot)),
            StmtKind::Note(trail) => format!("note {}", self.trail(*trail)),
            StmtKind::Forget(trail) => format!("forget {}", self.trail(*trail)),
            StmtKind::Keep(question) => format!("keep {}", self.expr(question)),
            StmtKind::Chance(chance) => self.chance(chance),
            StmtKind::Stop(point) => format!("stop at {}", point.0),
            _ => String::new(),
        }
    }

    pub(super) fn choose(&mut self, head: &str, choose: &Choose, origin: &str) {
        let players = self.expr(&choose.players);
        self.block_of(format_args!("{head}choose by {players}{origin}"), |p| {
            for arm in &choose.arms {
                let family = name_of(&p.game.families, arm.family.index(), |f| &f.name);
                let bind: Vec<String> = arm.bind.iter().map(|local| p.local(*local)).collect();
                let given = match arm.given.is_empty() {
                    true => String::new(),
                    false => format!(" given {}", p.exprs(&arm.given)),
                };
                let head = format!("{family}({}){given}:", bind.join(", "));
                p.block_of(head, |p| p.block(&arm.body));
            }
            if let Some(otherwise) = &choose.otherwise {
                p.block_of("otherwise:", |p| p.block(otherwise));
            }
        });
    }

    pub(super) fn chance(&self, chance: &Chance) -> String {
        let draw = name_of(&self.game.draws, chance.draw.index(), |draw| &draw.name);
        let into = self.local(chance.into);
        match &chance.dist {
            Distribution::Uniform(from, to) => {
                format!(
                    "{into} = draw {draw} from {}..{}",
                    self.expr(from),
                    self.expr(to)
                )
            }
            Distribution::Weighted {
                local,
                over,
                weight,
            } => {
                let (local, over) = (self.local(*local), self.over(over));
                format!(
                    "{into} = draw {draw}: {local} in {over} by {}",
                    self.expr(weight)
                )
            }
        }
    }
}
