//! What editors ask of a board: its names, what may stand where.

use super::ast::{
    Decl, Def, Expr, ExprKind, Name, Program, Stmt, StmtKind, Target, each_stmt, exprs,
};
use super::lex::{Kind as Lex, known_words, lex};
use super::parse::parse;
use super::text::Text;
use super::{is_json, read, words};
use crate::diag::Diagnostics;
use crate::source::{SourceFile, Span};
use crate::symbols::{Builder, Class, Expected, Index, Kind, Outline, comment_above};

/// Why numbers in the files of the editor stay.
const IN_JSON: &str = "the editor of boards keeps its number in other places too";

/// The names of a file.
pub(super) fn index(source: &SourceFile) -> Index {
    let mut out = Diagnostics::new();
    let mut reader = Reader {
        source,
        builder: Builder::default(),
        locals: Vec::new(),
    };
    if !is_json(source) {
        reader.heads();
    }
    let Some(world) = read(source, &mut out) else {
        return reader.builder.finish();
    };
    let setup = parse(&world.setup, &mut out);
    reader.tokens(&world.setup);
    let programs: Vec<Vec<Program>> = world
        .tiles
        .iter()
        .map(|tile| {
            let texts = tile.fields.iter().map(|field| field.text.as_ref());
            texts
                .map(|text| text.map(|text| parse(text, &mut out)).unwrap_or_default())
                .collect()
        })
        .collect();
    let all = std::iter::once(&setup).chain(programs.iter().flatten());
    for program in all {
        each_stmt(&program.code, &mut |stmt| {
            if let StmtKind::Decl(decl) = &stmt.kind {
                reader.locals.push(decl.name.clone());
            }
        });
    }
    reader.definitions(&setup);
    reader.program(&setup, 0);
    for (number, (tile, programs)) in world.tiles.iter().zip(&programs).enumerate() {
        for border in tile.borders.iter().flatten() {
            let symbol = reader.field(number, border.id);
            reader.builder.put(symbol, border.span, true);
            let known = reader.builder.edit(symbol);
            known.detail = format!("border point {} of {}", border.id, tile.name);
            known.fixed = is_json(source).then_some(IN_JSON);
            if let Some(next) = &border.next {
                reader.number(number, next.id, next.span);
            }
        }
        for (field, program) in tile.fields.iter().zip(programs) {
            let symbol = reader.field(number, field.id);
            let end = program.code.last().map_or(field.span, |stmt| stmt.span);
            let whole = Span::new(
                field.span.file,
                field.span.start,
                end.end.max(field.span.end),
            );
            reader.builder.put(symbol, field.span, true).whole = Some(whole);
            let line = source.position(field.span.start).line;
            let known = reader.builder.edit(symbol);
            known.docs = comment_above(source, line, "#");
            known.detail = match field.label.as_str() {
                "" => format!("field {} of {}", field.id, tile.name),
                label => format!("field {} \"{label}\" of {}", field.id, tile.name),
            };
            known.fixed = is_json(source).then_some(IN_JSON);
            reader.builder.outline(Outline {
                name: format!("field {}", field.id),
                detail: field.label.clone(),
                kind: Kind::Place,
                span: whole,
                name_span: field.span,
                parts: Vec::new(),
            });
            if let Some(link) = &field.link {
                reader.number(number, link.id, link.span);
            }
            if let Some(text) = &field.text {
                reader.tokens(text);
            }
            reader.program(program, number);
        }
    }
    let single = world
        .single
        .iter()
        .flat_map(|single| single.start.iter().chain(&single.end));
    for target in single {
        reader.number(0, target.id, target.span);
    }
    reader.builder.finish()
}

struct Reader<'a> {
    source: &'a SourceFile,
    builder: Builder,
    /// Names of local variables.
    locals: Vec<String>,
}

impl Reader<'_> {
    /// Lines that begin something, and remarks.
    fn heads(&mut self) {
        for line in 1..=self.source.line_count() {
            let span = self.source.line_span(line);
            let text = self.source.slice(span);
            if text.starts_with([' ', '\t']) {
                continue;
            }
            let mut at = 0;
            while let Some(c) = text[at..].chars().next() {
                let rest = &text[at..];
                let (len, class) = match c {
                    '#' => (rest.len(), Some(Class::Comment)),
                    '"' => {
                        let len = rest[1..].find('"').map_or(rest.len(), |len| len + 2);
                        (len, Some(Class::Text))
                    }
                    c if c.is_alphanumeric() || c == '-' => {
                        let end = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '>');
                        let len = rest[c.len_utf8()..]
                            .find(end)
                            .map_or(rest.len(), |n| n + c.len_utf8());
                        let class = match c {
                            '-' => Class::Operator,
                            c if c.is_ascii_digit() => Class::Number,
                            _ => Class::Keyword,
                        };
                        (len, Some(class))
                    }
                    c => (c.len_utf8(), None),
                };
                if let Some(class) = class {
                    let start = span.start + at as u32;
                    let token = Span::new(span.file, start, start + len as u32);
                    self.builder.token(token, class);
                }
                at += len;
            }
        }
    }

    /// Words and signs of commands.
    fn tokens(&mut self, text: &Text) {
        for token in lex(text, &mut Diagnostics::new()) {
            let class = match token.kind {
                Lex::Number(_) => Class::Number,
                Lex::Word(_) => Class::Keyword,
                Lex::Sign(_) => Class::Operator,
                Lex::Ident(_) | Lex::Newline | Lex::End => continue,
            };
            self.builder.token(token.span, class);
        }
        let mut at = 0;
        while let Some(start) = text.text[at..].find("/*").map(|start| at + start) {
            let len = text.text[start..].find("*/").map(|len| len + 2);
            at = start + len.unwrap_or(text.text.len() - start);
            self.builder.token(text.span(start, at), Class::Comment);
        }
    }

    fn definitions(&mut self, setup: &Program) {
        for def in &setup.defs {
            let (kind, vars) = match def {
                Def::Game { vars, .. } => (Kind::Variable, vars),
                Def::Players { vars, .. } => (Kind::PlayerVariable, vars),
            };
            for var in vars {
                self.declare(kind, var);
            }
        }
    }

    fn declare(&mut self, kind: Kind, decl: &Decl) {
        let symbol = self.builder.symbol(kind, &decl.name);
        self.builder.put(symbol, decl.name_span, true);
        self.builder.edit(symbol).detail = match decl.limit {
            Some(limit) => format!("int {} {{{limit}}}", decl.name),
            None => format!("bool {}", decl.name),
        };
        self.expr(&decl.init);
    }

    fn program(&mut self, program: &Program, tile: usize) {
        for def in &program.defs {
            if let Def::Game { end: Some(end), .. } = def {
                self.expr(end);
            }
        }
        each_stmt(&program.code, &mut |stmt| self.stmt(stmt, tile));
    }

    fn stmt(&mut self, stmt: &Stmt, tile: usize) {
        match &stmt.kind {
            // Local variables share a stack of scopes that goes with the player over all fields.
            StmtKind::Decl(decl) => return self.declare(Kind::Variable, decl),
            StmtKind::ControlGoto(to) | StmtKind::Goto(to) => self.target(to, tile),
            StmtKind::ControlIf(_, yes, no) => {
                self.target(yes, tile);
                self.target(no, tile);
            }
            _ => {}
        }
        exprs(stmt).into_iter().for_each(|expr| self.expr(expr));
    }

    fn target(&mut self, target: &Target, tile: usize) {
        self.number(tile, target.id, target.span);
    }

    fn field(&mut self, tile: usize, id: i64) -> usize {
        // The same number on two tiles is two fields, which the number of the tile tells apart; both are known everywhere.
        let scope = Span::new(self.source.id(), tile as u32, u32::MAX);
        let symbol = self
            .builder
            .scoped(Kind::Place, &id.to_string(), Some(scope));
        self.builder.edit(symbol).scope = None;
        symbol
    }

    fn number(&mut self, tile: usize, id: i64, span: Span) {
        let symbol = self.field(tile, id);
        self.builder.put(symbol, span, false);
    }

    fn expr(&mut self, expr: &Expr) {
        let mut names: Vec<&Name> = Vec::new();
        expr.each(&mut |expr| match &expr.kind {
            ExprKind::Name(name) | ExprKind::Assign(name, _) | ExprKind::Step { name, .. } => {
                names.push(name);
            }
            _ => {}
        });
        for name in names {
            self.name(name);
        }
    }

    fn name(&mut self, name: &Name) {
        let len = name.name.len() as u32;
        let span = Span::new(
            name.span.file,
            name.span.end.saturating_sub(len),
            name.span.end,
        );
        let of_player = self.builder.find(Kind::PlayerVariable, &name.name);
        let plain = self.builder.find(Kind::Variable, &name.name);
        let kind = match (name.of, of_player, plain) {
            (Some(_), ..) | (None, Some(_), None) => Kind::PlayerVariable,
            _ => Kind::Variable,
        };
        let symbol = self.builder.refer(kind, &name.name, span);
        // A bare name may mean either, which only the way of the token tells.
        let local = self.locals.contains(&name.name);
        if let (None, Some(a), Some(b)) = (name.of, of_player, plain) {
            self.builder.merge(a, b);
        } else if let (None, Some(other), true) = (name.of, of_player, local) {
            self.builder.merge(symbol, other);
        }
    }
}

/// What may stand at a byte.
pub(super) fn expected(source: &SourceFile, at: u32) -> Expected {
    let line = source.position(at).line;
    let span = source.line_span(line);
    let at = at.min(span.end);
    let before = source.slice(Span::new(span.file, span.start, at));
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    let head = before.trim_end_matches(part);
    let rest = source.slice(Span::new(span.file, at, span.end));
    let len = rest.find(|c| !part(c)).unwrap_or(rest.len()) as u32;
    let mut expected = Expected {
        replace: Span::new(span.file, span.start + head.len() as u32, at + len),
        ..Expected::default()
    };
    if !is_json(source) && !before.starts_with([' ', '\t']) {
        if head.is_empty() {
            expected.words = words::HEADS.to_vec();
        } else if head.trim_end().ends_with("->") {
            expected.kinds.push(Kind::Place);
        }
        return expected;
    }
    if head.ends_with('.') {
        expected.kinds.push(Kind::PlayerVariable);
    } else if head.trim_end().ends_with("goto") {
        expected.kinds.push(Kind::Place);
    } else {
        expected.words = words::COMMANDS.to_vec();
        expected
            .kinds
            .extend([Kind::Variable, Kind::PlayerVariable]);
    }
    expected
}

/// Whether a text can name something.
pub(super) fn is_name(kind: Kind, name: &str) -> bool {
    if kind == Kind::Place {
        let number = name.parse::<u32>().map(|number| number.to_string());
        return number.as_deref() == Ok(name);
    }
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    starts && letters && !known_words().any(|word| word == name)
}
