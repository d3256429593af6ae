//! Lists of lines that the places where something stands are compared with: as words, as runs, or as rows of bits.

use rulec_ir::sorted::SortedMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::super::code::{Code, Prec, number};
use super::super::{Body, Generator};
use super::{What, content_question};
use crate::ir::{
    Axis, BinaryOp, Const, Expr, ExprKind, Fold, Game, LocalId, Over, PlacementId, TableId, Type,
};

/// Words of a list of lines; beyond that, rows are tried.
const MOST_WORDS: usize = 4096;
/// Places of a row.
const ROW: usize = 32;
/// Looks at a row that are compared at once: numbers of a vector register.
const LANES: usize = 8;

/// A list of lines that some set is compared with: `some line: (set & look[member, line]) = wanted[member, line]`.
pub(super) struct Lines<'e> {
    /// The member whose lines they are, if there are several.
    member: Option<&'e Expr>,
    look: Option<TableId>,
    wanted: TableId,
    set: &'e Expr,
    count: usize,
}

/// For each member and each of its lines where to look and what is to be seen.
type Sets<'g> = Vec<Vec<(&'g [u32], &'g [u32])>>;

/// The list of lines of a quantifier.
fn lines<'e>(local: LocalId, over: &Over, body: &'e Expr) -> Option<Lines<'e>> {
    let Over::Range(from, to) = over else {
        return None;
    };
    let (Some(Const::Int(0)), Some(Const::Int(last))) = (from.as_const(), to.as_const()) else {
        return None;
    };
    let lookup = |expr: &'e Expr| match &expr.kind {
        ExprKind::Lookup(table, index) => match &index[..] {
            [line] if line.kind == ExprKind::Local(local) => Some((*table, None)),
            [member, line] if line.kind == ExprKind::Local(local) => match member.kind {
                ExprKind::Local(_) => Some((*table, Some(member))),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let (set, look, (wanted, member)) = match &body.kind {
        ExprKind::Binary(BinaryOp::Subset, line, set) => (&**set, None, lookup(line)?),
        ExprKind::Binary(BinaryOp::Eq, seen, wanted) => {
            let ExprKind::Binary(BinaryOp::Intersect, set, look) = &seen.kind else {
                return None;
            };
            let (look, member) = lookup(look)?;
            let wanted = lookup(wanted)?;
            if wanted.1 != member {
                return None;
            }
            (&**set, Some(look), wanted)
        }
        _ => return None,
    };
    let mut own = false;
    set.walk(&mut |expr| own |= expr.kind == ExprKind::Local(local));
    (!own).then_some(Lines {
        member,
        look,
        wanted,
        set,
        count: usize::try_from(*last).ok()? + 1,
    })
}

impl Lines<'_> {
    /// For each member and each of its lines where to look and what is to be seen; rows without lines at the end are
    /// left out.
    fn sets<'g>(&self, game: &'g Game) -> Sets<'g> {
        let set = |value: &'g Const| match value {
            Const::Set(set) => &set[..],
            _ => &[],
        };
        let wanted = game.table(self.wanted).values.iter().map(set);
        let look = game.table(self.look.unwrap_or(self.wanted));
        let pairs: Vec<_> = look.values.iter().map(set).zip(wanted).collect();
        let mut rows: Sets<'g> = pairs.chunks(self.count).map(<[_]>::to_vec).collect();
        let blank = |row: &Vec<(&[u32], &[u32])>| row.iter().all(|(look, _)| look.is_empty());
        while rows.len() > 1 && rows.last().is_some_and(blank) {
            rows.pop();
        }
        rows
    }

    /// The first word that lines look at, and the number of words.
    fn words(&self, game: &Game) -> (usize, usize) {
        let rows = self.sets(game);
        let all = || rows.iter().flatten().flat_map(|(look, _)| *look);
        let word = |place: &u32| *place as usize / 64;
        let first = all().min().map_or(0, word);
        let last = all().max().map_or(0, word);
        (first, last - first + 1)
    }

    /// The lines as runs in rows, if they are all runs of one length in some rows of a word and rows are quicker to look at.
    fn runs(&self, game: &Game) -> Option<Runs> {
        let (first, words) = self.words(game);
        if self.look.is_some() || words != 1 {
            return None;
        }
        let of_member =
            |lines: &Vec<(&[u32], &[u32])>| lines.iter().map(|(_, line)| line.to_vec()).collect();
        let mut members: Vec<Vec<Vec<u32>>> = self.sets(game).iter().map(of_member).collect();
        // Lines through a place leave it out where it is what others are compared with.
        let Type::Set(places) = self.set.ty else {
            return None;
        };
        let through = game.table(self.wanted).axes.first() == Some(&Axis::Domain(places));
        let mut each = members.iter().enumerate();
        let through = through
            && each
                .all(|(member, lines)| lines.iter().all(|line| !line.contains(&(member as u32))));
        if through {
            for (member, lines) in members.iter_mut().enumerate() {
                if member / 64 != first {
                    return None;
                }
                for line in lines {
                    line.push(member as u32);
                    line.sort_unstable();
                }
            }
        }
        let len = members.first()?.first()?.len();
        let mut steps: Vec<u32> = Vec::new();
        let mut found: Vec<Vec<(u32, u64)>> = Vec::new();
        for lines in &members {
            // For each step which places lines begin at, and all places of lines.
            let mut own: Vec<(u32, u64, u64)> = Vec::new();
            for line in lines {
                let begin = line.first()?;
                let step = line.get(1)?.checked_sub(*begin)?;
                let even = line.windows(2).all(|two| two[1] == two[0] + step);
                if line.len() != len || !even {
                    return None;
                }
                let bit = |place: &u32| 1u64 << (*place as usize - 64 * first);
                let all = line.iter().fold(0, |all, place| all | bit(place));
                match own.iter_mut().find(|(other, ..)| *other == step) {
                    Some((_, begins, places)) => {
                        (*begins, *places) = (*begins | bit(begin), *places | all)
                    }
                    None => own.push((step, bit(begin), all)),
                }
            }
            for (step, begins, places) in &own {
                let runs =
                    (1..len as u32).fold(*places, |runs, n| runs & places.unbounded_shr(n * step));
                if runs != *begins {
                    return None;
                }
                if !steps.contains(step) {
                    steps.push(*step);
                }
            }
            found.push(
                own.into_iter()
                    .map(|(step, _, places)| (step, places))
                    .collect(),
            );
        }
        steps.sort_unstable();
        let doublings = len.next_power_of_two().trailing_zeros() as usize;
        let quicker = steps.len() * (2 + 3 * doublings) < 3 * self.count;
        let row = |own: &Vec<(u32, u64)>, step: &u32| {
            own.iter()
                .find(|(other, _)| other == step)
                .map_or(0, |(_, places)| *places)
        };
        quicker.then(|| Runs {
            len,
            through,
            rows: found
                .iter()
                .map(|own| steps.iter().map(|step| row(own, step)).collect())
                .collect(),
            steps,
        })
    }

    fn is_long(&self, game: &Game) -> bool {
        self.sets(game).len() * self.count * self.words(game).1 > MOST_WORDS
    }
}

/// Lines that lie alike, each at another place.
struct Shape {
    /// How far the places of a line are from the first of them.
    wanted: Vec<u32>,
    /// The first places.
    begins: Vec<u32>,
    /// What must not be seen: how far from the first place, and of which lines.
    others: SortedMap<i64, Vec<u32>>,
}

impl Lines<'_> {
    /// Lines of the whole board by how they lie; nothing where looking at each line is quicker.
    fn shapes(&self, game: &Game) -> Option<Vec<Shape>> {
        let (None, [lines]) = (self.member, &self.sets(game)[..]) else {
            return None;
        };
        let mut shapes: Vec<Shape> = Vec::new();
        for (look, wanted) in lines {
            if !wanted.iter().all(|place| look.contains(place)) {
                return None;
            }
            let begin = *wanted.first()?;
            let by: Vec<u32> = wanted.iter().map(|place| place - begin).collect();
            let known = shapes.iter().position(|shape| shape.wanted == by);
            let shape = match known {
                Some(known) => &mut shapes[known],
                None => {
                    shapes.push(Shape {
                        wanted: by,
                        begins: Vec::new(),
                        others: SortedMap::new(),
                    });
                    shapes.last_mut()?
                }
            };
            if shape.begins.contains(&begin) {
                // A line that stands several times, or one of several that differ in what must not be seen.
                let others = look.iter().filter(|place| !wanted.contains(place));
                let own = |place: &u32| i64::from(*place) - i64::from(begin);
                let same = others.map(own).eq(shape.others_of(begin));
                match same {
                    true => continue,
                    false => return None,
                }
            }
            shape.begins.push(begin);
            for place in look.iter().filter(|place| !wanted.contains(place)) {
                let by = i64::from(*place) - i64::from(begin);
                shape.others.entry(by).or_default().push(begin);
            }
        }
        let work = |shape: &Shape| shape.wanted.len() + 2 * shape.others.len() + 1;
        let all: usize = shapes.iter().map(work).sum();
        (2 * all < 3 * lines.len()).then_some(shapes)
    }
}

impl Shape {
    fn others_of(&self, begin: u32) -> impl Iterator<Item = i64> {
        let others = self.others.iter();
        let own = others.filter(move |(_, begins)| begins.contains(&begin));
        own.map(|(by, _)| *by)
    }

    /// The steps by which a set is moved to itself, one after the other, until what is left are the first places of lines.
    fn steps(&self) -> Vec<(bool, u32)> {
        let len = self.wanted.len() as u32;
        let step = self.wanted.get(1).copied().unwrap_or(0);
        let even = (0..len).zip(&self.wanted).all(|(n, by)| n * step == *by);
        if !even {
            return self.wanted.iter().skip(1).map(|by| (false, *by)).collect();
        }
        let mut steps = Vec::new();
        let mut seen = 1;
        while seen < len {
            let more = seen.min(len - seen);
            steps.push((true, more * step));
            seen += more;
        }
        steps
    }
}

/// Lines that are runs of places at even distances.
struct Runs {
    /// The places of a line.
    len: usize,
    /// Whether they go through the member, which is a place, and hold it whatever stands there.
    through: bool,
    /// The distances.
    steps: Vec<u32>,
    /// For each member and distance the places in whose row lines are.
    rows: Vec<Vec<u64>>,
}

/// Lines as rows of bits, beside the sets by the values of a table.
pub(in super::super) struct Rows {
    pub(in super::super) by: TableId,
    look: Option<TableId>,
    pub(super) wanted: TableId,
    /// The places of each row, ascending.
    pub(super) rows: Vec<Vec<u32>>,
    pub(in super::super) field: Ident,
    /// The method that looks at the rows of a value.
    pub(super) any: Ident,
}

/// The long lists of lines of a placement: the tables, and the rows that the lines lie in.
pub(in super::super) fn rows_asked(
    game: &Game,
    placement: PlacementId,
    mut field: impl FnMut(usize) -> Ident,
) -> Vec<Rows> {
    let mut found: Vec<Rows> = Vec::new();
    each_compared(game, placement, &mut |by, lines| {
        if !found.iter().any(|rows| rows.tells(by, lines))
            && lines.is_long(game)
            && lines.shapes(game).is_none()
            && let Some(rows) = rows_of(&lines.sets(game))
        {
            let field = field(found.len());
            found.push(Rows {
                by,
                look: lines.look,
                wanted: lines.wanted,
                rows,
                any: format_ident!("some_of_{field}"),
                field,
            });
        }
    });
    found
}

/// Calls `f` with each list of lines that is compared with the places of a placement by a table, and the table.
pub(super) fn each_compared(
    game: &Game,
    placement: PlacementId,
    f: &mut dyn FnMut(TableId, &Lines<'_>),
) {
    super::super::function::for_each_expr(game, &mut |expr| {
        let ExprKind::Fold {
            fold: Fold::Exists,
            local,
            over,
            body,
        } = &expr.kind
        else {
            return;
        };
        let Some(lines) = lines(*local, over, body) else {
            return;
        };
        if let ExprKind::Collect { local, over, when } = &lines.set.kind
            && let Some(asked) = content_question(game, *local, over, when)
            && asked.placement == placement
            && let What::Equals(by, _) | What::Is(by) = asked.what
        {
            f(by, &lines);
        }
    });
}

/// The rows that lines lie in: lines with two places in common lie in one row.
fn rows_of(lines: &[Vec<(&[u32], &[u32])>]) -> Option<Vec<Vec<u32>>> {
    let last = lines.iter().flatten().flat_map(|(look, _)| *look).max()?;
    // For each place those that lie in a line with it, each with their row.
    let mut of_pair: Vec<Vec<(u32, usize)>> = vec![Vec::new(); *last as usize + 1];
    let mut rows: Vec<Vec<u32>> = Vec::new();
    let mut moved: Vec<usize> = Vec::new();
    let root = |moved: &[usize], mut row: usize| {
        while moved[row] != row {
            row = moved[row];
        }
        row
    };
    for (look, _) in lines.iter().flatten() {
        if look.len() < 2 {
            return None;
        }
        let pairs = || {
            let each = |(at, a): (usize, &u32)| {
                let a = *a;
                look[at + 1..].iter().map(move |b| (a, *b))
            };
            look.iter().enumerate().flat_map(each)
        };
        let known = pairs().filter_map(|(a, b)| {
            let mut beside = of_pair[a as usize].iter();
            beside.find(|(other, _)| *other == b)
        });
        let mut own: Vec<usize> = known.map(|(_, row)| root(&moved, *row)).collect();
        own.sort_unstable();
        own.dedup();
        let row = own.first().copied().unwrap_or_else(|| {
            rows.push(Vec::new());
            moved.push(rows.len() - 1);
            rows.len() - 1
        });
        for other in own.into_iter().skip(1) {
            moved[other] = row;
            let places = std::mem::take(&mut rows[other]);
            rows[row].extend(places);
        }
        rows[row].extend(*look);
        rows[row].sort_unstable();
        rows[row].dedup();
        if rows[row].len() > ROW {
            return None;
        }
        for (a, b) in pairs() {
            let beside = &mut of_pair[a as usize];
            match beside.iter_mut().find(|(other, _)| *other == b) {
                Some((_, own)) => *own = row,
                None => beside.push((b, row)),
            }
        }
    }
    rows.retain(|row| !row.is_empty());
    (rows.len() < 256).then_some(rows)
}

impl Rows {
    /// Whether they tell what a list of lines asks of the values of a table.
    pub(super) fn tells(&self, by: TableId, lines: &Lines<'_>) -> bool {
        (self.by, self.look, self.wanted) == (by, lines.look, lines.wanted)
    }

    /// The bits of places in a row; nothing if not all lie there.
    pub(super) fn bits(row: &[u32], places: &[u32]) -> Option<u32> {
        let bit = |place: &u32| row.iter().position(|other| other == place);
        places
            .iter()
            .try_fold(0, |bits, place| Some(bits | 1u32 << bit(place)?))
    }

    /// For each place, up to the last place in a row, the rows it lies in, with its bit there.
    fn lying(&self) -> Vec<Vec<(usize, u32)>> {
        let last = self.rows.iter().flatten().max().copied().unwrap_or(0);
        let mut all = vec![Vec::new(); last as usize + 1];
        for (number, row) in self.rows.iter().enumerate() {
            for (bit, place) in row.iter().enumerate() {
                let own: &mut Vec<(usize, u32)> = &mut all[*place as usize];
                // A row that comes to a place twice has the bit of the first time.
                if own.last().is_none_or(|(other, _)| *other != number) {
                    own.push((number, 1 << bit));
                }
            }
        }
        all
    }

    /// For each place the rows it lies in, with its bits there; as many for each, up to the last place in a row.
    pub(super) fn of_places(&self) -> Vec<Vec<(usize, u32)>> {
        let mut all = self.lying();
        let most = all.iter().map(Vec::len).max().unwrap_or(0);
        for rows in &mut all {
            // A row of nothing.
            rows.resize(most, (self.rows.len(), 0));
        }
        all
    }

    /// Whether a row has more than sixteen places.
    pub(super) fn is_wide(&self) -> bool {
        self.rows.iter().any(|row| row.len() > 16)
    }

    /// The type of the bits of a row.
    pub(super) fn bits_type(&self) -> Ident {
        match self.is_wide() {
            true => format_ident!("u32"),
            false => format_ident!("u16"),
        }
    }

    pub(super) fn room(&self) -> usize {
        (self.rows.len() + 1).next_power_of_two()
    }
}

impl Generator<'_> {
    /// Lines as words.
    fn line_words(
        &self,
        lines: &Lines,
        (first, count): (usize, usize),
    ) -> (Ident, TokenStream, usize) {
        let name = self.looks_name(lines.wanted);
        let words = |places: &[u32]| {
            let mut words = vec![0u64; count];
            for place in places {
                words[*place as usize / 64 - first] |= 1 << (place % 64);
            }
            words
        };
        let rows = lines.sets(self.game);
        let of_line = |(look, wanted): &(&[u32], &[u32])| match lines.look {
            None => words(wanted),
            Some(_) => [words(look), words(wanted)].concat(),
        };
        let rows = rows
            .iter()
            .map(|row| row.iter().flat_map(of_line).collect());
        let per = lines.count * count * if lines.look.is_some() { 2 } else { 1 };
        let doc = format!(" Table `{}`, as words.", self.game.table(lines.wanted).name);
        let item = word_rows(&doc, &name, rows.collect(), per);
        (name, item, per)
    }

    /// Lines as rows with runs.
    fn line_runs(&self, lines: &Lines, runs: &Runs) -> (Ident, TokenStream) {
        let name = self.looks_name(lines.wanted);
        let doc = format!(
            " Table `{}`, as rows with runs.",
            self.game.table(lines.wanted).name
        );
        let item = word_rows(&doc, &name, runs.rows.clone(), runs.steps.len());
        (name, item)
    }

    /// Lines as looks at rows: for each member the rows that are looked at, each with the number of what is looked for there.
    fn line_looks(&self, lines: &Lines, rows: &Rows) -> Option<(Ident, TokenStream)> {
        let name = self.looks_name(lines.wanted);
        let lying = rows.lying();
        let mut all: Vec<Vec<(usize, Vec<[u32; 2]>)>> = Vec::new();
        for member in lines.sets(self.game) {
            let mut own: Vec<(usize, Vec<[u32; 2]>)> = Vec::new();
            for (look, wanted) in member {
                let Some(first) = look.first() else {
                    continue;
                };
                let mut numbered = lying.get(*first as usize)?.iter();
                let (row, look, wanted) = numbered.find_map(|(number, _)| {
                    let row = &rows.rows[*number];
                    Some((*number, Rows::bits(row, look)?, Rows::bits(row, wanted)?))
                })?;
                match own.iter_mut().find(|(other, _)| *other == row) {
                    Some((_, looks)) if looks.contains(&[look, wanted]) => {}
                    Some((_, looks)) => looks.push([look, wanted]),
                    None => own.push((row, vec![[look, wanted]])),
                }
            }
            all.push(own);
        }
        let most = all.iter().map(Vec::len).max().unwrap_or(0);
        let lanes = all.iter().flatten().map(|(_, looks)| looks.len()).max();
        let lanes = lanes.unwrap_or(0).next_multiple_of(LANES);
        // Rows of one length are looked at in the same few ways.
        let mut kinds: Vec<Vec<[u32; 2]>> = Vec::new();
        let mut pairs: Vec<Vec<[u16; 2]>> = Vec::new();
        for mut own in all {
            own.resize(most, (rows.rows.len(), Vec::new()));
            let numbered = own.into_iter().map(|(row, mut looks)| {
                // What is never seen.
                looks.resize(lanes, [0, 1]);
                let kind = kinds.iter().position(|kind| *kind == looks);
                let kind = kind.unwrap_or_else(|| {
                    kinds.push(looks);
                    kinds.len() - 1
                });
                [row as u16, kind as u16]
            });
            pairs.push(numbered.collect());
        }
        kinds.resize(kinds.len().next_power_of_two(), vec![[0, 1]; lanes]);
        pairs.resize(pairs.len().next_power_of_two(), vec![[0, 0]; most]);
        let table = &self.game.table(lines.wanted).name;
        let (told, tell) = (
            format!(" Table `{table}`, as numbers of rows, and of looks at them."),
            format!(" The looks of table `{table}`: where to look, and what is to be seen there."),
        );
        let (looks, count, len) = (looks_of(&name), number(kinds.len()), number(pairs.len()));
        let (lanes, most, bits) = (number(lanes), number(2 * most), rows.bits_type());
        let pairs = pairs.iter().map(|own| {
            let numbers = own.iter().flatten().copied();
            let numbers = numbers.map(Literal::u16_unsuffixed);
            quote!([#(#numbers),*])
        });
        let kinds = kinds.iter().map(|kind| {
            let side = |of: usize| {
                let numbers = kind.iter().map(move |look| look[of]);
                let numbers = numbers.map(Literal::u32_unsuffixed);
                quote!([#(#numbers),*])
            };
            let (look, wanted) = (side(0), side(1));
            quote!([#look, #wanted])
        });
        let item = quote!(
            #[doc = #told]
            static #name: [[u16; #most]; #len] = [#(#pairs),*];
            #[doc = #tell]
            static #looks: [[[#bits; #lanes]; 2]; #count] = [#(#kinds),*];
        );
        Some((name, item))
    }
}

/// A constant of rows of words, as many as make it quick to find one.
fn word_rows(doc: &str, name: &Ident, mut rows: Vec<Vec<u64>>, width: usize) -> TokenStream {
    rows.resize(rows.len().next_power_of_two(), vec![0; width]);
    let (len, width) = (number(rows.len()), number(width));
    let rows = rows.into_iter().map(|row| {
        let words = row.into_iter().map(Literal::u64_unsuffixed);
        quote!([#(#words),*])
    });
    quote!(#[doc = #doc] static #name: [[u64; #width]; #len] = [#(#rows),*];)
}

/// The name of the looks beside the numbers that tell them.
fn looks_of(name: &Ident) -> Ident {
    format_ident!("{name}_SEEN")
}

impl Body<'_> {
    /// Whether some line of a list shows what is wanted, without a branch.
    pub(in super::super) fn some_line(
        &self,
        local: LocalId,
        over: &Over,
        body: &Expr,
    ) -> Option<Code> {
        let (generator, game) = (self.generator, self.generator.game);
        let rt = &generator.rt;
        let lines = lines(local, over, body)?;
        if let Some(shapes) = lines.shapes(game) {
            return self.some_shape(&lines, &shapes);
        }
        let row = match lines.member {
            Some(member) => self.index(member).tokens,
            None => quote!(0),
        };
        if !lines.is_long(game) {
            let (first, count) = lines.words(game);
            if let Some(runs) = lines.runs(game) {
                let (name, item) = generator.line_runs(&lines, &runs);
                generator
                    .line_items
                    .borrow_mut()
                    .insert(name.to_string(), item);
                let set = self.expr(lines.set);
                let (tokens, word, len) = (&set.tokens, number(first), number(runs.len));
                let steps = runs.steps.iter().copied().map(Literal::u32_unsuffixed);
                // A place that lies in no line of these words has no row to be found in.
                let own = runs.through.then(|| quote!(| 1 << (#row & 63)));
                let code = quote!(
                    #rt::support::some_run::<#len, _>(
                        #rt::support::at_ref(&#name, #row),
                        [#(#steps),*],
                        (#tokens).0[#word] #own,
                    )
                );
                return Some(Code::atom(code).like(&[&set]));
            }
            let (name, item, per) = generator.line_words(&lines, (first, count));
            let (per, lines_of, words_of) = (number(per), number(lines.count), number(count));
            generator
                .line_items
                .borrow_mut()
                .insert(name.to_string(), item);
            let set = self.expr(lines.set);
            let tokens = &set.tokens;
            let words = (first..first + count).map(|word| {
                let word = number(word);
                quote!(set.0[#word])
            });
            let method = match lines.look {
                None => quote!(some_within),
                Some(_) => quote!(some_seen),
            };
            let code = quote!({
                let set = #tokens;
                #rt::support::#method::<#lines_of, #words_of, #per>(
                    #rt::support::at_ref(&#name, #row),
                    [#(#words),*],
                )
            });
            return Some(Code::new(code, Prec::Lowest).like(&[&set]));
        }
        let ExprKind::Collect { local, over, when } = &lines.set.kind else {
            return None;
        };
        let asked = content_question(game, *local, over, when)?;
        let (by, value) = match asked.what {
            What::Equals(by, value) => (by, self.expr(value)),
            What::Is(by) => (by, Code::atom(quote!(true))),
            What::Some(_) => return None,
        };
        let mut known = generator.placement(asked.placement).rows.iter();
        let rows = known.find(|rows| rows.tells(by, &lines))?;
        let (name, item) = generator.line_looks(&lines, rows)?;
        generator
            .line_items
            .borrow_mut()
            .insert(name.to_string(), item);
        let any = &rows.any;
        let (tokens, looks) = (&value.tokens, looks_of(&name));
        let code = quote!(s.#any(#rt::support::at_ref(&#name, #row), &#looks, #tokens));
        Some(Code::atom(code).like(&[&value]))
    }
}

impl Body<'_> {
    /// Whether some line of the whole board is there: of all lines that lie alike at once, by shifts.
    fn some_shape(&self, lines: &Lines, shapes: &[Shape]) -> Option<Code> {
        let rt = &self.generator.rt;
        let set = self.expr(lines.set);
        // The words that lines lie in.
        let (first, count) = lines.words(self.generator.game);
        let literal = |places: &[u32]| {
            let mut words = vec![0u64; count];
            for place in places {
                words[*place as usize / 64 - first] |= 1 << (place % 64);
            }
            let words = words.into_iter().map(Literal::u64_unsuffixed);
            quote!(#rt::BitSet([#(#words),*]))
        };
        let each = shapes.iter().map(|shape| {
            let steps = shape.steps().into_iter().map(|(again, by)| {
                let by = Literal::u32_unsuffixed(by);
                match again {
                    true => quote!(let found = found & (found >> #by);),
                    false => quote!(let found = found & (set >> #by);),
                }
            });
            let begins = literal(&shape.begins);
            let others = shape.others.iter().map(|(by, of)| {
                let size = Literal::u32_unsuffixed(by.unsigned_abs() as u32);
                let there = match by {
                    0.. => quote!((set >> #size)),
                    _ => quote!((set << #size)),
                };
                match of.len() == shape.begins.len() {
                    true => quote!(let found = found - #there;),
                    false => {
                        let of = literal(of);
                        quote!(let found = found - (#there & #of);)
                    }
                }
            });
            quote!({ let found = set; #(#steps)* let found = found & #begins; #(#others)* found })
        });
        let tokens = &set.tokens;
        let words = (first..first + count).map(|word| {
            let word = number(word);
            quote!(set.0[#word])
        });
        let code = quote!({
            let set = #tokens;
            let set = #rt::BitSet([#(#words),*]);
            !(#(#each)|*).is_empty()
        });
        Some(Code::new(code, Prec::Lowest).like(&[&set]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_two_places_in_common_are_one_row() {
        let line = |places: &'static [u32]| (places, places);
        let lines = vec![
            vec![line(&[0, 1, 2]), line(&[0, 10, 20])],
            vec![line(&[1, 2, 3]), line(&[5, 6, 7])],
            vec![line(&[10, 20, 30]), line(&[3, 4, 5]), line(&[2, 3, 4])],
        ];
        let rows = vec![vec![0, 1, 2, 3, 4, 5], vec![0, 10, 20, 30], vec![5, 6, 7]];
        assert_eq!(rows_of(&lines), Some(rows));
        let places: Vec<u32> = (0..42).collect();
        let long: Vec<_> = places.windows(3).map(|line| (line, line)).collect();
        assert_eq!(rows_of(&[long]), None);
        assert_eq!(Rows::bits(&[3, 5, 9], &[5, 9]), Some(0b110));
        assert_eq!(Rows::bits(&[3, 5, 9], &[4]), None);
    }
}
