//! Numbers as people write them on a command line, and as they like to read them.

use std::time::Duration;

/// Reads a count such as `250`, `10_000`, `10k`, `2M` or `1e6`.
///
/// # Errors
/// When the text is no whole number of 64 bits.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no count; write for example 250, 10k, 2M or 1e6");
    let plain = text.replace('_', "");
    let (digits, zeros) = match plain.split_once(['e', 'E']) {
        Some((digits, zeros)) => (digits, zeros.parse().map_err(|_| wrong())?),
        None => match plain.strip_suffix(['k', 'K']) {
            Some(digits) => (digits, 3),
            None => plain
                .strip_suffix('M')
                .map_or((&*plain, 0), |digits| (digits, 6)),
        },
    };
    let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let factor = 10u64
        .checked_pow(zeros)
        .filter(|_| all_digits)
        .ok_or_else(wrong)?;
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(factor).ok_or_else(wrong)
}

/// Reads a time such as `5s`, `500ms`, `2m` or `1h`; a plain number is in seconds.
///
/// # Errors
/// When the text is no such time, or one of more than a year.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time; write for example 500ms, 5s or 2m");
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let (number, unit) = units
        .iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)))
        .unwrap_or((text, 1.0));
    let seconds = number.trim().parse::<f64>().map_err(|_| wrong())? * unit;
    match seconds {
        0.0..=31_536_000.0 => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(wrong()),
    }
}

/// Reads an amount of memory such as `500M` or `2G`, in bytes, each letter a thousand times the one before: k, M, G.
///
/// # Errors
/// When the text is no such amount.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let plain = text.strip_suffix('B').unwrap_or(text);
    let wrong = |_| format!("`{text}` is no amount of memory; write for example 500M or 2G");
    match plain.strip_suffix('G') {
        Some(number) => parse_count(&format!("{number}e9")).map_err(wrong),
        None => parse_count(plain).map_err(wrong),
    }
}

/// A speed or a large count with three digits and a suffix, such as `2.05 M`.
pub fn short(number: f64) -> String {
    let (scaled, suffix) = match number {
        n if n >= 1e9 => (n / 1e9, " G"),
        n if n >= 1e6 => (n / 1e6, " M"),
        n if n >= 1e3 => (n / 1e3, " k"),
        n => (n, ""),
    };
    let decimals = match scaled {
        n if n >= 100.0 => 0,
        n if n >= 10.0 => 1,
        _ => 2,
    };
    format!("{scaled:.decimals$}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        let good = [
            ("250", 250),
            ("10_000", 10_000),
            ("10k", 10_000),
            ("2M", 2_000_000),
            ("1e6", 1_000_000),
        ];
        for (text, count) in good {
            assert_eq!(parse_count(text), Ok(count));
        }
        for text in [
            "",
            "k",
            "-1",
            "1.5",
            "1e",
            "1e30",
            "+3",
            "99999999999999999999",
        ] {
            assert!(parse_count(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)));
        for text in ["", "s", "-1s", "nan", "inf", "1e300s", "5 apples"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn speeds() {
        assert_eq!(
            [short(12.0), short(2.05e6), short(153_100.0)],
            ["12.0", "2.05 M", "153 k"]
        );
    }
}
