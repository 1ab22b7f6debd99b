//! Procedures and flow graphs out of bytes.

use xaif_schema::model::*;

use super::Maker;

impl Maker<'_> {
    /// The procedure: its declarations, its interface and its body.
    pub(super) fn procedure(&mut self) {
        for symbol in self.variables.clone() {
            let attrs = (0..self.pick(6)).map(|_| self.one_of(Attr::ALL)).collect();
            if let Some(decl) = &mut self.doc.symbols[symbol].decl {
                decl.attrs = attrs;
            }
        }
        self.vertex(VertexKind::Entry(None));
        self.sequence(3);
        self.vertex(VertexKind::Exit);
        self.from = None;
        let place = self.place();
        let references = |m: &mut Self| m.several(2, |m| m.reference(1));
        let effects = Effects {
            mod_local: self.maybe(references),
            modified: self.maybe(references),
            read_local: self.maybe(references),
            read: self.maybe(references),
            on_entry: self.maybe(references),
        };
        let proc = self.doc.procs.next_key();
        let info = ProcedureInfo {
            sort: ProcSort::Subroutine,
            class: ProcClass::External,
            proc: Some(proc),
            interface: None,
            pass: None,
        };
        super::role(&mut self.doc, self.procedure, Role::Procedure(info));
        let procedure = Procedure {
            symbol: self.procedure,
            scope: self.scope,
            args: self.dummies(),
            result: None,
            kind: ProcKind::Subroutine,
            body: Body::Flow(std::mem::take(&mut self.cfg)),
            place,
            active: self.maybe(Self::flag),
            entry_written: self.flag(),
            effects,
            independent: references(self),
            dependent: references(self),
        };
        self.doc.procs.push(procedure);
    }

    fn dummies(&mut self) -> Vec<DummyArg> {
        let mut position = 0;
        self.several(3, |m| {
            position += 1;
            DummyArg {
                position,
                symbol: m.maybe(Self::variable),
                intent: m.maybe(|m| m.one_of(&[Intent::In, Intent::Out, Intent::InOut])),
                deriv: m.flag(),
            }
        })
    }

    /// Adds a vertex to which control comes from the one before.
    fn vertex(&mut self, kind: VertexKind) -> VertexId {
        let place = self.place();
        let recorded = match kind {
            VertexKind::Branch { .. } => self.maybe(Self::flag),
            _ => None,
        };
        let vertex = self.cfg.push(Vertex { kind, place, id: None, recorded });
        if let Some(from) = self.from.replace(vertex) {
            self.cfg.connect(from, vertex);
        }
        vertex
    }

    /// Adds a block to which `condition` leads from `from`.
    fn arm(&mut self, from: VertexId, condition: Option<i64>, guard: Option<Guard>) -> VertexId {
        self.from = None;
        let block = self.block();
        let edge = self.cfg.connect(from, block);
        self.cfg.edges[edge].condition = condition;
        self.cfg.edges[edge].guard = guard.map(Box::new);
        block
    }

    fn block(&mut self) -> VertexId {
        let mut stmts = self.several(3, |m| m.statement(super::DEEPEST));
        if self.pick(6) == 1 {
            stmts.extend(self.local_jacobian());
        }
        self.vertex(VertexKind::BasicBlock { scope: self.scope, stmts })
    }

    fn sequence(&mut self, depth: usize) {
        self.block();
        for _ in 0..self.pick(4) {
            match self.pick(8) {
                _ if depth == 0 => {
                    self.block();
                }
                0 => {
                    self.block();
                }
                1 => self.branch(depth - 1),
                2 => self.select(depth - 1),
                3 | 4 => self.repeat(depth - 1),
                5 => self.jump(),
                6 => self.scoped(depth - 1),
                _ => self.entry(),
            }
        }
    }

    fn branch(&mut self, depth: usize) {
        let condition = Some(self.expr(2));
        let form = self.one_of(&[BranchForm::If, BranchForm::Plain]);
        let name = self.name();
        let branch = self.vertex(VertexKind::Branch { condition, form, name });
        self.arm(branch, Some(1), None);
        self.sequence(depth);
        let then = self.from;
        self.arm(branch, None, None);
        let end = self.vertex(VertexKind::EndBranch);
        if let Some(then) = then {
            self.cfg.connect(then, end);
        }
    }

    fn guard(&mut self, form: BranchForm) -> Guard {
        match (form, self.flag()) {
            (BranchForm::SelectType, false) => Guard::TypeIs(self.spec(1)),
            (BranchForm::SelectType, true) => Guard::ClassIs(self.spec(1)),
            (BranchForm::SelectRank, false) => Guard::Rank(self.expr(1)),
            (BranchForm::SelectRank, true) => Guard::RankStar,
            _ => Guard::Case(self.several(2, |m| match m.flag() {
                false => CaseRange::Value(m.expr(1)),
                true => CaseRange::Range(m.maybe(|m| m.expr(1)), m.maybe(|m| m.expr(1))),
            })),
        }
    }

    fn select(&mut self, depth: usize) {
        use BranchForm::*;
        let form = self.one_of(&[SelectCase, SelectType, SelectRank]);
        let condition = self.maybe(|m| m.expr(2));
        let name = self.name();
        let branch = self.vertex(VertexKind::Branch { condition, form, name });
        let mut ends = Vec::new();
        for condition in 1..=self.pick(3) as i64 {
            let guard = self.guard(form);
            self.arm(branch, Some(condition), Some(guard));
            self.sequence(depth);
            ends.extend(self.from);
        }
        self.arm(branch, None, Some(Guard::Default));
        let end = self.vertex(VertexKind::EndBranch);
        for from in ends {
            self.cfg.connect(from, end);
        }
    }

    fn repeat(&mut self, depth: usize) {
        let (condition, name) = (self.expr(2), self.name());
        let forever = self.flag();
        let kind = match self.pick(4) {
            0 => self.counted(name),
            1 => VertexKind::PreLoop { condition: Some(condition), name, forever: false },
            2 if forever => VertexKind::PreLoop { condition: None, name, forever },
            2 => VertexKind::PostLoop { condition: Some(condition) },
            _ => {
                let (header, locality) =
                    (Box::new(self.header(2)), self.maybe(|_| "local(i)".into()));
                VertexKind::ConcurrentLoop { header, locality, name }
            }
        };
        let start = self.vertex(kind);
        self.arm(start, Some(1), None);
        self.sequence(depth);
        let end = self.vertex(VertexKind::EndLoop);
        self.cfg.connect(end, start);
        self.from = None;
        let after = self.block();
        self.cfg.connect(start, after);
    }

    fn counted(&mut self, name: Option<Box<str>>) -> VertexKind {
        let assign = |m: &mut Self| {
            let (lhs, rhs) = (m.reference(0), m.expr(2));
            m.doc.refs[lhs].base = m.index;
            m.stmt(StmtKind::Assign { lhs, rhs, defined: None })
        };
        let init = assign(self);
        let kind = self.boolean(1);
        let (ty, place) = (self.value_type(), self.place());
        let condition = self.doc.exprs.push(Expr { kind, ty, place, parens: false });
        let update = assign(self);
        let reversal = self.maybe(|m| m.one_of(&[Reversal::Explicit, Reversal::Anonymous]));
        let form = self.one_of(&[ForForm::General, ForForm::Counted]);
        VertexKind::ForLoop { init, condition, update, reversal, form, name }
    }

    /// A jump to a label behind it, over a block.
    fn jump(&mut self) {
        let name = self.name();
        let jump = match self.pick(7) {
            0 => Jump::Goto,
            1 => Jump::Exit(name),
            2 => Jump::Cycle(name),
            3 => Jump::Return,
            4 => Jump::Stop,
            5 => Jump::Break,
            _ => Jump::Continue,
        };
        let from = self.vertex(VertexKind::Goto(jump));
        self.from = None;
        self.block();
        let label = self.maybe(|m| 10 + m.pick(3) as u32);
        let to = self.vertex(VertexKind::Label { label });
        self.cfg.connect(from, to);
    }

    /// A BLOCK, and a call whose alternate returns are ways out of its block.
    fn scoped(&mut self, depth: usize) {
        let (scope, name) = (self.block, self.name());
        let open = self.stmt(StmtKind::OpenScope(Box::new(OpenScope { scope, name })));
        self.vertex(VertexKind::BasicBlock { scope: self.scope, stmts: vec![open] });
        self.sequence(depth);
        let close = self.stmt(StmtKind::CloseScope(scope));
        let (callee, args) = (self.callee(2), self.args(2, true));
        let returns: Vec<i64> = args
            .iter()
            .filter_map(|arg| match arg.value {
                ArgValue::AlternateReturn(condition) => Some(condition),
                ArgValue::Expr(_) => None,
            })
            .collect();
        let formal_count = self.maybe(|_| 3);
        let active = self.maybe(Self::flag);
        let call = SubroutineCall { callee, args, formal_count, active };
        let call = self.stmt(StmtKind::Call(Box::new(call)));
        let block = VertexKind::BasicBlock { scope: self.scope, stmts: vec![close, call] };
        let block = self.vertex(block);
        let after = self.block();
        for condition in returns {
            self.cfg.connect_if(block, after, condition);
        }
    }

    fn entry(&mut self) {
        let args = self.dummies();
        let result = self.maybe(Self::variable);
        let before = self.from.take();
        let entry = EntryPoint { symbol: self.procedure, args, result };
        self.vertex(VertexKind::Entry(Some(Box::new(entry))));
        let after = self.block();
        if let Some(before) = before {
            self.cfg.connect(before, after);
        }
    }
}
