//! Pieces of Rust expressions that know how tightly they bind.

use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree};
use quote::quote;

/// How tightly the outermost operator of an expression binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Prec {
    /// `if`, ranges, closures: in parentheses wherever they are operands.
    Lowest,
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Cast,
    Unary,
    /// Names, literals, calls, blocks in parentheses.
    Atom,
}

/// A Rust expression.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) tokens: TokenStream,
    pub(super) prec: Prec,
    /// Whether it uses the evaluation context or may leave the function, so that it cannot be an
    /// argument beside another use of the context.
    pub(super) busy: bool,
}

impl Code {
    /// An expression that is never ambiguous as an operand.
    pub(super) fn atom(tokens: TokenStream) -> Code {
        Code {
            tokens,
            prec: Prec::Atom,
            busy: false,
        }
    }

    /// An expression with an outermost operator.
    pub(super) fn new(tokens: TokenStream, prec: Prec) -> Code {
        Code {
            tokens,
            prec,
            busy: false,
        }
    }

    /// The same, using the context if any of the others does.
    pub(super) fn like(mut self, others: &[&Code]) -> Code {
        self.busy |= others.iter().any(|other| other.busy);
        self
    }

    /// The same, using the context.
    pub(super) fn busy(mut self) -> Code {
        self.busy = true;
        self
    }

    /// As an operand of an operator that needs at least this.
    pub(super) fn at(&self, least: Prec) -> TokenStream {
        let tokens = &self.tokens;
        match self.prec < least {
            true => quote!((#tokens)),
            false => quote!(#tokens),
        }
    }

    /// As the receiver of a method or index.
    pub(super) fn receiver(&self) -> TokenStream {
        self.at(Prec::Atom)
    }

    /// A binary operation; comparisons do not associate.
    pub(super) fn binary(left: &Code, op: TokenStream, right: &Code, prec: Prec) -> Code {
        let next = match prec {
            Prec::Or => Prec::And,
            Prec::And => Prec::Compare,
            Prec::Compare => Prec::BitOr,
            Prec::BitOr => Prec::BitXor,
            Prec::BitXor => Prec::BitAnd,
            Prec::BitAnd => Prec::Shift,
            Prec::Shift => Prec::Sum,
            Prec::Sum => Prec::Product,
            _ => Prec::Cast,
        };
        // A cast before `<` reads as the start of generic arguments.
        let casts = left.prec == Prec::Cast && matches!(prec, Prec::Compare | Prec::Shift);
        let a = match (casts, prec) {
            (true, _) => left.at(Prec::Unary),
            (_, Prec::Compare) => left.at(Prec::BitOr),
            _ => left.at(prec),
        };
        let b = right.at(next);
        Code::new(quote!(#a #op #b), prec).like(&[left, right])
    }

    /// The value as an index of an array.
    pub(super) fn index(&self) -> Code {
        let value = self.at(Prec::Cast);
        Code::new(quote!(#value as usize), Prec::Cast).like(&[self])
    }
}

/// An integer literal without suffix.
pub(super) fn int(value: i64) -> Code {
    let tokens = int_tokens(value);
    match value < 0 {
        true => Code::new(tokens, Prec::Unary),
        false => Code::atom(tokens),
    }
}

/// The tokens of an integer literal without suffix.
pub(super) fn int_tokens(value: i64) -> TokenStream {
    if value == i64::MIN {
        return quote!(i64::MIN);
    }
    let digits = Literal::u64_unsuffixed(value.unsigned_abs());
    match value < 0 {
        true => quote!(-#digits),
        false => quote!(#digits),
    }
}

/// The tokens of an integer literal with the suffix of its type.
pub(super) fn typed_int(value: i64, ty: &str) -> TokenStream {
    if value == i64::MIN {
        return quote!(i64::MIN);
    }
    let digits: TokenStream = format!("{}{ty}", value.unsigned_abs())
        .parse()
        .unwrap_or_default();
    match value < 0 {
        true => quote!(-#digits),
        false => quote!(#digits),
    }
}

/// A literal for a count or place.
pub(super) fn number(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}

/// The members of `all` that are not in a set of such, without saying so twice.
pub(super) fn complement(all: &TokenStream, set: TokenStream) -> TokenStream {
    let mut inner: Vec<TokenTree> = set.clone().into_iter().collect();
    while let [TokenTree::Group(group)] = &inner[..]
        && group.delimiter() == Delimiter::Parenthesis
    {
        inner = group.stream().into_iter().collect();
    }
    let whole: Vec<String> = all
        .clone()
        .into_iter()
        .map(|token| token.to_string())
        .collect();
    let starts = inner
        .iter()
        .take(whole.len())
        .map(ToString::to_string)
        .eq(whole.iter().cloned());
    let mut rest = inner.into_iter().skip(whole.len());
    let minus = matches!(rest.next(), Some(TokenTree::Punct(sign)) if sign.as_char() == '-');
    let rest: Vec<TokenTree> = rest.collect();
    let sign = |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if !".:".contains(sign.as_char()));
    match starts && minus && !rest.iter().any(sign) {
        true => quote!((#(#rest)*)),
        false => quote!((#all - (#set))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_complement_of_a_complement_is_the_set() {
        let all = quote!(BitSet([7]));
        let once = complement(&all, quote!(s.taken()));
        assert_eq!(complement(&all, once).to_string(), "((s . taken ()))");
        let other = complement(&quote!(BitSet([3])), quote!(a - b));
        assert_eq!(
            other.to_string(),
            quote!((BitSet([3]) - (a - b))).to_string()
        );
    }
}
