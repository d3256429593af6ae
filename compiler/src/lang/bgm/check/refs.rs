//! References and sets of players.

use super::super::codes;
use super::super::model::{Base, Players, PlayersBase, Ref, Rule, Step, What};
use super::super::scan::Word;
use super::Check;
use crate::diag::Diagnostic;
use crate::source::Span;

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
        let (mut steps, mut types) = (Vec::new(), false);
        for modifier in modifiers {
            match modifier.text {
                _ if types => {
                    let message = "nothing can follow `.type`";
                    self.error(&codes::TYPE_NOT_LAST, modifier.span, message);
                    return None;
                }
                "in" => steps.push(Step::In),
                "contains" if steps.contains(&Step::Contains) => {
                    let message = "`.contains` cannot follow `.contains`";
                    self.error(&codes::CONTAINS_TWICE, modifier.span, message);
                    return None;
                }
                "contains" => steps.push(Step::Contains),
                "type" => types = true,
                _ => {
                    let message = format!("there is no modifier `.{}`", modifier.text);
                    let known = ["in", "contains", "type"];
                    let found = Diagnostic::new(&codes::BAD_MODIFIER, modifier.span, message)
                        .did_you_mean(modifier.text, modifier.span, known);
                    self.diagnostics.push(found);
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
            self.error(&codes::BAD_MODIFIER, modifier.span, message);
            return None;
        }
        if let Some(ty) = known {
            return Some(What::Type(ty));
        }
        let capital = word.text.starts_with(char::is_uppercase);
        if !self.strict && capital && modifiers.is_empty() {
            return self.ty(word).map(What::Type);
        }
        let message = format!(
            "`{}` is neither a parameter nor an object nor a type",
            word.text
        );
        let params = rule.params.iter().map(|param| param.name.as_str());
        let names = params
            .chain(self.names.keys().map(String::as_str))
            .chain(self.types.keys().map(String::as_str));
        let found = Diagnostic::new(&codes::UNKNOWN_NAME, word.span, message)
            .did_you_mean(word.text, word.span, names);
        self.diagnostics.push(found);
        None
    }

    /// Objects.
    pub(super) fn objects(&mut self, rule: &Rule, word: Word<'_>) -> Option<Ref> {
        match self.what(rule, word)? {
            What::Objects(reference) => Some(reference),
            _ => {
                let message = format!("`{}` is a type, and an object is wanted", word.text);
                self.error(&codes::NEEDS_TYPE, word.span, message);
                None
            }
        }
    }

    /// One object.
    pub(super) fn single(&mut self, rule: &Rule, word: Word<'_>) -> Option<Ref> {
        let reference = self.objects(rule, word)?;
        if reference.is_multiple() {
            let message = format!("`{}` may be several objects", word.text);
            self.error(&codes::NOT_SINGLE, word.span, message);
            return None;
        }
        Some(reference)
    }

    /// A type.
    pub(super) fn only_type(&mut self, rule: &Rule, word: Word<'_>) -> Option<usize> {
        match self.what(rule, word)? {
            What::Type(ty) => Some(ty),
            _ => {
                let message = format!("`{}` is an object, and a type is wanted", word.text);
                self.error(&codes::NEEDS_TYPE, word.span, message);
                None
            }
        }
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
                        .did_you_mean(name, parts[0].span, known);
                    self.diagnostics.push(found);
                    return None;
                }
            },
        };
        let mut left = Vec::new();
        for modifier in &parts[1..] {
            match modifier.text {
                "left" => left.push(true),
                "right" => left.push(false),
                _ => {
                    let message = format!("there is no modifier `.{}` of players", modifier.text);
                    let found = Diagnostic::new(&codes::BAD_MODIFIER, modifier.span, message)
                        .did_you_mean(modifier.text, modifier.span, ["left", "right"]);
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
