//! The syntax tree as text: the file without comments, one line a declaration.

use std::fmt::{Display, Formatter, Result};

use super::ast::{Active, Decl, File, Object, Players, Prop, Rule, Seats, Stuck};
use super::scan::Word;

impl Display for Word<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(self.text)
    }
}

fn words(f: &mut Formatter<'_>, words: &[Word<'_>]) -> Result {
    words.iter().try_for_each(|word| write!(f, " {word}"))
}

impl Display for File<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.decls.iter().try_for_each(|decl| decl.fmt(f))
    }
}

impl Display for Decl<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Decl::Types { names, max } => {
                f.write_str("Type")?;
                words(f, names)?;
                if let Some((max, _)) = max {
                    write!(f, " max {max}")?;
                }
                writeln!(f)
            }
            Decl::Players(players) => players.fmt(f),
            Decl::Stuck(stuck, _) => writeln!(
                f,
                "Stuck {}",
                match stuck {
                    Stuck::Draw => "draw",
                    Stuck::Lose => "lose",
                    Stuck::Win => "win",
                }
            ),
            Decl::Clock(seconds, _) => writeln!(f, "Clock {seconds}"),
            Decl::Object(object) => object.fmt(f),
            Decl::Rule(rule) => rule.fmt(f),
        }
    }
}

impl Display for Players<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("Players")?;
        match &self.seats {
            Seats::Count(count) => write!(f, " {count}")?,
            Seats::Names(names) => words(f, names)?,
        }
        writeln!(f)?;
        match &self.active {
            None => return Ok(()),
            Some(Active::All) => f.write_str("    active all")?,
            Some(Active::Names(names)) => {
                f.write_str("    active")?;
                words(f, names)?;
            }
        }
        writeln!(f)
    }
}

impl Display for Object<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", self.ty)?;
        if let Some(name) = &self.name {
            write!(f, " {name}")?;
        }
        writeln!(f)?;
        for prop in &self.props {
            match prop {
                Prop::Contains(names) => {
                    f.write_str("    contains")?;
                    words(f, names)?;
                    writeln!(f)?;
                }
                Prop::ContainsMany(ty, count, _) => writeln!(f, "    contains {ty} {count}")?,
                Prop::In(name) => writeln!(f, "    in {name}")?,
                Prop::Owner(player) => writeln!(f, "    owner {player}")?,
            }
        }
        Ok(())
    }
}

impl Display for Rule<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(self.kind.word())?;
        if let Some(name) = &self.name {
            write!(f, " {name}")?;
        }
        for (ty, name) in &self.params {
            write!(f, " {ty} {name}")?;
        }
        writeln!(f)?;
        for clause in &self.clauses {
            f.write_str(match clause.require {
                true => "    require",
                false => "    effect",
            })?;
            words(f, &clause.words)?;
            writeln!(f)?;
        }
        Ok(())
    }
}
