//! The parts of a game.

#[cfg(feature = "stored")]
use serde::{Deserialize, Serialize};

use super::episode::Episode;
use super::expr::Expr;
use super::family::{Family, Joined, RulePart, TextPart};
use super::ids::{
    DomainId, DrawId, FamilyId, FuncId, IdentityId, LocalId, PlacementId, PointId, RelationId,
    SnapshotId, TableId, TrailId, VarId,
};
use super::later::Later;
use super::numbers::MoveNumbers;
use super::presentation::{NestLook, Presentation};
use super::stmt::{Block, Chance, Choose};
use super::symmetry::Symmetries;
use super::types::{Axis, Const, Domain, Local, Table, Type};
use crate::source::Span;

/// A game: one typed, finite program.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Game {
    /// Version of the form, [`super::VERSION`].
    pub version: u32,
    /// Name of the game.
    pub name: String,
    /// Short name of the language it came from; for people, never for decisions.
    pub language: String,
    /// The rule files it came from.
    pub sources: Vec<Source>,
    /// The domain of players, in the order of their numbers.
    pub players: DomainId,
    /// Finite sets.
    pub domains: Vec<Domain>,
    /// Constants.
    pub tables: Vec<Table>,
    /// State variables.
    pub vars: Vec<Var>,
    /// Placements, part of the state.
    pub placements: Vec<Placement>,
    /// The environment: variables that functions share by reference.
    ///
    /// It is no part of the state. It is empty at the start of every guard, generator, rank and
    /// `after` of a candidate move, and at the start of every arm of a decision.
    pub env: Vec<EnvVar>,
    /// Named predicates.
    pub relations: Vec<Relation>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Kinds of moves.
    pub families: Vec<Family>,
    /// Kinds of moves that no player makes but the host of the game, such as that a second has passed. They have no
    /// parameters and are never among the legal moves; where a decision has an arm for one, it can be played there.
    #[cfg_attr(feature = "stored", serde(default))]
    pub by_host: Vec<FamilyId>,
    /// Families that are parts of a rule: one for some of the pieces that it moves, beside that of the rule itself.
    #[cfg_attr(
        feature = "stored",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub parts: Vec<RulePart>,
    /// Families that do the same, each such group written as one; made by the pass `join`.
    #[cfg_attr(
        feature = "stored",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub joined: Vec<Joined>,
    /// Kinds of draws.
    pub draws: Vec<Draw>,
    /// Slots for `snapshot` and `restore`, part of the state.
    pub snapshots: Vec<Snapshot>,
    /// Histories of positions; outside every identity.
    pub trails: Vec<Trail>,
    /// Rules that can be left out, such as draws by repetition: truth values, true at the start, that no rule writes.
    #[cfg_attr(feature = "stored", serde(default))]
    pub switches: Vec<VarId>,
    /// Truth values that are true where something is not known of a position: in the first one, in one that was read from a text,
    /// and in one that a symmetry made of another. They are no part of a position, so they are meters; made by the pass `changes`.
    #[cfg_attr(
        feature = "stored",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub unsure: Vec<VarId>,
    /// Equalities of states.
    pub identities: Vec<Identity>,
    /// The identity that equality, hash and key of a state use.
    pub equality: IdentityId,
    /// What decides about the rest of a game, where that was looked for: the pass `future`.
    #[cfg_attr(feature = "stored", serde(default))]
    pub future: Option<Future>,
    /// How a turn is handed over, where that was looked for and can be told.
    #[cfg_attr(
        feature = "stored",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub hand_over: Option<HandOver>,
    /// Pieces and places that the rules do not tell apart, where that was looked for.
    #[cfg_attr(feature = "stored", serde(default))]
    pub interchangeable: Later<Vec<Interchangeable>>,
    /// Renamings that leave the rules as they are, where they were looked for.
    #[cfg_attr(feature = "stored", serde(default))]
    pub symmetries: Later<Symmetries>,
    /// Dense numbers of moves, where they were looked for.
    #[cfg_attr(feature = "stored", serde(default))]
    pub numbers: Later<Option<MoveNumbers>>,
    /// The rules: a function without parameters that runs from the start to the end of a game.
    ///
    /// When it returns without [`super::StmtKind::End`], the game ends as a draw.
    pub process: FuncId,
    /// The rules with an explicit program counter; made by the pass `suspend`, and then used
    /// instead of `process`.
    pub machine: Option<Machine>,
    /// Scores: an integer variable indexed by the players.
    pub scores: Option<VarId>,
    /// Texts of moves and results of draws that depend on the position, for some of the families and draws.
    #[cfg_attr(feature = "stored", serde(default))]
    pub tellings: Vec<Telling>,
    /// What statistics count while a game is played.
    pub counters: Vec<Counter>,
    /// Quantities of a game that statistics tell at its end.
    pub meters: Vec<Meter>,
    /// A plain integer variable that bounds a game by what the rules measure; its first value is the usual bound, and a host
    /// may give it another one before the game starts.
    pub limit: Option<VarId>,
    /// Questions a host may ask.
    pub probes: Vec<Probe>,
    /// The canonical text of a state.
    pub state_text: Vec<StatePart>,
    /// How a host runs the game in episodes, if it is of that kind.
    pub episode: Option<Episode>,
    /// Pictures, coordinates and robot data: apart from play.
    pub presentation: Presentation,
    /// How pieces that may be in each other are shown: apart from play.
    #[cfg_attr(feature = "stored", serde(default))]
    pub nest_look: Option<NestLook>,
}

/// A state variable.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Var {
    /// Name, unique among variables.
    pub name: String,
    /// What it is indexed by; nothing for a plain variable.
    pub axes: Vec<Axis>,
    /// Type of each value.
    pub ty: Type,
    /// Initial values, last axis fastest.
    pub init: Vec<Const>,
    /// A meter (elapsed time, step count): in the state, but in no identity.
    pub meter: bool,
    /// Where the rules declare it.
    pub span: Span,
}

/// A variable of the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct EnvVar {
    /// Name, unique in the environment.
    pub name: String,
    /// Type of its value.
    pub ty: Type,
}

/// Where pieces stand. Both directions are kept consistent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Placement {
    /// Name, unique among placements.
    pub name: String,
    /// The pieces (identified), or the kinds (anonymous).
    pub pieces: DomainId,
    /// The places; may be the pieces themselves (containment).
    pub places: DomainId,
    /// Identity and room.
    pub form: PlacementForm,
    /// Identified: the place of each piece. Anonymous: the kind on each place.
    pub init: Vec<Option<u32>>,
    /// Where the rules declare it.
    pub span: Span,
}

/// Identity and room of a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum PlacementForm {
    /// Pieces have identity; a place has room for one.
    One,
    /// Pieces have identity; a place has room for many.
    Many,
    /// Only kinds are known; a place has room for one.
    Anonymous,
}

/// A named predicate over members of domains, answerable from either end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Relation {
    /// Name, unique among relations.
    pub name: String,
    /// Domains of its parameters.
    pub params: Vec<DomainId>,
    /// A function of these parameters that writes nothing and gives a truth value.
    pub holds: FuncId,
}

/// A function.
///
/// Effects are inferred: see [`super::effects`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Function {
    /// Name, unique among functions.
    pub name: String,
    /// Number of parameters: the first local variables.
    pub params: usize,
    /// Parameters and local variables.
    pub locals: Vec<Local>,
    /// Type of the value, if it gives one; then every path ends in a `return` with a value.
    pub ret: Option<Type>,
    /// What it does.
    pub body: Block,
    /// What it is, for readers of generated code.
    pub doc: String,
    /// Place in the rules.
    pub span: Span,
}

/// How moves of a family or results of a draw are written where that depends on the position.
///
/// Two moves that are legal in one position have different texts there unless their [`Family::text`]s are
/// equal too: this is what lets a text be read back. It has no part in play.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Telling {
    /// What is written.
    pub of: TextOf,
    /// The parts; their expressions see the parameters (of a draw: its value) as local variables 0, 1, ...,
    /// and the position before the move. One that faults is written as `?`.
    pub parts: Vec<ToldPart>,
}

/// What a [`Telling`] writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum TextOf {
    /// The moves of a family.
    Family(FamilyId),
    /// The results of a draw.
    Draw(DrawId),
}

/// A part of a [`Telling`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum ToldPart {
    /// Text as it is.
    Text(String),
    /// A scalar: members by name, integers in decimal, absent members as `-`.
    Value(Expr),
    /// The parts, if a condition holds.
    When(Expr, Vec<ToldPart>),
    /// The parts once for each member of a set, ascending, with a comma between two.
    Each(LocalId, Expr, Vec<ToldPart>),
}

impl ToldPart {
    /// Calls `f` on the expressions of the part and of those in it, outermost first.
    pub fn exprs<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        match self {
            ToldPart::Text(_) => {}
            ToldPart::Value(value) => f(value),
            ToldPart::When(expr, parts) | ToldPart::Each(_, expr, parts) => {
                f(expr);
                parts.iter().for_each(|part| part.exprs(f));
            }
        }
    }

    /// As [`ToldPart::exprs`], to change them.
    pub fn exprs_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        match self {
            ToldPart::Text(_) => {}
            ToldPart::Value(value) => f(value),
            ToldPart::When(expr, parts) | ToldPart::Each(_, expr, parts) => {
                f(expr);
                parts.iter_mut().for_each(|part| part.exprs_mut(f));
            }
        }
    }
}

/// A kind of draw.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Draw {
    /// Name, unique among draws and families.
    pub name: String,
    /// Type of what is drawn: `Elem`, or `Int` with a finite range.
    pub ty: Type,
    /// Text of a result; its only parameter is the value.
    pub text: Vec<TextPart>,
    /// Place in the rules.
    pub span: Span,
}

/// A slot that keeps values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Snapshot {
    /// Name, unique among snapshots.
    pub name: String,
    /// The variables it keeps.
    pub vars: Vec<VarId>,
    /// The placements it keeps.
    pub placements: Vec<PlacementId>,
}

/// A bounded history of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Trail {
    /// Name, unique among trails.
    pub name: String,
    /// The equality of positions.
    pub identity: IdentityId,
    /// Greatest number of positions.
    pub capacity: u32,
}

/// What is shown of the futures of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Future {
    /// The weakest identity of which it is shown that equal positions have equal futures: the same moves up to names, the
    /// same draws with the same weights, the same changes of scores, the same ends.
    pub identity: IdentityId,
    /// The weakest identity of which the same is shown of the game without its rules that only count ([`Game::switches`]), if that is
    /// another one: it leaves out how play came to a position.
    pub timeless: Option<IdentityId>,
    /// Whether that is shown of the identity that equality uses, too.
    pub of_equality: bool,
    /// Whether it is shown that moves of one class lead to positions that are equal under `identity`.
    pub of_classes: bool,
}

/// How a turn goes to the other of two players, with all else as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct HandOver {
    /// The plain variable that alone says who decides.
    pub var: VarId,
    /// Values of it, and for each the one with which the other player decides.
    pub values: Vec<(Const, Const)>,
}

/// Members of a domain that nobody can tell apart: any two can change their names, with all that is said of them in a
/// position, and the rules stay as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Interchangeable {
    /// The domain.
    pub domain: DomainId,
    /// Whether they are pieces; otherwise places.
    pub pieces: bool,
    /// The members, ascending; at least two.
    pub members: Vec<u32>,
    /// The domain of places of which each piece has some to itself, which change their names with it; nothing where all
    /// places keep theirs.
    pub with_places: Option<DomainId>,
    /// The private places of each piece.
    pub places: Vec<Vec<u32>>,
}

impl Interchangeable {
    /// What is to be said of them, in a line.
    pub fn text(&self, game: &Game) -> String {
        let what = if self.pieces { "pieces" } else { "places" };
        let names = game.domain(self.domain).listed(&self.members);
        let mut text = format!("{} {what} are alike: {names}", self.members.len());
        if let Some(places) = self.with_places {
            let own: Vec<u32> = self.places.iter().flatten().copied().collect();
            let names = game.domain(places).listed(&own);
            text.push_str(&format!(", each with its own of {names}"));
        }
        text
    }
}

/// An equality of states: equal outcomes, equal control states and equal values of all terms.
///
/// A trail compares the values of the terms only.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Identity {
    /// Name, unique among identities.
    pub name: String,
    /// What is compared.
    pub terms: Vec<IdentityTerm>,
}

/// Something that an identity compares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum IdentityTerm {
    /// All variables (but meters and those that [`Machine::saved`] lists), placements and snapshots.
    Everything,
    /// For every member of a domain for which the condition holds: the member and the values.
    ///
    /// The member is local variable 0 of the expressions.
    Each {
        /// The domain.
        domain: DomainId,
        /// The condition.
        when: Expr,
        /// Scalars.
        values: Vec<Expr>,
    },
    /// As `Each`, but without the member: the multiset of the values.
    Bag {
        /// The domain.
        domain: DomainId,
        /// The condition.
        when: Expr,
        /// Scalars.
        values: Vec<Expr>,
    },
    /// The members of an identified placement whose places are its pieces for which the condition holds,
    /// with their values and who is in whom: up to a renaming of the members. The member is local
    /// variable 0. Who is in a member for which the condition does not hold is in nothing here.
    Nest {
        /// The placement.
        placement: PlacementId,
        /// The condition.
        when: Expr,
        /// Scalars that a renaming keeps.
        values: Vec<Expr>,
    },
    /// One scalar or set.
    Value(Expr),
    /// These parts of a position as they are.
    Parts(Parts),
}

/// Parts of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Parts {
    /// All values of these variables, meters among them.
    pub vars: Vec<VarId>,
    /// What stands where.
    pub placements: Vec<PlacementId>,
    /// What slots keep.
    pub snapshots: Vec<SnapshotId>,
    /// How often each position was noted; not in which order.
    pub trails: Vec<TrailId>,
}

/// Something that statistics count.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Counter {
    /// Name, unique among counters.
    pub name: String,
    /// The domain whose members are counted apart; nothing for one number.
    pub axis: Option<DomainId>,
    /// Where the rules imply it.
    pub span: Span,
}

/// A quantity that a game has at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Meter {
    /// Name, unique among meters.
    pub name: String,
    /// The plain integer variable that holds it.
    pub var: VarId,
    /// Unit of the quantity, such as `s`; empty for plain numbers.
    pub unit: String,
    /// How many of the variable make one unit; positive.
    pub per: i64,
}

/// A question that a host may ask.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Probe {
    /// Name, unique among probes.
    pub name: String,
    /// A function that writes nothing but the environment.
    pub func: FuncId,
}

/// A part of the canonical text of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum StatePart {
    /// Text as it is.
    Text(String),
    /// The parts once for each member, in this order; they see it as their index.
    Each {
        /// The domain.
        domain: DomainId,
        /// Its members in the order of the text.
        order: Vec<u32>,
        /// Text between two members.
        separator: String,
        /// The parts.
        parts: Vec<StatePart>,
    },
    /// The name of the index.
    Index,
    /// The place of the piece that is the index, `-` if off the board.
    Place(PlacementId),
    /// What stands on the place that is the index, `-` if nothing.
    Content(PlacementId),
    /// A variable: plain, or indexed by the index (elements by ordinal plus an offset, so that
    /// players can be counted from 1).
    Var(VarId, VarStyle),
    /// The outcome: `-1` while the rules let the game go on (also if nobody can move), `0` for a draw
    /// without winner, the number from 1 of a sole winner. Others as `reason:winners`, the winners by
    /// numbers from 1 with `+` between them; faults by code and place.
    Outcome,
    /// The point where play stopped, by number from 0; made by the pass `suspend`.
    Point,
    /// A snapshot slot.
    Snapshot(SnapshotId),
}

/// How the text of a state shows a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum VarStyle {
    /// Members by name, integers in decimal, absent members as `-`.
    Named,
    /// Members by their number from 1.
    Numbered,
}

/// The rules as a machine: play runs from stop to stop.
///
/// A stop leaves everything, the callers of the function it stands in as well, as the end of the game does. A `return`
/// without a value leaves a block of the machine as it leaves a function.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Machine {
    /// Local variables of all blocks of the machine; nothing of them lives across a stop.
    pub locals: Vec<Local>,
    /// What runs before the first stop.
    pub start: Block,
    /// The points where play stops; state holds the number of the present one if there are several.
    pub points: Vec<Point>,
    /// State variables that hold what lives across stops; at a point that does not need one, it has
    /// its initial value. They are part of the control state, not of what rules can name.
    pub saved: Vec<VarId>,
}

/// A point where play stops. Blocks end in `stop`, `end`, or (like the process) in a draw.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub enum Point {
    /// A decision.
    Choose(Choose),
    /// A draw, and what runs after it.
    Chance(Chance, Block),
}

/// The names of things by their ids, for messages and printing.
impl Game {
    /// The identities in the order in which engines number them: that of equality comes first.
    pub fn identity_order(&self) -> impl Iterator<Item = IdentityId> {
        let all = (0..self.identities.len()).map(IdentityId::from);
        let others = all.filter(|&id| id != self.equality);
        std::iter::once(self.equality).chain(others)
    }
    /// The family of the rule that a family is a part of: mostly itself.
    pub fn rule_of(&self, family: FamilyId) -> FamilyId {
        let mut parts = self.parts.iter();
        let part = parts.find(|part| part.family == family);
        part.map_or(family, |part| part.rule)
    }
    /// The name of the rule that a family is a part of, which is how its moves are told to people.
    pub fn rule_name(&self, family: FamilyId) -> &str {
        &self.family(self.rule_of(family)).name
    }
    /// The families that are rules, with their numbers: all but those that are parts of others.
    pub fn rules(&self) -> impl Iterator<Item = (usize, &Family)> {
        let all = self.families.iter().enumerate();
        all.filter(|(index, _)| self.rule_of(FamilyId::from(*index)).index() == *index)
    }
    /// The families that are written as this one, if several are.
    pub fn joined(&self, family: FamilyId) -> Option<&Joined> {
        self.joined.iter().find(|joined| joined.family == family)
    }
    /// The family that moves of a family are written as: mostly itself.
    pub fn written_as(&self, family: FamilyId) -> FamilyId {
        let mut all = self.joined.iter();
        let joined = all.find(|joined| joined.names.contains(&family));
        joined.map_or(family, |joined| joined.family)
    }
    /// The families whose moves are written as those of this one, ascending: mostly itself alone.
    pub fn names_of(&self, family: FamilyId) -> Vec<FamilyId> {
        let mut names = self
            .joined(family)
            .map_or(Vec::new(), |joined| joined.names.clone());
        names.push(family);
        names.sort_unstable();
        names.dedup();
        names
    }
    /// The domain.
    pub fn domain(&self, id: DomainId) -> &Domain {
        &self.domains[id.index()]
    }
    /// The table.
    pub fn table(&self, id: TableId) -> &Table {
        &self.tables[id.index()]
    }
    /// The state variable.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.index()]
    }
    /// The placement.
    pub fn placement(&self, id: PlacementId) -> &Placement {
        &self.placements[id.index()]
    }
    /// The relation.
    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.relations[id.index()]
    }
    /// The function.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }
    /// The family.
    pub fn family(&self, id: FamilyId) -> &Family {
        &self.families[id.index()]
    }
    /// The draw.
    pub fn draw(&self, id: DrawId) -> &Draw {
        &self.draws[id.index()]
    }
    /// The snapshot slot.
    pub fn snapshot(&self, id: SnapshotId) -> &Snapshot {
        &self.snapshots[id.index()]
    }
    /// The trail.
    pub fn trail(&self, id: TrailId) -> &Trail {
        &self.trails[id.index()]
    }
    /// The identity.
    pub fn identity(&self, id: IdentityId) -> &Identity {
        &self.identities[id.index()]
    }
    /// The point of the machine; only after the pass `suspend`.
    pub fn point(&self, id: PointId) -> Option<&Point> {
        self.machine.as_ref()?.points.get(id.index())
    }
    /// The parameter of a family that tells who makes the move, where several may decide: the first that is a
    /// player.
    pub fn mover_param(&self, family: FamilyId) -> Option<usize> {
        let player = Type::Elem(self.players);
        let params = &self.family(family).params;
        params.iter().position(|param| param.ty == player)
    }
    /// Whether several players may be to decide at once.
    pub fn has_sets_of_deciders(&self) -> bool {
        let mut found = false;
        let mut look = |choose: &Choose| found |= matches!(choose.players.ty, Type::Set(_));
        for function in &self.functions {
            super::visit::walk_block(&function.body, &mut |stmt| {
                if let super::StmtKind::Choose(choose) = &stmt.kind {
                    look(choose);
                }
            });
        }
        for point in self.machine.iter().flat_map(|machine| &machine.points) {
            if let Point::Choose(choose) = point {
                look(choose);
            }
        }
        found
    }
    /// The names of the rules that can be left out.
    pub fn switch_names(&self) -> impl Iterator<Item = &str> {
        let names = self.switches.iter();
        names.map(|var| self.var(*var).name.as_str())
    }
    /// Leaves out a rule of this name; false if there is none.
    pub fn leave_out(&mut self, name: &str) -> bool {
        let mut switches = self.switches.iter().copied();
        let found = switches.find(|var| self.var(*var).name == name);
        if let Some(var) = found {
            self.vars[var.index()].init = vec![Const::Bool(false)];
        }
        found.is_some()
    }
    /// The identity by which searches that judge by experience may merge positions, see [`Future::timeless`].
    pub fn timeless(&self) -> Option<IdentityId> {
        self.future.as_ref().and_then(|future| future.timeless)
    }
    /// Number of players.
    pub fn player_count(&self) -> usize {
        self.domain(self.players).len()
    }
}

impl Function {
    /// The type of a local variable.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.index()]
    }
}

impl Axis {
    /// Number of arguments it admits.
    pub fn len(self, game: &Game) -> usize {
        match self {
            Axis::Domain(domain) => game.domain(domain).len(),
            Axis::Range { lo, hi } => super::types::range_len(lo, hi),
        }
    }
}

/// A file that the game was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Source {
    /// Name as the user gave it, without folders of the machine.
    pub name: String,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// Byte offsets at which its lines start, so that places can be told without the text.
    pub lines: Vec<u32>,
}
