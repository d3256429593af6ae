//! Players that whoever serves a game offers beside those of the page. They may read files, such as networks, which players that
//! visitors name may not.

use std::path::Path;
use std::str::FromStr;

use rulec_core::GameInfo;
use rulec_search::Bot;

/// A player that visitors choose by its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Resident {
    name: String,
    bot: Bot,
}

impl FromStr for Resident {
    type Err = String;

    /// A player, with a name of its own before it if it has one: `puct:800:net=net.onnx`, `my network=puct:800:net=net.onnx`.
    fn from_str(text: &str) -> Result<Resident, String> {
        // An option of a player follows a colon.
        let named = text.split_once('=').filter(|(name, _)| !name.contains(':'));
        let (name, player) = match named {
            Some((name, _)) if name.trim().is_empty() => {
                return Err(String::from("the name before `=` is empty"));
            }
            Some((name, player)) => (name.trim().to_owned(), player),
            None => (without_folders(text), text),
        };
        let bot = player.trim().parse()?;
        Ok(Resident { name, bot })
    }
}

/// The text of a player without the folders of its files, which are nobody else's business.
fn without_folders(text: &str) -> String {
    let part = |part: &str| match part.split_once('=') {
        Some((key, value)) => {
            let file = Path::new(value).file_name().unwrap_or_default();
            format!("{key}={}", file.to_string_lossy())
        }
        None => part.to_owned(),
    };
    let parts: Vec<String> = text.split(':').map(part).collect();
    parts.join(":")
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Residents(Vec<Resident>);

impl Residents {
    /// Gets the players ready for a game.
    pub(crate) fn ready(all: &[Resident], info: &GameInfo) -> Result<Residents, String> {
        for (number, own) in all.iter().enumerate() {
            if all[..number].iter().any(|other| other.name == own.name) {
                return Err(format!("two players are called `{}`", own.name));
            }
            let ready = own.bot.ready(info);
            ready.map_err(|error| format!("the player `{}`: {error}", own.name))?;
        }
        Ok(Residents(all.to_vec()))
    }

    /// Those of them that can play a game by other rules.
    pub(crate) fn kept_for(&self, info: &GameInfo) -> Residents {
        let able = self.0.iter().filter(|own| own.bot.ready(info).is_ok());
        Residents(able.cloned().collect())
    }

    /// The player of a name.
    pub(crate) fn find(&self, name: &str) -> Option<&Bot> {
        let found = self.0.iter().find(|own| own.name == name);
        found.map(|own| &own.bot)
    }

    /// What a player is called: by its name if it has one here, else by what it is.
    pub(crate) fn name_of(&self, bot: &Bot) -> String {
        let found = self.0.iter().find(|own| own.bot == *bot);
        found.map_or_else(|| bot.to_string(), |own| own.name.clone())
    }

    /// The names of all.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.0.iter().map(|own| &*own.name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resident(text: &str) -> Resident {
        text.parse().expect("a player")
    }

    #[test]
    fn players_have_names_of_their_own_or_tell_what_they_are() {
        assert_eq!(resident("uct:10").name, "uct:10");
        assert_eq!(resident("uct:10:c=0.5").name, "uct:10:c=0.5");
        assert_eq!(resident("second = uct:10:c=0.5").name, "second");
        assert_eq!(resident("second=uct:10").bot, resident("uct:10").bot);
        for wrong in ["=uct:10", " =random", "second=", "second=nobody:3"] {
            assert!(wrong.parse::<Resident>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn folders_of_files_are_not_told() {
        assert_eq!(
            without_folders("puct:9:net=some/nets/a.onnx:batch=4"),
            "puct:9:net=a.onnx:batch=4"
        );
    }

    #[test]
    fn they_are_found_by_their_names() {
        let all = Residents(vec![resident("second=uct:10"), resident("random")]);
        assert_eq!(all.names(), ["second", "random"]);
        let bot = all.find("second").expect("it is there");
        assert_eq!(all.name_of(bot), "second");
        assert_eq!(all.find("uct:10"), None);
        assert_eq!(all.name_of(&resident("uct:20").bot), "uct:20");
    }
}
