//! References and sets of players.

use super::super::codes;
use super::super::model::{Base, Players, PlayersBase, Ref, Rule, Step, What};
use super::super::scan::Word;
use super::Check;
use crate::diag::Diagnostic;
use crate::source::Span;

/// Most modifiers of one name.
const MAX_MODIFIERS: usize = 64;

/// Most names of a kind that a message lists.
const MAX_LISTED: usize = 8;

/// The parts of a dotted word.
fn parts<'a>(word: Word<'a>) -> Vec<Word<'a>> {
    let mut at = word.span.start;
    let part = |text: &'a str| {
        let span = Span::new(word.span.file, at, at + text.len() as u32);
        at = span.end + 1;
        Word { text, span }
    };
    word.text.split('.').map(part).collect()
}

impl Check<'_> {
    /// Reports modifiers that are more than a name may have.
    fn too_many(&mut self, modifiers: &[Word<'_>]) -> bool {
        let Some(first) = modifiers.get(MAX_MODIFIERS) else {
            return false;
        };
        let message = format!("more than {MAX_MODIFIERS} modifiers follow one name");
        let found = Diagnostic::new(&codes::BAD_MODIFIER, first.span, message)
            .help("leave out those from here on");
        self.diagnostics.push(found);
        true
    }

    /// Objects or types.
    pub(super) fn what(&mut self, rule: &Rule, word: Word<'_>) -> Option<What> {
        let parts = parts(word);
        let (first, modifiers) = (parts[0], &parts[1..]);
        let param = rule
            .params
            .iter()
            .position(|param| param.name == first.text);
        let base = match (param, self.names.get(first.text)) {
            (Some(param), _) => Base::Param(param),
            (None, Some(&object)) => Base::Object(object),
            (None, None) => return self.type_word(rule, first, modifiers),
        };
        if self.too_many(modifiers) {
            return None;
        }
        let (mut steps, mut types) = (Vec::new(), false);
        for modifier in modifiers {
            match modifier.text {
                _ if types => {
                    let message = "nothing can follow `.type`";
                    let found = Diagnostic::new(&codes::TYPE_NOT_LAST, modifier.span, message);
                    let help =
                        "`.type` gives types, which are in nothing: write it last, or leave it out";
                    self.diagnostics.push(found.help(help));
                    return None;
                }
                "in" => steps.push(Step::In),
                "contains" if steps.contains(&Step::Contains) => {
                    let message = "`.contains` cannot follow `.contains`";
                    let found = Diagnostic::new(&codes::CONTAINS_TWICE, modifier.span, message);
                    let help = "let a parameter of the rule stand for what is inside: `require in PARAMETER OBJECT`";
                    self.diagnostics.push(found.help(help));
                    return None;
                }
                "contains" => steps.push(Step::Contains),
                "type" => types = true,
                _ => {
                    let message = format!("there is no modifier `.{}`", modifier.text);
                    let known = ["in", "contains", "type"];
                    let found = Diagnostic::new(&codes::BAD_MODIFIER, modifier.span, message);
                    let meant = match modifier.text {
                        "container" | "holder" | "parent" | "place" => "in",
                        "content" | "contents" | "inside" | "inner" => "contains",
                        other => other,
                    };
                    self.diagnostics
                        .push(found.did_you_mean(meant, modifier.span, known).note(
                            "`.in` is what it is in, `.contains` what is in it, `.type` its type",
                        ));
                    return None;
                }
            }
        }
        let reference = Ref {
            base,
            steps,
            span: word.span,
        };
        Some(match types {
            true => What::TypesOf(reference),
            false => What::Objects(reference),
        })
    }

    /// A word that is neither parameter nor object: a type.
    fn type_word(&mut self, rule: &Rule, word: Word<'_>, modifiers: &[Word<'_>]) -> Option<What> {
        let known = self.types.get_index_of(word.text);
        if let (Some(_), Some(modifier)) = (known, modifiers.first()) {
            let message = format!("`{}` is a type and has no modifiers", word.text);
            let found = Diagnostic::new(&codes::BAD_MODIFIER, modifier.span, message);
            let help =
                "modifiers follow objects: name one, or give the rule a parameter of this type";
            self.diagnostics.push(found.help(help));
            return None;
        }
        if let Some(ty) = known {
            return Some(What::Type(ty));
        }
        let capital = word.text.starts_with(char::is_uppercase);
        if !self.strict && capital && modifiers.is_empty() {
            return self.ty(word).map(What::Type);
        }
        let is_player = self.players.iter().any(|name| name == word.text);
        let message = match is_player {
            true => format!(
                "`{}` is a player, and an object or a type is wanted",
                word.text
            ),
            false => format!(
                "`{}` is neither a parameter nor an object nor a type",
                word.text
            ),
        };
        let params = || rule.params.iter().map(|param| param.name.as_str());
        // A parameter in another case is nearer than a type of another length.
        let same = params().find(|name| name.eq_ignore_ascii_case(word.text));
        let typed = rule.params.iter().find(|param| {
            let (name, _) = self.types.get_index(param.ty).expect("a type of the file");
            name.eq_ignore_ascii_case(word.text)
        });
        let found = Diagnostic::new(&codes::UNKNOWN_NAME, word.span, message);
        let found = match (same, typed) {
            _ if is_player => {
                found.help("players own things: `effect own`, `owner`; things lie in objects")
            }
            (Some(same), _) => found.did_you_mean(word.text, word.span, [same]),
            (None, Some(param)) => {
                let help = format!("the parameter of this type is `{}`", param.name);
                found.fix(help, word.span, param.name.clone())
            }
            (None, None) => {
                let names = params()
                    .chain(self.names.keys().map(String::as_str))
                    .chain(self.types.keys().map(String::as_str));
                found.did_you_mean(word.text, word.span, names)
            }
        };
        let found = match found.help {
            Some(_) => found,
            None => found.note(self.known_names(rule)),
        };
        self.diagnostics.push(found);
        None
    }

    /// The names that a rule may use, as a sentence.
    fn known_names(&self, rule: &Rule) -> String {
        let list = |names: &mut dyn Iterator<Item = &str>| {
            let mut all: Vec<&str> = names.take(MAX_LISTED + 1).collect();
            if all.len() > MAX_LISTED {
                all[MAX_LISTED] = "...";
            }
            match all.is_empty() {
                true => "no names".to_owned(),
                false => all.join(", "),
            }
        };
        format!(
            "the rule may name parameters: {}; objects: {}; types: {}",
            list(&mut rule.params.iter().map(|param| param.name.as_str())),
            list(&mut self.names.keys().map(String::as_str)),
            list(&mut self.types.keys().map(String::as_str)),
        )
    }

    /// Objects.
    pub(super) fn objects(&mut self, rule: &Rule, word: Word<'_>) -> Option<Ref> {
        match self.what(rule, word)? {
            What::Objects(reference) => Some(reference),
            _ => {
                let message = format!("`{}` is a type, and an object is wanted", word.text);
                let found = Diagnostic::new(&codes::NEEDS_TYPE, word.span, message);
                let param = self.parameter_of(rule, word);
                if let Some(name) = param {
                    let help = format!("the parameter of this type is `{name}`");
                    self.diagnostics.push(found.fix(help, word.span, name));
                    return None;
                }
                let help = match word.text.contains('.') {
                    true => "leave out `.type`".to_owned(),
                    false => format!(
                        "name one: give the rule a parameter `{} NAME`, and write `NAME` here",
                        word.text
                    ),
                };
                self.diagnostics.push(found.help(help));
                None
            }
        }
    }

    /// The one parameter whose type a word names.
    pub(super) fn parameter_of(&self, rule: &Rule, word: Word<'_>) -> Option<String> {
        let ty = self.types.get_index_of(word.text)?;
        let mut params = rule.params.iter().filter(|param| param.ty == ty);
        let first = params.next()?;
        params.next().is_none().then(|| first.name.clone())
    }

    /// One object.
    pub(super) fn single(&mut self, rule: &Rule, word: Word<'_>) -> Option<Ref> {
        let reference = self.objects(rule, word)?;
        if reference.is_multiple() {
            let message = format!("`{}` may be several objects", word.text);
            let found = Diagnostic::new(&codes::NOT_SINGLE, word.span, message);
            let help = "one object is wanted: let a parameter of the rule stand for it, with `require in PARAMETER OBJECT`";
            self.diagnostics.push(found.help(help));
            return None;
        }
        Some(reference)
    }

    /// A type.
    pub(super) fn only_type(&mut self, rule: &Rule, word: Word<'_>) -> Option<usize> {
        match self.what(rule, word)? {
            What::Type(ty) => Some(ty),
            other => {
                let message = format!("`{}` is an object, and a type is wanted", word.text);
                let found = Diagnostic::new(&codes::NEEDS_TYPE, word.span, message);
                let found = match self.type_of(rule, &other) {
                    Some(ty) => found.fix(format!("its type is `{ty}`"), word.span, ty),
                    None => found,
                };
                self.diagnostics.push(found);
                None
            }
        }
    }

    /// The name of the type of what is named without modifiers.
    fn type_of(&self, rule: &Rule, what: &What) -> Option<String> {
        let What::Objects(reference) = what else {
            return None;
        };
        let ty = match reference.base {
            _ if !reference.steps.is_empty() => return None,
            Base::Param(param) => rule.params[param].ty,
            Base::Object(object) => self.objects[object].ty,
        };
        self.types.get_index(ty).map(|(name, _)| name.clone())
    }

    /// A set of players.
    pub(super) fn player_set(&mut self, word: Word<'_>) -> Option<Players> {
        let parts = parts(word);
        let base = match parts[0].text {
            "all" => PlayersBase::All,
            "player" => PlayersBase::Acting,
            "players" => PlayersBase::Active,
            "former" => PlayersBase::Former,
            name => match self.players.iter().position(|player| player == name) {
                Some(seat) => PlayersBase::Seat(seat),
                None => {
                    let message = format!("`{name}` is neither a player nor a set of players");
                    let fixed = ["all", "player", "players", "former"];
                    let known = fixed
                        .into_iter()
                        .chain(self.players.iter().map(String::as_str));
                    let found = Diagnostic::new(&codes::UNKNOWN_PLAYER, parts[0].span, message)
                        .did_you_mean(name, parts[0].span, known)
                        .note(format!(
                            "sets of players are all, player, players, former, {}, each also with `.left` and `.right`",
                            self.players.join(", ")
                        ));
                    self.diagnostics.push(found);
                    return None;
                }
            },
        };
        if self.too_many(&parts[1..]) {
            return None;
        }
        let mut left = Vec::new();
        for modifier in &parts[1..] {
            match modifier.text {
                "left" => left.push(true),
                "right" => left.push(false),
                _ => {
                    let message = format!("there is no modifier `.{}` of players", modifier.text);
                    let found = Diagnostic::new(&codes::BAD_MODIFIER, modifier.span, message)
                        .did_you_mean(modifier.text, modifier.span, ["left", "right"])
                        .note("`.left` is the next seat in the order of `Players`, `.right` the one before");
                    self.diagnostics.push(found);
                    return None;
                }
            }
        }
        Some(Players {
            base,
            left,
            span: word.span,
        })
    }
}
