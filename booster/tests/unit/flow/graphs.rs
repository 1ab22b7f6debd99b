//! Small graphs for the tests of this folder.

use xaif_schema::model::*;

pub(crate) fn vertex(kind: VertexKind) -> Vertex {
    Vertex { kind, place: Place::default(), id: None, recorded: None }
}

fn block(stmts: &[u32]) -> Vertex {
    let stmts = stmts.iter().map(|&s| StmtId::from_u32(s)).collect();
    vertex(VertexKind::BasicBlock { scope: ScopeId::from_u32(0), stmts })
}

/// entry, branch, arm with s0, arm with s1, end of branch, exit.
pub(crate) fn diamond() -> Cfg {
    let mut cfg = Cfg::default();
    let entry = cfg.push(vertex(VertexKind::Entry(None)));
    let form = BranchForm::If;
    let branch = cfg.push(vertex(VertexKind::Branch { condition: None, form, name: None }));
    let then_arm = cfg.push(block(&[0]));
    let else_arm = cfg.push(block(&[1]));
    let join = cfg.push(vertex(VertexKind::EndBranch));
    let exit = cfg.push(vertex(VertexKind::Exit));
    cfg.connect(entry, branch);
    cfg.connect_if(branch, then_arm, 1);
    cfg.connect(branch, else_arm);
    cfg.connect(then_arm, join);
    cfg.connect(else_arm, join);
    cfg.connect(join, exit);
    cfg
}

/// entry, loop (first value s0, next value s1), body with s2, end of loop, exit.
pub(crate) fn loop_with_statements() -> Cfg {
    let mut cfg = Cfg::default();
    let entry = cfg.push(vertex(VertexKind::Entry(None)));
    let head = cfg.push(vertex(VertexKind::ForLoop {
        init: StmtId::from_u32(0),
        condition: ExprId::from_u32(0),
        update: StmtId::from_u32(1),
        reversal: None,
        form: ForForm::Counted,
        name: None,
    }));
    let body = cfg.push(block(&[2]));
    let end = cfg.push(vertex(VertexKind::EndLoop));
    let exit = cfg.push(vertex(VertexKind::Exit));
    cfg.connect(entry, head);
    cfg.connect_if(head, body, 1);
    cfg.connect(head, exit);
    cfg.connect(body, end);
    cfg.connect(end, head);
    cfg
}

/// A document of `count` empty procedures with the given calls.
pub(crate) fn document_with_calls(count: usize, calls: &[(u32, u32)]) -> Document {
    let mut doc = Document::new();
    let scope = ScopeId::from_u32(0);
    for _ in 0..count {
        doc.procs.push(Procedure {
            symbol: SymbolId::from_u32(0),
            scope,
            args: Vec::new(),
            result: None,
            kind: ProcKind::Subroutine,
            body: Body::Flow(Cfg::default()),
            place: Place::default(),
            active: None,
            entry_written: false,
            effects: Effects::default(),
            independent: Vec::new(),
            dependent: Vec::new(),
        });
    }
    let id = ProcId::from_u32;
    doc.calls = calls.iter().map(|&(from, to)| (id(from), id(to))).collect();
    doc
}

/// What a random graph executes, by its number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Executed {
    Stmt(u32),
    Expr(u32),
}

/// A structured graph; every choice is taken from a list of bytes. `tell` is told of all that is
/// executed, with something to choose by.
pub(crate) fn structured_graph(
    choices: Vec<u8>,
    tell: impl FnMut(Executed, &mut dyn FnMut(u8) -> u8),
) -> Cfg {
    let choices = choices.into_iter();
    let mut maker = Maker { choices, cfg: Cfg::default(), tell, stmts: 0, exprs: 0 };
    let entry = maker.cfg.push(vertex(VertexKind::Entry(None)));
    let last = maker.block(entry, None, 3);
    let exit = maker.cfg.push(vertex(VertexKind::Exit));
    maker.cfg.connect(last, exit);
    maker.cfg
}

struct Maker<T> {
    choices: std::vec::IntoIter<u8>,
    cfg: Cfg,
    tell: T,
    stmts: u32,
    exprs: u32,
}

impl<T: FnMut(Executed, &mut dyn FnMut(u8) -> u8)> Maker<T> {
    fn choose(&mut self, most: u8) -> u8 {
        self.choices.next().unwrap_or(0) % (most + 1)
    }

    fn told(&mut self, executed: Executed) {
        let choices = &mut self.choices;
        let mut choose = |most: u8| choices.next().unwrap_or(0) % (most + 1);
        (self.tell)(executed, &mut choose);
    }

    fn stmt(&mut self) -> StmtId {
        let stmt = self.stmts;
        self.stmts += 1;
        self.told(Executed::Stmt(stmt));
        StmtId::from_u32(stmt)
    }

    fn expr(&mut self) -> ExprId {
        let expr = self.exprs;
        self.exprs += 1;
        self.told(Executed::Expr(expr));
        ExprId::from_u32(expr)
    }

    /// Statements after `from`; returns where control goes on from.
    fn block(&mut self, from: VertexId, condition: Option<i64>, depth: u8) -> VertexId {
        let stmts = (0..self.choose(2)).map(|_| self.stmt()).collect();
        let block = VertexKind::BasicBlock { scope: ScopeId::from_u32(0), stmts };
        let mut last = self.cfg.push(vertex(block));
        match condition {
            Some(value) => self.cfg.connect_if(from, last, value),
            None => self.cfg.connect(from, last),
        };
        for _ in 0..self.choose(2) {
            last = match if depth == 0 { 0 } else { self.choose(3) } {
                0 => last,
                1 => self.branch(last, depth - 1),
                choice => self.round(last, choice == 2, depth - 1),
            };
        }
        last
    }

    fn branch(&mut self, from: VertexId, depth: u8) -> VertexId {
        let condition = Some(self.expr());
        let form = BranchForm::If;
        let head = self.cfg.push(vertex(VertexKind::Branch { condition, form, name: None }));
        self.cfg.connect(from, head);
        let mut ends = vec![self.block(head, Some(1), depth)];
        let otherwise = self.choose(1) == 0;
        if otherwise {
            ends.push(self.block(head, None, depth));
        }
        let end = self.cfg.push(vertex(VertexKind::EndBranch));
        for last in ends {
            self.cfg.connect(last, end);
        }
        if !otherwise {
            self.cfg.connect(head, end);
        }
        end
    }

    fn round(&mut self, from: VertexId, counted: bool, depth: u8) -> VertexId {
        let kind = if counted {
            VertexKind::ForLoop {
                init: self.stmt(),
                condition: self.expr(),
                update: self.stmt(),
                reversal: None,
                form: ForForm::Counted,
                name: None,
            }
        } else {
            let condition = Some(self.expr());
            VertexKind::PreLoop { condition, name: None, forever: false }
        };
        let head = self.cfg.push(vertex(kind));
        self.cfg.connect(from, head);
        let last = self.block(head, Some(1), depth);
        let end = self.cfg.push(vertex(VertexKind::EndLoop));
        self.cfg.connect(last, end);
        self.cfg.connect(end, head);
        head
    }
}
