//! The files that a game was read from.

use super::game::Game;
use crate::source::{Span, sha256_of};

impl Game {
    /// What tells these rules from others: the SHA-256 of their file in hex; of several files that of their digests in hex, one
    /// after another. Without a file it is empty.
    pub fn rules_sha256(&self) -> String {
        match &self.sources[..] {
            [] => String::new(),
            [source] => source.sha256.clone(),
            sources => {
                let digests: String = sources.iter().map(|source| &*source.sha256).collect();
                sha256_of(digests.as_bytes())
            }
        }
    }

    /// The place of a span, as `file:line:column`; lines and columns count from 1.
    pub fn origin(&self, span: Span) -> String {
        let Some(source) = self.sources.get(span.file.0 as usize) else {
            return String::from("?");
        };
        let line = source
            .lines
            .partition_point(|&start| start <= span.start)
            .max(1);
        let start = source.lines.get(line - 1).copied().unwrap_or(0);
        format!("{}:{}:{}", source.name, line, span.start - start + 1)
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::Source;
    use crate::ir::builder::GameBuilder;

    #[test]
    fn rules_of_several_files_are_told_apart_by_each() {
        let of = |digests: &[&str]| {
            let mut game = GameBuilder::new("some", "some", &["a"]).game;
            game.sources = digests
                .iter()
                .map(|digest| Source {
                    name: String::new(),
                    sha256: (*digest).to_owned(),
                    lines: Vec::new(),
                })
                .collect();
            game.rules_sha256()
        };
        assert_eq!(of(&["ab"]), "ab");
        let different = [of(&["ab", "cd"]), of(&["ab", "ef"]), of(&["cd", "ab"])];
        for (at, one) in different.iter().enumerate() {
            assert_eq!(one.len(), 64);
            assert!(!different[at + 1..].contains(one));
        }
    }
}
