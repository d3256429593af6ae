//! Domains and constant tables as items.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Generator;
use super::code::{Code, Prec, int_tokens, number};
use super::names::ident;
use super::types::{bytes_of, member_type, narrowest, scalar};
use crate::ir::{Axis, Const, Domain, DomainId, Table, TableId, Type};

/// Tables up to this length are padded to a power of two, so that an index needs no test.
const PADDED: usize = 4096;
/// Tables of bytes from this length on are written as byte strings, which are quick to compile.
const LONG: usize = 64;
/// Length of a table over the optional members of one domain that needs no test at all.
const BYTES: usize = 256;

/// How the values of a table are stored.
enum Form {
    /// Truth values.
    Bools,
    /// Integers or members as a Rust integer type.
    Ints(&'static str),
    /// Sets, tagged values: as they are.
    Values,
    /// Sequences: all items one after the other, and where each begins.
    Ragged,
}

impl Generator<'_> {
    /// The items of all domains and of the tables in use.
    pub(super) fn table_items(&self) -> TokenStream {
        let mut tokens = TokenStream::new();
        for (index, domain) in self.game.domains.iter().enumerate() {
            tokens.extend(self.domain_items(DomainId::from(index), domain));
        }
        for &index in self.used_tables.borrow().iter() {
            tokens.extend(self.table(TableId::from(index)));
        }
        tokens.extend(self.standing_items());
        tokens
    }

    fn domain_items(&self, id: DomainId, domain: &Domain) -> TokenStream {
        let names = self.domain(id);
        let (alias, count, texts, none) = (&names.alias, &names.count, &names.names, &names.none);
        let rust = ident(member_type(domain.len()));
        let len = number(domain.len());
        let members = (0..domain.len()).map(|member| domain.member(member as u32));
        let rt = &self.rt;
        quote!(#rt::domain!(#alias(#rust), #count = #len, #none, #texts = [#(#members),*]);)
    }

    /// Whether a table over optional members has an item for every byte.
    pub(super) fn is_padded(&self, id: TableId) -> bool {
        let table = self.game.table(id);
        let [Axis::Domain(domain)] = table.axes[..] else {
            return false;
        };
        let small = self.game.domain(domain).len() < BYTES;
        small && table.outside.is_some() && !matches!(table.ty, Type::Seq { .. } | Type::Set(_))
    }

    /// The value of a table at a flat index.
    pub(super) fn table_value(&self, id: TableId, flat: &TokenStream) -> Code {
        let rt = &self.rt;
        self.used_tables.borrow_mut().insert(id.index());
        let table = self.game.table(id);
        let name = &self.tables[id.index()];
        let read = quote!(#rt::support::at(&#name, #flat));
        match self.form(table) {
            Form::Bools if self.table_len(id) >= LONG => {
                Code::new(quote!(#read != 0), Prec::Compare)
            }
            Form::Bools | Form::Values => Code::atom(read),
            Form::Ints(stored) => match table.ty {
                Type::Int { .. } if stored != "i64" => Code::atom(quote!(i64::from(#read))),
                Type::Wrap32 if stored != "i32" => Code::atom(quote!(i32::from(#read))),
                _ => Code::atom(read),
            },
            Form::Ragged => {
                let items = ident(&format!("{name}_ITEMS"));
                let ty = self.value_type(&table.ty);
                Code::new(
                    quote!({
                        let row = #flat;
                        let (start, end) = (#rt::support::at(&#name, row), #rt::support::at(&#name, row + 1));
                        <#ty>::of(#items.get(start as usize..end as usize).unwrap_or(&[]))
                    }),
                    Prec::Lowest,
                )
            }
        }
    }

    fn form(&self, table: &Table) -> Form {
        match &table.ty {
            Type::Bool => Form::Bools,
            Type::Int { .. } | Type::Wrap32 => {
                let values = table.values.iter().chain(&table.outside).map(scalar);
                let (lo, hi) = values.fold((0, 0), |(lo, hi), v| (lo.min(v), hi.max(v)));
                match (&table.ty, narrowest(lo, hi)) {
                    // These do not widen into 32 bits without loss of sign.
                    (Type::Wrap32, "u32") => Form::Ints("i32"),
                    (_, stored) => Form::Ints(stored),
                }
            }
            Type::Elem(domain) | Type::Opt(domain) => {
                Form::Ints(member_type(self.game.domain(*domain).len()))
            }
            Type::Seq { .. } => Form::Ragged,
            Type::Set(_) | Type::Tagged => Form::Values,
        }
    }

    /// The length of the array of a table.
    fn table_len(&self, id: TableId) -> usize {
        let len = self.game.table(id).values.len().max(1);
        if self.is_padded(id) {
            BYTES
        } else if len <= PADDED {
            len.next_power_of_two()
        } else {
            len
        }
    }

    fn table(&self, id: TableId) -> TokenStream {
        let rt = &self.rt;
        let table = self.game.table(id);
        let name = &self.tables[id.index()];
        let doc = self.doc(&format!("Table `{}`.", table.name), table.span);
        let len = self.table_len(id);
        let filler = table.outside.as_ref().filter(|_| self.is_padded(id));
        let numbers = |filler: i64| -> Vec<i64> {
            let mut values: Vec<i64> = table.values.iter().map(scalar).collect();
            values.resize(len, filler);
            values
        };
        let count = number(len);
        match self.form(table) {
            Form::Bools => {
                let values = numbers(filler.map_or(0, scalar));
                if len >= LONG {
                    let bytes: Vec<u8> = values.iter().map(|&value| value as u8).collect();
                    let bytes = Literal::byte_string(&bytes);
                    return quote!(#doc static #name: [u8; #count] = *#bytes;);
                }
                let values = values.iter().map(|&value| value != 0);
                quote!(#doc static #name: [bool; #count] = [#(#values),*];)
            }
            Form::Ints(stored) => {
                let none = (1i64 << (8 * bytes_of(stored).min(4))) - 1;
                let is_member = matches!(table.ty, Type::Opt(_) | Type::Elem(_));
                let fill = match filler {
                    Some(Const::None) => none,
                    Some(value) => scalar(value),
                    None => 0,
                };
                let values = numbers(fill);
                let values: Vec<i64> = values
                    .into_iter()
                    .map(|value| if is_member && value < 0 { none } else { value })
                    .collect();
                let ty = ident(stored);
                if stored == "u8" && len >= LONG {
                    let bytes: Vec<u8> = values.iter().map(|&value| value as u8).collect();
                    let bytes = Literal::byte_string(&bytes);
                    return quote!(#doc static #name: [u8; #count] = *#bytes;);
                }
                let values = values.iter().map(|&value| int_tokens(value));
                quote!(#doc static #name: [#ty; #count] = [#(#values),*];)
            }
            Form::Values => {
                let ty = self.value_type(&table.ty);
                let mut values: Vec<TokenStream> = table
                    .values
                    .iter()
                    .map(|value| self.constant(value, &table.ty).tokens)
                    .collect();
                values.resize(len, self.dummy(&table.ty));
                let _ = rt;
                quote!(#doc static #name: [#ty; #count] = [#(#values),*];)
            }
            Form::Ragged => self.ragged(id, doc),
        }
    }

    fn ragged(&self, id: TableId, doc: TokenStream) -> TokenStream {
        let table = self.game.table(id);
        let name = &self.tables[id.index()];
        let items_name = ident(&format!("{name}_ITEMS"));
        let Type::Seq { item, .. } = &table.ty else {
            return TokenStream::new();
        };
        let mut starts = vec![0usize];
        let mut items = Vec::new();
        for value in &table.values {
            if let Const::Seq(list) = value {
                items.extend(list.iter().map(|value| self.constant(value, item).tokens));
            }
            starts.push(items.len());
        }
        let (rows, count) = (number(starts.len()), number(items.len()));
        let starts = starts.into_iter().map(number);
        let ty = self.value_type(item);
        quote! {
            #doc
            static #name: [u32; #rows] = [#(#starts),*];
            static #items_name: [#ty; #count] = [#(#items),*];
        }
    }
}
