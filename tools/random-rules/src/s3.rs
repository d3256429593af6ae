//! Random rule sets of s3, in both dialects.
//!
//! Types are kept apart by the names of variables: integers, names and truth values. Functions are written one after the
//! other and call those before them, or themselves with a smaller number; all of them share few parameter names, which are
//! global in the language.

use crate::{Random, Rules};

/// Makes rules: targets are tested or, in the later dialect, computed.
pub(crate) fn generate(random: &mut Random) -> Rules {
    let grid = random.percent(40);
    let (wide, high) = match grid {
        true => (random.within(2, 3), random.within(2, 3)),
        false => (random.within(4, 6), 1),
    };
    let mut rules = Writer {
        grid,
        wide,
        high,
        // There is a free place for whatever stands on the board.
        box_size: random.within(0, 3).max(6 - wide * high),
        players: random.within(1, 3),
        xs: random.within(1, 3),
        ys: random.within(0, 2),
        states: random.within(1, 3),
        functions: Vec::new(),
        scope: Scope::default(),
        lists: random.percent(50),
        random,
        out: String::new(),
    };
    rules.board();
    rules.expressions();
    rules.ends();
    rules.game_rules();
    Rules::of("random.s3", rules.out)
}

/// What an expression gives, or a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Int,
    Name,
    Bool,
    /// A truth value; it changes the position.
    Effect,
}

/// Parameters of functions, by kind: few, so that calls overwrite what callers hold.
const INTS: &[&str] = &["P", "Q", "R"];
const NAMES: &[&str] = &["S", "U"];
const BOOLS: &[&str] = &["F"];
/// Integers that every rule assigns before it does anything else.
const SHARED: &[&str] = &["V", "W"];

struct Function {
    name: String,
    params: Vec<(&'static str, Kind)>,
    gives: Kind,
}

/// The variables that have a value where an expression stands.
#[derive(Clone, Debug, Default)]
struct Scope {
    ints: Vec<String>,
    names: Vec<String>,
    bools: Vec<String>,
}

impl Scope {
    fn add(&mut self, name: &str, kind: Kind) {
        let list = match kind {
            Kind::Int => &mut self.ints,
            Kind::Name => &mut self.names,
            Kind::Bool | Kind::Effect => &mut self.bools,
        };
        if !list.iter().any(|known| known == name) {
            list.push(name.to_owned());
        }
    }
}

struct Writer<'r> {
    random: &'r mut Random,
    out: String,
    grid: bool,
    wide: i64,
    high: i64,
    box_size: i64,
    players: i64,
    xs: i64,
    ys: i64,
    states: i64,
    /// Whether some rules compute their targets.
    lists: bool,
    functions: Vec<Function>,
    scope: Scope,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn place(&self, number: i64) -> String {
        match self.grid {
            true => format!("c({},{})", number % self.wide + 1, number / self.wide + 1),
            false => format!("c({})", number + 1),
        }
    }

    fn board(&mut self) {
        let states = self.states;
        self.line(&format!(
            "[ELEMENT TYPES]\nname=man\nstates={states}\nname=king\nstates=2"
        ));
        self.line("[LOCATION TYPES]\nname=cell\nshape=circle(9)\npoint=0,0\nname=out\nrelevant=no\nshape=circle(9)\npoint=0,0");
        self.line("[LOCATIONS]");
        let cells = self.wide * self.high;
        for number in 0..cells {
            let name = self.place(number);
            self.line(&format!(
                "name={name}\ntype=cell\npoint={},{}",
                40 * (number % self.wide) + 20,
                40 * (number / self.wide) + 20
            ));
        }
        for number in 1..=self.box_size {
            self.line(&format!(
                "name=o({number})\ntype=out\npoint={},300",
                40 * number
            ));
        }
        self.line("[PLAYER NAMES]");
        for player in 1..=self.players {
            self.line(&format!("{player}=player{player}"));
        }
        let score = self.random.within(0, 3);
        self.line(&format!("score={score}\n[MOVABLE ELEMENTS]"));
        let mut places: Vec<String> = (0..cells).map(|number| self.place(number)).collect();
        places.extend((1..=self.box_size).map(|number| format!("o({number})")));
        for (name, kind, states, count) in [
            ("x", "man", self.states, self.xs),
            ("y", "king", 2, self.ys),
        ] {
            for number in 1..=count {
                let place = places.remove(self.random.below(places.len()));
                let (owner, state) = (
                    self.random.within(0, self.players),
                    self.random.within(1, states),
                );
                self.line(&format!(
                    "name={name}({number})\ntype={kind}\nlocation={place}\nplayer={owner}\nstate={state}"
                ));
            }
        }
    }

    fn expressions(&mut self) {
        self.line("[EXPRESSIONS]");
        // Gives what rules share a value, so that it has one wherever it is read.
        let values = (self.random.within(0, 3), self.random.within(0, 3));
        self.line(&format!("Begin\n$V = {}\n$W = {}\nEND", values.0, values.1));
        for number in 1..=self.random.within(2, 4) {
            let gives = *self
                .random
                .pick(&[Kind::Int, Kind::Bool, Kind::Bool, Kind::Name]);
            self.function(&format!("Ask{number}"), gives);
        }
        for number in 1..=self.random.within(1, 4) {
            self.function(&format!("Do{number}"), Kind::Effect);
        }
    }

    /// Variables of a rule that are bound whenever an expression is evaluated.
    fn bound(&mut self) {
        self.scope = Scope::default();
        let names: &[&str] = match self.grid {
            true => &["J", "A", "B"],
            false => &["J", "A"],
        };
        for name in names {
            self.scope.add(name, Kind::Int);
        }
    }

    fn function(&mut self, name: &str, gives: Kind) {
        self.bound();
        for shared in SHARED {
            self.scope.add(shared, Kind::Int);
        }
        let mut params = Vec::new();
        for _ in 0..self.random.below(3) {
            let (names, kind) = match self.random.case(&[5, 2, 1]) {
                0 => (INTS, Kind::Int),
                1 => (NAMES, Kind::Name),
                _ => (BOOLS, Kind::Bool),
            };
            let param = *self.random.pick(names);
            if !params.contains(&(param, kind)) {
                params.push((param, kind));
                self.scope.add(param, kind);
            }
        }
        let recursive = self.random.percent(25);
        if recursive && !params.contains(&("R", Kind::Int)) {
            params.insert(0, ("R", Kind::Int));
            self.scope.add("R", Kind::Int);
        }
        let head: Vec<String> = params.iter().map(|(name, _)| format!("${name}")).collect();
        let head = match params.is_empty() {
            true => name.to_owned(),
            false => format!("{name}({})", head.join(",")),
        };
        self.line(&head);
        for _ in 0..self.random.below(3) {
            self.assignment();
        }
        if gives == Kind::Effect {
            for _ in 0..self.random.within(0, 2) {
                let effect = self.effect(2);
                self.line(&effect);
            }
        }
        let end = self.value(gives, 2);
        let end = match recursive {
            false => end,
            true => {
                let args: Vec<String> = params
                    .iter()
                    .map(|(param, kind)| match *param {
                        "R" => String::from("$R - 1"),
                        _ => self.value(*kind, 1),
                    })
                    .collect();
                format!("IF($R > 0, {name}({}), {end})", args.join(", "))
            }
        };
        // A line must not begin with a bracket, nor be a single character.
        self.line(&format!(" ({end})"));
        self.line("END");
        self.functions.push(Function {
            name: name.to_owned(),
            params,
            gives,
        });
    }

    fn assignment(&mut self) {
        let case = self.random.case(&[5, 2, 1]);
        let (pool, kind): (&[&str], Kind) = match case {
            0 => (&["V", "W", "I1", "P", "R"], Kind::Int),
            1 => (&["S", "N1"], Kind::Name),
            _ => (&["F", "B1"], Kind::Bool),
        };
        let name = *self.random.pick(pool);
        // What counts the calls of a recursion down is left alone.
        let name = if name == "R" { "I1" } else { name };
        let value = self.value(kind, 2);
        self.line(&format!("${name} = {value}"));
        self.scope.add(name, kind);
    }

    /// A call of a function that gives this; nothing if there is none.
    fn call(&mut self, gives: Kind, fuel: usize) -> Option<String> {
        let fitting: Vec<usize> = (0..self.functions.len())
            .filter(|&number| self.functions[number].gives == gives)
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let number = *self.random.pick(&fitting);
        let params = self.functions[number].params.clone();
        let args: Vec<String> = params
            .iter()
            .map(|(param, kind)| match *param {
                "R" => self.random.within(0, 2).to_string(),
                _ => self.value(*kind, fuel),
            })
            .collect();
        let name = &self.functions[number].name;
        Some(match args.is_empty() {
            true => name.clone(),
            false => format!("{name}({})", args.join(", ")),
        })
    }

    fn value(&mut self, kind: Kind, fuel: usize) -> String {
        match kind {
            Kind::Int => self.int(fuel),
            Kind::Name => match self.random.percent(50) {
                true => self.location(fuel),
                false => self.element(fuel),
            },
            Kind::Bool => self.bool(fuel),
            Kind::Effect => self.effect(fuel),
        }
    }

    fn int_variable(&mut self) -> String {
        // Now and then one that may have no value here.
        if self.random.percent(2) {
            return String::from("$V");
        }
        match self.scope.ints.is_empty() {
            true => self.random.within(1, 3).to_string(),
            false => format!("${}", self.random.pick(&self.scope.ints)),
        }
    }

    fn int(&mut self, fuel: usize) -> String {
        let inner = if fuel > 0 { 4 } else { 0 };
        let less = fuel.saturating_sub(1);
        match self
            .random
            .case(&[6, 9, 2 * inner, inner, 1, 1, 1, inner / 2, 1])
        {
            0 => self.random.within(0, 4).to_string(),
            1 => self.int_variable(),
            2 => {
                let op = *self.random.pick(&["+", "-", "*"]);
                format!("({} {op} {})", self.int(less), self.int(less))
            }
            3 => {
                let op = *self.random.pick(&["/", "%"]);
                let by = self.random.within(2, 4);
                format!("({} {op} {by})", self.int(less))
            }
            4 => String::from("PLAYER"),
            5 => format!("SCORE({})", self.random.within(1, self.players)),
            6 => {
                let of = *self.random.pick(&["STATE", "OWNER"]);
                format!("{of}({})", self.element(less))
            }
            7 => match self.random.percent(50) {
                true => format!(
                    "IF({}, {}, {})",
                    self.bool(less),
                    self.int(less),
                    self.int(less)
                ),
                false => match self.call(Kind::Int, less) {
                    Some(call) => call,
                    None => format!("(ABS({}))", self.int(less)),
                },
            },
            _ => {
                let element = self.known_element();
                format!("ZINDEX({element})")
            }
        }
    }

    /// An index of a row or column, often next to where the element stands.
    fn index(&mut self, fuel: usize) -> String {
        match self.random.case(&[5, 3, usize::from(fuel > 0)]) {
            0 => self.int_variable(),
            1 => self.random.within(1, 3).to_string(),
            _ => self.int_variable(),
        }
    }

    fn location(&mut self, fuel: usize) -> String {
        match self.random.case(&[8, 2, 2, 1]) {
            0 => match self.grid {
                true => format!("\"c({},{})\"", self.index(fuel), self.index(fuel)),
                false => format!("\"c({})\"", self.index(fuel)),
            },
            1 => {
                let cells = self.wide * self.high;
                let number = self.random.below(cells as usize) as i64;
                format!("\"{}\"", self.place(number))
            }
            2 => format!("LOCATION({})", self.element(fuel.saturating_sub(1))),
            _ => match self.scope.names.is_empty() {
                true => format!("\"o({})\"", self.index(fuel)),
                false => format!("${}", self.random.pick(&self.scope.names)),
            },
        }
    }

    fn known_element(&mut self) -> String {
        match self.ys > 0 && self.random.percent(40) {
            true => format!("\"y({})\"", self.random.within(1, self.ys)),
            false => format!("\"x({})\"", self.random.within(1, self.xs)),
        }
    }

    fn element(&mut self, fuel: usize) -> String {
        match self.random.case(&[4, 3, 3 * fuel.min(1)]) {
            0 => self.known_element(),
            1 => format!("\"x({})\"", self.index(fuel)),
            _ => format!("CONTENT({})", self.location(fuel.saturating_sub(1))),
        }
    }

    fn bool(&mut self, fuel: usize) -> String {
        let inner = if fuel > 0 { 4 } else { 0 };
        let less = fuel.saturating_sub(1);
        let variables = 2 * self.scope.bools.len().min(1);
        match self.random.case(&[
            1,
            8,
            4,
            inner,
            inner,
            2,
            inner / 2,
            inner / 2,
            inner / 2,
            variables,
        ]) {
            0 => String::from(*self.random.pick(&["true", "false"])),
            1 => {
                let op = *self.random.pick(&["==", "!=", "<", ">", "<=", ">="]);
                format!("({} {op} {})", self.int(less), self.int(less))
            }
            2 => format!("EMPTY({})", self.location(less)),
            3 => {
                let op = *self.random.pick(&["AND", "OR"]);
                format!("({} {op} {})", self.bool(less), self.bool(less))
            }
            4 => format!("(NOT {})", self.bool(less)),
            5 => {
                let (a, b) = match self.random.below(3) {
                    0 => (
                        format!("ELTYPE({})", self.element(less)),
                        String::from("\"man\""),
                    ),
                    1 => (
                        format!("LOCTYPE({})", self.location(less)),
                        String::from("\"cell\""),
                    ),
                    _ => (self.element(less), self.element(less)),
                };
                format!("({a} == {b})")
            }
            6 => {
                let items: Vec<String> =
                    (0..self.random.within(1, 3)).map(|_| self.int(0)).collect();
                format!("({} IN {{{}}})", self.int(less), items.join(", "))
            }
            7 => {
                let (word, local) = (
                    *self.random.pick(&["FORALL", "FORSOME"]),
                    *self.random.pick(&["I1", "I2", "P"]),
                );
                let (from, to) = (self.random.within(1, 3), self.random.within(1, 3));
                let scope = self.scope.clone();
                self.scope.add(local, Kind::Int);
                let body = self.bool(less);
                self.scope = scope;
                format!("{word}(${local}, {from}, {to}, {body})")
            }
            8 => match self.call(Kind::Bool, less) {
                Some(call) => call,
                None => format!("({} != {})", self.int(less), self.int(less)),
            },
            _ => format!("${}", self.random.pick(&self.scope.bools)),
        }
    }

    /// Something that changes the position.
    fn effect(&mut self, fuel: usize) -> String {
        let inner = if fuel > 0 { 4 } else { 0 };
        let less = fuel.saturating_sub(1);
        match self.random.case(&[5, 3, 3, 2, 6, inner, inner / 2, inner]) {
            0 => {
                let element = self.known_element();
                let to = self.known_location();
                format!("MOVE({element}, LOCATION({element}), \"{to}\")")
            }
            1 => {
                let (element, owner) = (self.known_element(), self.random.within(0, self.players));
                format!("SETOWNER({element}, {owner})")
            }
            2 => {
                let number = self.random.within(1, self.xs);
                let state = self.random.within(1, self.states);
                format!("SETSTATE(\"x({number})\", {state})")
            }
            3 => {
                let (element, z) = (self.known_element(), self.int(less));
                format!("SETZINDEX({element}, (({z}) % 3))")
            }
            4 => String::from("NEXTPLAYER"),
            5 => format!(
                "IF({}, {}, {})",
                self.bool(less),
                self.effect(less),
                self.effect(less)
            ),
            6 if self.box_size > 0 => {
                let element = self.known_element();
                let size = self.box_size;
                format!("FORSOME($I1, {size}, 1, MOVE({element}, LOCATION({element}), \"o($I1)\"))")
            }
            _ => match self.call(Kind::Effect, less) {
                Some(call) => call,
                None => String::from("NEXTPLAYER"),
            },
        }
    }

    fn known_location(&mut self) -> String {
        let cells = self.wide * self.high;
        match self.box_size > 0 && self.random.percent(30) {
            true => format!("o({})", self.random.within(1, self.box_size)),
            false => {
                let number = self.random.below(cells as usize) as i64;
                self.place(number)
            }
        }
    }

    fn ends(&mut self) {
        self.bound();
        if self.random.percent(50) {
            self.line("[SCORINGS]");
            let situation = self.bool(2);
            let player = self.random.within(1, self.players);
            let score = self.random.within(-2, 3);
            self.line(&format!(
                "situation={situation}\nplayer={player}\nscore={score}"
            ));
        }
        self.line("[END OF GAME]");
        for _ in 0..self.random.within(0, 2) {
            let (a, b) = (self.bool(2), self.bool(1));
            let winner = self.random.within(0, self.players);
            self.line(&format!("situation=({a} AND {b})\nwinner={winner}"));
        }
    }

    fn game_rules(&mut self) {
        let (from, to) = match self.grid {
            true => ("c($A,$B)", "c($C,$D)"),
            false => ("c($A)", "c($C)"),
        };
        let mut targets = Vec::new();
        self.line("[GAME RULES]");
        for number in 1..=self.random.within(1, 3) {
            let who = match self.ys > 0 && self.random.percent(40) {
                true => "y",
                false => "x",
            };
            self.line(&format!(
                "name=rule{number}\nelement={who}($J)\nfrom={from}\nto={to}"
            ));
            if self.random.percent(40) {
                let player = self.random.within(1, self.players);
                self.line(&format!("player={player}"));
            }
            if who == "x" && self.random.percent(25) {
                let state = match self.random.percent(60) {
                    true => self.random.within(1, self.states).to_string(),
                    false => String::from("$Z"),
                };
                self.line(&format!("state={state}"));
            }
            self.bound();
            if self.lists && self.random.percent(70) {
                self.line(&format!("toLocations=Targets{number}"));
                targets.push(number);
            } else {
                for name in if self.grid { &["C", "D"][..] } else { &["C"] } {
                    self.scope.add(name, Kind::Int);
                }
                let cond = self.bool(3);
                let near = match self.random.percent(50) {
                    true => format!("((ABS($A - $C)) <= 1) AND {cond}"),
                    false => format!("({cond} OR ($C == ($A + 1)))"),
                };
                self.line(&format!("condition=Begin AND {near}"));
            }
            if self.random.percent(30) {
                let (player, score) = (self.random.within(1, self.players), self.int(1));
                self.line(&format!("awardPlayer={player}\nwithScore={score}"));
            }
            self.line(&format!("followup=Follow{number}"));
        }
        let scope = self.scope.clone();
        self.line("[EXPRESSIONS]");
        for number in targets {
            self.targets(number);
        }
        for number in 1..=3 {
            self.bound();
            self.line(&format!("Follow{number}\nBegin"));
            for shared in SHARED {
                self.scope.add(shared, Kind::Int);
            }
            let (first, second) = (self.effect(3), self.effect(2));
            self.line(&first);
            if self.random.percent(60) {
                self.line(&second);
            }
            self.line("NEXTPLAYER\nEND");
        }
        self.scope = scope;
    }

    /// An expression that gives a set of targets, plain ones and some with a call of their own.
    fn targets(&mut self, number: i64) {
        self.bound();
        self.line(&format!("Targets{number}\nBegin\n$T = {{}}"));
        for shared in SHARED {
            self.scope.add(shared, Kind::Int);
        }
        for _ in 0..self.random.within(1, 4) {
            if self.random.percent(50) {
                self.assignment();
            }
            let (place, cond) = (self.known_or_near(), self.bool(1));
            let target = match self.random.percent(60) {
                true => self.call(Kind::Effect, 1),
                false => None,
            };
            let item = match target {
                Some(call) => format!("[{place}, {call}]"),
                None => place.clone(),
            };
            self.line(&format!(
                "IF((LOCTYPE({place}) == \"cell\") AND (EMPTY({place}) AND {cond}), $T = $T UNION {{{item}}}, true)"
            ));
        }
        self.line("$T\nEND");
    }

    fn known_or_near(&mut self) -> String {
        let step = *self.random.pick(&["I1", "P", "Q"]);
        let by = *self.random.pick(&["+ 1", "- 1", "+ 2"]);
        match self.random.percent(60) {
            true => {
                self.line(&format!("${step} = $A {by}"));
                self.scope.add(step, Kind::Int);
                match self.grid {
                    true => format!("\"c(${step},$B)\""),
                    false => format!("\"c(${step})\""),
                }
            }
            false => format!("\"{}\"", self.known_location()),
        }
    }
}
