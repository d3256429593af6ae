//! Random games of bgc.
//!
//! A file named `plain.json` keeps to what the plain interpreter of the reference knows; `full.json` may have draws by
//! rule, passing, chains of the greatest length and what waits for the end of a chain besides. Sets of actions that could
//! be judged on a missing cell, where the original engine crashes, ask whether the cell exists.

mod actions;
mod conditions;
mod json;
mod states;

use self::json::{Json, list, number, object, text, texts};
use crate::{Random, Rules};

/// What is drawn first, and what everything else is drawn by.
struct Game<'r> {
    random: &'r mut Random,
    /// Whether the file asks for the extensions.
    extended: bool,
    /// Whether it keeps to what the plain interpreter knows.
    plain: bool,
    /// Whether conditions may ask who is attacked: nowhere, in complex movements, anywhere.
    attacks: Attacks,
    /// Whether of all chains only the longest may be played.
    longest: bool,
    dimensions: Vec<&'static str>,
    cells: Vec<Vec<i64>>,
    /// Whether a line between two cells can cross a place where there is none.
    holes: bool,
    players: Vec<&'static str>,
    figures: Vec<&'static str>,
}

/// Where conditions may ask who is attacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attacks {
    Nowhere,
    Together,
    Anywhere,
}

/// Makes a game.
pub(crate) fn generate(random: &mut Random) -> Rules {
    let plain = !random.percent(20);
    let extended = !plain || random.percent(70);
    let attacks = match random.case(&[50, 15, 35]) {
        _ if !extended => Attacks::Nowhere,
        0 => Attacks::Nowhere,
        1 => Attacks::Together,
        _ => Attacks::Anywhere,
    };
    let players = 1 + random.case(&[6, 74, 20]);
    let figures = 1 + random.case(&[30, 45, 25]);
    let longest = !plain && random.percent(20);
    let mut game = Game {
        random,
        extended,
        plain,
        attacks,
        longest,
        dimensions: Vec::new(),
        cells: Vec::new(),
        holes: false,
        players: ["a", "b", "c"][..players].to_vec(),
        figures: ["man", "king", "rook"][..figures].to_vec(),
    };
    game.board();
    let name = if plain { "plain.json" } else { "full.json" };
    Rules::of(name, game.file().lines())
}

impl Game<'_> {
    fn percent(&mut self, chance: usize) -> bool {
        self.random.percent(chance)
    }

    /// Draws the cells: a box, maybe with holes, in any order.
    fn board(&mut self) {
        let sizes: &[i64] = match self.random.case(&[15, 75, 10]) {
            0 => &[7],
            1 => &[4, 4],
            _ => &[3, 2, 2],
        };
        self.dimensions = ["x", "y", "z"][..sizes.len()].to_vec();
        let mut all = vec![Vec::new()];
        for size in sizes {
            let from = -i64::from(self.percent(20));
            let size = self.random.within(2, *size);
            let longer = |cell: &Vec<i64>| {
                let cell = cell.clone();
                (from..from + size).map(move |at| cell.iter().copied().chain([at]).collect())
            };
            all = all.iter().flat_map(longer).collect();
        }
        let count = all.len();
        if self.percent(30) {
            // The first two along the first dimension stay, so that somebody can move.
            let first = all[0].clone();
            let second: Vec<i64> = std::iter::once(first[0] + 1)
                .chain(first[1..].iter().copied())
                .collect();
            all.retain(|cell| *cell == first || *cell == second || !self.random.percent(15));
        }
        self.holes = all.len() < count;
        if self.percent(30) {
            for at in (1..all.len()).rev() {
                let other = self.random.below(at + 1);
                all.swap(at, other);
            }
        }
        self.cells = all;
    }

    fn file(&mut self) -> Json {
        let outline = "[[0,0],[0,1],[1,1],[1,0]]".to_owned();
        let cell = object([
            ("coordinates_names", texts(&self.dimensions)),
            ("geometry", Json::Plain(outline)),
            ("position", object([("x", text("x+3")), ("y", text("0"))])),
        ]);
        let cells = list(self.cells.iter().map(|cell| self.place(cell)));
        let mut members = vec![
            ("players", texts(&self.players)),
            ("cell", cell),
            ("board", object([("cells", cells)])),
            ("figures", self.all_figures()),
        ];
        if self.percent(45) {
            let count = self.random.within(1, 3);
            let all: Vec<Json> = (0..count).map(|_| self.complex()).collect();
            members.push(("complex_movement", list(all)));
        }
        members.push(("initial_position", self.start()));
        self.course(&mut members);
        if self.extended {
            members.push(("extensions", Json::Plain("true".to_owned())));
        }
        if self.longest {
            members.push(("chains", text("longest")));
        }
        object(members)
    }

    /// Coordinates as an object.
    fn place(&self, cell: &[i64]) -> Json {
        object(
            self.dimensions
                .iter()
                .copied()
                .zip(cell.iter().map(|at| number(*at))),
        )
    }

    /// A vector, with or without the coordinates that are 0.
    fn vector(&mut self, vector: &[i64]) -> Vec<(&'static str, Json)> {
        let names = self.dimensions.clone();
        let keep = self.percent(10);
        let all = names
            .into_iter()
            .zip(vector)
            .filter(|(_, d)| keep || **d != 0);
        all.map(|(name, d)| (name, number(*d))).collect()
    }

    /// A step that is not 0.
    fn step(&mut self) -> Vec<i64> {
        loop {
            let count = self.dimensions.len();
            let step = |game: &mut Self| match game.random.case(&[30, 30, 25, 8, 7]) {
                0 => 0,
                1 => 1,
                2 => -1,
                3 => 2,
                _ => -2,
            };
            let vector: Vec<i64> = (0..count).map(|_| step(self)).collect();
            if vector.iter().any(|step| *step != 0) {
                return vector;
            }
        }
    }

    fn all_figures(&mut self) -> Json {
        let names = self.figures.clone();
        let mut figures = Vec::new();
        for (number, name) in names.into_iter().enumerate() {
            let count = self.random.within(0, 3);
            let mut entries: Vec<Json> = (0..count).map(|_| self.entry()).collect();
            if number == 0 {
                // Somebody can move.
                entries.push(Json::Plain("{\"x\":1,\"also_reversed\":true}".to_owned()));
            }
            let movement = match number > 0 && self.percent(10) {
                true => {
                    let lists = self.players.clone().into_iter().zip([entries]);
                    object(lists.map(|(player, entries)| (player, list(entries))))
                }
                false => list(entries),
            };
            let mut members = vec![("movement", movement)];
            if number == 0 || self.percent(80) {
                members.push(("cell_actions", self.actions(true, number == 0, false)));
            }
            figures.push((name, object(members)));
        }
        object(figures)
    }

    fn entry(&mut self) -> Json {
        let step = self.step();
        let mut members = self.vector(&step);
        let yes = || Json::Plain("true".to_owned());
        let repeat = self.percent(45);
        if repeat {
            members.push(("repeat", yes()));
        }
        if self.percent(40) {
            members.push(("also_reversed", yes()));
        }
        if self.extended && self.percent(15) {
            let (least, most) = (self.random.within(1, 2), self.random.within(2, 4));
            members.push((
                "steps",
                match self.percent(50) {
                    true => number(least),
                    false => list([number(least), number(most)]),
                },
            ));
        }
        if self.percent(if self.extended { 25 } else { 5 }) {
            members.push(("if", self.conditions(false, false)));
        }
        if self.extended && self.percent(15) {
            members.push(("priority", number(self.random.within(-1, 2))));
        }
        if !self.plain && repeat && self.percent(15) {
            members.push(("takes", number(self.random.within(1, 2))));
        }
        if self.percent(45) {
            members.push(("cell_actions", self.actions(true, false, false)));
        }
        object(members)
    }

    fn complex(&mut self) -> Json {
        let count = 1 + self.random.case(&[30, 50, 20]);
        let mut parts = Vec::new();
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for part in 0..count {
            let figure = *self.random.pick(&self.figures.clone());
            let zero = vec![0; self.dimensions.len()];
            let place = match part == 0 && self.percent(70) {
                true => zero.clone(),
                false => self.step(),
            };
            let step = match part > 0 && self.percent(15) {
                true => zero.clone(),
                false => self.step(),
            };
            let steps = match self.extended && self.percent(15) {
                true => self.random.within(1, 3),
                false => 1,
            };
            let end = place.iter().zip(&step).map(|(a, d)| a + d * steps);
            to.push(end.collect::<Vec<i64>>());
            from.push(place.clone());
            parts.push((figure, place, step, steps));
        }
        // What a figure that moves itself leaves for another one to change places with is not settled.
        let meets = |part: usize| (0..count).any(|other| other != part && from[other] == to[part]);
        let swaps = !(0..count).any(meets) || self.percent(15);
        let moves = !swaps || !(0..count).any(meets);
        let mut figures = Vec::new();
        for (figure, place, step, steps) in parts {
            let mut members = vec![("figure", text(figure))];
            let (place, step) = (self.vector(&place), self.vector(&step));
            if !place.is_empty() {
                members.push(("relative_position", object(place)));
            }
            if !step.is_empty() {
                members.push(("coordinates_delta", object(step)));
            }
            if steps > 1 {
                members.push(("steps", number(steps)));
            }
            if self.percent(60) {
                members.push(("cell_actions", self.actions_of(false, (swaps, moves))));
            }
            figures.push(object(members));
        }
        let mut members = vec![("figures", list(figures))];
        if self.percent(75) {
            members.push(("cell_actions", self.actions_of(false, (swaps, moves))));
        }
        object(members)
    }

    fn start(&mut self) -> Json {
        let mut members = Vec::new();
        let cells = self.cells.clone();
        let mut left: Vec<&Vec<i64>> = cells.iter().collect();
        for (number, player) in self.players.clone().into_iter().enumerate() {
            let mut figures = Vec::new();
            for (at, figure) in self.figures.clone().into_iter().enumerate() {
                let most = if number + at == 0 { 3 } else { 2 };
                let count = self.random.within(i64::from(number + at == 0), most);
                let mut places = Vec::new();
                for _ in 0..count {
                    if left.len() > 1 {
                        let cell = left.swap_remove(self.random.below(left.len()));
                        places.push(self.place(cell));
                    }
                }
                if !places.is_empty() {
                    figures.push((figure, list(places)));
                }
            }
            members.push((player, object(figures)));
        }
        object(members)
    }
}
