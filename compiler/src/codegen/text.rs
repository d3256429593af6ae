//! States and values as text, and back.

mod read;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Generator;
use super::code::{int_tokens, number};
use crate::ir::{Const, PlacementForm, PlacementId, SnapshotId, StatePart, Type, VarId, VarStyle};

/// So many members of which all is text are written out.
const FEW_TEXTS: usize = 8;

/// A part of the text of a state.
enum Part {
    /// One that the rules name.
    Stated(StatePart),
    /// All values of a variable.
    Cells(VarId),
    /// All of a placement.
    Places(PlacementId),
    /// A history, by number.
    Trail(usize),
}

/// What texts are made of and read into: positions, or those in which pieces have names.
struct NamedText {
    shown: TokenStream,
    new: TokenStream,
    /// The test that every piece stands somewhere.
    all: TokenStream,
    done: TokenStream,
}

impl Generator<'_> {
    fn named_text(&self) -> NamedText {
        let Some((id, quotient, _)) = self.nameless() else {
            return NamedText {
                shown: quote!(&State),
                new: quote!(State::new()),
                all: TokenStream::new(),
                done: quote!(state),
            };
        };
        let (places, len) = (&self.placement(id).places, number(quotient.first.len()));
        let none = &self.domain(quotient.places()).none;
        NamedText {
            shown: quote!(&Named),
            new: quote!(Named::new()),
            all: quote!(if s.#places.iter().take(#len).any(|&place| place == #none) {
                return Err(scan.expected("every piece on some place"));
            }),
            done: quote!(state.position),
        }
    }

    /// Statements that append the text of a value to `out`.
    pub(super) fn show(&self, ty: &Type, value: &TokenStream) -> TokenStream {
        self.show_with(ty, value, &format_ident!("show_tagged"))
    }

    /// The same with the tags of tagged values, so that it can be read again.
    fn show_told(&self, ty: &Type, value: &TokenStream) -> TokenStream {
        self.show_with(ty, value, &format_ident!("tell_tagged"))
    }

    fn show_with(&self, ty: &Type, value: &TokenStream, tagged: &Ident) -> TokenStream {
        let rt = &self.rt;
        match ty {
            Type::Bool => quote!(out.push_str(if #value { "true" } else { "false" });),
            Type::Int { .. } | Type::Wrap32 => quote!(#rt::text::int(out, i64::from(#value));),
            Type::Elem(domain) => {
                let names = &self.domain(*domain).names;
                quote!(#rt::text::name(out, &#names, #value as usize);)
            }
            Type::Opt(domain) => {
                let (names, none) = (&self.domain(*domain).names, &self.domain(*domain).none);
                quote!(
                    if #value == #none {
                        out.push('-');
                    } else {
                        #rt::text::name(out, &#names, #value as usize);
                    }
                )
            }
            Type::Set(domain) => {
                let names = &self.domain(*domain).names;
                quote!(#rt::support::write_set(&#value, &#names, out);)
            }
            Type::Seq { item, .. } => {
                let show = self.show_with(item, &quote!(item), tagged);
                quote!({
                    out.push('[');
                    for (place, item) in #value.iter().enumerate() {
                        if place > 0 {
                            out.push(',');
                        }
                        #show
                    }
                    out.push(']');
                })
            }
            Type::Tagged => {
                self.shows_tagged.set(true);
                quote!(#tagged(#value, out);)
            }
        }
    }

    /// The texts of tagged values, if there are any.
    fn show_tagged(&self) -> TokenStream {
        let rt = &self.rt;
        let game = self.game;
        if !self.shows_tagged.get() {
            return TokenStream::new();
        }
        let domains = (0..game.domains.len()).map(|index| {
            let names = &self.domains[index].names;
            let (elem, opt) = (number(3 + 2 * index), number(4 + 2 * index));
            quote!(#elem | #opt => match usize::try_from(value.value) {
                Ok(member) => #rt::text::name(out, &#names, member),
                Err(_) => out.push('-'),
            },)
        });
        let reads = (0..game.domains.len()).map(|index| {
            let names = &self.domains[index].names;
            let (elem, opt) = (number(3 + 2 * index), number(4 + 2 * index));
            quote!(
                #elem => scan.name(&#names)? as i64,
                #opt => scan.optional(&#names)?.map_or(-1, |member| member as i64),
            )
        });
        let tags = game
            .domains
            .iter()
            .flat_map(|domain| [format!("<{}>", domain.name), format!("<{}?>", domain.name)]);
        quote! {
            /// Names of the types that tagged values can have, by number.
            static TAGS: &[&str] = &["bool", "int", "wrap", #(#tags),*];

            /// Appends the text of a tagged value: that of its value.
            fn show_tagged(value: #rt::support::Tagged, out: &mut String) {
                match value.tag {
                    0 => out.push_str(if value.value != 0 { "true" } else { "false" }),
                    #(#domains)*
                    _ => #rt::text::int(out, value.value),
                }
            }

            /// Appends the type and the text of a tagged value.
            fn tell_tagged(value: #rt::support::Tagged, out: &mut String) {
                #rt::text::name(out, TAGS, usize::from(value.tag));
                out.push(':');
                show_tagged(value, out);
            }

            /// Reads a tagged value with its type.
            fn read_tagged(scan: &mut #rt::text::Scan<'_>) -> Result<#rt::support::Tagged, #rt::TextError> {
                let tag = scan.name(TAGS)?;
                scan.lit(":")?;
                let value = match tag {
                    0 => if scan.take("true") { 1 } else { scan.lit("false")?; 0 },
                    2 => scan.int_in(i64::from(i32::MIN), i64::from(i32::MAX))?,
                    #(#reads)*
                    _ => scan.int()?,
                };
                Ok(#rt::support::Tagged::new(tag as u16, value))
            }
        }
    }

    /// The functions that write and read the text of a state.
    pub(super) fn text(&self) -> TokenStream {
        let rt = &self.rt;
        let parts = self.parts();
        let naming = self.naming.replace(true);
        let write: TokenStream = parts.iter().map(|part| self.write_told(part)).collect();
        let read: TokenStream = parts.iter().map(|part| self.read_told(part)).collect();
        let cleared = self.cleared_placements(&parts);
        self.naming.set(naming);
        let named = self.named_text();
        let tagged = self.show_tagged();
        let sites = self.sites.borrow();
        let faults = sites.keys().map(|(code, span)| {
            let (file, code) = (span.file.0, code.site());
            format!(":{file}:{}:{}:{code}", span.start, span.end)
        });
        let refresh = self.refresh_calls(&quote!(s));
        let NamedText {
            shown,
            new,
            all,
            done,
        } = named;
        quote! {
            /// The fault sites in the texts of states.
            static FAULT_TEXTS: &[&str] = &[#(#faults),*];

            /// Appends the outcome of a state; what follows from the rest is not told.
            fn write_ending(s: &State, out: &mut String) {
                match s.ended {
                    State::FAULT | State::AT_START => {
                        out.push_str(if s.ended == State::FAULT { "fault" } else { "fault-at-start" });
                        #rt::text::name(out, FAULT_TEXTS, usize::from(s.fault));
                    }
                    ended => {
                        let told = s.outcome().filter(|_| ended < State::NO_MOVE);
                        #rt::support::write_outcome(told, out);
                    }
                }
            }

            /// Reads what [`write_ending`] writes.
            fn read_ending(s: &mut State, scan: &mut #rt::text::Scan<'_>) -> Result<(), #rt::TextError> {
                let at_start = scan.take("fault-at-start");
                if at_start || scan.take("fault") {
                    s.ended = if at_start { State::AT_START } else { State::FAULT };
                    s.fault = scan.name(FAULT_TEXTS)? as u16;
                    return Ok(());
                }
                let players = #rt::Game::info(&Game).players.len() as i64;
                if let Some((reason, winners)) = #rt::support::read_outcome(scan, players)? {
                    s.ended = reason;
                    s.winners = winners as _;
                }
                Ok(())
            }

            /// Appends the canonical text of a state.
            fn write_text(s: #shown, out: &mut String) {
                #write
            }

            /// The state of a canonical text; what the text does not tell is as at the start.
            fn read_text(text: &str) -> Result<State, #rt::TextError> {
                let mut state = #new;
                let s = &mut state;
                let mut scan = #rt::text::Scan::new(text);
                #cleared
                #read
                scan.end()?;
                #all
                #refresh
                let mut written = String::new();
                write_text(s, &mut written);
                #rt::TextError::unless_same(text, &written)?;
                settle(s);
                Ok(#done)
            }
            #tagged
        }
    }

    /// The parts of the text of a state: those that the rules name, or everything; in either case
    /// the place where play stopped if there are several.
    fn parts(&self) -> Vec<Part> {
        let game = self.game;
        let one = self.machine.points.len() == 1 && self.machine.saved.is_empty();
        let text = |text: String| Part::Stated(StatePart::Text(text));
        if !game.state_text.is_empty() {
            let stated = self.with_constants(&game.state_text);
            let mut parts: Vec<Part> = stated.into_iter().map(Part::Stated).collect();
            if !game.state_text.contains(&StatePart::Point) && !one {
                parts.extend([
                    text(String::from(crate::ir::CONTROL_MARK)),
                    Part::Stated(StatePart::Point),
                ]);
            }
            return parts;
        }
        let mut parts = Vec::new();
        let mut add = |name: &str, part: Part| {
            parts.extend([text(format!("{name}=")), part, text(String::from(";"))]);
        };
        for (index, var) in game.vars.iter().enumerate() {
            add(&var.name, Part::Cells(VarId::from(index)));
        }
        for (index, placement) in game.placements.iter().enumerate() {
            add(&placement.name, Part::Places(PlacementId::from(index)));
        }
        for (index, slot) in game.snapshots.iter().enumerate() {
            add(
                &slot.name,
                Part::Stated(StatePart::Snapshot(SnapshotId::from(index))),
            );
        }
        for (index, trail) in game.trails.iter().enumerate() {
            add(&trail.name, Part::Trail(index));
        }
        if !one {
            add("at", Part::Stated(StatePart::Point));
        }
        parts.push(Part::Stated(StatePart::Outcome));
        parts
    }

    /// Parts of a text in which what no rule writes, and is the same for all, is text, and texts that follow each other are one.
    fn with_constants(&self, parts: &[StatePart]) -> Vec<StatePart> {
        let mut all: Vec<StatePart> = Vec::new();
        for part in parts {
            let part = match part {
                StatePart::Var(var, style) => self.constant_text(*var, *style).map(StatePart::Text),
                StatePart::Each {
                    domain,
                    order,
                    separator,
                    parts,
                } => {
                    let parts = self.with_constants(parts);
                    Some(match &parts[..] {
                        [StatePart::Text(text)] if order.len() <= FEW_TEXTS => {
                            StatePart::Text(vec![&text[..]; order.len()].join(separator))
                        }
                        _ => StatePart::Each {
                            domain: *domain,
                            order: order.clone(),
                            separator: separator.clone(),
                            parts,
                        },
                    })
                }
                _ => None,
            }
            .unwrap_or_else(|| part.clone());
            match (all.last_mut(), part) {
                (Some(StatePart::Text(before)), StatePart::Text(text)) => before.push_str(&text),
                (_, part) => all.push(part),
            }
        }
        all
    }

    /// The text of the number that a variable always has, for all members.
    fn constant_text(&self, id: VarId, style: VarStyle) -> Option<String> {
        let var = self.game.var(id);
        let first = var.init.first()?;
        if !self.constant_vars.contains(&id) || var.init.iter().any(|value| value != first) {
            return None;
        }
        match (style, &var.ty, first) {
            (VarStyle::Numbered, Type::Elem(_), Const::Elem(member)) => {
                Some((member + 1).to_string())
            }
            (_, Type::Int { .. } | Type::Wrap32, Const::Int(value)) => Some(value.to_string()),
            _ => None,
        }
    }

    fn write_told(&self, part: &Part) -> TokenStream {
        match part {
            Part::Stated(part) => self.write_part(part, 0),
            Part::Cells(var) => self.write_cells(*var, &self.var_fields[var.index()]),
            Part::Places(placement) => {
                let names = self.placement(*placement);
                self.write_places(*placement, &names.places, &names.contents)
            }
            Part::Trail(index) => {
                let field = &self.trails[*index];
                quote!(for digest in s.#field.digests() {
                    out.push_str(&format!("+{digest:032x}"));
                })
            }
        }
    }

    fn read_told(&self, part: &Part) -> TokenStream {
        match part {
            Part::Stated(part) => self.read_part(part, 0),
            Part::Cells(var) => self.read_cells(*var, &self.var_fields[var.index()]),
            Part::Places(placement) => {
                let names = self.placement(*placement);
                self.read_places(*placement, &names.places, &names.contents)
            }
            Part::Trail(index) => {
                let field = &self.trails[*index];
                quote!(while scan.take("+") {
                    let digits: String = scan.rest().chars().take(32).collect();
                    let digest = u128::from_str_radix(&digits, 16).map_err(|_| scan.expected("a digest"))?;
                    if !scan.take(&digits) || !s.#field.note(digest) {
                        return Err(scan.expected("fewer positions"));
                    }
                })
            }
        }
    }

    /// All values of a variable.
    fn write_cells(&self, var: VarId, field: &Ident) -> TokenStream {
        let (ty, len) = (self.var_type(var), number(self.game.var(var).init.len()));
        if self.game.var(var).axes.is_empty() {
            let show = self.show_told(&ty, &quote!(value));
            return quote!({ let value = s.#field; #show });
        }
        let show = self.show_told(&ty, &quote!(value));
        quote!(for (place, &value) in s.#field.iter().take(#len).enumerate() {
            if place > 0 {
                out.push(',');
            }
            #show
        })
    }

    fn read_cells(&self, var: VarId, field: &Ident) -> TokenStream {
        let (ty, len) = (self.var_type(var), number(self.game.var(var).init.len()));
        let value = self.read(&ty);
        if self.game.var(var).axes.is_empty() {
            return quote!(s.#field = #value;);
        }
        quote!(for (place, cell) in s.#field.iter_mut().take(#len).enumerate() {
            if place > 0 {
                scan.lit(",")?;
            }
            *cell = #value;
        })
    }

    /// All of a placement: the place of every piece, or what stands on every place.
    fn write_places(&self, id: PlacementId, places: &Ident, contents: &Ident) -> TokenStream {
        let placement = self.game.placement(id);
        let len = |domain| self.game.domain(domain).len();
        let (values, all) = match placement.form {
            PlacementForm::Anonymous => {
                let all = self.contents_in_turn(id, contents, len(placement.places));
                (placement.pieces, all)
            }
            _ => {
                let len = number(len(placement.pieces));
                (
                    placement.places,
                    quote!(s.#places.iter().take(#len).copied()),
                )
            }
        };
        let show = self.show(&Type::Opt(values), &quote!(value));
        quote!(for (place, value) in #all.enumerate() {
            if place > 0 {
                out.push(',');
            }
            #show
        })
    }

    fn read_places(&self, id: PlacementId, places: &Ident, contents: &Ident) -> TokenStream {
        let placement = self.game.placement(id);
        let keys = match placement.form {
            PlacementForm::Anonymous => placement.places,
            _ => placement.pieces,
        };
        let info = self.domain(keys);
        let count = &info.count;
        let index = format_ident!("key");
        let read = match placement.form {
            PlacementForm::Anonymous => self.read_kind(id, contents, &index),
            _ => self.read_place(id, places, contents, &index),
        };
        quote!(for #index in 0..#count {
            if #index > 0 {
                scan.lit(",")?;
            }
            #read
        })
    }

    fn write_snapshot(&self, id: SnapshotId) -> TokenStream {
        let slot = self.game.snapshot(id);
        let names = &self.snapshots[id.index()];
        let stored = &names.stored;
        let vars = slot.vars.iter().zip(&names.vars);
        let vars = vars.map(|(&var, name)| self.write_cells(var, name));
        let placed = slot.placements.iter().zip(&names.placements);
        let placed =
            placed.map(|(&id, (places, contents))| self.write_places(id, places, contents));
        let parts: Vec<TokenStream> = vars.chain(placed).collect();
        quote!(if s.#stored {
            out.push('(');
            #(#parts out.push(';');)*
            out.push(')');
        } else {
            out.push('-');
        })
    }

    fn read_snapshot(&self, id: SnapshotId) -> TokenStream {
        let slot = self.game.snapshot(id);
        let names = &self.snapshots[id.index()];
        let stored = &names.stored;
        let vars = slot.vars.iter().zip(&names.vars);
        let vars = vars.map(|(&var, name)| self.read_cells(var, name));
        let placed = slot.placements.iter().zip(&names.placements);
        let placed = placed.map(|(&id, (places, contents))| {
            let clear = self.clear(id, places, contents);
            let read = self.read_places(id, places, contents);
            quote!(#clear #read)
        });
        let parts: Vec<TokenStream> = vars.chain(placed).collect();
        quote!(if !scan.take("-") {
            scan.lit("(")?;
            s.#stored = true;
            #(#parts scan.lit(";")?;)*
            scan.lit(")")?;
        })
    }

    fn write_part(&self, part: &StatePart, depth: usize) -> TokenStream {
        let rt = &self.rt;
        let index = format_ident!("index_{depth}");
        match part {
            StatePart::Text(text) => quote!(out.push_str(#text);),
            StatePart::Each {
                domain,
                order,
                separator,
                parts,
            } => {
                let inner = format_ident!("index_{}", depth + 1);
                let (list, head) = self.order(order, &self.domain(*domain).alias.clone());
                let body = self.write_parts_of(parts, depth + 1, *domain);
                let separate = (!separator.is_empty())
                    .then(|| quote!(if place > 0 { out.push_str(#separator); }));
                quote!({
                    #head
                    for (place, #inner) in #list.into_iter().enumerate() {
                        #separate
                        #body
                    }
                })
            }
            StatePart::Index => TokenStream::new(),
            StatePart::Place(placement) => {
                let placement_names = self.placement(*placement);
                let field = &placement_names.places;
                let ty = Type::Opt(self.game.placement(*placement).places);
                let show = self.show(&ty, &quote!(place_of));
                quote!({ let place_of = #rt::support::at(&s.#field, #index as usize); #show })
            }
            StatePart::Content(placement) => self.write_content(*placement, &index),
            StatePart::Var(var, style) => self.write_var(*var, *style, &index, depth > 0),
            StatePart::Outcome => quote!(write_ending(s, out);),
            StatePart::Point => match self.has_points() {
                true => quote!(#rt::text::int(out, i64::from(s.point));),
                false => quote!(out.push('0');),
            },
            StatePart::Snapshot(slot) => self.write_snapshot(*slot),
        }
    }

    /// Parts inside a repetition: the index has a name there.
    fn write_parts_of(
        &self,
        parts: &[StatePart],
        depth: usize,
        domain: crate::ir::DomainId,
    ) -> TokenStream {
        let index = format_ident!("index_{depth}");
        parts
            .iter()
            .map(|part| match part {
                StatePart::Index => self.show(&Type::Elem(domain), &quote!(#index)),
                part => self.write_part(part, depth),
            })
            .collect()
    }

    /// The members of an order as something to iterate over.
    fn order(&self, order: &[u32], alias: &Ident) -> (TokenStream, TokenStream) {
        let run = order
            .iter()
            .enumerate()
            .all(|(place, &member)| place == member as usize);
        let len = number(order.len());
        if run && !order.is_empty() {
            return (quote!((0 as #alias..#len)), TokenStream::new());
        }
        let members = order.iter().map(|&member| number(member as usize));
        (
            quote!(ORDER),
            quote!(const ORDER: [#alias; #len] = [#(#members),*];),
        )
    }

    fn write_content(&self, id: PlacementId, index: &Ident) -> TokenStream {
        let rt = &self.rt;
        let placement = self.game.placement(id);
        let content = self.content_at(id, &quote!(s), &quote!(#index));
        let ty = match placement.form {
            PlacementForm::Many => Type::Set(placement.pieces),
            _ => Type::Opt(placement.pieces),
        };
        let show = match placement.form {
            PlacementForm::Many => {
                let names = &self.domain(placement.pieces).names;
                quote!(
                    if content.is_empty() {
                        out.push('-');
                    } else {
                        #rt::support::write_set(&content, &#names, out);
                    }
                )
            }
            _ => self.show(&ty, &quote!(content)),
        };
        quote!({ let content = #content; #show })
    }

    fn var_type(&self, var: VarId) -> Type {
        self.game.var(var).ty.clone()
    }

    fn write_var(&self, var: VarId, style: VarStyle, index: &Ident, indexed: bool) -> TokenStream {
        let rt = &self.rt;
        let path = self.var_path(var);
        let ty = self.var_type(var);
        let value = match (self.game.var(var).axes.is_empty(), indexed) {
            (true, _) => path,
            (false, true) => quote!(#rt::support::at(&#path, #index as usize)),
            (false, false) => quote!(#rt::support::at(&#path, 0)),
        };
        let show = match (style, &ty) {
            (VarStyle::Numbered, Type::Elem(_)) => {
                quote!(#rt::text::int(out, i64::from(value) + 1);)
            }
            (VarStyle::Numbered, Type::Opt(domain)) => {
                let none = &self.domain(*domain).none;
                quote!(
                    if value == #none {
                        out.push('-');
                    } else {
                        #rt::text::int(out, i64::from(value) + 1);
                    }
                )
            }
            _ => self.show_told(&ty, &quote!(value)),
        };
        quote!({ let value = #value; #show })
    }
}

/// Whether a text tells where everything of a placement stands.
fn tells_placement(parts: &[StatePart], id: PlacementId) -> bool {
    parts.iter().any(|part| match part {
        StatePart::Place(placement) | StatePart::Content(placement) => *placement == id,
        StatePart::Each { parts, .. } => tells_placement(parts, id),
        _ => false,
    })
}
