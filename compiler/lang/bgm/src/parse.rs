//! Lines to declarations.

use super::ast::{Active, Clause, Decl, File, Object, Players, Prop, Rule, RuleKind, Seats, Stuck};
use super::codes;
use super::scan::{Line, Word, lines};
use crate::diag::{Diagnostic, Diagnostics, closest};
use crate::source::{SourceFile, Span};

/// Words that no name may be.
pub(super) const RESERVED: &[&str] = &[
    "Action",
    "WinCondition",
    "LoseCondition",
    "DrawCondition",
    "Type",
    "Players",
    "Stuck",
    "Clock",
    "require",
    "effect",
    "in",
    "rin",
    "contains",
    "rcontains",
    "owns",
    "owner",
    "active",
    "not",
    "all",
    "rand",
    "player",
    "players",
    "former",
    "left",
    "right",
    "timer",
    "max",
    "put",
    "remove",
    "create",
    "delete",
    "distribute",
    "disown",
    "own",
    "settimer",
    "type",
];

/// Words that begin a line.
pub(super) const STARTERS: &[&str] = &[
    "Type",
    "Players",
    "active",
    "Stuck",
    "Clock",
    "Action",
    "WinCondition",
    "LoseCondition",
    "DrawCondition",
    "require",
    "effect",
    "contains",
    "in",
    "owner",
];

/// Words that open rules.
const RULES: &[&str] = &["Action", "WinCondition", "LoseCondition", "DrawCondition"];

/// Words that requirements begin with.
pub(super) const REQUIREMENTS: [&str; 7] =
    ["in", "rin", "contains", "rcontains", "owns", "timer", "not"];

/// Words that effects begin with.
pub(super) const EFFECTS: [&str; 9] = [
    "put",
    "remove",
    "create",
    "delete",
    "distribute",
    "disown",
    "own",
    "players",
    "settimer",
];

/// Greatest number of objects or seconds that a file may name.
pub(super) const MAX_NUMBER: u32 = 65_535;

/// What the next line may go on with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    Players,
    Object,
    Rule,
    /// After a line that could not be read: lines that go on with it are not misplaced.
    Unclear,
}

struct Parser<'a, 'd> {
    decls: Vec<Decl<'a>>,
    open: Open,
    /// The first word of the line behind the one that is read.
    next: &'a str,
    diagnostics: &'d mut Diagnostics,
}

/// Reads a file; what cannot be read is reported and left out.
pub(super) fn parse<'a>(source: &'a SourceFile, diagnostics: &mut Diagnostics) -> File<'a> {
    let lines = lines(source, diagnostics);
    let mut parser = Parser {
        decls: Vec::new(),
        open: Open::Nothing,
        next: "",
        diagnostics,
    };
    for (at, line) in lines.iter().enumerate() {
        parser.next = lines.get(at + 1).map_or("", |next| next[0].text);
        parser.line(line);
    }
    File {
        span: Span::new(source.id(), 0, source.text().len() as u32),
        decls: parser.decls,
    }
}

impl<'a> Parser<'a, '_> {
    fn error(&mut self, code: &'static crate::diag::CodeInfo, span: Span, message: String) {
        self.diagnostics.push(Diagnostic::new(code, span, message));
    }

    fn form(&mut self, line: &[Word<'a>], usage: &str) {
        let span = line[0].span.to(line[line.len() - 1].span);
        let message = format!("this is not `{usage}`");
        self.diagnostics
            .push(Diagnostic::new(&codes::WRONG_FORM, span, message));
    }

    fn line(&mut self, line: &Line<'a>) {
        let (first, rest) = (line[0], &line[1..]);
        match first.text {
            "Type" => self.types(line),
            "Players" => self.players(line),
            "active" => self.active(line),
            "Stuck" => self.stuck(line),
            "Clock" => {
                self.open = Open::Nothing;
                match rest {
                    [seconds] => {
                        if let Some(seconds) = self.number(*seconds) {
                            self.decls.push(Decl::Clock(seconds, first.span));
                        }
                    }
                    _ => self.form(line, "Clock NUMBER"),
                }
            }
            "Action" => self.rule(RuleKind::Action, line),
            "WinCondition" => self.rule(RuleKind::Win, line),
            "LoseCondition" => self.rule(RuleKind::Lose, line),
            "DrawCondition" => self.rule(RuleKind::Draw, line),
            "require" | "effect" => self.clause(line),
            "contains" | "in" | "owner" => self.property(line),
            _ => self.object(line),
        }
    }

    fn number(&mut self, word: Word<'a>) -> Option<u32> {
        let number = number(word);
        if number.is_none() {
            let message = format!("`{}` is no number from 0 to {MAX_NUMBER}", word.text);
            let found = Diagnostic::new(&codes::BAD_NUMBER, word.span, message);
            let plain = word.text.trim_matches(|c: char| !c.is_ascii_digit());
            let plain = Word {
                text: plain,
                ..word
            };
            self.diagnostics.push(match self::number(plain) {
                _ if word.text.starts_with('-') => found.note("numbers of things are not negative"),
                Some(_) => found.fix(format!("write `{}`", plain.text), word.span, plain.text),
                None => found,
            });
        }
        number
    }

    fn types(&mut self, line: &[Word<'a>]) {
        self.open = Open::Nothing;
        let mut names = line[1..].to_vec();
        let mut max = None;
        if let [.., word, bound] = names[..]
            && word.text == "max"
        {
            names.truncate(names.len() - 2);
            max = self.number(bound).map(|number| (number, bound.span));
        }
        if let [.., word] = names[..]
            && word.text == "max"
        {
            names.pop();
            let found = Diagnostic::new(&codes::BAD_NUMBER, word.span, "`max` needs a number")
                .help("write how many there can be at most: `max 12`");
            self.diagnostics.push(found);
        }
        match names.is_empty() {
            true => self.form(line, "Type NAME ... [max NUMBER]"),
            false => self.decls.push(Decl::Types { names, max }),
        }
    }

    fn players(&mut self, line: &[Word<'a>]) {
        let seats = match &line[1..] {
            [] => {
                self.form(line, "Players NUMBER` or `Players NAME ...");
                None
            }
            [word] if word.text.starts_with(|c: char| c.is_ascii_digit()) => {
                let count = number(*word).filter(|count| (1..=64).contains(count));
                if count.is_none() {
                    let message = format!("`{}` is no number from 1 to 64", word.text);
                    self.error(&codes::BAD_NUMBER, word.span, message);
                }
                count.map(Seats::Count)
            }
            names => Some(Seats::Names(names.to_vec())),
        };
        self.open = Open::Players;
        self.decls.push(Decl::Players(Players {
            span: line[0].span,
            seats: seats.unwrap_or(Seats::Count(2)),
            active: None,
        }));
    }

    fn active(&mut self, line: &[Word<'a>]) {
        if self.open == Open::Unclear {
            return;
        }
        let Some(Decl::Players(players)) =
            self.decls.last_mut().filter(|_| self.open == Open::Players)
        else {
            return self.outside(line[0], "the line `Players`");
        };
        let active = match &line[1..] {
            [] => return self.form(line, "active all` or `active PLAYER ..."),
            [word] if word.text == "all" => Active::All,
            names => Active::Names(names.to_vec()),
        };
        if players.active.replace(active).is_some() {
            let message = String::from("who is active is said already");
            self.error(&codes::DECLARED_TWICE, line[0].span, message);
        }
    }

    fn stuck(&mut self, line: &[Word<'a>]) {
        self.open = Open::Nothing;
        let stuck = match line[1..] {
            [word] => match word.text {
                "draw" => Some(Stuck::Draw),
                "lose" => Some(Stuck::Lose),
                "win" => Some(Stuck::Win),
                _ => None,
            },
            _ => None,
        };
        match stuck {
            Some(stuck) => self.decls.push(Decl::Stuck(stuck, line[0].span)),
            None => self.form(line, "Stuck draw`, `Stuck lose` or `Stuck win"),
        }
    }

    fn rule(&mut self, kind: RuleKind, line: &[Word<'a>]) {
        let mut rest = &line[1..];
        let mut name = None;
        if rest.len() % 2 == 1 {
            name = Some(rest[0]);
            rest = &rest[1..];
        }
        let params = rest.chunks_exact(2).map(|pair| (pair[0], pair[1]));
        self.open = Open::Rule;
        self.decls.push(Decl::Rule(Rule {
            kind,
            span: line[0].span.to(line[line.len() - 1].span),
            name,
            params: params.collect(),
            clauses: Vec::new(),
        }));
    }

    fn clause(&mut self, line: &[Word<'a>]) {
        if self.open == Open::Unclear {
            return;
        }
        let Some(Decl::Rule(rule)) = self.decls.last_mut().filter(|_| self.open == Open::Rule)
        else {
            return self.outside(line[0], "an action or condition");
        };
        if line.len() == 1 {
            let usage = format!("{} ...", line[0].text);
            return self.form(line, &usage);
        }
        rule.clauses.push(Clause {
            require: line[0].text == "require",
            words: line[1..].to_vec(),
        });
    }

    fn property(&mut self, line: &[Word<'a>]) {
        if self.open == Open::Unclear {
            return;
        }
        if self.open != Open::Object {
            return self.outside(line[0], "an object");
        }
        let prop = match (line[0].text, &line[1..]) {
            // No name has signs in front of digits.
            ("contains", [ty, count]) if is_number_like(count.text) => match self.number(*count) {
                Some(number) => Prop::ContainsMany(*ty, number, count.span),
                None => return,
            },
            ("contains", [ty, sign, ..]) if matches!(sign.text, "=" | ":" | "x" | "*") => {
                let message = format!("`{}` means nothing here", sign.text);
                let found = Diagnostic::new(&codes::WRONG_FORM, sign.span, message);
                let help = format!("write the number behind the type: `contains {} 2`", ty.text);
                return self.diagnostics.push(found.help(help));
            }
            ("contains", names @ [_, ..]) => Prop::Contains(names.to_vec()),
            ("in", [name]) => Prop::In(*name),
            ("owner", [player]) => Prop::Owner(*player),
            ("contains", _) => {
                return self.form(line, "contains NAME ...` or `contains TYPE NUMBER");
            }
            ("in", _) => return self.form(line, "in NAME"),
            _ => return self.form(line, "owner PLAYER"),
        };
        if let Some(Decl::Object(object)) = self.decls.last_mut() {
            object.props.push(prop);
        }
    }

    fn object(&mut self, line: &[Word<'a>]) {
        if self.slip(line) {
            return;
        }
        self.open = Open::Object;
        let (ty, name) = match *line {
            [ty] => (ty, None),
            [ty, name] => (ty, Some(name)),
            _ => {
                self.open = Open::Unclear;
                let first = line[0];
                let span = first.span.to(line[line.len() - 1].span);
                let message = "this is neither `TYPE` nor `TYPE NAME`, and begins with no keyword";
                let found = Diagnostic::new(&codes::WRONG_FORM, span, message);
                let found = meant(found, line);
                return self.diagnostics.push(found);
            }
        };
        self.decls.push(Decl::Object(Object {
            ty,
            name,
            props: Vec::new(),
        }));
    }

    /// Tells of a first word that is meant for another, and reads the line as it is meant. A line of one or two words may be an
    /// object of a type like a keyword, unless what follows tells.
    fn slip(&mut self, line: &[Word<'a>]) -> bool {
        let first = line[0];
        if first.text.starts_with("//") || first.text.starts_with("--") {
            let message = format!("`{}` begins no line", &first.text[..2]);
            let found = Diagnostic::new(&codes::WRONG_FORM, first.span, message);
            self.diagnostics
                .push(found.help("a remark begins with `#`"));
            return true;
        }
        let is_verb = EFFECTS.contains(&first.text) || REQUIREMENTS.contains(&first.text);
        if is_verb && self.open == Open::Rule {
            let lacks = match EFFECTS.contains(&first.text) {
                true => "effect",
                false => "require",
            };
            let message = format!("`{lacks}` is missing before `{}`", first.text);
            let found = Diagnostic::new(&codes::WRONG_FORM, first.span, message);
            self.diagnostics.push(meant(found, line));
            let mut whole = vec![Word {
                text: lacks,
                ..first
            }];
            whole.extend_from_slice(line);
            self.clause(&whole);
            return true;
        }
        let opens_rule = matches!(self.next, "require" | "effect");
        let candidates = match line.len() {
            1 | 2 if opens_rule => RULES,
            1 | 2 => return false,
            _ => STARTERS,
        };
        let Some(near) = closest(first.text, candidates.iter().copied()) else {
            return false;
        };
        let message = format!("no line begins with `{}`", first.text);
        let found = Diagnostic::new(&codes::WRONG_FORM, first.span, message);
        let found = found.did_you_mean(first.text, first.span, [near]);
        self.diagnostics.push(found);
        let mut whole = line.to_vec();
        whole[0].text = near;
        self.line(&whole);
        true
    }

    fn outside(&mut self, word: Word<'a>, owner: &str) {
        let message = format!("`{}` does not follow {owner}", word.text);
        let found = Diagnostic::new(&codes::OUTSIDE, word.span, message);
        let help = match (self.open, word.text) {
            (Open::Rule, "contains" | "in") => {
                format!("in a rule write `require {} ...`", word.text)
            }
            (Open::Rule, "owner") => "in a rule write `require owns ...`".to_owned(),
            (_, "require" | "effect") => {
                "a line such as `Action NAME` opens the rule that it belongs to".to_owned()
            }
            (_, "active") => "it is the line right behind `Players`".to_owned(),
            _ => "a line `TYPE NAME` opens the object that it belongs to".to_owned(),
        };
        self.diagnostics.push(found.help(help));
    }
}

/// Whether a word is meant as a number: a digit comes before any letter.
fn is_number_like(text: &str) -> bool {
    let first = text.chars().find(|c| c.is_alphanumeric());
    first.is_some_and(|c| c.is_ascii_digit())
}

/// What a line is meant for that opens nothing, if its first word tells.
fn meant<'a>(found: Diagnostic, line: &[Word<'a>]) -> Diagnostic {
    let first = line[0];
    let before = |word: &str| {
        let start = Span::new(first.span.file, first.span.start, first.span.start);
        (
            format!("write `{word} {} ...`", first.text),
            start,
            format!("{word} "),
        )
    };
    if first.text.starts_with("//") || first.text.starts_with("--") {
        return found.help("a remark begins with `#`");
    }
    if EFFECTS.contains(&first.text) {
        let (help, at, text) = before("effect");
        return found.fix(help, at, text);
    }
    if REQUIREMENTS.contains(&first.text) {
        let (help, at, text) = before("require");
        return found.fix(help, at, text);
    }
    let near = STARTERS.iter().find(|word| first.text.starts_with(**word));
    let found = match near {
        Some(near) => found.did_you_mean(near, first.span, [*near]),
        None => found.did_you_mean(first.text, first.span, STARTERS.iter().copied()),
    };
    match found.help {
        Some(_) => found,
        None => found.note(format!(
            "lines begin with {}, or a type",
            STARTERS.join(", ")
        )),
    }
}

/// The number that a word is.
pub(super) fn number(word: Word<'_>) -> Option<u32> {
    let digits = word.text.bytes().all(|b| b.is_ascii_digit());
    let number = word.text.parse::<u32>().ok().filter(|_| digits);
    number.filter(|&number| number <= MAX_NUMBER)
}
