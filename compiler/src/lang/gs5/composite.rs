//! Composite pieces: keys `/composite/...` that say what they look like, and so what properties they have.

/// An element of a composite piece.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Element {
    color: char,
    shape: char,
}

/// The properties of a composite key; nothing if it is none.
pub(super) fn properties(key: &str) -> Option<Vec<(String, String)>> {
    let mut parts = key.strip_prefix("/composite/")?.split('/');
    let head = parts.next()?;
    let orientation = head.chars().next().filter(|c| "hvg".contains(*c))?;
    let numbers = &head[1..];
    let mut sizes = None;
    let mut brightness = None;
    let mut elements = Vec::new();
    for part in parts {
        if let Some(digits) = part.strip_prefix("d=") {
            sizes = Some(digits.to_owned());
        } else if let Some(digits) = part.strip_prefix("b=") {
            brightness = Some(digits.to_owned());
        } else {
            elements.extend(element(part)?);
        }
    }
    let given: usize = match orientation {
        'g' => numbers
            .chars()
            .map(|c| c.to_digit(10))
            .try_fold(1, |n, d| Some(n * d? as usize))?,
        _ if numbers.is_empty() => elements.len(),
        _ => numbers.parse().ok()?,
    };
    let count = if given == 0 { 1 } else { given };
    if count > 100 {
        return None;
    }
    let red_square = Element {
        color: 'r',
        shape: 'q',
    };
    elements.resize(count, red_square);
    let digits = |given: Option<String>| match given {
        Some(digits)
            if digits.len() == count && digits.bytes().all(|b| (b'1'..=b'3').contains(&b)) =>
        {
            Some(digits)
        }
        Some(_) => None,
        None => Some("3".repeat(count)),
    };
    let (sizes, brightness) = (digits(sizes)?, digits(brightness)?);
    let shapes: String = elements.iter().map(|e| e.shape).collect();
    let colors: String = elements.iter().map(|e| e.color).collect();
    let shown: Vec<&Element> = elements.iter().filter(|e| e.color != 'x').collect();
    let flag = |yes: bool| if yes { "1" } else { "0" }.to_owned();
    let alike =
        |of: fn(&Element) -> char| flag(shown.windows(2).all(|pair| of(pair[0]) == of(pair[1])));
    let own = [
        ("name", key.to_owned()),
        ("orientation", orientation.to_string()),
        ("d_order", order(&sizes).to_owned()),
        ("b_order", order(&brightness).to_owned()),
        ("sameshape", alike(|e| e.shape)),
        ("samecolor", alike(|e| e.color)),
        ("occupied", shown.len().to_string()),
        ("d", sizes),
        ("b", brightness),
        ("s", shapes),
        ("c", colors),
    ];
    Some(
        own.into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    )
}

/// One element, or several where it is repeated: `rq`, `x`, `bc^10`.
fn element(part: &str) -> Option<Vec<Element>> {
    let (look, times) = match part.split_once('^') {
        Some((look, times)) => (look, times.parse().ok().filter(|n| *n <= 100)?),
        None => (part, 1),
    };
    let mut letters = look.chars();
    let color = letters.next()?;
    let shape = letters.next().unwrap_or('x');
    let known = "rgbx".contains(color) && "cstqx".contains(shape) && letters.next().is_none();
    known.then(|| vec![Element { color, shape }; times])
}

/// How the digits follow each other.
fn order(digits: &str) -> &'static str {
    let pairs = || digits.as_bytes().windows(2);
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

/// The keys of a family with wildcards `?`, as long as there are not too many.
pub(super) fn family(pattern: &str, most: usize) -> Vec<String> {
    if !pattern.starts_with("/composite/") {
        return Vec::new();
    }
    let mut keys = vec![String::new()];
    let mut part_at = 0;
    let bytes: Vec<char> = pattern.chars().collect();
    for (at, &c) in bytes.iter().enumerate() {
        if c == '/' {
            part_at = at + 1;
        }
        let part: String = bytes[part_at..at].iter().collect();
        let digits = part.starts_with("d=") || part.starts_with("b=");
        let choices: &str = match (c, part.as_str()) {
            ('?', _) if digits => "123",
            ('?', "") if bytes[..part_at].iter().collect::<String>() == "/composite/" => "hv",
            ('?', "") => "rgb",
            ('?', _) => "cstq",
            _ => "",
        };
        keys = match choices {
            "" => keys.into_iter().map(|key| format!("{key}{c}")).collect(),
            choices => {
                let longer = keys.iter();
                longer
                    .flat_map(|key| choices.chars().map(move |c| format!("{key}{c}")))
                    .collect()
            }
        };
        if keys.len() > most {
            return Vec::new();
        }
    }
    keys
}
