//! Rule files made at random, valid by construction.
//!
//! Each language has a generator in a file of its own. It draws constructs of its language without any idea of a sensible
//! game: what matters is that the rules are legal, that some moves can be played, and that constructs meet in ways that
//! nobody thought of. A seed gives the same files for ever, on every machine. Nothing here knows the compiler; what is done
//! with the files is the business of the tests that make them (`compiler/tests/random_programs`, `compiler/tests/native`).
//!
//! A new language is a file with a function `generate` and a row in [`LANGUAGES`].

mod bbgel;
mod bgc;
mod bgm;
mod gs5;
mod s3;

/// A language, and what makes rules in it.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// Name of the language.
    pub name: &'static str,
    /// Makes rules.
    pub generate: fn(&mut Random) -> Rules,
}

/// The languages that have a generator.
pub const LANGUAGES: &[Language] = &[
    Language {
        name: "bbgel",
        generate: bbgel::generate,
    },
    Language {
        name: "gs5",
        generate: gs5::generate,
    },
    Language {
        name: "s3",
        generate: s3::generate,
    },
    Language {
        name: "bgc",
        generate: bgc::generate,
    },
    Language {
        name: "bgm",
        generate: bgm::generate,
    },
];

impl Language {
    /// The rules of a seed.
    pub fn rules(&self, seed: u64) -> Rules {
        (self.generate)(&mut Random::new(seed))
    }
}

/// The language of this name.
pub fn language(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name == name)
}

/// Rules as a compiler takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Names and texts of files: the first is compiled, the others are what goes with it.
    pub files: Vec<(String, String)>,
    /// Names and values of settings.
    pub settings: Vec<(String, String)>,
}

impl Rules {
    /// Rules in one file.
    pub fn of(name: &str, text: String) -> Rules {
        Rules {
            files: vec![(name.to_owned(), text)],
            settings: Vec::new(),
        }
    }
}

/// Numbers that look random (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below a bound, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 11) % bound as u64) as usize
    }

    /// A number of a closed range.
    pub fn within(&mut self, from: i64, to: i64) -> i64 {
        from + self.below((to - from + 1).max(1) as usize) as i64
    }

    /// True so many times in a hundred.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of some things, of which there is at least one.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }

    /// The number of one of some cases, by their weights.
    pub fn case(&mut self, weights: &[usize]) -> usize {
        let mut rest = self.below(weights.iter().sum::<usize>().max(1));
        weights
            .iter()
            .position(|&weight| {
                let here = rest < weight;
                rest = rest.saturating_sub(weight);
                here
            })
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_rules_again_and_another_one_others() {
        for language in LANGUAGES {
            assert_eq!(language.rules(7), language.rules(7), "{}", language.name);
            let texts: Vec<Rules> = (0..20).map(|seed| language.rules(seed)).collect();
            let distinct = (0..20).filter(|&n| !texts[..n].contains(&texts[n]));
            assert!(distinct.count() > 15, "{}", language.name);
        }
    }

    #[test]
    fn cases_come_as_often_as_they_weigh() {
        let mut random = Random::new(1);
        let mut counts = [0; 3];
        for _ in 0..1000 {
            counts[random.case(&[1, 0, 3])] += 1;
        }
        assert!(counts[0] > 180 && counts[1] == 0 && counts[2] > 650);
    }
}
