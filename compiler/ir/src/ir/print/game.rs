//! Declarations: what a game, its moves and its machine are.

use std::fmt::Write;

use super::super::*;
use super::*;

/// How many values of a table are shown.
const SHOWN_VALUES: usize = 24;

impl Printer<'_> {
    pub(super) fn slot(&self, id: SnapshotId) -> String {
        name_of(&self.game.snapshots, id.index(), |s| &s.name)
    }

    /// Values, the same ones told once, long lists cut.
    pub(super) fn values(&self, values: &[Const], ty: &Type) -> String {
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

    pub(super) fn line(&mut self, text: impl std::fmt::Display) {
        let _ = writeln!(self.out, "{:1$}{text}", "", self.indent * 2);
    }

    pub(super) fn block_of(&mut self, head: impl std::fmt::Display, body: impl FnOnce(&mut Self)) {
        self.line(head);
        self.indent += 1;
        body(self);
        self.indent -= 1;
    }

    pub(super) fn see(&mut self, locals: &[Local]) {
        self.locals = locals.iter().map(|local| local.name.clone()).collect();
    }

    pub(super) fn axes(&self, axes: &[Axis]) -> String {
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

    pub(super) fn text(&self, parts: &[TextPart], params: &[&str]) -> String {
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

    pub(super) fn game(&mut self) {
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
        for part in &game.parts {
            let [part, rule] = [part.family, part.rule].map(|id| &game.family(id).name);
            self.line(format_args!("part of a rule: {part} of {rule}"));
        }
        for joined in &game.joined {
            let name = |id: FamilyId| game.family(id).name.clone();
            let others = game.names_of(joined.family).into_iter();
            let others: Vec<String> = others.filter(|id| *id != joined.family).map(name).collect();
            let own = game.family(joined.family);
            let by = own.params.get(joined.by).map_or("?", |param| &param.name);
            self.line(format_args!(
                "joined: {} is {} by {by}",
                own.name,
                others.join(", ")
            ));
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

    pub(super) fn source(&self, family: &Family, ty: &Type, source: &ParamSource) -> String {
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
}
