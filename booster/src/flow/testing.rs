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
            effects: Effects::default(),
            independent: Vec::new(),
            dependent: Vec::new(),
        });
    }
    let id = ProcId::from_u32;
    doc.calls = calls.iter().map(|&(from, to)| (id(from), id(to))).collect();
    doc
}
