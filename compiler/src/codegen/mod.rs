//! Rust from the IR: one module that implements the contract of a game.
//!
//! It takes a game whose control flow is a [`Machine`] and gives the same meaning
//! as the interpreter: the same legal moves, successor states, outcomes and faults. Each file here renders
//! one group of items of the module:
//!
//! - `state`: the position, its placements, variables and snapshots; `forms`: positions without the names of pieces
//! - `slots`: names for sets of places
//! - `tables`: domains and constants
//! - `function`: functions of the rules; `expr` and `stmt` are their insides
//! - `moves`: the packed move
//! - `generate`: which moves are legal; `fast`: the same by products of lists, which `slices` of guards and
//!   numbers of `classes` make possible
//! - `machine`: what a move does, draws, decisions without a move
//! - `playout`: random games
//! - `identity`: equalities of states
//! - `observe`: what a network sees of a position; `observe_alike`: without naming its pieces
//! - `text`: states and values as text, and back
//! - `tellings`: texts of moves that depend on the position
//! - `info`: names, bounds and fault sites, and the implementation of the trait
//! - `package`: the other files of a crate; `tidy`, `data`, `unused`, `twins`, `fold`: a shorter text
//! - `clashes`: names of rules that mean something else in the code
//!
//! A rule that fails notes its fault in a context and goes on with harmless values; every index is
//! tested or masked, so nothing panics whatever the values are, and every loop has a bound.

mod alike;
mod apart;
mod candidates;
mod chains;
mod clashes;
mod classes;
mod closed;
mod code;
mod common;
#[cfg(feature = "text")]
mod data;
mod declare;
mod enclosed;
mod episode;
mod exchanging;
mod expr;
mod family;
mod fast;
mod fields;
#[cfg(feature = "text")]
mod fold;
mod forms;
mod function;
mod generate;
mod held;
mod identity;
mod info;
#[cfg(feature = "text")]
mod items;
mod judge;
mod kept;
mod keys;
mod library;
mod machine;
mod motion;
mod moves;
mod names;
mod numbers;
mod observe;
mod observe_alike;
mod options;
#[cfg(feature = "text")]
mod package;
mod planes;
mod playout;
mod related;
mod rows;
mod slices;
mod slots;
mod standing;
mod state;
mod steps;
mod stmt;
mod symmetry;
mod tables;
mod tellings;
mod text;
#[cfg(feature = "text")]
mod tidy;
#[cfg(feature = "text")]
mod twins;
mod types;
mod undo;
#[cfg(feature = "text")]
mod unused;
mod watch;

use rulec_ir::sorted::{SortedMap, SortedSet};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use indexmap::IndexMap;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use crate::ir::effects::Effects;
use crate::ir::{
    DomainId, EndReason, EnvId, ExprKind, FaultCode, FuncId, Game, IdentityId, Local, Machine,
    PlacementId, StmtKind, Trail, TrailId, Type, VarId,
};
use crate::quotient::Quotient;
use crate::source::Span;
use common::{Known, Shape};
use declare::Declarations;
use function::Needs;
use moves::Layout;
use names::{Case, Scope, ident};
use state::{PlacementNames, SnapshotNames};

pub use options::{Options, Reasons};
#[cfg(feature = "text")]
pub use package::{crate_files, render_text};

/// Why a game has no Rust form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The pass that makes the control state explicit did not run.
    NoMachine,
    /// The arguments of a move do not fit into 64 bits.
    WideMove(String),
    /// There are more players than bits in a word.
    TooManyPlayers(usize),
    /// There are more places where rules can fail than a fault can name.
    TooManyFaults(usize),
    /// The generated code is not Rust: an error of the generator.
    Unparsable(String),
    /// The path of the runtime in the options is no path.
    Runtime(String),
    /// A template of the crate is wrong: an error of the generator.
    Template(&'static str, String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMachine => f.write_str(
                "the game has no machine: the pass `suspend` must run before code generation",
            ),
            Self::WideMove(family) => write!(f, "a move of `{family}` does not fit into 64 bits"),
            Self::TooManyPlayers(players) => write!(
                f,
                "{players} players are too many: at most 64 can be told apart"
            ),
            Self::TooManyFaults(places) => write!(
                f,
                "the rules can fail at {places} places: at most 65535 can be told apart"
            ),
            Self::Unparsable(why) => write!(f, "the generated code cannot be parsed: {why}"),
            Self::Runtime(path) => write!(f, "`{path}` is no path to the runtime"),
            Self::Template(name, why) => write!(f, "cannot fill in the template `{name}`: {why}"),
        }
    }
}

impl std::error::Error for Error {}

/// Lints that generated code may trip, each for a reason: names, lengths and shapes come from rules.
const ALLOWED: &[&str] = &[
    "dead_code",
    "unused_variables",
    "unused_mut",
    "unused_assignments",
    "unreachable_code",
    "unused_imports",
    "clippy::blocks_in_conditions",
    "clippy::manual_range_contains",
    "clippy::question_mark",
    "clippy::self_assignment",
    "clippy::too_many_arguments",
    "clippy::type_complexity",
];

/// The items of the module of a game, without attributes of the module itself.
///
/// # Errors
/// When the game has no machine or exceeds a bound of the generated code; see [`Error`].
pub fn render(game: &Game, options: &Options) -> Result<TokenStream, Error> {
    let quotient = quotient_of(game, options);
    let game = &forms_of(game, quotient.as_ref(), options);
    let mut taken = SortedSet::new();
    loop {
        let names = Generator::new(game, quotient.as_ref(), options, &taken)?;
        let code = names.render()?;
        let clashes = clashes::clashes(&code, &names.function_names);
        if clashes.is_subset(&taken) {
            return Ok(code);
        }
        taken.extend(clashes);
    }
}

/// The game without the names of alike pieces, where positions do not tell them and nobody asks for them.
fn quotient_of(game: &Game, options: &Options) -> Option<Quotient> {
    match options.names {
        true => None,
        false => Quotient::of(game).ok(),
    }
}

/// The game that is printed: without names if they are forgotten, with targets as candidates of their own where that makes sets.
fn forms_of<'g>(
    game: &'g Game,
    quotient: Option<&'g Quotient>,
    options: &Options,
) -> Cow<'g, Game> {
    let game = quotient.map_or(game, |quotient| &quotient.game);
    let apart = apart::with_targets_apart(game, quotient, options);
    let game = apart.map_or(Cow::Borrowed(game), Cow::Owned);
    match alike::with_arrivals_joined(&game) {
        Some(joined) => Cow::Owned(joined),
        None => game,
    }
}

/// Bytes of what a position of a game keeps, without the gaps between fields.
///
/// # Errors
/// As [`render`].
pub fn state_bytes(game: &Game, options: &Options) -> Result<usize, Error> {
    let quotient = quotient_of(game, options);
    let game = &forms_of(game, quotient.as_ref(), options);
    let own = Generator::new(game, quotient.as_ref(), options, &SortedSet::new())?;
    Ok(own.fields().iter().map(|field| field.bytes).sum())
}

/// The items of a game as a module of this name, as the macro wants it.
///
/// # Errors
/// As [`render`].
pub fn render_module(game: &Game, options: &Options, name: &str) -> Result<TokenStream, Error> {
    let items = render(game, options)?;
    let name = Scope::default().ident(name, Case::Snake);
    let allowed = allowed();
    let doc = format!("The game {}, compiled from its rules.", game.name);
    Ok(quote! {
        #[doc = #doc]
        #[forbid(unsafe_code)]
        #[allow(#(#allowed),*)]
        pub mod #name { #items }
    })
}

fn allowed() -> Vec<TokenStream> {
    let parse = |lint: &&str| lint.parse().unwrap_or_default();
    ALLOWED.iter().map(parse).collect()
}

/// The names of a domain.
pub(crate) struct DomainNames {
    /// The type of its members.
    alias: Ident,
    /// The number of its members.
    count: Ident,
    /// The texts of its members.
    names: Ident,
    /// The number that stands for an absent member.
    none: Ident,
}

/// What generation knows of a game.
struct Generator<'g> {
    game: &'g Game,
    /// How positions forget the names of pieces, if they do.
    quotient: Option<&'g Quotient>,
    /// Whether code is made for positions in which pieces have names all the same.
    naming: Cell<bool>,
    machine: &'g Machine,
    /// The path of the runtime, and its name inside the module.
    runtime: TokenStream,
    rt: TokenStream,
    effects: Effects,
    layout: Layout,
    domains: Vec<DomainNames>,
    tables: Vec<Ident>,
    /// Tables that are used.
    used_tables: RefCell<SortedSet<usize>>,
    /// Lists of lines in use, by their names.
    line_items: RefCell<SortedMap<String, TokenStream>>,
    env_names: Vec<Ident>,
    env_flags: Vec<Ident>,
    /// Variables of the environment that somebody asks whether they are set.
    checked_env: SortedSet<EnvId>,
    /// Functions that are called where somebody listens, and nowhere else.
    for_listeners: SortedSet<FuncId>,
    /// Anonymous placements whose places somebody asks for by kind.
    by_kind: SortedSet<PlacementId>,
    /// Those of which nothing else is kept.
    sets_alone: SortedSet<PlacementId>,
    var_fields: Vec<Ident>,
    /// Variables that no rule writes: constants beside the state.
    constant_vars: SortedSet<VarId>,
    placements: Vec<PlacementNames>,
    snapshots: Vec<SnapshotNames>,
    trails: Vec<Ident>,
    /// The questions whose answers positions keep, with their fields.
    kept: Vec<(FuncId, Ident)>,
    digests: Vec<Ident>,
    function_names: Vec<Ident>,
    /// The names that local variables find taken.
    local_scope: Scope,
    family_names: Vec<Ident>,
    draw_names: Vec<Ident>,
    needs: Vec<Needs>,
    sites: RefCell<IndexMap<(FaultCode, Span), usize>>,
    /// Whether some tagged value is written.
    shows_tagged: Cell<bool>,
    /// Whether moves fail before they write anything, if they fail.
    faults_first: Cell<bool>,
    /// Where what moves do is inlined.
    play_inlined: Cell<PlayInlined>,
    /// The classes of the moves of families, as far as they were asked for.
    class_numbers: RefCell<SortedMap<usize, Option<Rc<classes::Classes>>>>,
}

/// Names that no rule may take: those of most modules, and what they use without a path. [`clashes`] finds others.
const RESERVED: &[&str] = &[
    "Game",
    "State",
    "Move",
    "Env",
    "RandomGame",
    "Named",
    "FIRST_OF_CLASS",
    "first_named",
    "name_at",
    "HOME",
    "Watch",
    "judge",
    "visit_candidates",
    "INFO",
    "advance",
    "settle",
    "visit_moves",
    "visit_exact",
    "run_start",
    "chance",
    "random_move",
    "random_draw",
    "identity_words",
    "s",
    "env",
    "ev",
    "cx",
    "new",
    "rt",
    "mv",
    "out",
    "play_move",
    "play_inlined",
    "otherwise",
    "any_move",
    "count_moves",
    "initial",
    "String",
    "Vec",
    "Option",
    "Some",
    "None",
    "Ok",
    "Err",
    "Result",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Drop",
    "E",
    "Eq",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "H",
    "Hash",
    "Into",
    "Iterator",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sync",
    "ToString",
    "W",
    "ControlFlow",
    "FAMILIES",
    "PIECES",
    "PLACES",
    "IDENTITIES",
    "FAULTS",
    "ENV",
    "START",
];

/// Whether a text is names with `::` between them, perhaps one in front.
fn is_path(text: &str) -> bool {
    let names = text.strip_prefix("::").unwrap_or(text);
    names.split("::").all(|name| {
        let tokens = name.parse::<TokenStream>().unwrap_or_default();
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        matches!(tokens[..], [TokenTree::Ident(_)])
    })
}

impl<'g> Generator<'g> {
    /// Prepares the generation of a game whose rules may not take some names.
    fn new(
        game: &'g Game,
        quotient: Option<&'g Quotient>,
        options: &Options,
        taken: &SortedSet<String>,
    ) -> Result<Generator<'g>, Error> {
        let machine = game.machine.as_ref().ok_or(Error::NoMachine)?;
        if game.player_count() > 64 {
            return Err(Error::TooManyPlayers(game.player_count()));
        }
        let wrong = || Error::Runtime(options.runtime.clone());
        let runtime: TokenStream = options.runtime.parse().map_err(|_| wrong())?;
        if !is_path(&options.runtime) {
            return Err(wrong());
        }
        let mut scope = Scope::with(RESERVED).and(taken.iter().cloned());
        let domains = game.domains.iter().map(|domain| DomainNames {
            alias: scope.ident(&domain.name, Case::Camel),
            count: scope.ident(&format!("{} count", domain.name), Case::Upper),
            names: scope.ident(&format!("{} names", domain.name), Case::Upper),
            none: scope.ident(&format!("no {}", domain.name), Case::Upper),
        });
        let domains = domains.collect();
        let mut list = |names: &mut dyn Iterator<Item = &String>, case: Case| -> Vec<Ident> {
            names.map(|name| scope.ident(name, case)).collect()
        };
        let tables = list(&mut game.tables.iter().map(|t| &t.name), Case::Upper);
        let function_names = list(&mut game.functions.iter().map(|f| &f.name), Case::Snake);
        let family_names = list(&mut game.families.iter().map(|f| &f.name), Case::Snake);
        let draw_names = list(&mut game.draws.iter().map(|d| &d.name), Case::Snake);
        let digests: Vec<String> = game
            .identities
            .iter()
            .map(|identity| format!("identity {}", identity.name))
            .collect();
        let digests = list(&mut digests.iter(), Case::Snake);
        let fields = state::fields(game, quotient);
        let mut env = Scope::default();
        let env_names = game
            .env
            .iter()
            .map(|var| env.ident(&var.name, Case::Snake))
            .collect();
        let flag = |name: &str| format!("{name} is set");
        let env_flags = game
            .env
            .iter()
            .map(|var| env.ident(&flag(&var.name), Case::Snake))
            .collect();
        let by_kind = by_kind(game);
        let effects = Effects::of(game);
        let for_listeners = function::for_listeners(game, &effects);
        let mut generator = Generator {
            game,
            quotient,
            naming: Cell::new(false),
            machine,
            runtime,
            rt: quote!(rt),
            effects,
            layout: Layout::of(game)?,
            domains,
            tables,
            used_tables: RefCell::default(),
            line_items: RefCell::default(),
            env_names,
            env_flags,
            checked_env: checked_env(game),
            for_listeners,
            sets_alone: state::sets_alone(game, &by_kind),
            by_kind,
            var_fields: fields.vars,
            constant_vars: state::constant_vars(game),
            placements: fields.placements,
            snapshots: fields.snapshots,
            trails: fields.trails,
            kept: fields.kept,
            digests,
            local_scope: Scope::with(names::LOCAL_RESERVED)
                .and(function_names.iter().map(Ident::to_string)),
            function_names,
            family_names,
            draw_names,
            needs: Vec::new(),
            sites: RefCell::default(),
            shows_tagged: Cell::new(false),
            faults_first: Cell::new(false),
            play_inlined: Cell::default(),
            class_numbers: RefCell::default(),
        };
        generator.needs = generator.find_needs();
        generator.faults_first.set(generator.fails_first());
        Ok(generator)
    }

    fn render(&self) -> Result<TokenStream, Error> {
        let functions = self.functions();
        let plans = self.plans();
        let sides = self.sides(&plans);
        self.play_inlined
            .set(self.play_inlined(&plans, sides.is_some()));
        let generate = self.generators(&plans);
        let machine = self.machine_items();
        let playout = self.playout(&plans, sides.as_ref());
        let identities = self.identities();
        let moves = self.move_items();
        let tellings = self.tell_move();
        let text = self.text();
        let state = self.state();
        let game = self.game_items(&plans);
        let library = self.library();
        let faults = self.sites.borrow().len();
        if faults > usize::from(u16::MAX) {
            return Err(Error::TooManyFaults(faults));
        }
        // Tables come last, when it is known which are used, and stand first.
        let tables = self.table_items();
        let runtime = &self.runtime;
        Ok(quote! {
            use ::core::ops::ControlFlow;
            use #runtime as rt;
            use rt::Events as _;
            #tables #moves #state #library #game #generate #machine #functions #playout #identities #tellings #text
        })
    }

    fn domain(&self, domain: DomainId) -> &DomainNames {
        &self.domains[domain.index()]
    }

    fn placement(&self, placement: PlacementId) -> &PlacementNames {
        &self.placements[placement.index()]
    }

    fn needs(&self, func: FuncId) -> Needs {
        self.needs[func.index()]
    }

    fn routine(&self, func: FuncId) -> &crate::ir::Function {
        self.game.function(func)
    }

    fn env_flag(&self, var: EnvId) -> &Ident {
        &self.env_flags[var.index()]
    }

    fn trail_field(&self, trail: &Trail) -> &Ident {
        let index = self.game.trails.iter().position(|other| other == trail);
        debug_assert!(index.is_some(), "{trail:?} is a trail of the game");
        &self.trails[index.unwrap_or(0)]
    }

    /// The function that makes a digest of a position for trails.
    fn digest_name(&self, identity: IdentityId) -> Ident {
        ident(&format!("{}_digest", self.digests[identity.index()]))
    }

    /// The number of a fault site.
    fn site(&self, code: FaultCode, span: Span) -> usize {
        let mut sites = self.sites.borrow_mut();
        let next = sites.len();
        *sites.entry((code, span)).or_insert(next)
    }

    fn has_points(&self) -> bool {
        self.machine.points.len() > 1
    }

    /// The unsigned type that holds a bit for each player.
    fn winners_type(&self) -> Ident {
        ident(match self.game.player_count() {
            0..=8 => "u8",
            9..=16 => "u16",
            17..=32 => "u32",
            _ => "u64",
        })
    }

    fn reason(&self, reason: EndReason) -> TokenStream {
        let name = ident(match reason {
            EndReason::Win => "WIN",
            EndReason::Draw => "DRAW",
            EndReason::Stuck => "STUCK",
            EndReason::Elimination => "ELIMINATION",
            EndReason::Limit => "LIMIT",
        });
        quote!(State::#name)
    }

    /// The number of the first piece of a domain among all that events name.
    fn piece_offset(&self, domain: DomainId) -> Option<usize> {
        offset(&self.piece_domains(), self.game, domain)
    }

    fn place_offset(&self, domain: DomainId) -> Option<usize> {
        offset(&self.place_domains(), self.game, domain)
    }

    /// The domains of pieces that events name.
    fn piece_domains(&self) -> Vec<DomainId> {
        distinct(
            self.game
                .placements
                .iter()
                .map(|placement| placement.pieces),
        )
    }

    fn place_domains(&self) -> Vec<DomainId> {
        distinct(
            self.game
                .placements
                .iter()
                .map(|placement| placement.places),
        )
    }

    /// A documentation comment that names the place of a rule.
    fn doc(&self, text: &str, span: Span) -> TokenStream {
        let origin = self.game.origin(span);
        // A game without sources has no places to name, and what belongs to all of a file has none.
        let has_place = !self.game.sources.is_empty() && !origin.ends_with(":1:1");
        let text = match text.strip_suffix('.') {
            Some(sentence) if has_place => format!("{sentence} (`{origin}`)."),
            _ => text.to_owned(),
        };
        let lines = text.lines().map(|line| format!(" {line}"));
        quote!(#(#[doc = #lines])*)
    }
}

fn distinct(domains: impl Iterator<Item = DomainId>) -> Vec<DomainId> {
    let mut seen = Vec::new();
    for domain in domains {
        if !seen.contains(&domain) {
            seen.push(domain);
        }
    }
    seen
}

fn offset(domains: &[DomainId], game: &Game, wanted: DomainId) -> Option<usize> {
    let at = domains.iter().position(|&domain| domain == wanted)?;
    Some(
        domains[..at]
            .iter()
            .map(|&domain| game.domain(domain).len())
            .sum(),
    )
}

/// Where what moves do is inlined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PlayInlined {
    /// Where the compiler of Rust finds it worth while.
    #[default]
    AsItMay,
    /// Into the loops of random games, which are compiled for newer processors, too; where that does not pay, only into the one that
    /// draws distinct moves.
    IntoRandomGames,
    /// Wherever moves are played: they are short, and random games have a copy for each side.
    Everywhere,
}

/// The variables of the environment that somebody asks whether they are set.
fn checked_env(game: &Game) -> SortedSet<EnvId> {
    let mut found = SortedSet::new();
    function::for_each_expr(game, &mut |expr| match &expr.kind {
        ExprKind::Env { var, checked: true } | ExprKind::EnvIsSet(var) => {
            found.insert(*var);
        }
        _ => {}
    });
    found
}

/// The placements that keep the places of each kind.
fn by_kind(game: &Game) -> SortedSet<PlacementId> {
    let mut found = SortedSet::new();
    function::for_each_expr(game, &mut |expr| {
        if let ExprKind::Places(placement, _) = &expr.kind {
            found.insert(*placement);
        }
    });
    found
}

/// A local variable of a body.
#[derive(Clone, Debug)]
struct LocalName {
    name: Ident,
    ty: Type,
}

/// A function body, or an expression with names for its variables, while it is printed.
struct Body<'a> {
    generator: &'a Generator<'a>,
    locals: Vec<LocalName>,
    declarations: Declarations,
    /// Whether the function gives a `Flow`.
    flow: bool,
    ret: Option<Type>,
    /// Trials around the present place.
    trials: Cell<u32>,
    /// The history to which the position has been added as it is here.
    noted: Cell<Option<TrailId>>,
    /// Parts of expressions that have names here.
    known: RefCell<Vec<Known>>,
    /// Optional members that are known to be present here.
    present: RefCell<Vec<Shape>>,
    /// The shapes of expressions by address.
    shapes: RefCell<SortedMap<usize, Shape>>,
    /// The names taken in the function.
    scope: RefCell<Scope>,
}

impl<'a> Body<'a> {
    /// Expressions over local variables with these names.
    fn over(generator: &'a Generator<'a>, locals: Vec<LocalName>) -> Body<'a> {
        let taken = locals.iter().map(|local| local.name.to_string());
        let scope = generator.local_scope.clone().and(taken);
        Body {
            generator,
            scope: RefCell::new(scope),
            known: RefCell::default(),
            present: RefCell::default(),
            shapes: RefCell::default(),
            locals,
            declarations: Declarations::default(),
            flow: false,
            ret: None,
            trials: Cell::new(0),
            noted: Cell::new(None),
        }
    }

    /// The label of the innermost trial.
    fn trial_label(&self) -> Option<TokenStream> {
        let depth = self.trials.get();
        let name = match depth {
            0 => return None,
            1 => String::from("'trial"),
            n => format!("'trial_{n}"),
        };
        name.parse().ok()
    }

    fn enter_trial(&self) -> TokenStream {
        self.trials.set(self.trials.get() + 1);
        self.trial_label().unwrap_or_default()
    }

    fn leave_trial(&self) {
        self.trials.set(self.trials.get() - 1);
    }

    fn plain_locals(&self) -> Vec<Local> {
        let local = |local: &LocalName| Local {
            name: local.name.to_string(),
            ty: local.ty.clone(),
        };
        self.locals.iter().map(local).collect()
    }
}

/// Whether a statement tells listeners by itself.
fn tells(game: &Game, kind: &StmtKind) -> bool {
    match kind {
        StmtKind::Put(..)
        | StmtKind::Bring(..)
        | StmtKind::Take(..)
        | StmtKind::SetContent(..)
        | StmtKind::Emit(_) => true,
        StmtKind::SetVar(var, ..) => state::tells(game, *var),
        _ => false,
    }
}
