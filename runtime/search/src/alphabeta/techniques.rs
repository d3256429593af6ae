//! What alpha-beta does beside the bare search, each of which can be switched off.

use std::{fmt, str::FromStr};

/// Something that makes the search look at fewer positions, or at better ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// The table of positions.
    Table,
    /// Moves behind the first are only asked whether they are better (Marsland and Campbell, 1982).
    Pvs,
    /// A narrow window around the value of the search before, where values are learnt.
    Aspiration,
    /// Moves that cut off beside a position are tried there early (Akl and Newborn, 1977).
    Killers,
    /// So are moves that often did so anywhere (Schaeffer, 1989).
    History,
    /// And the answer that last refuted the move before (Uiterwijk, 1992).
    Counters,
    /// Late moves are looked into less deeply at first, where values are learnt.
    Reductions,
    /// Exchanges are followed where looking ahead stops, where values are learnt.
    Quiescence,
    /// A position so good that a few moves hardly change that is not looked into (reverse futility pruning: Heinz, 1998), where values are
    /// learnt and who is on turn may leave all as it is.
    Futility,
    /// A position with one legal move, or far fewer than usual, costs no depth, where values are learnt: what forces an answer is looked
    /// into deeper.
    Extensions,
    /// A position that is good enough even if who is on turn does nothing is not looked into (null move: Goetsch and Campbell, 1990), where
    /// an evaluation was learnt and doing nothing hardly ever was best; verified far from the leaves (Tabibi and Netanyahu, 2002).
    Passing,
    /// Late moves that exchange nothing are left out near the end of looking ahead, where a position is much worse than needed or many
    /// moves came before them (Heinz, 1998), where values are learnt.
    Shallow,
    /// Before the results of a draw are looked into, one move of each is (Star2: Ballard, 1983).
    Probing,
}

/// All techniques and their names.
const NAMES: [(Technique, &str); 13] = [
    (Technique::Table, "table"),
    (Technique::Pvs, "pvs"),
    (Technique::Aspiration, "aspiration"),
    (Technique::Killers, "killers"),
    (Technique::History, "history"),
    (Technique::Counters, "counters"),
    (Technique::Reductions, "lmr"),
    (Technique::Quiescence, "quiescence"),
    (Technique::Futility, "futility"),
    (Technique::Extensions, "extensions"),
    (Technique::Passing, "passing"),
    (Technique::Shallow, "shallow"),
    (Technique::Probing, "probing"),
];

/// The techniques that a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// A bit for each that is left out.
    without: u16,
}

impl Techniques {
    /// All of them.
    pub const ALL: Techniques = Techniques { without: 0 };

    /// Whether one is used.
    #[inline(always)]
    pub fn has(self, technique: Technique) -> bool {
        self.without >> (technique as u16) & 1 == 0
    }

    /// The names of all.
    pub fn names() -> String {
        NAMES.map(|(_, name)| name).join(", ")
    }
}

/// Reads those that are left out: `none`, or names such as `lmr+pvs`.
impl FromStr for Techniques {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut without = 0;
        for word in text.split('+').filter(|word| *word != "none") {
            let found = NAMES.iter().find(|(_, name)| *name == word);
            let Some((technique, _)) = found else {
                return Err(format!(
                    "there is no technique `{word}`; there are {}",
                    Techniques::names()
                ));
            };
            without |= 1 << (*technique as u16);
        }
        Ok(Techniques { without })
    }
}

/// Writes those that are left out.
impl fmt::Display for Techniques {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left_out = NAMES.iter().filter(|(technique, _)| !self.has(*technique));
        let names: Vec<&str> = left_out.map(|(_, name)| *name).collect();
        match names.is_empty() {
            true => f.write_str("none"),
            false => f.write_str(&names.join("+")),
        }
    }
}
