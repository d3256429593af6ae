//! Requirements and effects.

use super::super::ast::Clause;
use super::super::codes;
use super::super::model::{Cmp, Effect, EffectKind, Goal, Require, Rule, Test, What};
use super::super::parse::{EFFECTS, MAX_NUMBER, REQUIREMENTS, number};
use super::super::scan::Word;
use super::Check;
use crate::diag::{Diagnostic, Diagnostics};
use crate::source::Span;

/// What writers of rules say for a word of the notation, and what they mean.
const MEANT: &[(&str, &str)] = &[
    (
        "rand",
        "`rand` stands at the end of `disown TYPE PLAYERS rand`; `distribute` deals at random",
    ),
    (
        "draw",
        "`distribute OBJECT player TYPE 1` gives the acting player one at random",
    ),
    (
        "deal",
        "`distribute OBJECT all TYPE NUMBER` deals at random",
    ),
    (
        "shuffle",
        "nothing has an order: `distribute` and `disown ... rand` draw at random",
    ),
    (
        "move",
        "`put OBJECT OBJECT` moves the first into the second",
    ),
    (
        "take",
        "`own OBJECT` gives it to the acting player, `remove OBJECT` takes it out of its container",
    ),
    ("give", "`own OBJECT PLAYER` gives an object to a player"),
    (
        "add",
        "`put TYPE OBJECT NUMBER` makes new objects in a container",
    ),
    ("destroy", "`delete OBJECT` ends an object"),
    (
        "capture",
        "`remove OBJECT` takes it out of its container, `delete OBJECT` ends it",
    ),
    (
        "pass",
        "an action with no effect but `players player.left` passes the turn",
    ),
    ("next", "`players player.left` passes the turn"),
    (
        "has",
        "`contains OBJECT TYPE` asks for contents, `owns TYPE` for property",
    ),
    (
        "inside",
        "`in OBJECT OBJECT` asks for the container, `rin` for any of the containers around it",
    ),
    (
        "empty",
        "`not contains OBJECT TYPE` asks that none of the type is in it",
    ),
    (
        "in",
        "`put OBJECT OBJECT` moves the first into the second; a requirement asks with `in`",
    ),
    (
        "own",
        "`owns OBJECT` asks whether it belongs to the acting player",
    ),
];

/// Words that other languages put between arguments.
const SMALL: &[&str] = &[
    "a", "at", "from", "in", "into", "is", "of", "on", "onto", "the", "to", "with",
];

/// What a line of a rule means.
enum Meaning {
    Require(bool, Test),
    Effect(EffectKind),
}

impl Check<'_> {
    pub(super) fn clause(&mut self, rule: &mut Rule, clause: &Clause<'_>) {
        let span = clause.span();
        if self.brackets(&clause.words) || self.conjunction(clause) || self.late_not(clause) {
            return;
        }
        if let Some((without, word)) = self.without_small_word(rule, clause) {
            let message = format!("`{}` means nothing here", word.text);
            let found = Diagnostic::new(&codes::WRONG_FORM, word.span, message);
            let all: Vec<&str> = without.iter().map(|word| word.text).collect();
            let help = format!("leave it out: `{}`", all.join(" "));
            return self.diagnostics.push(found.help(help));
        }
        let before = std::mem::take(self.diagnostics);
        let meaning = self.meaning(rule, clause.require, &clause.words, span);
        let mut found = std::mem::replace(self.diagnostics, before);
        let kinds = [&codes::NEEDS_TYPE, &codes::BAD_NUMBER];
        if found.iter().any(|found| kinds.contains(&found.code))
            && let Some(other) = self.other_order(rule, clause)
        {
            found = Diagnostics::new();
            found.push(other);
        }
        self.diagnostics.append(found);
        match meaning {
            Some(Meaning::Require(not, test)) => rule.require.push(Require { not, test, span }),
            Some(Meaning::Effect(kind)) => rule.effects.push(Effect { kind, span }),
            None => {}
        }
    }

    /// Tells of a `not` that stands behind what it is about.
    fn late_not(&mut self, clause: &Clause<'_>) -> bool {
        let words = clause.words.iter();
        let mut late = words.skip_while(|word| word.text == "not");
        let Some(not) = late.find(|word| clause.require && word.text == "not") else {
            return false;
        };
        let others = clause.words.iter().filter(|word| word.text != "not");
        let others: Vec<&str> = others.map(|word| word.text).collect();
        let message = "`not` stands before what is required";
        let help = format!("write `require not {}`", others.join(" "));
        let found = Diagnostic::new(&codes::WRONG_FORM, not.span, message);
        self.diagnostics.push(found.help(help));
        true
    }

    fn meaning(
        &mut self,
        rule: &Rule,
        require: bool,
        words: &[Word<'_>],
        span: Span,
    ) -> Option<Meaning> {
        if !require {
            return self.effect(rule, words, span).map(Meaning::Effect);
        }
        let negations = words.iter().take_while(|w| w.text == "not").count();
        let test = self.test(rule, &words[negations..], span)?;
        Some(Meaning::Require(negations % 2 == 1, test))
    }

    /// That two arguments beside each other are the wrong way round, where exchanging them makes sense.
    fn other_order(&mut self, rule: &Rule, clause: &Clause<'_>) -> Option<Diagnostic> {
        let words = &clause.words;
        let verb = words.iter().position(|word| word.text != "not")?;
        for at in verb + 1..words.len().saturating_sub(1) {
            let mut other = words.clone();
            other.swap(at, at + 1);
            let before = std::mem::take(self.diagnostics);
            let meaning = self.meaning(rule, clause.require, &other, clause.span());
            let found = std::mem::replace(self.diagnostics, before);
            if meaning.is_none() || found.has_errors() {
                continue;
            }
            let (first, second) = (words[at], words[at + 1]);
            // Where a parameter has the type, its name is meant instead.
            if !clause.require && self.parameter_of(rule, second).is_some() {
                continue;
            }
            let span = first.span.to(second.span);
            let right = format!("{} {}", second.text, first.text);
            let all: Vec<&str> = other.iter().map(|word| word.text).collect();
            let message = "these two are the wrong way round";
            let found = Diagnostic::new(&codes::NEEDS_TYPE, span, message);
            return Some(found.fix(format!("write `{}`", all.join(" ")), span, right));
        }
        None
    }

    /// The words of a line without one that other languages put between arguments, where they make sense then.
    fn without_small_word<'w>(
        &mut self,
        rule: &Rule,
        clause: &Clause<'w>,
    ) -> Option<(Vec<Word<'w>>, Word<'w>)> {
        let words = &clause.words;
        let is_one = |word: &Word<'_>| SMALL.contains(&word.text);
        let named = |word: &Word<'_>| {
            let param = rule.params.iter().any(|param| param.name == word.text);
            param || self.names.contains_key(word.text) || self.types.contains_key(word.text)
        };
        let verb = words.iter().position(|word| word.text != "not")?;
        let mut behind = (verb + 1..words.len()).filter(|&at| is_one(&words[at]));
        let at = behind.find(|&at| !named(&words[at]))?;
        let mut without = words.clone();
        let word = without.remove(at);
        let before = std::mem::take(self.diagnostics);
        let meaning = self.meaning(rule, clause.require, &without, clause.span());
        let found = std::mem::replace(self.diagnostics, before);
        (meaning.is_some() && !found.has_errors()).then_some((without, word))
    }

    /// Tells of signs that other languages put around and between arguments.
    fn brackets(&mut self, words: &[Word<'_>]) -> bool {
        let sign = |c: char| "()[]{},;=".contains(c);
        let found = words
            .iter()
            .find_map(|word| word.text.find(sign).map(|at| (*word, at)));
        let Some((word, at)) = found else {
            return false;
        };
        let start = word.span.start + at as u32;
        let span = Span::new(word.span.file, start, start + 1);
        let message = format!("`{}` means nothing in a rule", &word.text[at..=at]);
        let help = match &word.text[at..=at] {
            "=" => {
                "a number alone asks for exactly so many; `<` and `>` ask for fewer and for more"
            }
            _ => "words are separated by blanks and nothing else",
        };
        let found = Diagnostic::new(&codes::WRONG_FORM, span, message).help(help);
        self.diagnostics.push(found);
        true
    }

    /// Tells of words that other languages put between conditions.
    fn conjunction(&mut self, clause: &Clause<'_>) -> bool {
        let is_one = |word: &&Word<'_>| matches!(word.text, "and" | "or" | "&&" | "||" | "&" | "|");
        let Some(word) = clause.words.iter().skip(1).find(is_one) else {
            return false;
        };
        if self.names.contains_key(word.text) || self.types.contains_key(word.text) {
            return false;
        }
        let line = match clause.require {
            true => "require",
            false => "effect",
        };
        let help = match word.text {
            "or" | "||" | "|" => {
                "all requirements of a rule must hold: write a second rule for the other case"
                    .to_owned()
            }
            _ => format!("write what follows on a line of its own: `{line} ...`"),
        };
        let message = format!("`{}` means nothing in a rule", word.text);
        let found = Diagnostic::new(&codes::WRONG_FORM, word.span, message);
        self.diagnostics.push(found.help(help));
        true
    }

    fn form<T>(&mut self, span: Span, usage: &str) -> Option<T> {
        let message = format!("this is not `{usage}`");
        self.error(&codes::WRONG_FORM, span, message);
        None
    }

    fn count(&mut self, word: Word<'_>) -> Option<u32> {
        self.count_or(word, &[])
    }

    /// What a name stands for.
    fn kind_of(&self, word: Word<'_>) -> Option<&'static str> {
        if self.names.contains_key(word.text) {
            Some("an object")
        } else if self.types.contains_key(word.text) {
            Some("a type")
        } else {
            let mut players = self.players.iter();
            players.any(|name| name == word.text).then_some("a player")
        }
    }

    /// A number, where some words could stand as well.
    fn count_or(&mut self, word: Word<'_>, words: &[&'static str]) -> Option<u32> {
        let found = number(word);
        if found.is_none() {
            let message = match self.kind_of(word) {
                Some(kind) => format!("`{}` is {kind}, and a number is wanted here", word.text),
                None => format!("`{}` is no number from 0 to {MAX_NUMBER}", word.text),
            };
            let found = Diagnostic::new(&codes::BAD_NUMBER, word.span, message).did_you_mean(
                word.text,
                word.span,
                words.iter().copied(),
            );
            self.diagnostics.push(found);
        }
        found
    }

    /// The form of an effect or requirement with so many arguments, none of which may be left out.
    fn fixed_form<T>(&mut self, words: &[Word<'_>], span: Span, usage: &str) -> Option<T> {
        let wanted: Vec<&str> = usage.split(' ').collect();
        let message = format!("this is not `{usage}`");
        let found = Diagnostic::new(&codes::WRONG_FORM, span, message);
        let missing = wanted.get(words.len()..).unwrap_or_default();
        self.diagnostics
            .push(match (missing, words.get(wanted.len())) {
                ([], Some(extra)) => found.also(extra.span, "one word too many"),
                ([], None) => found,
                _ => found.label(format!("`{}` is missing", missing.join(" "))),
            });
        None
    }

    fn unknown<T>(&mut self, word: Word<'_>, what: &str, known: &[&'static str]) -> Option<T> {
        let message = format!("there is no {what} `{}`", word.text);
        let found = Diagnostic::new(&codes::UNKNOWN_WORD, word.span, message);
        let meant = MEANT.iter().find(|(said, _)| *said == word.text);
        let other = match what {
            "effect" => ("requirement", &REQUIREMENTS[..]),
            _ => ("effect", &EFFECTS[..]),
        };
        let found = match crate::diag::closest(word.text, known.iter().copied()) {
            Some(_) => found.did_you_mean(word.text, word.span, known.iter().copied()),
            None if meant.is_some() => found.help(meant.map_or("", |(_, help)| *help)),
            None if other.1.contains(&word.text) => {
                found.help(format!("`{}` is a word of {}s", word.text, other.0))
            }
            None => found,
        };
        self.diagnostics
            .push(found.note(format!("{what}s are {}", known.join(", "))));
        None
    }

    fn test(&mut self, rule: &Rule, words: &[Word<'_>], span: Span) -> Option<Test> {
        let Some((first, args)) = words.split_first() else {
            return self.form(span, "not REQUIREMENT");
        };
        match (first.text, args) {
            ("timer", []) => Some(Test::Timer),
            ("timer", _) => self.fixed_form(words, span, "timer"),
            ("in" | "rin", [inner, outer]) => {
                let inner = self.single(rule, *inner);
                let outer = self.what(rule, *outer);
                Some(Test::In {
                    deep: first.text == "rin",
                    inner: inner?,
                    outer: outer?,
                })
            }
            ("in" | "rin", _) => {
                let usage = format!("{} OBJECT OBJECT` or `{0} OBJECT TYPE", first.text);
                self.form(span, &usage)
            }
            ("contains" | "rcontains", [outer, inner, rest @ ..]) => {
                let outer = self.single(rule, *outer);
                let inner = self.what(rule, *inner);
                let (cmp, number) = self.comparison(&inner, rest, span)?;
                Some(Test::Contains {
                    deep: first.text == "rcontains",
                    outer: outer?,
                    inner: inner?,
                    cmp,
                    number,
                })
            }
            ("contains" | "rcontains", _) => {
                let usage = format!(
                    "{} OBJECT OBJECT` or `{0} OBJECT TYPE [[<|>] NUMBER]",
                    first.text
                );
                self.form(span, &usage)
            }
            ("owns", [what, rest @ ..]) => {
                let what = self.what(rule, *what);
                let (cmp, number) = self.comparison(&what, rest, span)?;
                let what = what?;
                Some(Test::Owns { what, cmp, number })
            }
            ("owns", []) => self.form(span, "owns OBJECT` or `owns TYPE [[<|>] NUMBER]"),
            _ => self.unknown(*first, "requirement", &REQUIREMENTS),
        }
    }

    /// The comparison at the end of a requirement.
    fn comparison(
        &mut self,
        what: &Option<What>,
        rest: &[Word<'_>],
        span: Span,
    ) -> Option<(Cmp, u32)> {
        let (cmp, word) = match rest {
            [] => return Some((Cmp::Some, 0)),
            [word] => (Cmp::Equal, *word),
            [sign, word] if sign.text == "<" => (Cmp::Less, *word),
            [sign, word] if sign.text == ">" => (Cmp::More, *word),
            _ => return self.form(span, "... [[<|>] NUMBER]"),
        };
        let number = self.count(word)?;
        if let Some(What::Objects(reference)) = what {
            let message = "only objects of a type can be counted";
            let found = Diagnostic::new(&codes::NEEDS_TYPE, reference.span, message)
                .help("write a type, or leave out the number");
            self.diagnostics.push(found);
            return None;
        }
        Some((cmp, number))
    }

    fn effect(&mut self, rule: &Rule, words: &[Word<'_>], span: Span) -> Option<EffectKind> {
        let (first, args) = words.split_first()?;
        match first.text {
            "put" => self.effect_put(rule, args, span),
            "remove" => self.effect_remove(rule, args, span),
            "disown" => self.effect_disown(rule, args, span),
            "create" => match args {
                [ty] => Some(EffectKind::Create {
                    ty: self.only_type(rule, *ty)?,
                    into: None,
                    count: 1,
                }),
                _ => self.fixed_form(words, span, "create TYPE"),
            },
            "delete" => match args {
                [what] => Some(EffectKind::Delete(self.objects(rule, *what)?)),
                _ => self.fixed_form(words, span, "delete OBJECT"),
            },
            "distribute" => match args {
                [from, to, ty, count] => {
                    let from = self.single(rule, *from);
                    let to = self.player_set(*to);
                    let ty = self.only_type(rule, *ty);
                    let count = self.count(*count);
                    Some(EffectKind::Distribute {
                        from: from?,
                        to: to?,
                        ty: ty?,
                        count: count?,
                    })
                }
                _ => self.fixed_form(words, span, "distribute OBJECT PLAYERS TYPE NUMBER"),
            },
            "own" => match args {
                [what] | [what, _] => {
                    let what = self.objects(rule, *what);
                    let acting = Word {
                        text: "player",
                        span: first.span,
                    };
                    let to = self.player_set(args.get(1).copied().unwrap_or(acting));
                    Some(EffectKind::Own(what?, to?))
                }
                _ => self.form(span, "own OBJECT [PLAYERS]"),
            },
            "players" => match args {
                [players] => Some(EffectKind::Players(self.player_set(*players)?)),
                _ => self.fixed_form(words, span, "players PLAYERS"),
            },
            "settimer" => match args {
                [seconds] => Some(EffectKind::SetTimer(self.count(*seconds)?)),
                _ => self.fixed_form(words, span, "settimer NUMBER"),
            },
            _ => self.unknown(*first, "effect", &EFFECTS),
        }
    }

    fn effect_put(&mut self, rule: &Rule, args: &[Word<'_>], span: Span) -> Option<EffectKind> {
        let usage = "put OBJECT OBJECT` or `put TYPE OBJECT [NUMBER]";
        let ([what, into] | [what, into, _]) = args else {
            return self.form(span, usage);
        };
        let found = self.what(rule, *what);
        let into = self.single(rule, *into);
        let count = match args.get(2) {
            Some(word) if number(*word).is_none() => {
                let message = format!("`{}` is no number from 0 to {MAX_NUMBER}", word.text);
                let found = Diagnostic::new(&codes::BAD_NUMBER, word.span, message);
                self.diagnostics
                    .push(found.help(format!("the forms are `{usage}`")));
                return None;
            }
            Some(word) => Some(self.count(*word)?),
            None => None,
        };
        match (found?, count) {
            (What::Type(ty), count) => Some(EffectKind::Create {
                ty,
                into: Some(into?),
                count: count.unwrap_or(1),
            }),
            (What::Objects(reference), None) => Some(EffectKind::Put(reference, into?)),
            (What::TypesOf(_), _) => {
                let message = "new objects need the name of their type";
                self.error(&codes::NEEDS_TYPE, what.span, message);
                None
            }
            (What::Objects(_), Some(_)) => {
                let message = "a number of objects can be put only of a type";
                self.error(&codes::NEEDS_TYPE, what.span, message);
                None
            }
        }
    }

    fn effect_remove(&mut self, rule: &Rule, args: &[Word<'_>], span: Span) -> Option<EffectKind> {
        match args {
            [what] => Some(EffectKind::Remove(self.objects(rule, *what)?)),
            [word, from, count] => {
                let what = self.what(rule, *word);
                let from = self.single(rule, *from);
                let count = match count.text {
                    "all" => None,
                    _ => Some(self.count_or(*count, &["all"])?),
                };
                let what = what?;
                if let What::Objects(reference) = &what {
                    let message = "a number of objects can be removed only of a type";
                    self.error(&codes::NEEDS_TYPE, reference.span, message);
                    return None;
                }
                let from = from?;
                Some(EffectKind::RemoveSome {
                    what,
                    from,
                    count,
                    goal: Goal::Nothing,
                    bound: false,
                })
            }
            _ => self.form(
                span,
                "remove OBJECT` or `remove TYPE OBJECT NUMBER` or `remove TYPE OBJECT all",
            ),
        }
    }

    fn effect_disown(&mut self, rule: &Rule, args: &[Word<'_>], span: Span) -> Option<EffectKind> {
        let [what, rest @ ..] = args else {
            return self.form(
                span,
                "disown OBJECT` or `disown TYPE PLAYERS [all|rand|NUMBER]",
            );
        };
        let [players, rest @ ..] = rest else {
            return Some(EffectKind::Disown(self.objects(rule, *what)?));
        };
        let ty = self.only_type(rule, *what);
        let of = self.player_set(*players);
        let (random, count) = match rest {
            [] => (false, Some(1)),
            [word] if word.text == "all" => (false, None),
            [word] if word.text == "rand" => (true, Some(1)),
            [word] => (false, Some(self.count_or(*word, &["all", "rand"])?)),
            [rand, word] if rand.text == "rand" => (true, Some(self.count(*word)?)),
            _ => return self.form(span, "disown TYPE PLAYERS [all | NUMBER | rand [NUMBER]]"),
        };
        Some(EffectKind::DisownSome {
            ty: ty?,
            of: of?,
            random,
            count,
        })
    }
}
