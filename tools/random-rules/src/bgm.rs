//! Random games of bgm: every construct of the notation, on a few objects.

use std::fmt::Write;

use crate::{Random, Rules};

const TYPES: [&str; 4] = ["Box", "Card", "Man", "Road"];

const PLAYERS: [&str; 4] = ["ann", "bob", "cat", "dan"];

/// An object of the start.
struct Thing {
    ty: usize,
    /// Its name, if it has one.
    name: Option<String>,
    /// What stands below its header.
    props: Vec<String>,
}

/// A game under construction.
struct Game<'r> {
    random: &'r mut Random,
    players: Vec<&'static str>,
    things: Vec<Thing>,
    /// Whether rules make objects of each type.
    made: Vec<bool>,
    /// Names and types of the parameters of the rule under construction.
    params: Vec<(String, usize)>,
}

/// Makes a game.
pub(crate) fn generate(random: &mut Random) -> Rules {
    let types = 1 + random.below(TYPES.len());
    let players = *random.pick(&[1, 1, 2, 2, 2, 2, 3, 3, 4]);
    let mut game = Game {
        players: PLAYERS[..players].to_vec(),
        made: (0..types).map(|_| random.percent(60)).collect(),
        random,
        things: Vec::new(),
        params: Vec::new(),
    };
    game.things();
    Rules::of("random.bgm", game.text())
}

impl Game<'_> {
    fn any_type(&mut self) -> usize {
        self.random.below(self.made.len())
    }

    fn ty(&mut self) -> &'static str {
        TYPES[self.any_type()]
    }

    fn player(&mut self) -> &'static str {
        self.players[self.random.below(self.players.len())]
    }

    /// Objects with what is said of them: containers, owners, unnamed contents.
    fn things(&mut self) {
        for number in 0..=self.random.below(6) {
            let ty = self.any_type();
            let name = self.random.percent(60).then(|| format!("o{number}"));
            let props = Vec::new();
            self.things.push(Thing { ty, name, props });
        }
        for at in 0..self.things.len() {
            if self.random.percent(55) {
                let outer = self.random.below(self.things.len());
                self.put(at, outer);
            }
            if self.random.percent(25) {
                let owner = format!("owner {}", self.player());
                self.things[at].props.push(owner);
            }
            if self.random.percent(25) {
                let ty = self.ty();
                let fill = match self.random.below(5) {
                    0 => format!("contains {ty}"),
                    count => format!("contains {ty} {count}"),
                };
                self.things[at].props.push(fill);
            }
        }
    }

    /// Says that an object is in another, where there is a way to say so: on its own side, on the other's, or on both.
    fn put(&mut self, inner: usize, outer: usize) {
        let inside = self.things[inner].name.clone();
        let around = self.things[outer].name.clone();
        let side = match (&inside, &around) {
            (Some(_), Some(_)) => self.random.case(&[45, 45, 10]),
            (None, _) => 0,
            (_, None) => 1,
        };
        if let Some(around) = around.filter(|_| side != 1) {
            self.things[inner].props.push(format!("in {around}"));
        }
        if let Some(inside) = inside.filter(|_| side != 0) {
            self.things[outer].props.push(format!("contains {inside}"));
        }
    }

    fn text(&mut self) -> String {
        let mut out = String::new();
        // Types are inferred where each has an object.
        let has_object = |ty: usize| self.things.iter().any(|thing| thing.ty == ty);
        let known = (0..self.made.len()).all(has_object);
        if self.random.percent(80) || !known {
            self.declare_types(&mut out);
        }
        self.declare_players(&mut out);
        if self.random.percent(40) {
            let _ = writeln!(out, "Stuck {}", self.random.pick(&["draw", "lose", "win"]));
        }
        if self.random.percent(20) {
            let _ = writeln!(out, "Clock {}", self.random.below(4));
        }
        for thing in &self.things {
            out.push_str(TYPES[thing.ty]);
            if let Some(name) = &thing.name {
                let _ = write!(out, " {name}");
            }
            out.push('\n');
            for prop in &thing.props {
                let _ = writeln!(out, "    {prop}");
            }
        }
        for number in 0..=self.random.below(4) {
            self.rule("Action", number, &mut out);
        }
        for kind in ["WinCondition", "LoseCondition", "DrawCondition"] {
            for number in 0..self.random.case(&[5, 2, 1]) {
                self.rule(kind, number, &mut out);
            }
        }
        out
    }

    fn declare_types(&mut self, out: &mut String) {
        for (ty, name) in TYPES.iter().enumerate().take(self.made.len()) {
            let count = self.things.iter().filter(|thing| thing.ty == ty).count();
            let _ = match self.random.percent(25) {
                true => writeln!(out, "Type {name} max {}", count + self.random.below(5)),
                false => writeln!(out, "Type {name}"),
            };
        }
    }

    fn declare_players(&mut self, out: &mut String) {
        let _ = writeln!(out, "Players {}", self.players.join(" "));
        let _ = match self.random.below(6) {
            0 => writeln!(out, "    active all"),
            1 => writeln!(out, "    active {}", self.player()),
            2 => {
                let two = self.players.len().min(2);
                writeln!(out, "    active {}", self.players[..two].join(" "))
            }
            _ => Ok(()),
        };
    }

    fn rule(&mut self, kind: &str, number: usize, out: &mut String) {
        self.params.clear();
        for number in 0..*self.random.pick(&[0, 0, 1, 1, 1, 2, 2, 3]) {
            let ty = self.any_type();
            // Which of equal objects a loss is about depends on their age, which positions do not tell.
            if kind == "LoseCondition" && self.made[ty] {
                continue;
            }
            // A parameter may hide an object.
            let name = match self.random.percent(3) {
                true => self.object(),
                false => None,
            };
            let name = name.unwrap_or_else(|| format!("p{number}"));
            if self.params.iter().all(|(known, _)| *known != name) {
                self.params.push((name, ty));
            }
        }
        out.push_str(kind);
        if self.random.percent(90) {
            let _ = write!(out, " {}{number}", &kind[..1].to_lowercase());
        }
        for (name, ty) in &self.params {
            let _ = write!(out, " {} {name}", TYPES[*ty]);
        }
        out.push('\n');
        let requirements = match kind {
            "Action" => self.random.below(3),
            _ => 1 + self.random.below(2),
        };
        for _ in 0..requirements {
            let _ = writeln!(out, "    require {}", self.requirement());
        }
        let effects = match kind {
            "Action" => 1 + self.random.below(4),
            "LoseCondition" => self.random.below(3),
            _ => 0,
        };
        for _ in 0..effects {
            let _ = writeln!(out, "    effect {}", self.effect());
        }
    }

    /// A named object.
    fn object(&mut self) -> Option<String> {
        let named = self.things.iter().filter_map(|thing| thing.name.clone());
        let named: Vec<String> = named.collect();
        (!named.is_empty()).then(|| self.random.pick(&named).clone())
    }

    /// A reference to one object.
    fn single(&mut self) -> Option<String> {
        let mut text = match self.params.is_empty() || self.random.percent(40) {
            true => self.object()?,
            false => self.random.pick(&self.params).0.clone(),
        };
        text.push_str(["", ".in", ".in.in"][self.random.case(&[8, 2, 1])]);
        Some(text)
    }

    /// A reference to any number of objects.
    fn several(&mut self) -> Option<String> {
        let mut text = self.single()?;
        if self.random.percent(30) {
            text.push_str([".contains", ".contains.in"][self.random.case(&[2, 1])]);
        }
        Some(text)
    }

    /// A type, or the types of objects.
    fn types(&mut self) -> String {
        let several = match self.random.percent(25) {
            true => self.several(),
            false => None,
        };
        several.map_or_else(|| self.ty().to_owned(), |several| several + ".type")
    }

    fn comparison(&mut self) -> String {
        let number = self.random.below(4);
        match self.random.below(5) {
            0 => format!(" {number}"),
            1 => format!(" < {number}"),
            2 => format!(" > {number}"),
            _ => String::new(),
        }
    }

    fn requirement(&mut self) -> String {
        let not = *self.random.pick(&["", "", "", "not ", "not ", "not not "]);
        let test = self.test().unwrap_or_else(|| "timer".to_owned());
        format!("{not}{test}")
    }

    /// A test, or none if it needs an object where there is none.
    fn test(&mut self) -> Option<String> {
        let objects = self.random.percent(50);
        Some(match self.random.case(&[4, 6, 3, 1]) {
            0 => {
                let word = *self.random.pick(&["in", "in", "rin"]);
                let inner = self.single()?;
                match objects {
                    true => format!("{word} {inner} {}", self.several()?),
                    false => format!("{word} {inner} {}", self.types()),
                }
            }
            1 => {
                let word = *self.random.pick(&["contains", "contains", "rcontains"]);
                let outer = self.single()?;
                match objects {
                    true => format!("{word} {outer} {}", self.several()?),
                    false => format!("{word} {outer} {}{}", self.types(), self.comparison()),
                }
            }
            2 => match objects {
                true => format!("owns {}", self.several()?),
                false => format!("owns {}{}", self.types(), self.comparison()),
            },
            _ => "timer".to_owned(),
        })
    }

    fn effect(&mut self) -> String {
        loop {
            if let Some(effect) = self.effect_or_none() {
                return effect;
            }
        }
    }

    /// An effect, or none if it needs what there is not.
    fn effect_or_none(&mut self) -> Option<String> {
        let number = self.random.below(4);
        Some(
            match self.random.case(&[7, 3, 1, 2, 2, 2, 2, 1, 2, 2, 4, 1]) {
                0 => format!("put {} {}", self.several()?, self.single()?),
                1 => match number {
                    0 => format!("put {} {}", self.new_type()?, self.single()?),
                    _ => format!("put {} {} {}", self.new_type()?, self.single()?, number - 1),
                },
                2 => format!("remove {}", self.several()?),
                3 => match number {
                    0 => format!("remove {} {} all", self.types(), self.single()?),
                    _ => format!("remove {} {} {number}", self.types(), self.single()?),
                },
                4 => format!("create {}", self.new_type()?),
                5 => format!("delete {}", self.several()?),
                6 => {
                    let (from, to) = (self.single()?, self.set());
                    format!("distribute {from} {to} {} {number}", self.ty())
                }
                7 => format!("disown {}", self.several()?),
                8 => self.disown_some(),
                9 => match self.random.percent(50) {
                    true => format!("own {}", self.several()?),
                    false => format!("own {} {}", self.several()?, self.set()),
                },
                10 => format!("players {}", self.set()),
                _ => format!("settimer {number}"),
            },
        )
    }

    /// A type of which rules may make objects.
    fn new_type(&mut self) -> Option<&'static str> {
        let ty = self.any_type();
        self.made[ty].then(|| TYPES[ty])
    }

    fn disown_some(&mut self) -> String {
        let ty = self.any_type();
        let mut how = *self
            .random
            .pick(&["", " all", " rand", " rand 2", " 1", " 2", " 0"]);
        // Several objects without names cannot be picked out of containers without names.
        let fill = format!("contains {}", TYPES[ty]);
        let is_unnamed = |thing: &Thing| thing.ty == ty && thing.name.is_none();
        let is_filled = |thing: &Thing| thing.props.iter().any(|prop| prop.starts_with(&fill));
        let named = !self
            .things
            .iter()
            .any(|thing| is_unnamed(thing) || is_filled(thing));
        if how.ends_with('2') && (self.made[ty] || !named) {
            how = "";
        }
        format!("disown {} {}{how}", TYPES[ty], self.set())
    }

    /// A set of players.
    fn set(&mut self) -> String {
        let mut text = match self.random.case(&[2, 3, 1, 1, 1]) {
            0 => "all",
            1 => "player",
            2 => "players",
            3 => "former",
            _ => self.player(),
        }
        .to_owned();
        for _ in 0..*self.random.pick(&[0, 0, 1, 1, 2]) {
            text.push_str(self.random.pick::<&str>(&[".left", ".right"]));
        }
        text
    }
}
