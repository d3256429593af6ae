//! Kinds of moves.

use super::*;

impl<'a> Checker<'a> {
    pub(super) fn check_part(&mut self, part: &RulePart) {
        let game = self.game;
        let families = &game.families;
        let (Some(own), Some(rule)) = (
            families.get(part.family.index()),
            families.get(part.rule.index()),
        ) else {
            return self.expect(false, Span::default(), "no such move family is a part");
        };
        let alike = own.text == rule.text && types(own) == types(rule);
        self.expect(alike, own.span, "a part of a rule has other moves");
        let whole = game.rule_of(part.rule) == part.rule && part.family != part.rule;
        self.expect(whole, own.span, "a part of a rule has parts");
    }

    pub(super) fn check_joined(&mut self, joined: &Joined) {
        let game = self.game;
        let mut all = std::iter::once(&joined.family).chain(&joined.names);
        let known = all.all(|family| family.index() < game.families.len());
        self.expect(known, Span::default(), "no such move family is joined");
        if !known {
            return;
        }
        let own = game.family(joined.family);
        let len = match own.params.get(joined.by).map(|param| &param.ty) {
            Some(Type::Elem(domain)) => game.domains.get(domain.index()).map(Domain::len),
            _ => None,
        };
        let text = "joined families are not told apart by an argument";
        self.expect(len == Some(joined.names.len()), own.span, text);
        for name in game.names_of(joined.family) {
            let other = game.family(name);
            let alike = types(other) == types(own) && other.context == own.context;
            self.expect(alike, other.span, "joined families have other parameters");
            let asks = other.guard.or(other.after).or(other.effect).or(other.rank);
            let bare = name == joined.family || asks.is_none();
            self.expect(bare, other.span, "a joined family has functions of its own");
        }
    }

    pub(super) fn check_family(&mut self, family: &'a Family) {
        let span = family.span;
        let params = family.params.iter().map(|param| Local {
            name: param.name.clone(),
            ty: param.ty.clone(),
        });
        let locals: Vec<Local> = family.context.iter().cloned().chain(params).collect();
        let mut known = true;
        for local in &locals {
            known &= self.known_type(&local.ty, span);
        }
        self.check_text(&family.text, family.params.len(), span);
        if !known {
            return;
        }
        let types: Vec<Type> = locals.iter().map(|local| local.ty.clone()).collect();
        let context = family.context.len();
        for (index, param) in family.params.iter().enumerate() {
            self.check_param(family, index, param, &types[..context + index], span);
        }
        let roles = [
            (family.guard, Type::Bool, "the guard"),
            (family.after, Type::Bool, "the predicate after the move"),
            (family.rank, Type::INT, "the rank"),
        ];
        for (func, ret, what) in roles {
            if let Some(func) = func {
                self.signature(func, &types, Some(&ret), what, span);
            }
        }
        if let Some(effect) = family.effect {
            let ret = self.game.function(effect).ret.clone();
            self.signature(effect, &types, ret.as_ref(), "the effect", span);
            let text = format_args!("`{}` has an effect and no `after`", family.name);
            self.expect(family.after.is_some(), span, text);
        }
        for value in &family.class {
            self.outer_expr(value, &types);
        }
    }

    fn check_param(
        &mut self,
        family: &'a Family,
        index: usize,
        param: &'a Param,
        before: &[Type],
        span: Span,
    ) {
        let set = matches!(param.source, ParamSource::Subset { .. });
        let domain = match (&param.ty, set) {
            (Type::Elem(domain), false) | (Type::Set(domain), true) => *domain,
            _ => {
                let text = format_args!("parameter `{}` has not the type for this", param.name);
                return self.error(span, text);
            }
        };
        match &param.source {
            ParamSource::All => {}
            ParamSource::Among(list) => {
                let len = self.game.domain(domain).len();
                let ascending = list.windows(2).all(|pair| pair[0] < pair[1]);
                let known = list.iter().all(|&member| (member as usize) < len);
                let text = format_args!(
                    "the candidates for `{}` are no ascending members",
                    param.name
                );
                self.expect(ascending && known, span, text);
            }
            ParamSource::Is(expr) => {
                if let Some(ty) = self.outer_expr(expr, before) {
                    let fits = ty == Type::Elem(domain) || ty == Type::Opt(domain);
                    let text = format_args!("the value for `{}` has another type", param.name);
                    self.expect(fits, expr.span, text);
                }
            }
            ParamSource::Listed { by, table } => {
                let key = match family.params.get(*by).map(|key| &key.ty) {
                    Some(Type::Elem(key)) if *by < index => Some(*key),
                    _ => None,
                };
                let table = self.find(&self.game.tables, table.index(), "table", span);
                let fits = table.is_none_or(|table| {
                    table.ty == Type::Set(domain)
                        && key.is_some_and(|key| table.axes == [Axis::Domain(key)])
                });
                let text = format_args!("no earlier parameter chooses a row for `{}`", param.name);
                self.expect(fits, span, text);
            }
            ParamSource::Generated(func) => {
                self.signature(*func, before, None, "the generator", span);
                let function = self.game.functions.get(func.index());
                let fits = match function.and_then(|function| function.ret.as_ref()) {
                    Some(Type::Set(other)) => *other == domain,
                    Some(Type::Seq { item, .. }) => **item == Type::Elem(domain),
                    _ => false,
                };
                let text = format_args!("the generator of `{}` gives another type", param.name);
                self.expect(fits, span, text);
            }
            ParamSource::Subset { of, size } => {
                let of_type = self.outer_expr(of, before);
                let fits = of_type.is_none_or(|ty| ty == Type::Set(domain));
                self.expect(fits, of.span, "the set to choose from has another type");
                let size_type = self.outer_expr(size, before);
                let fits = size_type.is_none_or(|ty| ty.int_range().is_some());
                self.expect(fits, size.span, "the size is no integer");
            }
        }
    }
}

/// The types of the parameters of a family.
fn types(family: &Family) -> Vec<Type> {
    family.params.iter().map(|param| param.ty.clone()).collect()
}
