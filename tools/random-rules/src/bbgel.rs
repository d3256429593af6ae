//! Random worlds of bbgel: fields in a ring with shortcuts, and all kinds of commands on them.

use std::fmt::Write;

use crate::{Random, Rules};

/// Makes a world as text.
pub(crate) fn generate(random: &mut Random) -> Rules {
    let mut world = World {
        players: random.within(1, 3),
        fields: random.within(3, 8),
        locals: Vec::new(),
        local_names: 0,
        results: random.percent(25),
        random,
        out: String::from("name random\n"),
    };
    world.setup();
    for field in 1..=world.fields {
        world.field(field);
    }
    Rules::of("random.bbgel", world.out)
}

/// Variables that always exist: globals and those of players.
const INTS: &[&str] = &["g", "h", "cp.j", "np.j", "pp.j", "cp.l", "j", "l"];
const BOOLS: &[&str] = &["b", "cp.k", "np.k", "k"];
const WHO: &[&str] = &["cp", "np", "pp"];

struct World<'r> {
    random: &'r mut Random,
    out: String,
    players: i64,
    fields: i64,
    /// Local integer variables that are in scope.
    locals: Vec<String>,
    local_names: usize,
    /// Whether fields give results and use them.
    results: bool,
}

impl World<'_> {
    fn setup(&mut self) {
        let die = self.random.within(1, 4);
        let _ = write!(self.out, "setup:\n    game {{ maxDiceValue {die}\n        ");
        if self.random.percent(20) {
            let _ = write!(
                self.out,
                "endCondition cp.j > {}\n        ",
                self.random.within(4, 12)
            );
        }
        let limit = *self.random.pick(&[0, 1, 5, 9, 100]);
        let _ = writeln!(
            self.out,
            "int g {{{limit}}} = 0\n        int h {{9}} = {}\n        bool b = {} }}",
            self.random.within(0, 3),
            self.random.percent(50)
        );
        let limit = *self.random.pick(&[3, 20, 50]);
        let _ = writeln!(
            self.out,
            "    {} players {{ int j {{{limit}}} = {}\n        int l {{7}} = 0\n        bool k = {} }}",
            self.players,
            self.random.within(0, 2),
            self.random.percent(30)
        );
        if self.random.percent(25) {
            self.out.push_str("    ---\n");
            let count = self.random.within(1, 2);
            for _ in 0..count {
                let (to, value) = (self.int_variable(), self.int(2));
                let _ = writeln!(self.out, "    {to} = {value}");
            }
        }
    }

    /// Another field than this.
    fn other(&mut self, field: i64) -> i64 {
        let to = self.random.within(1, self.fields - 1);
        to + i64::from(to >= field)
    }

    fn field(&mut self, field: i64) {
        let next = match self.random.percent(70) {
            true => field % self.fields + 1,
            false => self.other(field),
        };
        let label = match field {
            1 => " \"start\"",
            _ => "",
        };
        let controlled = self.random.percent(20);
        match controlled {
            true => {
                let (cond, other) = (self.bool(2), self.other(field));
                let _ = writeln!(self.out, "field {field}{label}:");
                let _ = writeln!(
                    self.out,
                    "    control if {cond} then goto {next} else goto {other} end"
                );
            }
            false => {
                let _ = writeln!(self.out, "field {field}{label} -> {next}:");
            }
        }
        let is_last = field == self.fields;
        let forced = is_last || self.random.percent(45);
        if field == 1 {
            self.out.push_str("    game_start()\n");
            if self.results {
                // Every player comes here first.
                self.line(1, "return 1");
            }
        }
        if forced && field != 1 {
            self.out.push_str("    force\n");
        }
        let (scoped, limited) = (self.random.percent(20), self.random.percent(40));
        let before = self.locals.len();
        if scoped {
            self.line(1, "begin_scope()");
            if limited {
                self.line(1, "limit_scope()");
            }
            self.declare();
        }
        let count = self.random.within(0, 3);
        for _ in 0..count {
            self.statement(1, forced && field != 1, 2);
        }
        if self.results && self.random.percent(40) {
            let value = self.int(2);
            self.line(1, &format!("return {value}"));
        }
        if scoped {
            self.line(1, "end_scope()");
            self.locals.truncate(before);
        }
        if is_last {
            match self.random.percent(50) {
                true => self.line(1, "game_end()"),
                false => {
                    let cond = self.bool(2);
                    self.line(1, &format!("if {cond} then game_end() end"));
                }
            }
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "    ".repeat(depth));
    }

    fn declare(&mut self) {
        self.local_names += 1;
        let (name, value) = (format!("x{}", self.local_names), self.int(1));
        let limit = self.random.within(3, 30);
        self.line(1, &format!("int {name} {{{limit}}} = {value}"));
        self.locals.push(name);
    }

    fn block(&mut self, depth: usize, ends: bool, fuel: usize) {
        let count = self.random.within(1, 2);
        for _ in 0..count {
            self.statement(depth, ends, fuel);
        }
    }

    /// A statement of a field; `ends` tells whether the game may end here.
    fn statement(&mut self, depth: usize, ends: bool, fuel: usize) {
        let nested = if fuel > 0 { 6 } else { 0 };
        let case = [8, nested, nested, 4, 3, 3, 1, 2, 2, usize::from(ends), 3];
        match self.random.case(&case) {
            0 => {
                let (to, value) = (self.int_variable(), self.int(3));
                self.line(depth, &format!("{to} = {value}"));
            }
            1 => {
                let cond = self.bool(2);
                self.line(depth, &format!("if {cond} then"));
                self.block(depth + 1, ends, fuel - 1);
                self.line(depth, "end");
            }
            2 => {
                let cond = self.bool(2);
                self.line(depth, &format!("if {cond} then"));
                self.block(depth + 1, ends, fuel - 1);
                self.line(depth, "else");
                self.block(depth + 1, ends, fuel - 1);
                self.line(depth, "end");
            }
            3 => {
                let to = self.random.within(1, self.fields);
                self.line(depth, &format!("goto {to}"));
            }
            4 => {
                let by = self.int(1);
                let text = match self.random.percent(60) {
                    true => format!("move({})", self.random.within(-2, 2)),
                    false => format!("move(({by}) % 3)"),
                };
                self.line(depth, &text);
            }
            5 => {
                let who = *self.random.pick(WHO);
                let turns = self.random.within(-1, 2);
                self.line(depth, &format!("sleep({who}, {turns})"));
            }
            6 => self.line(depth, "rollback()"),
            7 => {
                let value = self.int(2);
                self.line(depth, &format!("log({value})"));
            }
            8 => {
                let (to, value) = (*self.random.pick(BOOLS), self.bool(2));
                self.line(depth, &format!("{to} = {value}"));
            }
            9 => self.line(depth, "game_end()"),
            _ => {
                let to = self.int_variable();
                let text = match self.random.below(4) {
                    0 => format!("{to}++"),
                    1 => format!("++{to}"),
                    2 => format!("{to}--"),
                    _ => format!("--{to}"),
                };
                self.line(depth, &text);
            }
        }
    }

    fn int_variable(&mut self) -> String {
        if !self.locals.is_empty() && self.random.percent(40) {
            return self.random.pick(&self.locals).clone();
        }
        (*self.random.pick(INTS)).to_owned()
    }

    fn int(&mut self, fuel: usize) -> String {
        let inner = if fuel > 0 { 5 } else { 0 };
        match self
            .random
            .case(&[8, 8, 4, 1, 2 * inner, inner, inner / 2, inner / 2, 1])
        {
            0 => self.random.within(0, 7).to_string(),
            1 => self.int_variable(),
            2 => String::from("$leftSteps"),
            3 => match self.results && self.random.percent(60) {
                true => String::from("$result"),
                false => String::from("$numPlayers"),
            },
            4 => {
                let op = *self.random.pick(&["+", "-", "*"]);
                format!("({} {op} {})", self.int(fuel - 1), self.int(fuel - 1))
            }
            5 => {
                let op = *self.random.pick(&["/", "%"]);
                let by = match self.random.percent(90) {
                    true => self.random.within(2, 4).to_string(),
                    false => self.int_variable(),
                };
                format!("({} {op} {by})", self.int(fuel - 1))
            }
            6 => {
                let (cond, a, b) = (self.bool(fuel - 1), self.int(fuel - 1), self.int(fuel - 1));
                format!("({cond} ? {a} : {b})")
            }
            7 => match self.random.below(3) {
                0 => format!("({} = {})", self.int_variable(), self.int(fuel - 1)),
                1 => format!("{}++", self.int_variable()),
                _ => format!("(-{})", self.int(fuel - 1)),
            },
            _ => match self.random.percent(50) {
                true => String::from("roll()"),
                false => format!("roll({})", self.random.within(1, 4)),
            },
        }
    }

    fn bool(&mut self, fuel: usize) -> String {
        let inner = if fuel > 0 { 4 } else { 0 };
        match self
            .random
            .case(&[2, 5, 10, inner, inner / 2, inner / 2, 1])
        {
            0 => String::from(*self.random.pick(&["true", "false"])),
            1 => (*self.random.pick(BOOLS)).to_owned(),
            2 => {
                let op = *self.random.pick(&["==", "!=", "<", ">", "<=", ">="]);
                let fuel = fuel.saturating_sub(1);
                format!("({} {op} {})", self.int(fuel), self.int(fuel))
            }
            3 => {
                let op = *self.random.pick(&["and", "or"]);
                format!("({} {op} {})", self.bool(fuel - 1), self.bool(fuel - 1))
            }
            4 => format!("(not {})", self.bool(fuel - 1)),
            5 => format!(
                "({} ? {} : {})",
                self.bool(fuel - 1),
                self.bool(fuel - 1),
                self.bool(fuel - 1)
            ),
            _ => String::from("choose_bool()"),
        }
    }
}
