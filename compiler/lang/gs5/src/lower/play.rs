//! The course of an episode.

use super::Lower;
use crate::ir::{
    Arm, BinaryOp, Block, Choose, Const, EndReason, Expr, Family, FuncId, Over, Param, ParamSource,
    Stmt, StmtKind, TextPart, Type,
};
use crate::source::Span;

/// Rows that are told apart one after the other, at most.
const MAX_CHAIN: usize = 32;

impl Lower<'_> {
    /// Makes the process: the board is looked at, the first row becomes active, and then moves are made.
    pub(super) fn process(&mut self) -> FuncId {
        let span = self.span;
        let rebuild = self.rebuild();
        let activate = self.activate(rebuild);
        let scroll = self.scroll(activate);
        self.declare_family();
        let doc = "An episode: the board is given.";
        self.function("play", &[], None, doc, span, |lower, _| {
            let mut body = lower.look_at_board();
            let first = lower.count(lower.ids.row, 0, span);
            body.extend(lower.go_on(activate, scroll, vec![first]));
            let decision = lower.decision(rebuild, scroll);
            body.push(Stmt::new(
                StmtKind::While {
                    cond: Expr::bool(true, span),
                    bound: u32::MAX,
                    body: vec![decision],
                },
                span,
            ));
            body
        })
    }

    /// Finds the units that have each feature.
    fn look_at_board(&mut self) -> Block {
        let span = self.span;
        let table = self.features_table();
        let unit = self.local("unit", Type::Elem(self.ids.unit));
        let feature = self.local("feature", Type::Elem(self.ids.feature));
        let kind = self.kind_at(self.get(unit, span), span);
        let features = Expr::lookup(&self.b.game, table, vec![kind], span);
        let fits = self.var(self.ids.fits, vec![self.get(feature, span)], span);
        let more = Expr::binary(
            BinaryOp::Union,
            fits,
            self.only(&self.get(unit, span), span),
        );
        let set = Stmt::set_var(self.ids.fits, vec![self.get(feature, span)], more);
        let inner = StmtKind::ForEach(feature, Over::Set(features), vec![set]);
        let each = vec![Stmt::new(inner, span)];
        let on = self.present(span);
        vec![Stmt::new(
            StmtKind::ForEach(unit, Over::Set(on), each),
            span,
        )]
    }

    /// Tests of the row number; the last row needs none.
    fn by_row(&mut self, span: Span, mut block: impl FnMut(&mut Self, usize) -> Block) -> Block {
        let rows = self.set.rows.len();
        let blocks = (0..rows).map(|row| block(self, row)).collect();
        self.among_rows(0, blocks, span)
    }

    /// The block of the active row, which is one of those from a row on: a chain of tests, or a tree where there are many.
    fn among_rows(&self, first: usize, mut blocks: Vec<Block>, span: Span) -> Block {
        let number = self.var(self.ids.row, Vec::new(), span);
        if blocks.len() > MAX_CHAIN {
            let middle = blocks.len() / 2;
            let later = blocks.split_off(middle);
            let before = Expr::int((first + middle) as i64, span);
            let before = Expr::binary(BinaryOp::Lt, number, before);
            let earlier = self.among_rows(first, blocks, span);
            let later = self.among_rows(first + middle, later, span);
            return vec![Stmt::branch(before, earlier, later)];
        }
        let mut out = blocks.pop().unwrap_or_default();
        for (row, here) in blocks.into_iter().enumerate().rev() {
            let is = number.clone().equals(Expr::int((first + row) as i64, span));
            out = vec![Stmt::branch(is, here, out)];
        }
        out
    }

    /// The function that makes the table of the active row anew.
    fn rebuild(&mut self) -> FuncId {
        let span = self.span;
        let rows: Vec<FuncId> = (0..self.set.rows.len())
            .map(|row| self.row_function(row))
            .collect();
        if let [only] = rows[..] {
            return only;
        }
        let doc = "Finds what the active row accepts; whether that is nothing.";
        self.function("rebuild", &[], Some(Type::Bool), doc, span, |lower, _| {
            let done = lower.local("done", Type::Bool);
            let mut body = lower.by_row(span, |_, row| {
                vec![Stmt::call(rows[row], Vec::new(), Some(done), span)]
            });
            body.push(Stmt::give(lower.get(done, span)));
            body
        })
    }

    /// The function that makes a row active; whether it is done at once.
    fn activate(&mut self, rebuild: FuncId) -> FuncId {
        let span = self.span;
        let ty = self.b.game.var(self.ids.row).ty.clone();
        let doc = "Makes a row active, with fresh counters; whether it accepts nothing.";
        let params = [("next", ty)];
        self.function(
            "activate",
            &params,
            Some(Type::Bool),
            doc,
            span,
            |lower, args| {
                let mut body = vec![Stmt::set_var(lower.ids.row, Vec::new(), args[0].clone())];
                body.extend(lower.by_row(span, |lower, row| lower.counters(row)));
                let done = lower.local("done", Type::Bool);
                body.push(Stmt::call(rebuild, Vec::new(), Some(done), span));
                body.push(Stmt::give(lower.get(done, span)));
                body
            },
        )
    }

    /// The function that looks for the next row that accepts something; whether there is none.
    fn scroll(&mut self, activate: FuncId) -> FuncId {
        let span = self.span;
        let rows = self.set.rows.len() as i64;
        let ty = self.b.game.var(self.ids.row).ty.clone();
        let doc = "Looks for the next row that accepts something; whether there is none.";
        self.function("scroll", &[], Some(Type::Bool), doc, span, |lower, _| {
            let next = lower.local("next", ty);
            let done = lower.local("done", Type::Bool);
            let round = lower.local("round", Type::Int { lo: 1, hi: rows });
            let row = lower.var(lower.ids.row, Vec::new(), span);
            let after = lower.math(BinaryOp::Add, row, 1);
            let step = lower.math(BinaryOp::RemEuclid, after, rows);
            let body = vec![
                Stmt::assign(next, step),
                Stmt::call(activate, vec![lower.get(next, span)], Some(done), span),
                Stmt::branch(
                    lower.get(done, span),
                    Vec::new(),
                    vec![Stmt::give(Expr::bool(false, span))],
                ),
            ];
            let turns = StmtKind::For {
                local: round,
                from: Expr::int(1, span),
                to: Expr::int(rows, span),
                count: crate::ir::Count::Up,
                body,
                charged: false,
            };
            vec![Stmt::new(turns, span), Stmt::give(Expr::bool(true, span))]
        })
    }

    /// Calls a function that tells whether the row is done, and goes on to another row if so; the game ends if there is
    /// none.
    fn go_on(&mut self, func: FuncId, scroll: FuncId, args: Vec<Expr>) -> Block {
        let span = self.span;
        let done = self.local("done", Type::Bool);
        let stuck = self.local("stuck", Type::Bool);
        let players = self.b.game.players;
        let nobody = Expr::constant(Const::Set(Vec::new()), Type::Set(players), span);
        let end = StmtKind::End {
            reason: EndReason::Stuck,
            winners: nobody,
        };
        let over = vec![Stmt::new(end, span)];
        let search = vec![
            Stmt::call(scroll, Vec::new(), Some(stuck), span),
            Stmt::branch(self.get(stuck, span), over, Vec::new()),
        ];
        vec![
            Stmt::call(func, args, Some(done), span),
            Stmt::branch(self.get(done, span), search, Vec::new()),
        ]
    }

    fn declare_family(&mut self) {
        let span = self.span;
        let bucket = Type::Elem(self.ids.bucket);
        let given = [("bucket", bucket.clone())];
        let ret = Some(self.unit_set());
        let doc = "What a bucket accepts.";
        let units = self.function("accepted by", &given, ret, doc, span, |lower, args| {
            let accepted = lower.var(lower.ids.accepted, vec![args[0].clone()], span);
            vec![Stmt::give(accepted)]
        });
        let text = match self.crowded() {
            true => vec![
                TextPart::Text("id:".to_owned()),
                TextPart::Param(1),
                TextPart::Text(" ".to_owned()),
                TextPart::Param(0),
            ],
            false => vec![
                TextPart::Param(1),
                TextPart::Text(" ".to_owned()),
                TextPart::Param(0),
            ],
        };
        let param = |name: &str, ty: Type, source: ParamSource| Param {
            name: name.to_owned(),
            ty,
            source,
        };
        let unit = if self.crowded() { "piece" } else { "pos" };
        self.b.family(Family {
            name: "move".to_owned(),
            context: Vec::new(),
            params: vec![
                param("bucket", bucket, ParamSource::All),
                param(
                    unit,
                    Type::Elem(self.ids.unit),
                    ParamSource::Generated(units),
                ),
            ],
            guard: None,
            after: None,
            effect: None,
            rank: None,
            class: Vec::new(),
            text,
            span,
        });
    }

    fn decision(&mut self, rebuild: FuncId, scroll: FuncId) -> Stmt {
        let span = self.span;
        let bucket = self.local("bucket", Type::Elem(self.ids.bucket));
        let unit = self.local("unit", Type::Elem(self.ids.unit));
        let (to, what) = (self.get(bucket, span), self.get(unit, span));
        let mut body = self.count_move(&what, &to, span);
        body.extend(self.remember(&what, &to, span));
        let on = self.present(span);
        let less = Expr::binary(BinaryOp::Minus, on, self.only(&what, span));
        body.push(Stmt::set_var(self.ids.present, Vec::new(), less));
        body.push(self.cleared(span));
        body.extend(self.go_on(rebuild, scroll, Vec::new()));
        let choose = Choose {
            players: Expr::elem(self.b.game.players, 0, span),
            arms: vec![Arm {
                family: crate::ir::FamilyId(0),
                given: Vec::new(),
                bind: vec![bucket, unit],
                body,
            }],
            otherwise: None,
        };
        Stmt::new(StmtKind::Choose(choose), span)
    }

    /// Ends the game once the board is empty.
    fn cleared(&self, span: Span) -> Stmt {
        let empty = self.present(span).equals(self.no_units(span));
        let players = self.b.game.players;
        let winners = Expr::constant(Const::Set(vec![0]), Type::Set(players), span);
        let end = StmtKind::End {
            reason: EndReason::Win,
            winners,
        };
        Stmt::branch(empty, vec![Stmt::new(end, span)], Vec::new())
    }
}
