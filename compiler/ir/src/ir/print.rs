//! The stable printed form, for people and for snapshot tests, and the versioned serialised form.
//!
//! The printed form is indented pseudo-code that names everything. It is complete but for long
//! tables, which show their first values, and for the presentation. Where a game has sources,
//! statements end with the line they came from.

use std::fmt::Write;

use super::*;
use crate::source::Span;

/// How many values of a table are shown.
const SHOWN_VALUES: usize = 24;

/// Prints a game.
pub fn print(game: &Game) -> String {
    let mut printer = Printer {
        game,
        out: String::new(),
        indent: 0,
        locals: Vec::new(),
    };
    printer.game();
    printer.out
}

/// The serialised form.
///
/// # Errors
/// None that a game can cause; those of the serialiser.
#[cfg(feature = "stored")]
pub fn to_json(game: &Game) -> Result<String, JsonError> {
    Ok(serde_json::to_string(game)?)
}

/// The game of a serialised form; it is not verified.
///
/// # Errors
/// Another version of the form, or no such form at all.
#[cfg(feature = "stored")]
pub fn from_json(text: &str) -> Result<Game, JsonError> {
    #[derive(serde::Deserialize)]
    struct Head {
        version: u32,
    }
    let head: Head = serde_json::from_str(text)?;
    if head.version != VERSION {
        return Err(JsonError::Version(head.version));
    }
    Ok(serde_json::from_str(text)?)
}

/// Why a serialised form is not read.
#[cfg(feature = "stored")]
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    /// It has another version.
    #[error("this is version {0} of the form; version {VERSION} is needed")]
    Version(u32),
    /// It is no such form.
    #[error(transparent)]
    Form(#[from] serde_json::Error),
}

/// An expression of an identity as people read it; its first local variable is `it`.
pub fn expr_text(game: &Game, expr: &Expr) -> String {
    let printer = Printer {
        game,
        out: String::new(),
        indent: 0,
        locals: vec![String::from("it")],
    };
    printer.expr(expr)
}

/// A type as people read it.
pub fn type_text(game: &Game, ty: &Type) -> String {
    let name = |domain: &DomainId| match game.domains.get(domain.index()) {
        Some(domain) => domain.name.clone(),
        None => format!("{domain:?}"),
    };
    match ty {
        Type::Bool => String::from("bool"),
        Type::Int { .. } if *ty == Type::INT => String::from("int"),
        Type::Int { lo, hi } => format!("int {lo}..{hi}"),
        Type::Wrap32 => String::from("wrap32"),
        Type::Elem(domain) => name(domain),
        Type::Opt(domain) => format!("{}?", name(domain)),
        Type::Set(domain) => format!("{{{}}}", name(domain)),
        Type::Seq { item, cap } => format!("[{}; {cap}]", type_text(game, item)),
        Type::Tagged => String::from("tagged"),
    }
}

struct Printer<'a> {
    game: &'a Game,
    out: String,
    indent: usize,
    /// The names of the local variables in sight.
    locals: Vec<String>,
}

/// The name of something by its number; the number itself if there is no such thing.
fn name_of<T>(arena: &[T], index: usize, name: impl Fn(&T) -> &str) -> String {
    match arena.get(index) {
        Some(item) => name(item).to_owned(),
        None => format!("#{index}"),
    }
}

impl<'a> Printer<'a> {
    fn line(&mut self, text: impl std::fmt::Display) {
        let _ = writeln!(self.out, "{:1$}{text}", "", self.indent * 2);
    }

    fn block_of(&mut self, head: impl std::fmt::Display, body: impl FnOnce(&mut Self)) {
        self.line(head);
        self.indent += 1;
        body(self);
        self.indent -= 1;
    }

    fn ty(&self, ty: &Type) -> String {
        type_text(self.game, ty)
    }

    fn domain(&self, id: DomainId) -> String {
        name_of(&self.game.domains, id.index(), |d| &d.name)
    }

    fn var(&self, id: VarId) -> String {
        name_of(&self.game.vars, id.index(), |v| &v.name)
    }

    fn env(&self, id: EnvId) -> String {
        let name = name_of(&self.game.env, id.index(), |v| &v.name);
        format!("${name}")
    }

    fn placement(&self, id: PlacementId) -> String {
        name_of(&self.game.placements, id.index(), |p| &p.name)
    }

    fn func(&self, id: FuncId) -> String {
        name_of(&self.game.functions, id.index(), |f| &f.name)
    }

    fn table(&self, id: TableId) -> String {
        name_of(&self.game.tables, id.index(), |t| &t.name)
    }

    fn trail(&self, id: TrailId) -> String {
        name_of(&self.game.trails, id.index(), |t| &t.name)
    }

    fn slot(&self, id: SnapshotId) -> String {
        name_of(&self.game.snapshots, id.index(), |s| &s.name)
    }

    /// A local variable: its name, with its number where the name is not unique.
    fn local(&self, id: LocalId) -> String {
        let Some(name) = self.locals.get(id.index()) else {
            return format!("%{}", id.0);
        };
        let same = self.locals.iter().filter(|other| *other == name).count();
        match same > 1 || name.is_empty() {
            true => format!("{name}%{}", id.0),
            false => name.clone(),
        }
    }

    fn see(&mut self, locals: &[Local]) {
        self.locals = locals.iter().map(|local| local.name.clone()).collect();
    }

    fn axes(&self, axes: &[Axis]) -> String {
        let axis = |axis: &Axis| match axis {
            Axis::Domain(domain) => self.domain(*domain),
            Axis::Range { lo, hi } => format!("{lo}..{hi}"),
        };
        let axes: Vec<String> = axes.iter().map(axis).collect();
        match axes.is_empty() {
            true => String::new(),
            false => format!("[{}]", axes.join(", ")),
        }
    }

    fn member(&self, domain: DomainId, member: u32) -> String {
        match self.game.domains.get(domain.index()) {
            Some(domain) if (member as usize) < domain.len() => domain.member(member),
            _ => format!("#{member}"),
        }
    }

    fn constant(&self, value: &Const, ty: &Type) -> String {
        let domain = match ty {
            Type::Elem(domain) | Type::Opt(domain) | Type::Set(domain) => Some(*domain),
            _ => None,
        };
        let member = |member: u32| match domain {
            Some(domain) => self.member(domain, member),
            None => format!("#{member}"),
        };
        match (value, ty) {
            (Const::Bool(b), _) => b.to_string(),
            (Const::Int(i), Type::Wrap32) => format!("{i}w"),
            (Const::Int(i), _) => i.to_string(),
            (Const::Elem(m), Type::Opt(_)) => format!("some {}", member(*m)),
            (Const::Elem(m), _) => member(*m),
            (Const::None, _) => String::from("none"),
            (Const::Set(members), _) => {
                let members: Vec<String> = members.iter().map(|m| member(*m)).collect();
                format!("{{{}}}", members.join(", "))
            }
            (Const::Seq(items), Type::Seq { item, .. }) => {
                let items: Vec<String> = items.iter().map(|i| self.constant(i, item)).collect();
                format!("[{}]", items.join(", "))
            }
            (Const::Seq(_), _) => String::from("[?]"),
            (Const::Tagged(ty, value), _) => {
                format!("tag {}: {}", self.ty(ty), self.constant(value, ty))
            }
        }
    }

    /// Values, the same ones told once, long lists cut.
    fn values(&self, values: &[Const], ty: &Type) -> String {
        if let Some(first) = values.first()
            && values.len() > 1
            && values.iter().all(|value| value == first)
        {
            return format!("all {}", self.constant(first, ty));
        }
        let shown = values
            .iter()
            .take(SHOWN_VALUES)
            .map(|v| self.constant(v, ty));
        let mut shown: Vec<String> = shown.collect();
        if values.len() > SHOWN_VALUES {
            shown.push(format!("... {} values", values.len()));
        }
        shown.join(", ")
    }

    fn text(&self, parts: &[TextPart], params: &[&str]) -> String {
        let mut text = String::new();
        for part in parts {
            match part {
                TextPart::Text(literal) => text.push_str(literal),
                TextPart::Param(index) => {
                    let name = params.get(*index).copied().unwrap_or("?");
                    let _ = write!(text, "{{{name}}}");
                }
            }
        }
        format!("{text:?}")
    }

    fn game(&mut self) {
        let game = self.game;
        let (name, language) = (&game.name, &game.language);
        self.line(format_args!(
            "game {name} ({language}), form {}",
            game.version
        ));
        for source in &game.sources {
            let digest = match source.sha256.get(..12) {
                Some(digest) => format!(" {digest}"),
                None => String::new(),
            };
            self.line(format_args!("source {}{digest}", source.name));
        }
        self.out.push('\n');
        for (index, domain) in game.domains.iter().enumerate() {
            let players = match index == game.players.index() {
                true => " (players)",
                false => "",
            };
            let members = match &domain.members {
                Members::Names(names) => names.join(", "),
                Members::Range { lo, hi } => format!("{lo}..{hi}"),
            };
            self.line(format_args!("domain {}{players} = {members}", domain.name));
        }
        for table in &game.tables {
            let (axes, ty) = (self.axes(&table.axes), self.ty(&table.ty));
            let values = self.values(&table.values, &table.ty);
            let outside = match &table.outside {
                Some(value) => format!(" else {}", self.constant(value, &table.ty)),
                None => String::new(),
            };
            self.line(format_args!(
                "table {}{axes}: {ty} = {values}{outside}",
                table.name
            ));
        }
        for var in &game.vars {
            let (axes, ty) = (self.axes(&var.axes), self.ty(&var.ty));
            let values = self.values(&var.init, &var.ty);
            let kind = if var.meter { "meter" } else { "var" };
            self.line(format_args!("{kind} {}{axes}: {ty} = {values}", var.name));
        }
        for (index, var) in game.env.iter().enumerate() {
            let (name, ty) = (self.env(EnvId::from(index)), self.ty(&var.ty));
            self.line(format_args!("env {name}: {ty}"));
        }
        game.placements
            .iter()
            .for_each(|p| self.declare_placement(p));
        self.declare_slots();
        for relation in &game.relations {
            let params: Vec<String> = relation.params.iter().map(|d| self.domain(*d)).collect();
            let holds = self.func(relation.holds);
            self.line(format_args!(
                "relation {}({}) = {holds}",
                relation.name,
                params.join(", ")
            ));
        }
        for family in &game.by_host {
            let name = &game.family(*family).name;
            self.line(format_args!("by the host: {name}"));
        }
        for telling in &game.tellings {
            let (what, params): (_, Vec<String>) = match telling.of {
                TextOf::Family(family) => {
                    let family = game.family(family);
                    let params = family.params.iter().map(|param| param.name.clone());
                    (&family.name, params.collect())
                }
                TextOf::Draw(draw) => (&game.draw(draw).name, vec![String::from("value")]),
            };
            self.locals = params;
            let parts = self.told(&telling.parts);
            self.line(format_args!("text of {what}: {parts}"));
            self.locals.clear();
        }
        for probe in &game.probes {
            let func = self.func(probe.func);
            self.line(format_args!("probe {} = {func}", probe.name));
        }
        if let Some(scores) = game.scores {
            let scores = self.var(scores);
            self.line(format_args!("scores {scores}"));
        }
        if let Some(episode) = &game.episode {
            self.episode(episode);
        }
        game.draws.iter().for_each(|draw| self.declare_draw(draw));
        game.families.iter().for_each(|family| self.family(family));
        self.identities();
        self.state_text();
        game.functions
            .iter()
            .for_each(|function| self.function(function));
        let process = self.func(game.process);
        self.line(format_args!("\nprocess {process}"));
        if let Some(machine) = &game.machine {
            self.machine(machine);
        }
    }

    fn episode(&mut self, episode: &Episode) {
        let places = episode.places.map(|places| self.var(places));
        let given = [
            self.var(episode.present),
            self.var(episode.kinds),
            places.unwrap_or_default(),
        ];
        let given = given.join(" ");
        self.line(format_args!(
            "episode given {}, asks {}, counts {} {} {}",
            given.trim_end(),
            self.var(episode.accepted),
            self.var(episode.row),
            self.var(episode.row_left),
            self.var(episode.atoms_left),
        ));
    }

    fn declare_placement(&mut self, placement: &Placement) {
        let (pieces, places) = (self.domain(placement.pieces), self.domain(placement.places));
        let (form, values) = match placement.form {
            PlacementForm::One => ("one on a place", placement.places),
            PlacementForm::Many => ("many on a place", placement.places),
            PlacementForm::Anonymous => ("kinds, one on a place", placement.pieces),
        };
        let init = placement.init.iter().map(|at| match at {
            Some(at) => self.member(values, *at),
            None => String::from("-"),
        });
        let init: Vec<String> = init.collect();
        let name = &placement.name;
        let init = init.join(", ");
        self.line(format_args!(
            "placement {name}: {pieces} on {places} ({form}) = {init}"
        ));
    }

    fn declare_slots(&mut self) {
        for slot in &self.game.snapshots {
            let vars = slot.vars.iter().map(|var| self.var(*var));
            let placements = slot
                .placements
                .iter()
                .map(|placement| self.placement(*placement));
            let kept: Vec<String> = vars.chain(placements).collect();
            self.line(format_args!(
                "snapshot {} of {}",
                slot.name,
                kept.join(", ")
            ));
        }
        for switch in &self.game.switches {
            let name = name_of(&self.game.vars, switch.index(), |var| &var.name);
            self.line(format_args!("switch {name}"));
        }
        for unsure in &self.game.unsure {
            let name = name_of(&self.game.vars, unsure.index(), |var| &var.name);
            self.line(format_args!("unsure {name}"));
        }
        for counter in &self.game.counters {
            let axis = counter
                .axis
                .map_or(String::new(), |axis| format!(" by {}", self.domain(axis)));
            self.line(format_args!("counter {}{axis}", counter.name));
        }
        for meter in &self.game.meters {
            let (name, var) = (&meter.name, self.var(meter.var));
            self.line(format_args!(
                "meter {name} = {var} / {} {}",
                meter.per, meter.unit
            ));
        }
        if let Some(limit) = self.game.limit {
            let limit = self.var(limit);
            self.line(format_args!("limit {limit}"));
        }
        for trail in &self.game.trails {
            let identity = name_of(&self.game.identities, trail.identity.index(), |i| &i.name);
            let (name, capacity) = (&trail.name, trail.capacity);
            self.line(format_args!(
                "trail {name} of {identity}, at most {capacity}"
            ));
        }
    }

    fn declare_draw(&mut self, draw: &Draw) {
        let (ty, text) = (self.ty(&draw.ty), self.text(&draw.text, &["value"]));
        self.line(format_args!("draw {}: {ty} {text}", draw.name));
    }

    fn family(&mut self, family: &Family) {
        let params = family.params.iter().map(|param| Local {
            name: param.name.clone(),
            ty: param.ty.clone(),
        });
        let locals: Vec<Local> = family.context.iter().cloned().chain(params).collect();
        self.see(&locals);
        let context = family
            .context
            .iter()
            .map(|c| format!("{}: {}", c.name, self.ty(&c.ty)));
        let context: Vec<String> = context.collect();
        let given = match context.is_empty() {
            true => String::new(),
            false => format!(" given {}", context.join(", ")),
        };
        let names: Vec<&str> = family.params.iter().map(|p| p.name.as_str()).collect();
        let text = self.text(&family.text, &names);
        let origin = self.origin(family.span);
        let head = format!("\nfamily {}{given} {text}{origin}", family.name);
        self.block_of(head, |p| {
            for param in &family.params {
                let (name, ty) = (&param.name, p.ty(&param.ty));
                let source = p.source(family, &param.ty, &param.source);
                p.line(format_args!("{name}: {ty} {source}"));
            }
            let roles = [
                ("guard", family.guard),
                ("after", family.after),
                ("effect", family.effect),
                ("rank", family.rank),
            ];
            for (role, func) in roles {
                if let Some(func) = func {
                    let func = p.func(func);
                    p.line(format_args!("{role} {func}"));
                }
            }
            if !family.class.is_empty() {
                let class = p.exprs(&family.class);
                p.line(format_args!("class {class}"));
            }
        });
        self.locals.clear();
    }

    fn source(&self, family: &Family, ty: &Type, source: &ParamSource) -> String {
        let domain = match ty {
            Type::Elem(domain) | Type::Set(domain) => *domain,
            _ => DomainId(u32::MAX),
        };
        match source {
            ParamSource::All => String::from("any"),
            ParamSource::Among(members) => {
                let members: Vec<String> =
                    members.iter().map(|m| self.member(domain, *m)).collect();
                format!("among {}", members.join(", "))
            }
            ParamSource::Is(value) => format!("is {}", self.expr(value)),
            ParamSource::Listed { by, table } => {
                let by = name_of(&family.params, *by, |param| &param.name);
                format!("in {}[{by}]", self.table(*table))
            }
            ParamSource::Generated(func) => format!("from {}", self.func(*func)),
            ParamSource::Subset { of, size } => {
                format!("{} of {}", self.expr(size), self.expr(of))
            }
        }
    }

    fn identities(&mut self) {
        self.out.push('\n');
        for (index, identity) in self.game.identities.iter().enumerate() {
            let equality = match index == self.game.equality.index() {
                true => " (equality)",
                false => "",
            };
            self.block_of(format_args!("identity {}{equality}", identity.name), |p| {
                identity.terms.iter().for_each(|term| p.term(term));
            });
        }
    }

    fn parts(&self, parts: &Parts) -> Vec<String> {
        let game = self.game;
        let vars = parts.vars.iter();
        let vars = vars.map(|id| name_of(&game.vars, id.index(), |v| &v.name));
        let placements = parts.placements.iter().map(|id| self.placement(*id));
        let slots = parts.snapshots.iter();
        let slots = slots.map(|id| name_of(&game.snapshots, id.index(), |s| &s.name));
        let trails = parts.trails.iter();
        let trails = trails.map(|id| name_of(&game.trails, id.index(), |t| &t.name));
        vars.chain(placements).chain(slots).chain(trails).collect()
    }

    fn term(&mut self, term: &IdentityTerm) {
        self.locals = vec![String::from("it")];
        match term {
            IdentityTerm::Everything => self.line("everything"),
            IdentityTerm::Each {
                domain,
                when,
                values,
            } => {
                let (domain, when) = (self.domain(*domain), self.expr(when));
                let values = self.exprs(values);
                self.line(format_args!("each it: {domain} when {when}: {values}"));
            }
            IdentityTerm::Bag {
                domain,
                when,
                values,
            } => {
                let (domain, when) = (self.domain(*domain), self.expr(when));
                let values = self.exprs(values);
                self.line(format_args!("bag of it: {domain} when {when}: {values}"));
            }
            IdentityTerm::Nest {
                placement,
                when,
                values,
            } => {
                let (placement, when) = (self.placement(*placement), self.expr(when));
                let values = self.exprs(values);
                self.line(format_args!(
                    "nest of it: {placement} when {when}: {values}"
                ));
            }
            IdentityTerm::Value(value) => {
                self.locals.clear();
                let value = self.expr(value);
                self.line(value);
            }
            IdentityTerm::Parts(parts) => {
                let names = self.parts(parts);
                self.line(format_args!("as they are: {}", names.join(", ")));
            }
        }
        self.locals.clear();
    }

    fn told(&mut self, parts: &[ToldPart]) -> String {
        let part = |part: &ToldPart| match part {
            ToldPart::Text(text) => format!("{text:?}"),
            ToldPart::Value(value) => self.expr(value),
            ToldPart::When(cond, parts) => {
                let cond = self.expr(cond);
                format!("({} if {cond})", self.told(parts))
            }
            ToldPart::Each(_, set, parts) => {
                let set = self.expr(set);
                self.locals.push(format!("it{}", self.locals.len()));
                let parts = self.told(parts);
                let local = self.locals.pop().unwrap_or_default();
                format!("({parts} for {local} in {set})")
            }
        };
        let parts: Vec<String> = parts.iter().map(part).collect();
        parts.join(" ")
    }

    fn state_text(&mut self) {
        if !self.game.state_text.is_empty() {
            let text = self.state_parts(&self.game.state_text);
            self.line(format_args!("state text {text}"));
        }
    }

    fn state_parts(&self, parts: &[StatePart]) -> String {
        let part = |part: &StatePart| match part {
            StatePart::Text(text) => format!("{text:?}"),
            StatePart::Each {
                domain,
                separator,
                parts,
                ..
            } => {
                let (domain, parts) = (self.domain(*domain), self.state_parts(parts));
                format!("each {domain} by {separator:?} ({parts})")
            }
            StatePart::Index => String::from("index"),
            StatePart::Place(id) => format!("place {}", self.placement(*id)),
            StatePart::Content(id) => format!("content {}", self.placement(*id)),
            StatePart::Var(id, VarStyle::Named) => self.var(*id),
            StatePart::Var(id, VarStyle::Numbered) => format!("number of {}", self.var(*id)),
            StatePart::Outcome => String::from("outcome"),
            StatePart::Point => String::from("point"),
            StatePart::Snapshot(id) => format!("snapshot {}", self.slot(*id)),
        };
        let parts: Vec<String> = parts.iter().map(part).collect();
        parts.join(" ")
    }

    fn function(&mut self, function: &Function) {
        self.see(&function.locals);
        let params = function.locals.iter().take(function.params).enumerate();
        let params = params.map(|(index, local)| {
            format!(
                "{}: {}",
                self.local(LocalId::from(index)),
                self.ty(&local.ty)
            )
        });
        let params: Vec<String> = params.collect();
        let ret = match &function.ret {
            Some(ret) => format!(" -> {}", self.ty(ret)),
            None => String::new(),
        };
        let origin = self.origin(function.span);
        let (name, params) = (&function.name, params.join(", "));
        self.block_of(format_args!("\nfn {name}({params}){ret}{origin}"), |p| {
            p.declare_locals(&function.locals, function.params);
            p.block(&function.body);
        });
        self.locals.clear();
    }

    fn declare_locals(&mut self, locals: &[Local], params: usize) {
        for (index, local) in locals.iter().enumerate().skip(params) {
            let (name, ty) = (self.local(LocalId::from(index)), self.ty(&local.ty));
            self.line(format_args!("local {name}: {ty}"));
        }
    }

    fn machine(&mut self, machine: &Machine) {
        self.see(&machine.locals);
        self.block_of("\nmachine", |p| {
            let saved: Vec<String> = machine.saved.iter().map(|var| p.var(*var)).collect();
            if !saved.is_empty() {
                p.line(format_args!("saved {}", saved.join(", ")));
            }
            p.declare_locals(&machine.locals, 0);
            p.block_of("start", |p| p.block(&machine.start));
            for (index, point) in machine.points.iter().enumerate() {
                match point {
                    Point::Choose(choose) => p.choose(&format!("point {index}: "), choose, ""),
                    Point::Chance(chance, block) => {
                        let draw = p.chance(chance);
                        let head = format!("point {index}: {draw}");
                        p.block_of(head, |p| p.block(block));
                    }
                }
            }
        });
        self.locals.clear();
    }

    /// The line of a place, as a comment.
    fn origin(&self, span: Span) -> String {
        let Some(source) = self.game.sources.get(span.file.0 as usize) else {
            return String::new();
        };
        let line = source
            .lines
            .partition_point(|&start| start <= span.start)
            .max(1);
        match self.game.sources.len() {
            1 => format!("  @{line}"),
            _ => format!("  @{}:{line}", source.name),
        }
    }

    fn block(&mut self, block: &[Stmt]) {
        if block.is_empty() {
            self.line("nothing");
        }
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let origin = self.origin(stmt.span);
        match &stmt.kind {
            StmtKind::If(cond, yes, no) => {
                let cond = self.expr(cond);
                self.block_of(format_args!("if {cond}{origin}"), |p| p.block(yes));
                if !no.is_empty() {
                    self.block_of("else", |p| p.block(no));
                }
            }
            StmtKind::For {
                local,
                from,
                to,
                count,
                body,
                charged,
            } => {
                let word = match count {
                    Count::Up => "up to",
                    Count::Down => "down to",
                    Count::Toward => "toward",
                };
                let charged = if *charged { " charged" } else { "" };
                let (from, to) = (self.expr(from), self.expr(to));
                let local = self.local(*local);
                let head = format!("for {local} = {from} {word} {to}{charged}{origin}");
                self.block_of(head, |p| p.block(body));
            }
            StmtKind::ForEach(local, over, body) => {
                let (local, over) = (self.local(*local), self.over(over));
                self.block_of(format_args!("for {local} in {over}{origin}"), |p| {
                    p.block(body)
                });
            }
            StmtKind::While { cond, bound, body } => {
                let cond = self.expr(cond);
                let bound = match *bound {
                    u32::MAX => String::new(),
                    bound => format!(" at most {bound} times"),
                };
                self.block_of(format_args!("while {cond}{bound}{origin}"), |p| {
                    p.block(body)
                });
            }
            StmtKind::Trial {
                body,
                keep,
                ok,
                value,
            } => {
                let word = if *keep { "try" } else { "try and drop" };
                self.block_of(format_args!("{word}{origin}"), |p| p.block(body));
                let mut gives = self.local(*ok);
                if let Some((value, into)) = value {
                    let _ = write!(gives, ", {} = {}", self.local(*into), self.expr(value));
                }
                self.line(format_args!("tried {gives}"));
            }
            StmtKind::Choose(choose) => self.choose("", choose, &origin),
            _ => {
                let text = self.simple(stmt);
                self.line(format_args!("{text}{origin}"));
            }
        }
    }

    fn simple(&self, stmt: &Stmt) -> String {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                format!("{} = {}", self.local(*local), self.expr(value))
            }
            StmtKind::SetEnv(var, value) => format!("{} = {}", self.env(*var), self.expr(value)),
            StmtKind::SetVar(var, index, value) => {
                format!(
                    "{}{} := {}",
                    self.var(*var),
                    self.index(index),
                    self.expr(value)
                )
            }
            StmtKind::Put(id, piece, place) => {
                let (piece, place) = (self.expr(piece), self.expr(place));
                format!("put {piece} on {place} in {}", self.placement(*id))
            }
            StmtKind::Bring(id, piece, place, _) => {
                let (piece, place) = (self.expr(piece), self.expr(place));
                format!("bring {piece} to {place} in {}", self.placement(*id))
            }
            StmtKind::Take(id, piece) => {
                format!("take {} from {}", self.expr(piece), self.placement(*id))
            }
            StmtKind::SetContent(id, place, kind) => {
                let (place, kind) = (self.expr(place), self.expr(kind));
                format!("{}[{place}] := {kind}", self.placement(*id))
            }
            StmtKind::Break => String::from("break"),
            StmtKind::Continue => String::from("continue"),
            StmtKind::Call { func, args, into } => {
                let into = match into {
                    Some(into) => format!("{} = ", self.local(*into)),
                    None => String::new(),
                };
                format!("{into}call {}({})", self.func(*func), self.exprs(args))
            }
            StmtKind::Return(Some(value)) => format!("return {}", self.expr(value)),
            StmtKind::Return(None) => String::from("return"),
            StmtKind::Emit(Emit::Log(parts)) => {
                let part = |part: &LogPart| match part {
                    LogPart::Text(text) => format!("{text:?}"),
                    LogPart::Value(value) => self.expr(value),
                };
                let parts: Vec<String> = parts.iter().map(part).collect();
                format!("log {}", parts.join(" "))
            }
            StmtKind::Emit(Emit::Signal(name, values)) => {
                format!("signal {name}({})", self.exprs(values))
            }
            StmtKind::Emit(Emit::Count(counter, member)) => {
                let name = name_of(&self.game.counters, counter.index(), |c| &c.name);
                match member {
                    Some(member) => format!("count {name} {}", self.expr(member)),
                    None => format!("count {name}"),
                }
            }
            StmtKind::Fault(message) => format!("fault {message:?}"),
            StmtKind::End { reason, winners } => {
                let reason = match reason {
                    EndReason::Win => "win",
                    EndReason::Draw => "draw",
                    EndReason::Stuck => "stuck",
                    EndReason::Elimination => "elimination",
                    EndReason::Limit => "limit",
                };
                format!("end {reason} {}", self.expr(winners))
            }
            StmtKind::Fail => String::from("fail"),
            StmtKind::Snapshot(slot) => format!("snapshot {}", self.slot(*slot)),
            StmtKind::Restore(slot) => format!("restore {}", self.slot(*slot)),
            StmtKind::Note(trail) => format!("note {}", self.trail(*trail)),
            StmtKind::Forget(trail) => format!("forget {}", self.trail(*trail)),
            StmtKind::Chance(chance) => self.chance(chance),
            StmtKind::Stop(point) => format!("stop at {}", point.0),
            _ => String::new(),
        }
    }

    fn choose(&mut self, head: &str, choose: &Choose, origin: &str) {
        let players = self.expr(&choose.players);
        self.block_of(format_args!("{head}choose by {players}{origin}"), |p| {
            for arm in &choose.arms {
                let family = name_of(&p.game.families, arm.family.index(), |f| &f.name);
                let bind: Vec<String> = arm.bind.iter().map(|local| p.local(*local)).collect();
                let given = match arm.given.is_empty() {
                    true => String::new(),
                    false => format!(" given {}", p.exprs(&arm.given)),
                };
                let head = format!("{family}({}){given}:", bind.join(", "));
                p.block_of(head, |p| p.block(&arm.body));
            }
            if let Some(otherwise) = &choose.otherwise {
                p.block_of("otherwise:", |p| p.block(otherwise));
            }
        });
    }

    fn chance(&self, chance: &Chance) -> String {
        let draw = name_of(&self.game.draws, chance.draw.index(), |draw| &draw.name);
        let into = self.local(chance.into);
        match &chance.dist {
            Distribution::Uniform(from, to) => {
                format!(
                    "{into} = draw {draw} from {}..{}",
                    self.expr(from),
                    self.expr(to)
                )
            }
            Distribution::Weighted {
                local,
                over,
                weight,
            } => {
                let (local, over) = (self.local(*local), self.over(over));
                format!(
                    "{into} = draw {draw}: {local} in {over} by {}",
                    self.expr(weight)
                )
            }
        }
    }

    fn over(&self, over: &Over) -> String {
        match over {
            Over::Domain(domain) => self.domain(*domain),
            Over::Set(set) => self.expr(set),
            Over::Seq(seq) => self.expr(seq),
            Over::Range(from, to) => format!("{}..{}", self.expr(from), self.expr(to)),
        }
    }

    fn exprs(&self, exprs: &[Expr]) -> String {
        let exprs: Vec<String> = exprs.iter().map(|expr| self.expr(expr)).collect();
        exprs.join(", ")
    }

    fn index(&self, index: &[Expr]) -> String {
        match index.is_empty() {
            true => String::new(),
            false => format!("[{}]", self.exprs(index)),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        use ExprKind as E;
        match &expr.kind {
            E::Const(value) => self.constant(value, &expr.ty),
            E::Local(local) => self.local(*local),
            E::Env { var, checked: true } => self.env(*var),
            E::Env { var, .. } => format!("{}!", self.env(*var)),
            E::EnvIsSet(var) => format!("is_set({})", self.env(*var)),
            E::Listened => "listened".to_owned(),
            E::Var(var, index) => format!("{}{}", self.var(*var), self.index(index)),
            E::Lookup(table, index) => format!("{}{}", self.table(*table), self.index(index)),
            E::PlaceOf(id, a) => format!("{}.place({})", self.placement(*id), self.expr(a)),
            E::Content(id, a) => format!("{}[{}]", self.placement(*id), self.expr(a)),
            E::Contents(id, a) => format!("{}.all({})", self.placement(*id), self.expr(a)),
            E::Places(id, a) => format!("{}.places({})", self.placement(*id), self.expr(a)),
            E::Unary(op, a) => format!("{}({})", unary_text(*op), self.expr(a)),
            E::Binary(op, a, b) => self.binary(*op, a, b),
            E::If(cond, yes, no) => {
                let (cond, yes, no) = (self.expr(cond), self.expr(yes), self.expr(no));
                format!("(if {cond} then {yes} else {no})")
            }
            E::Some(a) => format!("some({})", self.expr(a)),
            E::IsSome(a) => format!("is_some({})", self.expr(a)),
            E::Get(a) => format!("get({})", self.expr(a)),
            E::OrElse(a, b) => format!("({} else {})", self.expr(a), self.expr(b)),
            E::Ordinal(a) => format!("ordinal({})", self.expr(a)),
            E::Member(domain, a) => format!("{}({})", self.domain(*domain), self.expr(a)),
            E::ToWrap(a) => format!("wrap({})", self.expr(a)),
            E::ToInt(a) => format!("int({})", self.expr(a)),
            E::Tag(a) => format!("tag({})", self.expr(a)),
            E::Untag(a) => format!("untag({}: {})", self.expr(a), self.ty(&expr.ty)),
            E::HasTag(ty, a) => format!("has_tag({}: {})", self.expr(a), self.ty(ty)),
            E::SetOf(items) => format!("{{{}}}", self.exprs(items)),
            E::SeqOf(items) => format!("[{}]", self.exprs(items)),
            E::Size(a) => format!("size({})", self.expr(a)),
            E::Item(a, at) => format!("{}.item({})", self.expr(a), self.expr(at)),
            _ => self.expr_more(expr),
        }
    }

    fn expr_more(&self, expr: &Expr) -> String {
        use ExprKind as E;
        let under = |word: &str, local: &LocalId, over: &Over, body: &Expr| {
            let (local, over) = (self.local(*local), self.over(over));
            format!("{word}({local} in {over}: {})", self.expr(body))
        };
        match &expr.kind {
            E::Fold {
                fold,
                local,
                over,
                body,
            } => {
                let word = match fold {
                    super::Fold::Forall => "forall",
                    super::Fold::Exists => "exists",
                    super::Fold::Count => "count",
                    super::Fold::Sum => "sum",
                    super::Fold::Min => "min",
                    super::Fold::Max => "max",
                };
                under(word, local, over, body)
            }
            E::Collect { local, over, when } => under("collect", local, over, when),
            E::First { local, over, when } => under("first", local, over, when),
            E::Walk {
                start,
                step,
                local,
                pass,
                give,
            } => {
                let give = match give {
                    WalkGive::Length => "length",
                    WalkGive::Passed => "passed",
                    WalkGive::Reached => "reached",
                    WalkGive::Last => "last",
                    WalkGive::Stop => "stop",
                };
                let (start, step) = (self.expr(start), self.table(*step));
                let (local, pass) = (self.local(*local), self.expr(pass));
                format!("walk_{give}({local} from {start} by {step}: {pass})")
            }
            E::Closure {
                from,
                edges,
                local,
                pass,
            } => {
                let (from, edges) = (self.expr(from), self.table(*edges));
                let (local, pass) = (self.local(*local), self.expr(pass));
                format!("closure({local} from {from} by {edges}: {pass})")
            }
            E::Call(func, args) => format!("{}({})", self.func(*func), self.exprs(args)),
            E::Holds(relation, args) => {
                let name = name_of(&self.game.relations, relation.index(), |r| &r.name);
                format!("{name}({})", self.exprs(args))
            }
            E::Related(relation, args) => {
                let name = name_of(&self.game.relations, relation.index(), |r| &r.name);
                let arg = |arg: &Option<Expr>| match arg {
                    Some(arg) => self.expr(arg),
                    None => String::from("_"),
                };
                let args: Vec<String> = args.iter().map(arg).collect();
                format!("{name}({})", args.join(", "))
            }
            E::Seen(trail) => format!("seen({})", self.trail(*trail)),
            E::Alike(identity, members) => {
                let name = self.game.identities.get(identity.index());
                let name = name.map_or("?", |identity| identity.name.as_str());
                format!("alike({name}: {})", self.exprs(members))
            }
            _ => String::new(),
        }
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> String {
        use BinaryOp::*;
        let sign = match op {
            And => "and",
            Or => "or",
            Eq => "=",
            Ne => "!=",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "rem",
            RemEuclid => "mod",
            Min => "min",
            Max => "max",
            Union => "|",
            Intersect => "&",
            Minus => "\\",
            UpTo => "up to",
            DownTo => "down to",
            Subset => "subset",
            In => "in",
            Concat => "++",
            SeqIntersect => "&&",
            SeqMinus => "--",
            SeqSubset => "within",
        };
        format!("({} {sign} {})", self.expr(a), self.expr(b))
    }
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "not",
        UnaryOp::Neg => "neg",
        UnaryOp::Abs => "abs",
        UnaryOp::Complement => "complement",
    }
}
