//! Declarations to the model: names are resolved, and what contradicts itself is refused.

mod follow;
mod hints;
mod refs;
mod rules;

use indexmap::{IndexMap, IndexSet};

use super::ast::{
    Active, Clause, Decl, File, Object as Opened, Players, Prop, RuleKind, Seats, Stuck,
};
use super::codes;
use super::model::{Model, Object, Param, Rule, Told, TypeInfo};
use super::parse::{EFFECTS, REQUIREMENTS, RESERVED, STARTERS};
use super::scan::Word;
use crate::diag::{CodeInfo, Diagnostic, Diagnostics};
use crate::source::Span;

/// Most parameters of a rule.
const MAX_PARAMS: usize = 32;

/// Most objects that a file may open.
const MAX_OBJECTS: usize = 4_000;

/// Checks a file. With errors among the diagnostics the model is not to be used.
pub(super) fn check(file: &File<'_>, diagnostics: &mut Diagnostics) -> Model {
    let mut check = Check {
        types: IndexMap::new(),
        strict: file
            .decls
            .iter()
            .any(|decl| matches!(decl, Decl::Types { .. })),
        players: Vec::new(),
        objects: Vec::new(),
        names: IndexMap::new(),
        again: Vec::new(),
        own_span: Vec::new(),
        in_span: Vec::new(),
        diagnostics,
    };
    check.declare_types(file);
    let active = check.declare_players(file);
    check.declare_objects(file);
    check.properties(file);
    let rules = check.rules(file);
    let (stuck, clock) = check.options(file);
    let model = Model {
        span: file.span,
        types: check.types.into_values().collect(),
        players: check.players,
        active,
        stuck,
        clock,
        objects: check.objects,
        rules,
    };
    match diagnostics.has_errors() {
        false => hints::hints(&model, diagnostics),
        true => follow::fold(diagnostics),
    }
    model
}

struct Check<'d> {
    types: IndexMap<String, TypeInfo>,
    /// Whether every type has to be declared.
    strict: bool,
    players: Vec<String>,
    objects: Vec<Object>,
    /// Named objects.
    names: IndexMap<String, usize>,
    /// Where objects are opened again, and which.
    again: Vec<(Span, usize)>,
    /// Where the owner and the container of each object were said.
    own_span: Vec<Option<Span>>,
    in_span: Vec<Option<Span>>,
    diagnostics: &'d mut Diagnostics,
}

impl Check<'_> {
    fn error(&mut self, code: &'static CodeInfo, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(code, span, message));
    }

    /// Whether a word may name something.
    fn is_name(&mut self, word: Word<'_>) -> bool {
        let bad = |code, message: String| Diagnostic::new(code, word.span, message);
        if RESERVED.contains(&word.text) {
            let found = bad(
                &codes::RESERVED,
                format!("`{}` is a word of the notation", word.text),
            );
            self.diagnostics.push(match word.text {
                verb if EFFECTS.contains(&verb) => {
                    found.note(format!("in a rule write `effect {verb} ...`"))
                }
                verb if REQUIREMENTS.contains(&verb) => {
                    found.note(format!("in a rule write `require {verb} ...`"))
                }
                _ => found.help("choose another name"),
            });
            return false;
        }
        let separators = [
            '.', ',', ';', ':', '*', '{', '}', '(', ')', '[', ']', '=', '#', '"', '@', '/', '<',
            '>',
        ];
        let sign = word.text.chars().find(|c| separators.contains(c));
        let first = word.text.chars().next();
        let why = match (sign, first) {
            (Some(sign), _) => format!("`{sign}` cannot stand in a name"),
            (None, Some('-')) => "no name begins with `-`".to_owned(),
            (None, Some(first)) if first.is_ascii_digit() => {
                "no name begins with a digit".to_owned()
            }
            _ => return true,
        };
        let found = bad(
            &codes::BAD_NAME,
            format!("`{}` cannot be a name: {why}", word.text),
        );
        let plain = word.text.trim_matches(separators);
        let fits = !plain.is_empty()
            && !plain.contains(separators)
            && !plain.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        self.diagnostics.push(match (sign, fits) {
            (Some(_), true) => found.fix(format!("write `{plain}`"), word.span, plain),
            (Some(_), false) => found,
            (None, _) => found.help("begin the name with a letter"),
        });
        false
    }

    fn add_type(&mut self, word: Word<'_>) -> Option<usize> {
        if let Some(index) = self.types.get_index_of(word.text) {
            return Some(index);
        }
        if !self.is_name(word) {
            return None;
        }
        let info = TypeInfo {
            name: word.text.to_owned(),
            max: None,
            span: word.span,
        };
        Some(self.types.insert_full(word.text.to_owned(), info).0)
    }

    fn declare_types(&mut self, file: &File<'_>) {
        for decl in &file.decls {
            match decl {
                Decl::Types { names, max } => {
                    for name in names {
                        if let Some(known) = self.types.get(name.text) {
                            let message = format!("the type `{}` is declared already", name.text);
                            let found = Diagnostic::new(&codes::DECLARED_TWICE, name.span, message)
                                .also(known.span, "here");
                            self.diagnostics.push(found);
                        } else if let Some(index) = self.add_type(*name) {
                            self.types[index].max = *max;
                        }
                    }
                }
                _ if self.strict => {}
                Decl::Object(object) => {
                    self.add_type(object.ty);
                    for prop in &object.props {
                        if let Prop::ContainsMany(ty, ..) = prop {
                            self.add_type(*ty);
                        }
                    }
                }
                Decl::Rule(rule) => {
                    for (ty, _) in &rule.params {
                        self.add_type(*ty);
                    }
                }
                _ => {}
            }
        }
    }

    /// The type of a word in the place of a type.
    fn ty(&mut self, word: Word<'_>) -> Option<usize> {
        if let Some(index) = self.types.get_index_of(word.text) {
            return Some(index);
        }
        if RESERVED.contains(&word.text) {
            self.is_name(word);
            return None;
        }
        if !self.strict {
            return self.add_type(word);
        }
        let message = format!("there is no type `{}`", word.text);
        let known = self.types.keys().map(String::as_str);
        let known = known.chain(STARTERS.iter().copied());
        let found = Diagnostic::new(&codes::UNKNOWN_TYPE, word.span, message)
            .did_you_mean(word.text, word.span, known);
        self.diagnostics.push(match found.help {
            Some(_) => found,
            None => found.help(format!(
                "all types stand in lines `Type`: add `{}` there",
                word.text
            )),
        });
        None
    }

    fn declare_players(&mut self, file: &File<'_>) -> Vec<usize> {
        let mut lines = file.decls.iter().filter_map(|decl| match decl {
            Decl::Players(players) => Some(players),
            _ => None,
        });
        let Some(players) = lines.next() else {
            self.players = vec!["p1".to_owned(), "p2".to_owned()];
            let start = Span::new(file.span.file, 0, 0);
            let end = Span::new(file.span.file, file.span.end, file.span.end);
            let message = "there is no line `Players`: p1 and p2 play";
            let found = Diagnostic::new(&codes::NO_PLAYERS, start, message).fix(
                "write `Players 2`, or the players' names after `Players`",
                end,
                "\nPlayers 2\n",
            );
            self.diagnostics.push(found);
            return vec![0];
        };
        if let Some(second) = lines.next() {
            let found = Diagnostic::new(
                &codes::DECLARED_TWICE,
                second.span,
                "a second line `Players`",
            )
            .also(players.span, "the first one is here");
            self.diagnostics.push(found);
        }
        self.seats(players);
        match &players.active {
            None => vec![0],
            Some(Active::All) => (0..self.players.len()).collect(),
            Some(Active::Names(names)) => {
                let mut seats: Vec<usize> =
                    names.iter().filter_map(|name| self.seat(*name)).collect();
                seats.sort_unstable();
                seats.dedup();
                seats
            }
        }
    }

    fn seats(&mut self, players: &Players<'_>) {
        match &players.seats {
            Seats::Count(count) => {
                self.players = (1..=*count).map(|seat| format!("p{seat}")).collect();
            }
            Seats::Names(names) => {
                for name in names {
                    if self.players.iter().any(|known| known == name.text) {
                        let message = format!("there are two players `{}`", name.text);
                        let first = names.iter().find(|known| known.text == name.text);
                        let mut found = Diagnostic::new(&codes::DECLARED_TWICE, name.span, message);
                        if let Some(first) = first {
                            found = found.also(first.span, "the first one");
                        }
                        self.diagnostics.push(found);
                    } else if self.is_name(*name) {
                        self.players.push(name.text.to_owned());
                    } else {
                        // What is left without the signs is what other lines call the player.
                        let plain = name.text.trim_matches(|c: char| !c.is_alphanumeric());
                        self.players.push(plain.to_owned());
                    }
                }
                if names.len() > 64 {
                    let message = "there are more than 64 players";
                    self.error(&codes::BAD_NUMBER, players.span, message);
                }
            }
        }
    }

    /// The seat of a player's name.
    fn seat(&mut self, word: Word<'_>) -> Option<usize> {
        let seat = self.players.iter().position(|name| name == word.text);
        if seat.is_none() {
            let message = format!("there is no player `{}`", word.text);
            let known = self.players.iter().map(String::as_str);
            let found = Diagnostic::new(&codes::UNKNOWN_PLAYER, word.span, message)
                .did_you_mean(word.text, word.span, known);
            let found = match found.help {
                None if (1..=12).contains(&self.players.len()) => {
                    found.note(format!("players are {}", self.players.join(", ")))
                }
                _ => found,
            };
            self.diagnostics.push(found);
        }
        seat
    }

    fn options(&mut self, file: &File<'_>) -> (Stuck, u32) {
        let (mut stuck, mut clock) = (None, None);
        for decl in &file.decls {
            let twice = match decl {
                Decl::Stuck(value, span) => stuck.replace(*value).map(|_| *span),
                Decl::Clock(value, span) => clock.replace(*value).map(|_| *span),
                _ => None,
            };
            if let Some(span) = twice {
                self.error(&codes::DECLARED_TWICE, span, "this option is given already");
            }
        }
        (stuck.unwrap_or(Stuck::Draw), clock.unwrap_or(1))
    }

    fn new_object(&mut self, ty: usize, name: Option<&str>, span: Span) -> usize {
        self.objects.push(Object {
            ty,
            name: name.map(str::to_owned),
            container: None,
            owner: None,
            span,
        });
        self.own_span.push(None);
        self.in_span.push(None);
        if self.objects.len() == MAX_OBJECTS + 1 {
            let message = format!("the file opens more than {MAX_OBJECTS} objects");
            self.error(&codes::BAD_NUMBER, span, message);
        }
        self.objects.len() - 1
    }

    /// Opens the objects of the headers; those of `contains TYPE N` come after them.
    fn declare_objects(&mut self, file: &File<'_>) {
        let mut said = IndexSet::new();
        for decl in &file.decls {
            let Decl::Object(opened) = decl else { continue };
            let Some(ty) = self.ty(opened.ty) else {
                continue;
            };
            let Some(name) = opened.name else {
                self.new_object(ty, None, opened.ty.span);
                continue;
            };
            if let Some(&known) = self.names.get(name.text) {
                let adds = opened.props.iter().any(|prop| match place(prop) {
                    Some(place) => !said.contains(&(known, place)),
                    None => true,
                });
                self.reopened(opened, known, ty, adds);
            } else if self.types.contains_key(name.text) {
                let known = self.types[name.text].span;
                let message = format!("`{}` is a type and cannot name an object", name.text);
                let mut found = Diagnostic::new(&codes::TYPE_AND_OBJECT, name.span, message)
                    .help("give the object another name");
                if known != name.span {
                    found = found.also(known, "the type");
                }
                self.diagnostics.push(found);
            } else {
                // A name that is none stands for its object all the same: it is told once, not wherever it is used.
                self.is_name(name);
                let object = self.new_object(ty, Some(name.text), name.span);
                self.names.insert(name.text.to_owned(), object);
            }
            if let Some(&object) = self.names.get(name.text) {
                said.extend(
                    opened
                        .props
                        .iter()
                        .filter_map(place)
                        .map(|place| (object, place)),
                );
            }
        }
    }

    fn reopened(&mut self, opened: &Opened<'_>, known: usize, ty: usize, adds: bool) {
        if let Some(name) = opened.name {
            self.again.push((name.span, known));
        }
        let object = &self.objects[known];
        if object.ty == ty {
            if let (false, Some(name)) = (adds, opened.name) {
                let message = format!(
                    "`{}` is opened again, and nothing is added to it",
                    name.text
                );
                let found = Diagnostic::new(&codes::OPENED_AGAIN, name.span, message)
                    .also(object.span, "opened here first")
                    .help("another object needs another name");
                self.diagnostics.push(found);
            }
            return;
        }
        let first = &self.types[object.ty].name;
        let name = object.name.as_deref().unwrap_or_default();
        let message = format!("`{name}` is of type `{first}`, not `{}`", opened.ty.text);
        let found = Diagnostic::new(&codes::OTHER_TYPE, opened.ty.span, message)
            .also(object.span, "opened here first")
            .help(format!(
                "give the new object another name, or go on with `{first} {name}`"
            ));
        self.diagnostics.push(found);
    }

    /// The named object of a word.
    fn named(&mut self, word: Word<'_>) -> Option<usize> {
        if let Some(&object) = self.names.get(word.text) {
            return Some(object);
        }
        let found = match self.types.contains_key(word.text) {
            true => {
                let message = format!("`{}` is a type, and an object is wanted", word.text);
                Diagnostic::new(&codes::UNKNOWN_NAME, word.span, message).help(format!(
                    "a type stands alone on its line, with its number; write `{} 1` on a line of its own, and the names on \
                     another",
                    word.text
                ))
            }
            false => {
                let message = format!("`{}` names no object", word.text);
                let known = self.names.keys().map(String::as_str);
                let found = Diagnostic::new(&codes::UNKNOWN_NAME, word.span, message);
                match self.again.first() {
                    // An object that was copied and kept its name is the likelier mistake.
                    Some((again, object)) => {
                        let (first, name) = (self.objects[*object].span, self.title(*object));
                        found.also(first, format!("{name} is opened here")).also(
                            *again,
                            format!("and again here: should this be `{}`?", word.text),
                        )
                    }
                    None => found.did_you_mean(word.text, word.span, known),
                }
            }
        };
        self.diagnostics.push(found);
        None
    }

    fn properties(&mut self, file: &File<'_>) {
        let mut unnamed = 0;
        for decl in &file.decls {
            let Decl::Object(opened) = decl else { continue };
            let object = match opened.name {
                Some(name) => self.names.get(name.text).copied(),
                None => {
                    let span = opened.ty.span;
                    let found = self.objects[unnamed..]
                        .iter()
                        .position(|object| object.name.is_none() && object.span == span);
                    found.map(|at| {
                        unnamed += at;
                        unnamed
                    })
                }
            };
            let Some(object) = object else { continue };
            for prop in &opened.props {
                self.property(object, prop);
            }
        }
    }

    fn property(&mut self, object: usize, prop: &Prop<'_>) {
        match prop {
            Prop::Contains(words) => {
                if let [ty] = words[..]
                    && let Some(ty_index) = self.types.get_index_of(ty.text)
                {
                    return self.fill(object, ty_index, 1, ty.span);
                }
                if let [ty, count] = words[..]
                    && self.types.contains_key(ty.text)
                    && !self.names.contains_key(count.text)
                {
                    let message = format!("`{}` is no number, nor is it an object", count.text);
                    let found = Diagnostic::new(&codes::BAD_NUMBER, count.span, message);
                    let help = format!("a type stands with its number: `contains {} 2`", ty.text);
                    return self.diagnostics.push(found.help(help));
                }
                for word in words {
                    if let Some(inner) = self.named(*word) {
                        self.put(inner, object, word.span);
                    }
                }
            }
            Prop::ContainsMany(ty, count, _) => {
                if let Some(index) = self.ty(*ty) {
                    self.fill(object, index, *count, ty.span);
                }
            }
            Prop::In(word) => {
                if let Some(outer) = self.named(*word) {
                    self.put(object, outer, word.span);
                }
            }
            Prop::Owner(word) => {
                if let Some(seat) = self.seat(*word) {
                    self.give(object, seat, word.span);
                }
            }
        }
    }

    fn fill(&mut self, object: usize, ty: usize, count: u32, span: Span) {
        if self.objects.len() > MAX_OBJECTS {
            return;
        }
        for _ in 0..count.min(MAX_OBJECTS as u32 + 1) {
            let inner = self.new_object(ty, None, span);
            self.objects[inner].container = Some(object);
        }
    }

    fn put(&mut self, inner: usize, outer: usize, span: Span) {
        match self.objects[inner].container {
            None => {
                self.objects[inner].container = Some(outer);
                self.in_span[inner] = Some(span);
            }
            Some(known) if known == outer => {}
            Some(known) => {
                let name = |object: usize| self.title(object);
                let message = format!(
                    "{} is in {} already and cannot be in {} as well",
                    name(inner),
                    name(known),
                    name(outer)
                );
                let mut found = Diagnostic::new(&codes::TWO_CONTAINERS, span, message)
                    .help("leave out one of the two lines, or open another object");
                if let Some(first) = self.in_span[inner] {
                    found = found.also(first, "put there here");
                }
                self.diagnostics.push(found);
            }
        }
    }

    fn give(&mut self, object: usize, seat: usize, span: Span) {
        match self.objects[object].owner {
            None => {
                self.objects[object].owner = Some(seat);
                self.own_span[object] = Some(span);
            }
            Some(known) if known == seat => {}
            Some(known) => {
                let (title, players) = (self.title(object), &self.players);
                let message = format!(
                    "{title} belongs to {} already and cannot belong to {} as well",
                    players[known], players[seat]
                );
                let mut found = Diagnostic::new(&codes::TWO_OWNERS, span, message)
                    .help("leave out one of the two lines, or open another object");
                if let Some(first) = self.own_span[object] {
                    found = found.also(first, "given away here");
                }
                self.diagnostics.push(found);
            }
        }
    }

    /// An object in messages.
    fn title(&self, object: usize) -> String {
        let object = &self.objects[object];
        match &object.name {
            Some(name) => format!("`{name}`"),
            None => format!("the unnamed `{}`", self.types[object.ty].name),
        }
    }

    /// Warns of the first requirement of a rule that another one says already, or denies.
    fn repeated(&mut self, clauses: &[Clause<'_>]) {
        let mut known: IndexMap<Vec<&str>, (bool, Span)> = IndexMap::new();
        for clause in clauses.iter().filter(|clause| clause.require) {
            let words = clause.words.iter().map(|word| word.text);
            let negations = words.clone().take_while(|word| *word == "not").count();
            let (not, span) = (negations % 2 == 1, clause.span());
            let words: Vec<&str> = words.skip(negations).collect();
            let Some((before, first)) = known.insert(words, (not, span)) else {
                continue;
            };
            let found = match before == not {
                true => Diagnostic::new(&codes::SAYS_NOTHING, span, "this is required already"),
                false => Diagnostic::new(
                    &codes::NEVER_POSSIBLE,
                    span,
                    "the opposite is required, too",
                ),
            };
            return self.diagnostics.push(found.also(first, "here"));
        }
    }

    /// Whether what stands in the place of a type is the name of a rule, and its parameter has no type.
    fn lacks_type(&self, unnamed: bool, title: Word<'_>) -> bool {
        let known = self.types.keys().map(String::as_str);
        let near = crate::diag::closest(title.text, known.chain(STARTERS.iter().copied()));
        self.strict && unnamed && near.is_none() && !RESERVED.contains(&title.text)
    }

    /// The type that a name is short for, or else the word for one.
    fn type_like(&self, name: &str) -> &str {
        let first = |text: &str| text.chars().next().map(|c| c.to_ascii_lowercase());
        let mut types = self.types.keys().map(String::as_str);
        types.find(|ty| first(ty) == first(name)).unwrap_or("TYPE")
    }

    fn rules(&mut self, file: &File<'_>) -> Vec<Rule> {
        let decls = file.decls.iter().filter_map(|decl| match decl {
            Decl::Rule(rule) => Some(rule),
            _ => None,
        });
        let mut rules: Vec<Rule> = Vec::new();
        for rule in decls {
            let mut params: Vec<Param> = Vec::new();
            if let Some((_, name)) = rule.params.get(MAX_PARAMS) {
                let message = format!("a rule has at most {MAX_PARAMS} parameters");
                let found = Diagnostic::new(&codes::MANY_PARAMETERS, name.span, message)
                    .help("leave out those from here on");
                self.diagnostics.push(found);
                continue;
            }
            if let [(title, name)] = rule.params[..]
                && self.lacks_type(rule.name.is_none(), title)
            {
                let example = self.type_like(name.text);
                let message = format!("the parameter `{}` has no type", name.text);
                let line = format!(
                    "{} {} {example} {}",
                    rule.kind.word(),
                    title.text,
                    name.text
                );
                let found = Diagnostic::new(&codes::UNKNOWN_TYPE, name.span, message).help(
                    format!("write `{line}`: parameters are pairs of a type and a name"),
                );
                self.diagnostics.push(found);
                continue;
            }
            for (ty, name) in &rule.params {
                if params.iter().any(|known| known.name == name.text) {
                    let message = format!("there are two parameters `{}`", name.text);
                    self.error(&codes::DOUBLE_PARAMETER, name.span, message);
                    continue;
                }
                let named = self.is_name(*name);
                let Some(ty) = self.ty(*ty).filter(|_| named) else {
                    continue;
                };
                if self.types.contains_key(name.text) {
                    let message = format!("`{}` is a type and cannot name a parameter", name.text);
                    let found = Diagnostic::new(&codes::TYPE_AND_OBJECT, name.span, message);
                    self.diagnostics
                        .push(found.help("give the parameter another name"));
                }
                if self.names.contains_key(name.text) {
                    let message = format!("the parameter `{}` hides an object", name.text);
                    let known = self.objects[self.names[name.text]].span;
                    let found = Diagnostic::new(&codes::SHADOWED, name.span, message)
                        .also(known, "the object");
                    self.diagnostics.push(found);
                }
                params.push(Param {
                    ty,
                    name: name.text.to_owned(),
                });
            }
            let complete = params.len() == rule.params.len();
            let name = match rule.name {
                Some(name) => name.text.to_owned(),
                None => format!("{}{}", rule.kind.word(), rules.len() + 1),
            };
            let twin = rules.iter().find(|other| {
                rule.kind == RuleKind::Action && other.kind == rule.kind && other.name == name
            });
            if let Some(twin) = twin {
                let message = format!("there are two actions `{name}`");
                let found = Diagnostic::new(&codes::SAME_ACTION, rule.span, message);
                self.diagnostics
                    .push(found.also(twin.span, "the first one"));
            }
            let mut checked = Rule {
                kind: rule.kind,
                name,
                span: rule.span,
                told: (0..params.len()).map(Told::Param).collect(),
                params,
                require: Vec::new(),
                effects: Vec::new(),
            };
            for clause in rule.clauses.iter().filter(|_| complete) {
                self.clause(&mut checked, clause);
            }
            self.repeated(&rule.clauses);
            let idle = matches!(rule.kind, RuleKind::Win | RuleKind::Draw);
            if let Some(effect) = checked.effects.first().filter(|_| idle) {
                let message = format!("a {} has no effects", rule.kind.word());
                let found = Diagnostic::new(&codes::IGNORED_EFFECT, effect.span, message);
                self.diagnostics.push(found);
                checked.effects.clear();
            }
            rules.push(checked);
        }
        rules
    }
}

/// Where a property says that an object is: whether in a player's hands, and the name.
fn place<'a>(prop: &Prop<'a>) -> Option<(bool, &'a str)> {
    match prop {
        Prop::In(word) => Some((false, word.text)),
        Prop::Owner(word) => Some((true, word.text)),
        Prop::Contains(_) | Prop::ContainsMany(..) => None,
    }
}
