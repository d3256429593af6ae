//! How front ends make an index.

use indexmap::IndexMap;

use super::{Call, Class, Hint, Index, Kind, Occurrence, Outline, Symbol, Token};
use crate::source::Span;

/// Collects what an index consists of, in any order.
#[derive(Debug, Default)]
pub struct Builder {
    index: Index,
    /// Numbers of symbols by kind, name and where their scope begins.
    ids: IndexMap<(Kind, String, Option<u32>), usize>,
    /// For each symbol another one that it is the same as, or itself.
    same: Vec<usize>,
}

impl Builder {
    /// The symbol of a name that is known everywhere.
    pub fn symbol(&mut self, kind: Kind, name: &str) -> usize {
        self.scoped(kind, name, None)
    }

    /// The symbol of a name that is known in a part of the file, or everywhere.
    pub fn scoped(&mut self, kind: Kind, name: &str, scope: Option<Span>) -> usize {
        let key = (kind, name.to_owned(), scope.map(|scope| scope.start));
        if let Some(&known) = self.ids.get(&key) {
            return known;
        }
        let id = self.index.symbols.len();
        self.index.symbols.push(Symbol {
            name: name.to_owned(),
            kind,
            sigil: "",
            detail: String::new(),
            docs: String::new(),
            params: Vec::new(),
            scope,
            fixed: None,
        });
        self.ids.insert(key, id);
        self.same.push(id);
        id
    }

    /// The symbol of a name that is known everywhere, if somebody asked for it before.
    pub fn find(&self, kind: Kind, name: &str) -> Option<usize> {
        let key = (kind, name.to_owned(), None);
        self.ids.get(&key).copied()
    }

    /// A symbol, to say more about it.
    pub fn edit(&mut self, symbol: usize) -> &mut Symbol {
        &mut self.index.symbols[symbol]
    }

    /// The symbols so far, and their numbers.
    pub fn symbols(&mut self) -> impl Iterator<Item = (usize, &mut Symbol)> {
        self.index.symbols.iter_mut().enumerate()
    }

    /// What was collected so far, before anything is sorted or merged.
    pub fn peek(&self) -> &Index {
        &self.index
    }

    /// Takes two symbols for one: they can only be renamed together.
    pub fn merge(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.same[a.max(b)] = a.min(b);
    }

    fn root(&self, mut symbol: usize) -> usize {
        while self.same[symbol] != symbol {
            symbol = self.same[symbol];
        }
        symbol
    }

    /// A place where a name gets its meaning.
    pub fn define(&mut self, kind: Kind, name: &str, span: Span) -> usize {
        let symbol = self.symbol(kind, name);
        self.put(symbol, span, true);
        symbol
    }

    /// A place where a name is used.
    pub fn refer(&mut self, kind: Kind, name: &str, span: Span) -> usize {
        let symbol = self.symbol(kind, name);
        self.put(symbol, span, false);
        symbol
    }

    /// A place where a name stands.
    pub fn put(&mut self, symbol: usize, span: Span, definition: bool) -> &mut Occurrence {
        self.index.occurrences.push(Occurrence {
            span,
            symbol,
            definition,
            member: None,
            whole: None,
        });
        let last = self.index.occurrences.len() - 1;
        &mut self.index.occurrences[last]
    }

    /// A token that is no name.
    pub fn token(&mut self, span: Span, class: Class) {
        if !span.is_empty() {
            self.index.tokens.push(Token { span, class });
        }
    }

    /// A part of the contents.
    pub fn outline(&mut self, part: Outline) {
        self.index.outline.push(part);
    }

    /// A call.
    pub fn call(&mut self, call: Call) {
        self.index.calls.push(call);
    }

    /// Something to show inside of a line.
    pub fn hint(&mut self, at: u32, text: impl Into<String>) {
        let text = text.into();
        self.index.hints.push(Hint { at, text });
    }

    /// The index.
    pub fn finish(mut self) -> Index {
        let roots: Vec<usize> = (0..self.same.len()).map(|id| self.root(id)).collect();
        let mut index = std::mem::take(&mut self.index);
        for (id, root) in roots.iter().enumerate() {
            if id != *root {
                let fixed = index.symbols[id].fixed;
                let kept = &mut index.symbols[*root];
                kept.fixed = kept.fixed.or(fixed);
            }
        }
        for occurrence in &mut index.occurrences {
            occurrence.symbol = roots[occurrence.symbol];
        }
        let place = |o: &Occurrence| (o.span.start, o.span.end);
        index.occurrences.retain(|o| !o.span.is_empty());
        index.occurrences.sort_by_key(|o| (place(o), !o.definition));
        let mut end = 0;
        index.occurrences.retain(|o| {
            let apart = o.span.start >= end;
            end = end.max(o.span.end);
            apart
        });
        index
            .tokens
            .sort_by_key(|token| (token.span.start, token.span.end));
        index.tokens.dedup_by_key(|token| token.span.start);
        index.hints.sort_by_key(|hint| hint.at);
        used_only(&mut index);
        index
    }
}

/// Leaves out symbols that stand nowhere.
fn used_only(index: &mut Index) {
    let mut numbers = vec![None; index.symbols.len()];
    let mut kept = Vec::new();
    for occurrence in &mut index.occurrences {
        let old = occurrence.symbol;
        occurrence.symbol = *numbers[old].get_or_insert_with(|| {
            kept.push(index.symbols[old].clone());
            kept.len() - 1
        });
    }
    index.symbols = kept;
}
