//! Why a move cannot be made.

/// What somebody would like to do, legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish<'w> {
    /// The moves with this text, whether legal or not.
    Text(&'w str),
    /// Any move that names all of these: numbers of domains and of members in them, as
    /// [`Observe::appearance`](crate::Observe::appearance) counts them.
    Naming(&'w [(u32, u32)]),
    /// None at all: what threatens the one who is to move, which no move may leave as it is. In chess, check. The reason is of
    /// the kind `after`, or of another kind if there is nothing like that.
    Staying,
}

/// What tells why moves are not legal, for games that do not know it themselves.
pub struct Reasons {
    /// The reason for a wish in a position that is given as text; nothing if the text is no position.
    #[allow(clippy::type_complexity, reason = "a function, spelled once")]
    pub tell: Box<dyn Fn(&str, Wish<'_>) -> Option<Refusal> + Send + Sync>,
    /// Names and texts of the rule files that reasons name places in.
    pub sources: Vec<(String, String)>,
}

/// What every move that is legal does, and one that is not would not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lack {
    /// It takes something away: a piece of this name, for one.
    Takes(String),
    /// It changes something that it does not name: a piece of this name, for one.
    Changes(String),
}

impl Lack {
    /// A stable word for it: `takes` or `changes`.
    pub fn word(&self) -> &'static str {
        match self {
            Lack::Takes(_) => "takes",
            Lack::Changes(_) => "changes",
        }
    }
}

/// Why a wish is not legal: the first condition that fails in the rule that comes nearest to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of reason it is; a stable word: `over`, `chance`, `not-a-move`, `legal`, `no-candidate`, `condition`,
    /// `after`, `rank` or `fault`.
    pub kind: &'static str,
    /// The family of moves whose rule came nearest; empty where no rule was asked.
    pub family: String,
    /// The move of that family that came nearest, as text.
    pub mv: String,
    /// Place of the rule of the family, as `file:line:column`.
    pub rule: String,
    /// Place of the condition that failed, as `file:line:column`.
    pub origin: String,
    /// First and last byte of the condition in its file, the last one not included.
    pub span: (u32, u32),
    /// The number of that file among the files of the rules.
    pub file: u32,
    /// The condition that failed, in the words of the typed program.
    pub condition: String,
    /// What the condition came to.
    pub came_to: String,
    /// What it looked at, and what that was.
    pub values: Vec<(String, String)>,
    /// Whether the condition, evaluated once more by itself, came to the same.
    pub confirmed: bool,
    /// How often the condition was asked: where it is more than once, something was looked for that it holds for.
    pub cases: usize,
    /// The named parts of the rules that the condition stands in, the outermost first.
    pub within: Vec<String>,
    /// What legal moves of this kind have in common, and this one lacks.
    pub lacks: Option<Lack>,
    /// What the last thing that the move names could be, so that it is legal.
    pub instead: Vec<String>,
}

impl Refusal {
    /// A reason that is no rule's.
    pub fn plain(kind: &'static str, condition: &str) -> Refusal {
        Refusal {
            kind,
            family: String::new(),
            mv: String::new(),
            rule: String::new(),
            origin: String::new(),
            span: (0, 0),
            file: 0,
            condition: condition.to_owned(),
            came_to: String::new(),
            values: Vec::new(),
            confirmed: true,
            cases: 1,
            within: Vec::new(),
            lacks: None,
            instead: Vec::new(),
        }
    }

    /// The reason as a sentence.
    pub fn sentence(&self) -> String {
        let values: Vec<String> = self
            .values
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let with = match values.is_empty() {
            true => String::new(),
            false => format!("; {}", values.join(", ")),
        };
        match self.kind {
            "no-candidate" => format!(
                "{} does not offer it: {} is {}{with}",
                self.family, self.condition, self.came_to
            ),
            "condition" => format!(
                "{} asks for something else: {} is {}{with}",
                self.family, self.condition, self.came_to
            ),
            "after" => format!(
                "{} does not allow the position after it: {} is {}{with}",
                self.family, self.condition, self.came_to
            ),
            "rank" => format!("another move comes first: {}{with}", self.condition),
            _ => format!("{}{with}", self.condition),
        }
    }
}
