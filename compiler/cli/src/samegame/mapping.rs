//! Renamings of moves that hold all through a game.

use anyhow::{Result, bail};

use super::Settings;
use super::classes::Classes;
use super::graph::{Edge, Graph};

/// What the search for a renaming came to.
pub(super) enum Match {
    /// Texts that mean the same, and whether the positions pair off.
    Mapping(Vec<(String, String)>, bool),
    /// There is none.
    Nothing,
    /// It took too long.
    GaveUp,
}

/// The search: texts of one game, the *source*, get texts of the other, so that from the starts on equal moves lead to
/// equal positions. Several texts of the source may get one text, but not in one position: pieces that
/// are the same have several names in some languages.
pub(super) struct Mapping<'g> {
    graphs: [&'g Graph; 2],
    classes: &'g Classes,
    /// Texts of the first and of the second game that mean the same.
    stated: Vec<(usize, usize)>,
    steps: u64,
}

impl<'g> Mapping<'g> {
    pub(super) fn new(
        graphs: [&'g Graph; 2],
        classes: &'g Classes,
        settings: &Settings,
    ) -> Result<Mapping<'g>> {
        let mut stated = Vec::new();
        for (first, second) in &settings.stated {
            let number = |side: usize, text: &str| match graphs[side].texts.get_index_of(text) {
                Some(number) => Ok(number),
                None => bail!("`{text}` is no move of {}", graphs[side].name),
            };
            stated.push((number(0, first)?, number(1, second)?));
        }
        Ok(Mapping {
            graphs,
            classes,
            stated,
            steps: settings.steps,
        })
    }

    pub(super) fn find(&self) -> Match {
        let mut gave_up = false;
        for source in [1, 0] {
            let mut search = Search::new(self, source);
            let mut ok = search.pair(0, 0);
            for &(first, second) in &self.stated {
                let (text, image) = match source {
                    1 => (second, first),
                    _ => (first, second),
                };
                ok = ok && search.assign(text, image);
            }
            if ok && search.solve() {
                return search.result();
            }
            gave_up |= search.steps == 0;
        }
        match gave_up {
            true => Match::GaveUp,
            false => Match::Nothing,
        }
    }
}

/// What can be taken back.
enum Done {
    Text(usize),
    Pair(usize, usize),
}

struct Search<'m, 'g> {
    mapping: &'m Mapping<'g>,
    source: usize,
    /// The text that each text of the source got.
    image: Vec<Option<usize>>,
    /// The position that each position of the source was paired with, and back.
    partner: Vec<Option<usize>>,
    back: Vec<Option<usize>>,
    /// The pairs, in the order in which they were made.
    pairs: Vec<(usize, usize)>,
    /// For each text of the source the positions of pairs where it is a move.
    at: Vec<Vec<usize>>,
    done: Vec<Done>,
    steps: u64,
}

impl<'m, 'g> Search<'m, 'g> {
    fn new(mapping: &'m Mapping<'g>, source: usize) -> Self {
        let (from, to) = (mapping.graphs[source], mapping.graphs[1 - source]);
        Search {
            mapping,
            source,
            image: vec![None; from.texts.len()],
            partner: vec![None; from.states.len()],
            back: vec![None; to.states.len()],
            pairs: Vec::new(),
            at: vec![Vec::new(); from.texts.len()],
            done: Vec::new(),
            steps: mapping.steps,
        }
    }

    fn edges(&self, state: usize) -> &'g [Edge] {
        &self.mapping.graphs[self.source].states[state].edges
    }

    fn target_edges(&self, state: usize) -> &'g [Edge] {
        &self.mapping.graphs[1 - self.source].states[state].edges
    }

    /// Whether a move of the source may be one of the other game.
    fn fits(&self, edge: &Edge, other: &Edge) -> bool {
        let class = |side: usize, state: usize| self.mapping.classes.class(side, state);
        edge.kind == other.kind && class(self.source, edge.to) == class(1 - self.source, other.to)
    }

    /// Pairs two positions, and all that follows from it.
    fn pair(&mut self, one: usize, other: usize) -> bool {
        let mut open = vec![(one, other)];
        while let Some((one, other)) = open.pop() {
            self.steps = self.steps.saturating_sub(1);
            if self.steps == 0 {
                return false;
            }
            match (self.partner[one], self.back[other]) {
                (Some(known), _) if known == other => continue,
                (None, None) => {}
                _ => return false,
            }
            self.partner[one] = Some(other);
            self.back[other] = Some(one);
            self.pairs.push((one, other));
            self.done.push(Done::Pair(one, other));
            let mut taken = Vec::new();
            for edge in self.edges(one) {
                self.at[edge.text].push(one);
                let Some(image) = self.image[edge.text] else {
                    continue;
                };
                if taken.contains(&image) {
                    return false;
                }
                taken.push(image);
                match self.follow(edge, other, image) {
                    Some(next) => open.push(next),
                    None => return false,
                }
            }
        }
        true
    }

    /// The positions after a move and what it is in the paired position.
    fn follow(&self, edge: &Edge, other: usize, image: usize) -> Option<(usize, usize)> {
        let mut edges = self.target_edges(other).iter();
        let found = edges.find(|found| found.text == image)?;
        self.fits(edge, found).then_some((edge.to, found.to))
    }

    /// Gives a text of the source a text, and does all that follows from it.
    fn assign(&mut self, text: usize, image: usize) -> bool {
        match self.image[text] {
            Some(known) => return known == image,
            None => self.image[text] = Some(image),
        }
        self.done.push(Done::Text(text));
        for index in 0..self.at[text].len() {
            let one = self.at[text][index];
            let Some(other) = self.partner[one] else {
                return false;
            };
            let mut next = None;
            for edge in self.edges(one) {
                if edge.text == text {
                    next = self.follow(edge, other, image);
                } else if self.image[edge.text] == Some(image) {
                    return false;
                }
            }
            match next {
                Some((a, b)) if self.pair(a, b) => {}
                _ => return false,
            }
        }
        true
    }

    /// Takes back everything after a mark.
    fn undo(&mut self, mark: usize) {
        while self.done.len() > mark {
            match self.done.pop() {
                Some(Done::Text(text)) => self.image[text] = None,
                Some(Done::Pair(one, other)) => {
                    self.partner[one] = None;
                    self.back[other] = None;
                    self.pairs.pop();
                    for edge in self.edges(one) {
                        if self.at[edge.text].last() == Some(&one) {
                            self.at[edge.text].pop();
                        }
                    }
                }
                None => return,
            }
        }
    }

    /// Gives texts to all moves of the paired positions, and pairs all that they lead to.
    fn solve(&mut self) -> bool {
        // What was tried: where its effects begin, the text, what it may still get.
        let mut tried: Vec<(usize, usize, Vec<usize>)> = Vec::new();
        let mut forward = true;
        loop {
            if self.steps == 0 {
                return false;
            }
            if forward {
                let Some((text, candidates)) = self.choice() else {
                    return true;
                };
                tried.push((self.done.len(), text, candidates));
            }
            let Some((mark, text, candidates)) = tried.last_mut() else {
                return false;
            };
            let (mark, text) = (*mark, *text);
            let Some(image) = candidates.pop() else {
                tried.pop();
                forward = false;
                continue;
            };
            self.undo(mark);
            forward = self.assign(text, image);
            if !forward {
                self.undo(mark);
            }
        }
    }

    /// A text without an image in the first pair that has one, with what it may get; that with the fewest.
    fn choice(&self) -> Option<(usize, Vec<usize>)> {
        let open = |edge: &&Edge| self.image[edge.text].is_none();
        let mut pairs = self.pairs.iter();
        let (one, other) = *pairs.find(|(one, _)| self.edges(*one).iter().any(|e| open(&e)))?;
        let taken: Vec<Option<usize>> =
            self.edges(one).iter().map(|e| self.image[e.text]).collect();
        let candidates = |edge: &Edge| -> Vec<usize> {
            let fitting = self.target_edges(other).iter();
            let fitting = fitting.filter(|found| self.fits(edge, found));
            let free = fitting.filter(|found| !taken.contains(&Some(found.text)));
            let mut texts: Vec<usize> = free.map(|found| found.text).collect();
            texts.reverse();
            texts
        };
        let open = self.edges(one).iter().filter(open);
        open.map(|edge| (edge.text, candidates(edge)))
            .min_by_key(|(_, candidates)| candidates.len())
    }

    fn result(&self) -> Match {
        let (from, to) = (
            self.mapping.graphs[self.source],
            self.mapping.graphs[1 - self.source],
        );
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (text, image) in self.image.iter().enumerate() {
            if let Some(image) = *image {
                pairs.push(match self.source {
                    1 => (image, text),
                    _ => (text, image),
                });
            }
        }
        pairs.sort_unstable();
        let texts = pairs.into_iter().map(|(first, second)| {
            let [one, other] = self.mapping.graphs;
            (one.texts[first].clone(), other.texts[second].clone())
        });
        let all = self.pairs.len();
        let one_to_one = all == from.states.len() && all == to.states.len();
        Match::Mapping(texts.collect(), one_to_one)
    }
}
