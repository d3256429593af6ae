//! How many moves can be spelled.

use super::{Const, Game, ParamSource, Type};

/// Number of subsets of `k` out of `n`; nothing if it does not fit.
pub fn binomial(n: u64, k: u64) -> Option<u64> {
    if k > n {
        return Some(0);
    }
    let k = k.min(n - k);
    let mut result: u128 = 1;
    for i in 0..k {
        result = result * u128::from(n - i) / u128::from(i + 1);
        u64::try_from(result).ok()?;
    }
    u64::try_from(result).ok()
}

/// Number of moves and draws that can be spelled in a game; nothing if 64 bits cannot number them.
///
/// The ids in its families and draws must be in range.
pub fn move_count(game: &Game) -> Option<u64> {
    let families = game.families.iter().map(|family| {
        let values = family.params.iter();
        let mut values = values.map(|param| value_count(game, &param.ty, Some(&param.source)));
        values.try_fold(1_u64, |count, values| count.checked_mul(values?))
    });
    let draws = game
        .draws
        .iter()
        .map(|draw| value_count(game, &draw.ty, None));
    let mut counts = families.chain(draws);
    counts.try_fold(0_u64, |sum, count| sum.checked_add(count?))
}

/// Number of values that an argument can have.
fn value_count(game: &Game, ty: &Type, source: Option<&ParamSource>) -> Option<u64> {
    match ty {
        Type::Elem(domain) | Type::Opt(domain) => Some(game.domain(*domain).len() as u64),
        Type::Int { lo, hi } => (hi.wrapping_sub(*lo) as u64).checked_add(1),
        Type::Set(domain) => {
            let members = game.domain(*domain).len() as u64;
            let size = match source {
                Some(ParamSource::Subset { size, .. }) => size.as_const(),
                _ => None,
            };
            match size {
                Some(Const::Int(size)) if (0..=members as i64).contains(size) => {
                    binomial(members, *size as u64)
                }
                _ => 1_u64.checked_shl(u32::try_from(members).ok()?),
            }
        }
        _ => Some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_say_when_they_do_not_fit() {
        assert_eq!(binomial(5, 2), Some(10));
        assert_eq!(binomial(5, 6), Some(0));
        assert_eq!(binomial(0, 0), Some(1));
        assert_eq!(binomial(64, 32), Some(1_832_624_140_942_590_534));
        assert_eq!(binomial(100, 50), None);
    }
}
