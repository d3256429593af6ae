//! Composite pieces: keys `/composite/...` that say what they look like, and so what properties they have; and families of
//! them, keys with wildcards.

/// Sizes and brightnesses are 1 to this.
const LEVELS: usize = 3;
/// Any size or brightness, and any color or shape.
const ANY: char = '?';
/// The color and the shape of an element that is not there.
const BLANK: char = 'x';
/// Most elements of a piece.
const MAX_ELEMENTS: usize = 100;
/// Half of the width of an element by its size, the full one being 1, and how opaque it is by its brightness.
const WIDTHS: [f64; LEVELS + 1] = [0.0, 0.6, 0.8, 1.0];
const OPACITIES: [f64; LEVELS + 1] = [0.0, 0.15, 0.4, 1.0];

/// A piece or a family of pieces: elements in rows and columns.
#[derive(Clone, Debug)]
pub(super) struct Composite {
    key: String,
    /// Whether the row may as well be a column.
    turns: bool,
    rows: usize,
    columns: usize,
    /// Digits, or [`ANY`].
    sizes: Vec<char>,
    brightness: Vec<char>,
    colors: Vec<char>,
    shapes: Vec<char>,
    all_colors: Vec<char>,
    all_shapes: Vec<char>,
}

/// Whether a key is one of a composite piece or of a family.
pub(super) fn is_composite(key: &str) -> bool {
    key.starts_with("/composite/")
}

impl Composite {
    /// Reads a key.
    pub(super) fn parse(key: &str) -> Option<Composite> {
        let mut parts = key.strip_prefix("/composite/")?.split('/').map(str::trim);
        let head = parts.next()?;
        let first = head.chars().next().filter(|c| "hvg?".contains(*c))?;
        let numbers = &head[1..];
        let length = match numbers {
            "" => 3,
            _ => numbers.parse().ok()?,
        };
        let (rows, columns) = match first {
            'v' => (length, 1),
            'g' => {
                let digits: Vec<usize> = numbers
                    .chars()
                    .filter_map(|c| c.to_digit(10))
                    .map(|digit| digit as usize)
                    .collect();
                (numbers.len() == 2).then_some(())?;
                (*digits.first()?, *digits.get(1)?)
            }
            _ => (1, length),
        };
        let count = rows.checked_mul(columns)?;
        if count == 0 || count > MAX_ELEMENTS {
            return None;
        }
        let mut composite = Composite {
            key: key.to_owned(),
            turns: first == ANY,
            rows,
            columns,
            sizes: vec!['3'; count],
            brightness: vec!['3'; count],
            colors: Vec::new(),
            shapes: Vec::new(),
            all_colors: "rgb".chars().collect(),
            all_shapes: "qsct".chars().collect(),
        };
        for part in parts {
            composite.part(part)?;
        }
        let (color, shape) = (composite.all_colors[0], composite.all_shapes[0]);
        composite.colors.resize(count, color);
        composite.shapes.resize(count, shape);
        Some(composite)
    }

    /// Reads a part of a key behind its head.
    fn part(&mut self, part: &str) -> Option<()> {
        let count = self.sizes.len();
        let letters = |text: &str| {
            let known = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphabetic());
            known.then(|| text.chars().collect::<Vec<char>>())
        };
        match part.split_once('=') {
            Some(("d", digits)) => self.sizes = levels(digits, count)?,
            Some(("b", digits)) => self.brightness = levels(digits, count)?,
            Some(("allColors", all)) => self.all_colors = letters(all)?,
            Some(("allShapes", all)) => self.all_shapes = letters(all)?,
            Some(_) => return None,
            None => self.element(part)?,
        }
        Some(())
    }

    /// Reads an element, or several where it is repeated: `rq`, `x`, `bc^10`, `*`.
    fn element(&mut self, part: &str) -> Option<()> {
        let (look, times) = match part.split_once('^') {
            Some((look, times)) => (look, times.parse::<usize>().ok()?),
            None => (part, 1),
        };
        let look = match look {
            "x" => "xx",
            "*" => "??",
            other => other,
        };
        let mut letters = look.chars();
        let (color, shape) = (letters.next()?, letters.next()?);
        let known = |c: char, all: &[char]| c == ANY || c == BLANK || all.contains(&c);
        let sound = letters.next().is_none()
            && known(color, &self.all_colors)
            && known(shape, &self.all_shapes)
            && (color != BLANK || shape == BLANK);
        let times = times.max(1);
        let room = self.sizes.len() - self.colors.len();
        if !sound || times > room {
            return None;
        }
        self.colors.extend(std::iter::repeat_n(color, times));
        self.shapes.extend(std::iter::repeat_n(shape, times));
        Some(())
    }

    /// How many choices each draw of a member of the family has, in the order of the original server: whether it is a row
    /// or a column; size and brightness of each element; shape and color of each element.
    pub(super) fn draws(&self) -> Vec<u32> {
        let mut draws = Vec::new();
        if self.turns {
            draws.push(2);
        }
        for (size, brightness) in self.sizes.iter().zip(&self.brightness) {
            let any = [size, brightness].into_iter().filter(|c| **c == ANY);
            draws.extend(any.map(|_| LEVELS as u32));
        }
        for (shape, color) in self.shapes.iter().zip(&self.colors) {
            if *shape == ANY {
                draws.push(self.all_shapes.len() as u32);
            }
            if *color == ANY {
                draws.push(self.all_colors.len() as u32);
            }
        }
        draws
    }

    /// How many members the family has, if that is not beyond measure.
    pub(super) fn size(&self) -> Option<u32> {
        let mut draws = self.draws().into_iter();
        draws.try_fold(1_u32, u32::checked_mul)
    }

    /// The member that such draws give; missing ones count as 0.
    pub(super) fn member(&self, draws: &[u32]) -> Composite {
        let mut draws = draws.iter().copied();
        let mut draw = || draws.next().unwrap_or(0) as usize;
        let mut member = self.clone();
        if self.draws().is_empty() {
            return member;
        }
        if self.turns {
            member.turns = false;
            // The original draws a truth value: true leaves the row as it is.
            if draw() == 0 {
                (member.rows, member.columns) = (self.columns, self.rows);
            }
        }
        let level = |drawn: usize| ['1', '2', '3'][drawn % LEVELS];
        for at in 0..self.sizes.len() {
            for list in [&mut member.sizes, &mut member.brightness] {
                if list[at] == ANY {
                    list[at] = level(draw());
                }
            }
        }
        for at in 0..self.shapes.len() {
            if member.shapes[at] == ANY {
                member.shapes[at] = self.all_shapes[draw() % self.all_shapes.len()];
            }
            if member.colors[at] == ANY {
                member.colors[at] = self.all_colors[draw() % self.all_colors.len()];
            }
        }
        member.key = member.name();
        member
    }

    /// The key of the piece.
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// The shortest key with this meaning.
    fn name(&self) -> String {
        let mut name = String::from("/composite/");
        name.push_str(&match (self.rows, self.columns) {
            (1, columns) => format!("h{columns}"),
            (rows, 1) => format!("v{rows}"),
            (rows, columns) => format!("g{rows}{columns}"),
        });
        for (key, list) in [("d", &self.sizes), ("b", &self.brightness)] {
            if list.iter().any(|level| *level != '3') {
                name.push_str(&format!("/{key}={}", list.iter().collect::<String>()));
            }
        }
        for (color, shape) in self.colors.iter().zip(&self.shapes) {
            name.push_str(&format!("/{color}{shape}"));
        }
        name
    }

    fn is_blank(&self, at: usize) -> bool {
        self.shapes[at] == BLANK
    }

    /// The properties of a piece; a family has none.
    pub(super) fn properties(&self) -> Option<Vec<(String, String)>> {
        let open = [&self.sizes, &self.brightness, &self.colors, &self.shapes];
        if self.turns || open.iter().any(|list| list.contains(&ANY)) {
            return None;
        }
        let text = |list: &[char]| list.iter().collect::<String>();
        let flag = |yes: bool| if yes { "1" } else { "0" }.to_owned();
        let alike = |list: &[char]| flag(list.windows(2).all(|pair| pair[0] == pair[1]));
        let shown = (0..self.shapes.len()).filter(|at| !self.is_blank(*at));
        let orientation = match (self.rows, self.columns) {
            (1, _) => "h",
            (_, 1) => "v",
            _ => "g",
        };
        let own = [
            ("name", self.key.clone()),
            ("orientation", orientation.to_owned()),
            ("d", text(&self.sizes)),
            ("d_order", order(&self.sizes).to_owned()),
            ("b", text(&self.brightness)),
            ("b_order", order(&self.brightness).to_owned()),
            ("s", text(&self.shapes)),
            ("c", text(&self.colors)),
            ("sameshape", alike(&self.shapes)),
            ("samecolor", alike(&self.colors)),
            ("occupied", shown.count().to_string()),
            ("opacity", self.opacity().to_string()),
            ("trans_h", flag(self.repeats(0, 1))),
            ("trans_v", flag(self.repeats(1, 0))),
            ("trans_asc", flag(self.repeats(1, -1))),
            ("trans_desc", flag(self.repeats(1, 1))),
        ];
        let own = own.into_iter();
        Some(own.map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// How opaque the whole is, in hundredths, rounded down: areas of the elements by their brightness, as a share of all.
    fn opacity(&self) -> i64 {
        let level = |c: char| c.to_digit(10).map_or(0, |digit| digit as usize) % (LEVELS + 1);
        let elements = (0..self.shapes.len()).filter(|at| !self.is_blank(*at));
        let sum = elements.fold(0.0, |sum, at| {
            let width = WIDTHS[level(self.sizes[at])];
            sum + OPACITIES[level(self.brightness[at])] * width * width
        });
        (100.0 * (sum / self.shapes.len() as f64)) as i64
    }

    /// Whether elements that lie so many rows and columns apart are always alike; for blank ones only that counts.
    fn repeats(&self, down: usize, right: i64) -> bool {
        let places = (0..self.rows.saturating_sub(down))
            .flat_map(|row| (0..self.columns).map(move |column| (row, column)));
        places.into_iter().all(|(row, column)| {
            let other = column as i64 + right;
            if other < 0 || other >= self.columns as i64 {
                return true;
            }
            let a = row * self.columns + column;
            let b = (row + down) * self.columns + other as usize;
            let both_blank = self.is_blank(a) && self.is_blank(b);
            both_blank
                || [&self.sizes, &self.brightness, &self.colors, &self.shapes]
                    .iter()
                    .all(|list| list[a] == list[b])
        })
    }
}

/// As many digits as there are elements; a star at the end stands for any of the rest.
fn levels(text: &str, count: usize) -> Option<Vec<char>> {
    let (text, rest) = match text.strip_suffix('*') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let known = text.chars().all(|c| matches!(c, '1'..='3' | ANY));
    let mut list: Vec<char> = text.chars().collect();
    if rest && list.len() < count {
        list.resize(count, ANY);
    }
    (known && list.len() == count).then_some(list)
}

/// How the digits follow each other: all equal, never falling, never rising, or neither.
fn order(digits: &[char]) -> &'static str {
    let pairs = || digits.windows(2);
    if pairs().all(|pair| pair[0] == pair[1]) {
        "0"
    } else if pairs().all(|pair| pair[0] <= pair[1]) {
        "1"
    } else if pairs().all(|pair| pair[0] >= pair[1]) {
        "-1"
    } else {
        "2"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_drawn_digit_by_digit() {
        let family = Composite::parse("/composite/?2/d=1?/??/bq").expect("a family");
        assert_eq!(family.draws(), [2, 3, 4, 3]);
        assert_eq!(family.size(), Some(72));
        assert_eq!(
            family.member(&[1, 2, 3, 0]).key(),
            "/composite/h2/d=13/rt/bq"
        );
        assert_eq!(
            family.member(&[0, 1, 0, 2]).key(),
            "/composite/v2/d=12/bq/bq"
        );
        assert!(family.properties().is_none());
    }

    #[test]
    fn grids_know_their_repetitions() {
        let diagonal = Composite::parse("/composite/g22/rq/x/x/rq").expect("a piece");
        let properties = diagonal.properties().expect("no wildcards");
        let value = |key: &str| {
            properties
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, v)| v.as_str())
        };
        assert_eq!(value("occupied"), Some("2"));
        assert_eq!(value("opacity"), Some("50"));
        let repeats = ["trans_h", "trans_v", "trans_asc", "trans_desc"].map(value);
        assert_eq!(repeats, [Some("0"), Some("0"), Some("1"), Some("1")]);
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for key in [
            "/composite/",
            "/composite/z3/rq",
            "/composite/h2/rq/rq/rq",
            "/composite/h2/d=1/rq",
            "/composite/g5/rq",
            "/composite/h2/zz",
            "/composite/h9999",
        ] {
            assert!(Composite::parse(key).is_none(), "{key}");
        }
    }
}
