//! The position as a struct of plain data.

use rulec_ir::sorted::SortedSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

mod kinds;
mod placement;

pub(super) use kinds::sets_alone;
pub(super) use placement::PlacementNames;

use super::Generator;
use super::code::number;
use super::fields::{Field, Taken, array, padded};
use super::forms::{Beside, Forms};
use super::names::{Case, Scope, ident};
use super::planes;
use super::slots::{self, Slots};
use super::standing::{self, ByValue};
use super::types::{bytes_of, member_type, narrowest, scalar};
use super::{held, kept};
use crate::ir::{
    Arrival, Axis, Const, FuncId, Game, IdentityTerm, PlacementForm, PlacementId, SnapshotId,
    StmtKind, Type, VarId,
};
use crate::quotient::Quotient;

fn constant_name(field: &Ident) -> Ident {
    ident(&format!(
        "{}_AT_ALL_TIMES",
        field.to_string().to_uppercase()
    ))
}

/// Bytes of a history beside the positions in it, which lie elsewhere.
const TRAIL_BYTES: usize = 32;
/// States up to this size are copied implicitly.
const COPY_BYTES: usize = 256;
/// States beyond this size begin with a cache line. They are copied by stores as wide as one; a read waits for such a store
/// to reach the cache where it lies across two of them.
const UNALIGNED_BYTES: usize = 192;

/// Methods and fields of a snapshot slot.
pub(super) struct SnapshotNames {
    pub(super) save: Ident,
    pub(super) restore: Ident,
    pub(super) stored: Ident,
    pub(super) vars: Vec<Ident>,
    /// Places and contents.
    pub(super) placements: Vec<(Ident, Ident)>,
}

/// The fields of the state.
pub(super) struct Fields {
    pub(super) vars: Vec<Ident>,
    pub(super) placements: Vec<PlacementNames>,
    pub(super) snapshots: Vec<SnapshotNames>,
    pub(super) trails: Vec<Ident>,
    /// The questions whose answers are kept, with what keeps them.
    pub(super) kept: Vec<(FuncId, Ident)>,
}

/// Names of fields and methods that no rule may take.
const RESERVED: &[&str] = &[
    "ended", "winners", "fault", "point", "end", "new", "clone", "eq", "hash", "fmt", "outcome",
    "fail", "ne", "cmp", "named", "position",
];

/// What is known of pieces that are brought somewhere, each once.
fn brought(game: &Game, placement: PlacementId) -> Vec<Arrival> {
    let mut found = Vec::new();
    crate::ir::walk::each_stmt(game, &mut |stmt| {
        if let StmtKind::Bring(own, _, _, known) = &stmt.kind
            && *own == placement
            && !found.contains(&**known)
        {
            found.push((**known).clone());
        }
    });
    found
}

/// Names for all parts of the state.
pub(super) fn fields(game: &Game, quotient: Option<&Quotient>) -> Fields {
    let mut scope = Scope::with(RESERVED);
    let mut snake = |name: &str| scope.ident(name, Case::Snake);
    let mut constants = slots::scope();
    let vars: Vec<Ident> = game.vars.iter().map(|var| snake(&var.name)).collect();
    let placements: Vec<PlacementNames> = game
        .placements
        .iter()
        .enumerate()
        .map(|(index, placement)| {
            let id = PlacementId::from(index);
            let rows = standing::rows_asked(game, id, |number| {
                snake(&format!("{} rows {number}", placement.name))
            });
            let by = standing::tables_asked(game, id, &rows);
            let by = by.into_iter().map(|asked| {
                let table = slots::short_name(&game.table(asked.0).name);
                let name = format!("{} by {table}", placement.name);
                ByValue::of(game, asked, snake(&name), &mut constants)
            });
            let by = by.collect();
            let kinds = (placement.form == PlacementForm::Anonymous)
                .then(|| Slots::of_kinds(game, &mut constants, placement));
            let places = match placement.form {
                PlacementForm::Anonymous => {
                    format!(
                        "{} by {}",
                        placement.name,
                        game.domain(placement.pieces).name
                    )
                }
                _ => format!("{} places", placement.name),
            };
            let unnamed = quotient.filter(|quotient| quotient.placement == id);
            let mut names = PlacementNames {
                forms: None,
                by,
                kinds,
                rows,
                held: held::all_asked(game, id, &mut snake),
                taken: (planes::keeps_taken(game, id) || standing::asks_taken(game, id))
                    .then(|| Taken::Kept(snake(&format!("{} taken", placement.name)))),
                on: planes::place_sets(game, id)
                    .into_iter()
                    .filter(|_| unnamed.is_none())
                    .enumerate()
                    .map(|(number, set)| (set, snake(&format!("{} on {number}", placement.name))))
                    .collect(),
                refresh: snake(&format!("refresh {}", placement.name)),
                places: snake(&places),
                contents: snake(&format!("{} contents", placement.name)),
                content: snake(&format!("content of {}", placement.name)),
                put: snake(&format!("put {}", placement.name)),
                bring: brought(game, id)
                    .into_iter()
                    .enumerate()
                    .map(|(number, known)| {
                        (known, snake(&format!("bring {} {number}", placement.name)))
                    })
                    .collect(),
                free: planes::free_sets(game, id)
                    .into_iter()
                    .enumerate()
                    .map(|(number, set)| (set, snake(&format!("{} free {number}", placement.name))))
                    .collect(),
                take: snake(&format!("take {}", placement.name)),
            };
            let beside = Beside {
                taken: names.taken_field(),
                by: &names.by,
                held: &names.held,
                content: &names.content,
            };
            names.forms = unnamed.map(|quotient| Forms::of(game, quotient, &beside, &mut snake));
            if names.forms.as_ref().is_some_and(Forms::tells_standing) {
                names.taken = names.taken.map(Taken::told);
            }
            names
        })
        .collect();
    let snapshots = game.snapshots.iter().map(|slot| SnapshotNames {
        save: snake(&format!("save {}", slot.name)),
        restore: snake(&format!("restore {}", slot.name)),
        stored: snake(&format!("{} stored", slot.name)),
        vars: slot
            .vars
            .iter()
            .map(|&var| snake(&format!("{} {}", slot.name, game.var(var).name)))
            .collect(),
        placements: slot
            .placements
            .iter()
            .map(|&placement| {
                let name = &game.placement(placement).name;
                (
                    snake(&format!("{} {name} places", slot.name)),
                    snake(&format!("{} {name} contents", slot.name)),
                )
            })
            .collect(),
    });
    let snapshots = snapshots.collect();
    let trails = game.trails.iter().map(|trail| snake(&trail.name)).collect();
    let questions = kept::questions(game).into_iter();
    let kept = questions
        .map(|func| {
            let name = format!("answer of {}", game.function(func).name);
            (func, snake(&name))
        })
        .collect();
    Fields {
        vars,
        placements,
        snapshots,
        trails,
        kept,
    }
}

/// The variables that no rule writes and that nothing but expressions and texts asks for.
pub(super) fn constant_vars(game: &Game) -> SortedSet<VarId> {
    // Without a text of its own, all of the state is told.
    if game.state_text.is_empty() {
        return SortedSet::new();
    }
    let mut vars = crate::ir::effects::constants(game).vars;
    // What takes more than a literal stays in the state.
    vars.retain(|&var| !matches!(game.var(var).ty, Type::Seq { .. } | Type::Tagged));
    for slot in &game.snapshots {
        vars.retain(|var| !slot.vars.contains(var));
    }
    if let Some(machine) = &game.machine {
        vars.retain(|var| !machine.saved.contains(var));
    }
    vars
}

/// Whether a change of the variable is told to listeners: scores, and properties of pieces.
pub(super) fn tells(game: &Game, var: VarId) -> bool {
    let [Axis::Domain(domain)] = game.var(var).axes[..] else {
        return false;
    };
    let property = game
        .placements
        .iter()
        .any(|placement| placement.pieces == domain);
    game.scores == Some(var) || property && game.var(var).ty.is_scalar()
}

impl Generator<'_> {
    fn var_len(&self, var: VarId) -> Option<usize> {
        let var = self.game.var(var);
        (!var.axes.is_empty()).then(|| padded(var.init.len()))
    }

    fn var_field(&self, id: VarId, name: &Ident, doc: String) -> Field {
        let var = self.game.var(id);
        let item = self.stored_type(&var.ty);
        let bytes = self.stored_bytes(&var.ty);
        let value = |value: &Const| self.constant(value, &var.ty).tokens;
        match self.var_len(id) {
            None => Field {
                name: name.clone(),
                ty: item,
                init: var.init.first().map_or_else(|| self.dummy(&var.ty), value),
                bytes,
                doc,
            },
            Some(len) => {
                let count = number(len);
                let init = match self.byte_array(&var.init, &var.ty, len) {
                    Some(bytes) => bytes,
                    None => {
                        let mut values: Vec<_> = var.init.iter().map(value).collect();
                        values.resize(len, self.dummy(&var.ty));
                        array(values)
                    }
                };
                Field {
                    name: name.clone(),
                    ty: quote!([#item; #count]),
                    init,
                    bytes: bytes * len,
                    doc,
                }
            }
        }
    }

    /// Long arrays of bytes as one literal.
    fn byte_array(&self, values: &[Const], ty: &Type, len: usize) -> Option<TokenStream> {
        let stored = match ty {
            Type::Int { lo, hi } => narrowest(*lo, *hi),
            Type::Elem(domain) | Type::Opt(domain) => member_type(self.game.domain(*domain).len()),
            _ => return None,
        };
        if stored != "u8" || len < 64 || values.windows(2).all(|pair| pair[0] == pair[1]) {
            return None;
        }
        let mut bytes: Vec<u8> = values.iter().map(|value| scalar(value) as u8).collect();
        bytes.resize(len, 0);
        let bytes = Literal::byte_string(&bytes);
        Some(quote!(*#bytes))
    }

    pub(super) fn fields(&self) -> Vec<Field> {
        let mut fields = vec![Field {
            name: ident("ended"),
            ty: quote!(u8),
            init: quote!(0),
            bytes: 1,
            doc: String::from(
                "Why the game ended: 0 while it goes on, then a constant of this type.",
            ),
        }];
        let winners = self.winners_type();
        fields.push(Field {
            name: ident("winners"),
            ty: quote!(#winners),
            init: quote!(0),
            bytes: bytes_of(&winners.to_string()),
            doc: String::from("The players who won, a bit each."),
        });
        fields.push(Field {
            name: ident("fault"),
            ty: quote!(u16),
            init: quote!(0),
            bytes: 2,
            doc: String::from("The site of the fault that ended the game."),
        });
        if self.has_points() {
            let ty = ident(self.point_type());
            fields.push(Field {
                name: ident("point"),
                ty: quote!(#ty),
                init: quote!(0),
                bytes: bytes_of(self.point_type()),
                doc: String::from("The point where play stopped."),
            });
        }
        for (index, var) in self.game.vars.iter().enumerate() {
            let id = VarId::from(index);
            if self.constant_vars.contains(&id) || self.property(id).is_some() {
                continue;
            }
            let doc = format!("Variable `{}`.", var.name);
            fields.push(self.var_field(VarId::from(index), &self.var_fields[index], doc));
        }
        for (index, names) in self.placements.iter().enumerate() {
            let doc = format!("Placement `{}`: ", self.game.placements[index].name);
            let id = PlacementId::from(index);
            match names.forms {
                None => {
                    fields.extend(self.placement_fields(id, &names.places, &names.contents, &doc));
                }
                Some(_) => fields.extend(self.form_fields(id, &doc)),
            }
            fields.extend(self.plane_fields(id, &doc));
        }
        fields.extend(self.snapshot_fields());
        for (trail, name) in self.game.trails.iter().zip(&self.trails) {
            let rt = &self.rt;
            let room = number(trail.capacity as usize);
            fields.push(Field {
                name: name.clone(),
                ty: quote!(#rt::support::Trail<#room>),
                init: quote!(#rt::support::Trail::new()),
                bytes: TRAIL_BYTES,
                doc: format!("History `{}`.", trail.name),
            });
        }
        fields.extend(self.kept_fields());
        fields
    }

    fn snapshot_fields(&self) -> Vec<Field> {
        let mut fields = Vec::new();
        for (slot, names) in self.game.snapshots.iter().zip(&self.snapshots) {
            fields.push(Field {
                name: names.stored.clone(),
                ty: quote!(bool),
                init: quote!(false),
                bytes: 1,
                doc: format!("Whether slot `{}` keeps something.", slot.name),
            });
            let doc = format!("Slot `{}`: ", slot.name);
            for (&var, name) in slot.vars.iter().zip(&names.vars) {
                let doc = format!("{doc}`{}`.", self.game.var(var).name);
                fields.push(self.var_field(var, name, doc));
            }
            for (&placement, (places, contents)) in slot.placements.iter().zip(&names.placements) {
                fields.extend(self.placement_fields(placement, places, contents, &doc));
            }
        }
        fields
    }

    pub(super) fn point_type(&self) -> &'static str {
        narrowest(0, self.machine.points.len() as i64)
    }

    /// Whether comparing states is comparing all of their fields.
    pub(super) fn derives_equality(&self) -> bool {
        let identity = self.game.identity(self.game.equality);
        identity.terms.contains(&IdentityTerm::Everything)
            && self.game.trails.is_empty()
            && self.game.vars.iter().all(|var| !var.meter)
    }

    /// Where the value of a variable is kept.
    pub(super) fn var_path(&self, var: VarId) -> TokenStream {
        let field = &self.var_fields[var.index()];
        match self.constant_vars.contains(&var) {
            true => {
                let name = constant_name(field);
                quote!(#name)
            }
            false => quote!(s.#field),
        }
    }

    /// The variables that no rule writes.
    fn constants(&self) -> TokenStream {
        let constants = self.constant_vars.iter().map(|&var| {
            let field = &self.var_fields[var.index()];
            let Field { ty, init, .. } = self.var_field(var, field, String::new());
            let name = constant_name(field);
            let doc = format!(
                " Variable `{}`, which no rule writes.",
                self.game.var(var).name
            );
            quote!(#[doc = #doc] static #name: #ty = #init;)
        });
        constants.collect()
    }

    /// The struct and its methods.
    pub(super) fn state(&self) -> TokenStream {
        let rt = &self.rt;
        let fields = self.fields();
        let bytes: usize = fields.iter().map(|field| field.bytes).sum();
        let trails = !self.game.trails.is_empty();
        let mut derives = match trails {
            true => vec![quote!(Debug)],
            false => vec![quote!(Clone), quote!(Debug)],
        };
        if bytes <= COPY_BYTES && !trails {
            derives.push(quote!(Copy));
        }
        let aligned = (bytes > UNALIGNED_BYTES).then(|| quote!(#[repr(align(64))]));
        let copies = trails.then(|| self.copies(&fields));
        let equality = match self.derives_equality() {
            true => {
                derives.extend([quote!(PartialEq), quote!(Eq), quote!(Hash)]);
                TokenStream::new()
            }
            false => self.equality(),
        };
        let declared = fields.iter().map(|field| {
            let (name, ty, doc) = (&field.name, &field.ty, format!(" {}", field.doc));
            quote!(#[doc = #doc] #name: #ty)
        });
        let initial = fields.iter().map(|field| {
            let (name, init) = (&field.name, &field.init);
            quote!(#name: #init)
        });
        let doc = format!(" A position of {}: plain data, complete.", self.game.name);
        let methods = self.state_methods();
        let named = self.named_items(self.name_fields());
        let constants = self.constants();
        let slots = self.slot_items();
        quote! {
            #constants
            #[doc = #doc]
            #[derive(#(#derives),*)]
            #aligned
            pub struct State {
                #(#declared,)*
            }
            #copies
            #equality
            #rt::endings!(State);
            impl State {
                #slots
                /// The values that the rules give at the start.
                fn new() -> State {
                    State { #(#initial,)* }
                }
                #methods
            }
            #named
        }
    }

    /// How a position with histories is copied: field by field, because of these only what is in use is worth copying.
    fn copies(&self, fields: &[Field]) -> TokenStream {
        let rt = &self.rt;
        let names: Vec<&Ident> = fields.iter().map(|field| &field.name).collect();
        let without = fields.iter().map(|field| {
            let name = &field.name;
            match self.trails.contains(name) {
                true => quote!(#name: #rt::support::Trail::new()),
                false => quote!(#name: self.#name.clone()),
            }
        });
        let without = self.tries_without_histories().then(|| {
            quote! {
                impl State {
                    /// A copy in which no position was noted.
                    #[inline]
                    fn without_histories(&self) -> State {
                        State { #(#without,)* }
                    }
                }
            }
        });
        quote! {
            impl Clone for State {
                #[inline]
                fn clone(&self) -> State {
                    State { #(#names: self.#names.clone(),)* }
                }

                #[inline]
                fn clone_from(&mut self, other: &State) {
                    #(self.#names.clone_from(&other.#names);)*
                }
            }

            #without
        }
    }

    /// The fields that only positions with names have.
    fn name_fields(&self) -> Vec<Field> {
        let Some((id, quotient, _)) = self.nameless() else {
            return Vec::new();
        };
        let names = self.placement(id);
        let doc = format!("Placement `{}`: ", self.game.placement(id).name);
        let mut fields = self.placement_fields(id, &names.places, &names.contents, &doc);
        for (var, _) in &quotient.properties {
            let doc = format!("Variable `{}`.", self.game.var(*var).name);
            fields.push(self.var_field(*var, &self.var_fields[var.index()], doc));
        }
        fields
    }

    fn state_methods(&self) -> TokenStream {
        let winners = self.winners_type();
        let point = self.has_points().then(|| quote!(self.point = 0;));
        let saved = self.machine.saved.iter().map(|&var| {
            let name = &self.var_fields[var.index()];
            let init = self.var_field(var, name, String::new()).init;
            quote!(self.#name = #init;)
        });
        let placements = (0..self.placements.len()).map(|index| self.placement_methods(index));
        let snapshots = (0..self.snapshots.len()).map(|index| self.snapshot_methods(index));
        quote! {
            /// Ends the game.
            #[inline(always)]
            fn end(&mut self, reason: u8, winners: #winners) {
                self.ended = reason;
                self.winners = winners;
                #point
                #(#saved)*
            }

            #(#placements)*
            #(#snapshots)*
        }
    }

    fn snapshot_methods(&self, index: usize) -> TokenStream {
        let rt = &self.rt;
        let slot = self.game.snapshot(SnapshotId::from(index));
        let names = &self.snapshots[index];
        let mut pairs: Vec<(&Ident, &Ident)> = Vec::new();
        for (&var, kept) in slot.vars.iter().zip(&names.vars) {
            pairs.push((&self.var_fields[var.index()], kept));
        }
        for (&id, (places, contents)) in slot.placements.iter().zip(&names.placements) {
            let fields = self.placement(id);
            let anonymous = self.game.placement(id).form == PlacementForm::Anonymous;
            if !anonymous || self.by_kind.contains(&id) {
                pairs.push((&fields.places, places));
            }
            pairs.push((&fields.contents, contents));
        }
        let (now, kept): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        let (save, restore, stored) = (&names.save, &names.restore, &names.stored);
        let refresh = self.refresh_calls(&quote!(self));
        quote! {
            /// Keeps the present values.
            fn #save(&mut self) {
                self.#stored = true;
                #(self.#kept = self.#now;)*
            }

            /// Gives the kept values back; a fault if there are none.
            fn #restore(&mut self, site: u16, cx: &mut #rt::Cx) {
                if !self.#stored {
                    cx.fail(site);
                    return;
                }
                #(self.#now = self.#kept;)*
                #refresh
            }
        }
    }
}
