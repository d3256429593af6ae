//! Random rule sets of gs5: orders, rows with counters, atoms of both styles, expressions; on plain and pictured pieces,
//! alone, with a board, or by a trial list.

use std::fmt::Write;

use crate::{Random, Rules};

const SHAPES: [&str; 4] = ["square", "star", "circle", "triangle"];
const COLORS: [&str; 4] = ["red", "black", "blue", "yellow"];
const SUITS: [&str; 3] = ["hearts", "spades", "clubs"];
const ORDERS: [&str; 10] = [
    "T",
    "B",
    "L",
    "R",
    "L1",
    "L2",
    "L3",
    "L4",
    "NearestObject",
    "Farthest",
];
const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

/// Makes a rule set and what it goes with.
pub(crate) fn generate(random: &mut Random) -> Rules {
    let pictured = random.percent(35);
    let mut maker = Maker {
        pictured,
        orders: Vec::new(),
        random,
    };
    let text = maker.rules();
    maker.surroundings(text)
}

struct Maker<'r> {
    /// Whether pieces have a rank and a suit beside shape and color, or only these two.
    pictured: bool,
    /// Names of the orders of the file.
    orders: Vec<String>,
    random: &'r mut Random,
}

impl Maker<'_> {
    fn rules(&mut self) -> String {
        let mut out = String::new();
        for index in 0..self.random.case(&[4, 3, 2]) {
            let name = format!("Own{index}");
            let groups = self.groups();
            let _ = writeln!(out, "Order {name}=[{groups}]");
            self.orders.push(name);
        }
        for _ in 0..self.random.within(1, 4) {
            let row = self.row();
            let _ = writeln!(out, "{row}");
        }
        // Without it, many rule sets get stuck at once.
        if self.random.percent(80) {
            let last = *self
                .random
                .pick(&["()\n", "1 ()\n", "2 (bucket:[0,2]) (bucket:[1,3])\n"]);
            out.push_str(last);
        }
        out
    }

    /// Groups of cells, no cell twice.
    fn groups(&mut self) -> String {
        let mut cells: Vec<usize> = (1..=36).collect();
        let mut groups = Vec::new();
        for _ in 0..self.random.within(1, 5) {
            let mut group = Vec::new();
            for _ in 0..self.random.within(1, 6) {
                group.push(cells.remove(self.random.below(cells.len())).to_string());
            }
            groups.push(match group.as_slice() {
                [only] => only.clone(),
                _ => format!("[{}]", group.join(",")),
            });
        }
        groups.join(", ")
    }

    fn row(&mut self) -> String {
        let counter = match self.random.case(&[5, 4, 1]) {
            0 => String::new(),
            1 => format!("{} ", self.random.within(1, 4)),
            _ => "* ".to_owned(),
        };
        let atoms: Vec<String> = (0..self.random.within(1, 3)).map(|_| self.atom()).collect();
        counter + &atoms.join(" ")
    }

    fn atom(&mut self) -> String {
        match self.random.percent(20) {
            true => self.atom_by_position(),
            false => self.atom_by_keys(),
        }
    }

    fn atom_by_position(&mut self) -> String {
        let count = match self.random.percent(50) {
            true => self.random.within(1, 4).to_string(),
            false => "*".to_owned(),
        };
        let mut or_any = |made: fn(&mut Self) -> String| match self.random.percent(40) {
            true => made(self),
            false => "*".to_owned(),
        };
        let fields = [
            or_any(|maker| maker.words(&SHAPES)),
            or_any(|maker| maker.words(&COLORS)),
            or_any(Self::positions),
            or_any(Self::bucket),
        ];
        format!("({count}, {})", fields.join(", "))
    }

    fn atom_by_keys(&mut self) -> String {
        let mut fields = Vec::new();
        let mut put =
            |maker: &mut Self, chance: usize, key: &str, made: fn(&mut Self) -> String| {
                if maker.random.percent(chance) {
                    let value = made(maker);
                    fields.push(format!("{key}:{value}"));
                }
            };
        put(self, 25, "count", |maker| {
            maker.random.within(1, 4).to_string()
        });
        put(self, 25, "shape", |maker| maker.look(&SHAPES, "shape"));
        put(self, 25, "color", |maker| maker.look(&COLORS, "color"));
        if self.pictured {
            put(self, 25, "rank", Self::rank);
            put(self, 20, "suit", |maker| maker.look(&SUITS, "suit"));
        }
        put(self, 20, "pos", Self::positions);
        put(self, 6, "pos", Self::positions);
        put(self, 12, "postpos", Self::positions);
        put(self, 70, "bucket", Self::bucket);
        put(self, 30, "code", |maker| maker.truth(2));
        format!("({})", fields.join(", "))
    }

    /// One word, or a list of some.
    fn words(&mut self, words: &[&str]) -> String {
        match self.random.percent(60) {
            true => (*self.random.pick(words)).to_owned(),
            false => {
                let some: Vec<&str> = (0..self.random.within(2, 3))
                    .map(|_| *self.random.pick(words))
                    .collect();
                format!("[{}]", some.join(","))
            }
        }
    }

    /// The value of a condition on a property that is text.
    fn look(&mut self, words: &[&str], key: &str) -> String {
        match self.random.case(&[6, 1, 1, 1]) {
            0 => self.words(words),
            1 => format!("last.{key}"),
            2 => format!("[\"{}\", last.{key}]", self.word(words)),
            _ => format!("q.bucket.{key}"),
        }
    }

    /// A value of a property as expressions know it.
    fn word(&mut self, words: &[&str]) -> String {
        let word = *self.random.pick(words);
        match self.pictured {
            true => word.to_owned(),
            false => word.to_uppercase(),
        }
    }

    /// The value of a condition on a property that is a number.
    fn rank(&mut self) -> String {
        match self.random.case(&[3, 2, 2, 3]) {
            0 => self.random.within(1, 4).to_string(),
            1 => {
                let from = self.random.within(0, 3);
                format!("[{from}..{}]", from + self.random.within(0, 3))
            }
            2 => format!(
                "[{},{}]",
                self.random.within(1, 4),
                self.random.within(1, 4)
            ),
            _ => format!("({})%4", self.number(1)),
        }
    }

    fn positions(&mut self) -> String {
        let mut item = || {
            let own = self.orders.len();
            match self.random.case(&[3, 3, 2 * own.min(1)]) {
                0 => self.random.within(1, 36).to_string(),
                1 => (*self.random.pick(&ORDERS)).to_owned(),
                _ => self.orders[self.random.below(own)].clone(),
            }
        };
        let first = item();
        let more: Vec<String> = (0..3).map(|_| item()).collect();
        match self.random.percent(60) {
            true => first,
            false => format!("[{first},{}]", more.join(",")),
        }
    }

    fn bucket(&mut self) -> String {
        match self.random.case(&[3, 2, 2, 2, 1, 4]) {
            0 => self.random.within(0, 3).to_string(),
            1 => format!(
                "[{},{}]",
                self.random.within(0, 3),
                self.random.within(0, 3)
            ),
            2 => {
                let memory = *self
                    .random
                    .pick(&["p", "pc", "ps", "p.color", "last.bucket"]);
                format!(
                    "[!{memory}*[0,1,2,3], {memory}+{}]",
                    self.random.within(1, 3)
                )
            }
            3 => (*self
                .random
                .pick(&["Nearby", "Remotest", "[Nearby,Remotest]"]))
            .to_owned(),
            4 => "[0,1,2,3]".to_owned(),
            _ => self.number(2),
        }
    }

    /// An expression whose values are integers, or none at all.
    fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.percent(25) {
            return self.leaf();
        }
        match self.random.case(&[5, 2, 1, 2, 1]) {
            0 => {
                let op = *self.random.pick(&["+", "-", "*", "/", "%"]);
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                format!("({a}{op}{b})%4")
            }
            1 => format!("[{},{}]", self.number(depth - 1), self.number(depth - 1)),
            2 => format!("!({})", self.number(depth - 1)),
            3 => format!("({})*({})", self.truth(depth - 1), self.number(depth - 1)),
            _ => format!("({})", self.number(depth - 1)),
        }
    }

    fn leaf(&mut self) -> String {
        const PLAIN: [&str; 17] = [
            "p",
            "pc",
            "ps",
            "p.color",
            "p.shape",
            "last.bucket",
            "this.bucket",
            "q.color.bucket",
            "q.shape.bucket",
            "q.bucket.bucket",
            "Nearby",
            "Remotest",
            "(this.pos-1)/6",
            "this.pos%4",
            "last.pos%5",
            "q.bucket.pos/9",
            "q.color.pos%3",
        ];
        const RANKED: [&str; 5] = [
            "this.rank",
            "last.rank",
            "p.rank",
            "q.rank.bucket",
            "q.suit.rank",
        ];
        match self.random.case(&[4, 8, if self.pictured { 4 } else { 0 }]) {
            0 => self.random.within(-3, 5).to_string(),
            1 => format!("({})", self.random.pick(&PLAIN)),
            _ => (*self.random.pick(&RANKED)).to_owned(),
        }
    }

    /// An expression that is asked whether it has values.
    fn truth(&mut self, depth: usize) -> String {
        match self.random.case(&[5, 3, 1, 1]) {
            0 => {
                let sign = *self.random.pick(&COMPARISONS);
                let (a, b) = (self.number(depth.min(1)), self.number(depth.min(1)));
                format!("({a}){sign}({b})")
            }
            1 => {
                let (key, words): (&str, &[&str]) = match self.random.percent(50) {
                    true => ("color", &COLORS),
                    false => ("shape", &SHAPES),
                };
                let sign = *self.random.pick(&["==", "!="]);
                let other = match self.random.case(&[2, 2, 1]) {
                    0 => format!("last.{key}"),
                    1 => format!("\"{}\"", self.word(words)),
                    _ => format!("q.bucket.{key}"),
                };
                format!("this.{key}{sign}{other}")
            }
            2 => (*self
                .random
                .pick(&["!!last", "!last", "!p", "!!q.bucket", "!q.color", "!q"]))
            .to_owned(),
            _ if depth > 0 => format!("({})*({})", self.truth(depth - 1), self.truth(depth - 1)),
            _ => "this.pos>18".to_owned(),
        }
    }

    /// The rules with the files and settings that say on what they are played.
    fn surroundings(&mut self, text: String) -> Rules {
        let pieces = self.random.within(2, 9);
        let by_list = self.random.percent(30);
        let mut rules = Rules::default();
        let mut others = Vec::new();
        if self.pictured {
            others.push(("shapes/cards/properties.csv".to_owned(), self.table()));
        }
        if by_list {
            rules
                .files
                .push(("random.csv".to_owned(), self.trial_list(pieces)));
            rules.files.push(("rules/random.txt".to_owned(), text));
        } else {
            rules.files.push(("random.txt".to_owned(), text));
            if self.random.percent(30) {
                others.push(("board.json".to_owned(), self.board(pieces)));
            } else {
                rules
                    .settings
                    .push(("pieces".to_owned(), pieces.to_string()));
                if self.random.percent(20) {
                    rules
                        .settings
                        .push(("crowded".to_owned(), "true".to_owned()));
                }
            }
            if self.random.percent(20) {
                rules
                    .settings
                    .push(("mode".to_owned(), "strict".to_owned()));
            }
        }
        rules.files.extend(others);
        rules
    }

    fn table(&mut self) -> String {
        let mut table = "image,color,shape,rank,suit\n".to_owned();
        for card in 0..self.random.within(3, 8) {
            let (color, shape) = (*self.random.pick(&COLORS), *self.random.pick(&SHAPES));
            let (rank, suit) = (self.random.within(0, 4), *self.random.pick(&SUITS));
            let _ = writeln!(table, "c{card},{color},{shape},{rank},{suit}");
        }
        table
    }

    fn trial_list(&mut self, pieces: i64) -> String {
        let crowded = self.random.percent(20);
        let (images, look) = match self.pictured {
            true => ("cards/*", 0),
            false => ("", self.random.within(0, 2.min(pieces))),
        };
        format!(
            "rule_id,max_boards,min_objects,max_objects,min_shapes,max_shapes,min_colors,max_colors,images,crowded\n\
             random,3,{pieces},{},{look},{look},0,0,{images},{crowded}\n",
            pieces + self.random.within(0, 2)
        )
    }

    fn board(&mut self, pieces: i64) -> String {
        let mut cells: Vec<usize> = (0..36).collect();
        let mut list = Vec::new();
        for id in 0..pieces {
            let cell = cells.remove(self.random.below(cells.len()));
            let look = match self.pictured {
                true => format!("\"image\":\"cards/c{}.svg\"", self.random.below(3)),
                false => format!(
                    "\"shape\":\"{}\",\"color\":\"{}\"",
                    self.random.pick(&SHAPES),
                    self.random.pick(&COLORS)
                ),
            };
            let (x, y) = (cell % 6 + 1, cell / 6 + 1);
            list.push(format!("{{\"id\":{id},\"x\":{x},\"y\":{y},{look}}}"));
        }
        format!("{{\"value\":[{}]}}", list.join(","))
    }
}
