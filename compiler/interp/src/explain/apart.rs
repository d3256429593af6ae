//! What to say of things that no move names together: which move each of them is a part of.

use super::{Explainer, Reason, nothing};

impl Explainer<'_> {
    /// Why no move names all of these things: what each of them alone is a part of, as things are now.
    pub(super) fn apart(&mut self, named: &[(u32, u32)]) -> Reason {
        let name = |(domain, member): (u32, u32)| {
            let domains = &self.interp.game().domains;
            domains[domain as usize].member(member)
        };
        if let [thing] = named {
            return nothing("not-a-move", &format!("no move is about {}", name(*thing)));
        }
        let mut things: Vec<((u32, u32), String)> = Vec::new();
        for &thing in named {
            if things.iter().all(|(known, _)| *known != thing) {
                things.push((thing, name(thing)));
            }
        }
        let (mut strangers, mut known, mut told) = (Vec::new(), Vec::new(), Vec::new());
        for (thing, name) in things {
            let alone = self.naming(&[thing]);
            let is_part = !matches!(alone.kind, "no-candidate" | "not-a-move");
            match alone.family.filter(|_| is_part) {
                Some(family) => {
                    let family = self.interp.game().rule_name(family);
                    told.push(format!("{name} is a part of {family}"));
                    known.push(name);
                }
                None => strangers.push(name),
            }
        }
        let told = told.join(", ");
        let text = match (&strangers[..], &known[..]) {
            ([], [one]) => format!("no move names {one} twice: {told}"),
            ([], _) => format!("no move is about {} at once: {told}", known.join(" and ")),
            (_, []) => format!("no move is about {} now", strangers.join(" or ")),
            _ => format!("no move is about {} now: {told}", strangers.join(" or ")),
        };
        nothing("not-a-move", &text)
    }
}
