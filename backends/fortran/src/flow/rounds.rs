//! Counted loops that are written flat: their iterations are counted in a variable.
//!
//! Fortran fixes the number of iterations before the loop. Where the loop is written with labels and
//! its bounds may change while it runs, a test in each iteration would be another program; then the
//! graph is changed into one that counts down, with new variables. Everything else (which loops
//! must be flat, the lines) stays where it was.

use std::collections::HashSet;

use xaif_schema::model::{
    Base, Body, BoolOp, Cfg, Document, Edge, Expr, ExprId, ExprKind, ForForm, KindSpelling,
    Operand, ProcId, RefId, Reference, ScopeId, Stmt, StmtId, StmtKind, Symbol, SymbolId, Ty,
    TypeClass, TypeSpec, Vertex, VertexId, VertexKind,
};

use backend_flow::graph::Graph;
use backend_flow::loops::{Counted, Direction, Step, counted, integer};
use xaif_schema::names::unique;
use xaif_schema::upgrade::integer_literal;

/// What counts iterations: more of them than any loop has.
const ROUNDS: Ty = Ty::scalar(Base::Integer(8));

/// Makes loop `head` of the procedure with scope `scope` count its iterations.
pub(crate) fn count(doc: &mut Document, scope: ScopeId, head: VertexId) {
    let Some(id) = doc.procs.iter().find(|(_, proc)| proc.scope == scope).map(|(id, _)| id) else {
        return;
    };
    let Body::Flow(cfg) = doc.procs[id].body.clone() else { return };
    let graph = Graph::new(doc, &cfg);
    let (Some(bounds), VertexKind::ForLoop { init, update, .. }) =
        (counted(&graph, head), graph.kind(head))
    else {
        return;
    };
    let ends: HashSet<VertexId> = graph.loop_ends(head).collect();
    let (init, update) = (*init, *update);
    let mut maker = Maker { doc, scope, taken: HashSet::new(), like: init };
    maker.taken = maker.doc.symbols.keys().map(|s| maker.doc.name(s).to_lowercase()).collect();
    let lines = maker.lines(&bounds, init, update);
    rewire(doc, id, cfg, head, &ends, lines);
}

/// The statements of a loop that counts its iterations.
struct Lines {
    /// What is evaluated before the loop, the variable's first value included.
    before: Vec<StmtId>,
    /// Sets the number of iterations.
    init: StmtId,
    /// Whether an iteration is left.
    condition: ExprId,
    /// Gives the variable its next value.
    next: StmtId,
    /// One iteration less.
    update: StmtId,
}

struct Maker<'m> {
    doc: &'m mut Document,
    scope: ScopeId,
    /// Names that are there, in lower case.
    taken: HashSet<String>,
    /// The statement whose place all new ones have.
    like: StmtId,
}

impl Maker<'_> {
    fn lines(&mut self, bounds: &Counted, init: StmtId, update: StmtId) -> Lines {
        let var = bounds.var;
        let base = self.doc.refs[var].base;
        let rounds = self.variable(base, "rounds", Some(ROUNDS));
        // The bound has the type of the variable; an integer one can wait in the counter.
        let whole = self.doc.symbols[base].class == TypeClass::Integer;
        let last = if whole { rounds } else { self.variable(base, "last", None) };
        let upper = self.bound(bounds);
        let mut before = vec![self.assign(last, upper)];
        let (difference, amount, next) = match literal_step(self.doc, bounds.step) {
            Some(step) => {
                let amount = integer_literal(self.doc, step.saturating_abs());
                let (from, to) = if step > 0 { (var, last) } else { (last, var) };
                let (from, to) = (self.value(from), self.value(to));
                let difference = self.operation("sub_scal_scal", &[to, from]);
                (difference, amount, update)
            }
            None => {
                let stride = self.variable(base, "stride", None);
                let step = self.step(bounds.step);
                before.push(self.assign(stride, step));
                let (from, to, amount) = (self.value(var), self.value(last), self.value(stride));
                let next = self.operation("add_scal_scal", &[from, amount]);
                let difference = self.operation("sub_scal_scal", &[to, from]);
                (difference, amount, self.assign(var, next))
            }
        };
        before.push(init);
        let mut number = self.operation("add_scal_scal", &[difference, amount]);
        if integer(self.doc, amount) != Some(1) {
            number = self.operation("div_scal_scal", &[number, amount]);
        }
        let init = self.assign(rounds, number);
        let (left, zero) = (self.value(rounds), integer_literal(self.doc, 0));
        let kind = ExprKind::Boolean { op: BoolOp::GreaterThan, operands: operands(&[left, zero]) };
        let condition = self.expr(kind, Ty::scalar(Base::Logical(4)));
        let (left, one) = (self.value(rounds), integer_literal(self.doc, 1));
        let fewer = self.operation("sub_scal_scal", &[left, one]);
        Lines { before, init, condition, next, update: self.assign(rounds, fewer) }
    }

    /// The bound that the loop includes.
    fn bound(&mut self, bounds: &Counted) -> ExprId {
        let name = match bounds.strict {
            None => return bounds.upper,
            Some(Direction::Up) => "sub_scal_scal",
            Some(Direction::Down) => "add_scal_scal",
        };
        let one = integer_literal(self.doc, 1);
        self.operation(name, &[bounds.upper, one])
    }

    fn step(&mut self, step: Option<Step>) -> ExprId {
        match step {
            None => integer_literal(self.doc, 1),
            Some(Step::Plus(step)) => step,
            Some(Step::Minus(step)) => self.operation("minus_scal", &[step]),
        }
    }

    /// A new variable like the one of the loop.
    fn variable(&mut self, like: SymbolId, name: &str, ty: Option<Ty>) -> RefId {
        let name = unique(name, &mut self.taken);
        let mut symbol: Symbol = self.doc.symbols[like].clone();
        symbol.id.clone_from(&name);
        symbol.scope = self.scope;
        symbol.active = None;
        if let Some(decl) = &mut symbol.decl {
            decl.name = name;
            decl.attrs.clear();
            decl.intent = None;
            decl.init = None;
            decl.common = None;
            decl.bind_name = None;
            decl.value = None;
            decl.implicit = false;
            if let Some(ty) = ty {
                decl.spec = TypeSpec::Intrinsic { base: ty.base, kind: KindSpelling::Star(8) };
            }
        }
        if ty.is_some() {
            symbol.class = TypeClass::Integer;
        }
        let ty = ty.unwrap_or(
            self.doc.symbols[like]
                .decl
                .as_ref()
                .map_or(ROUNDS, |decl| Ty::scalar(decl.spec.base())),
        );
        let symbol = self.doc.add_symbol(symbol);
        self.doc.refs.push(Reference::whole(symbol, ty, Default::default()))
    }

    fn expr(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        self.doc.exprs.push(Expr { kind, ty, place: Default::default(), parens: false })
    }

    fn value(&mut self, reference: RefId) -> ExprId {
        let ty = self.doc.refs[reference].ty;
        self.expr(ExprKind::Ref(reference), ty)
    }

    fn operation(&mut self, name: &str, exprs: &[ExprId]) -> ExprId {
        let ty = exprs.first().map_or(ROUNDS, |&first| self.doc.exprs[first].ty);
        let operands = operands(exprs);
        self.expr(ExprKind::Intrinsic { name: name.into(), spelling: None, operands }, ty)
    }

    fn assign(&mut self, lhs: RefId, rhs: ExprId) -> StmtId {
        let place = self.doc.stmts[self.like].place;
        let kind = StmtKind::Assign { lhs, rhs, defined: None };
        self.doc.stmts.push(Stmt {
            kind,
            place,
            id: None,
            do_chain: None,
            label: None,
            recorded: None,
            properties: Vec::new(),
            joint: false,
            recompute: false,
            adjoint_live: true,
            checkpoints: None,
            local_jacobian: None,
        })
    }
}

fn operands(exprs: &[ExprId]) -> xaif_schema::model::Operands {
    let numbered = exprs.iter().zip(1..);
    numbered.map(|(&expr, position)| Operand { position, keyword: false, expr }).collect()
}

/// The step where it is a literal.
fn literal_step(doc: &Document, step: Option<Step>) -> Option<i64> {
    match step {
        None => Some(1),
        Some(Step::Plus(step)) => integer(doc, step),
        Some(Step::Minus(step)) => integer(doc, step)?.checked_neg(),
    }
}

/// Puts the statements into the graph: a block before the loop, and one before each of its ends.
fn rewire(
    doc: &mut Document,
    proc: ProcId,
    mut cfg: Cfg,
    head: VertexId,
    ends: &HashSet<VertexId>,
    lines: Lines,
) {
    let scope = doc.procs[proc].scope;
    let place = cfg.vertices[head].place;
    let block = |cfg: &mut Cfg, before: VertexId, stmts: Vec<StmtId>| {
        let kind = VertexKind::BasicBlock { scope, stmts };
        let block = cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
        let at = cfg.layout.iter().position(|&vertex| vertex == before);
        cfg.layout.insert(at.unwrap_or(cfg.layout.len()), block);
        for edge in cfg.edges.values_mut().filter(|edge| edge.target == before) {
            if !(before == head && ends.contains(&edge.source)) {
                edge.target = block;
            }
        }
        cfg.edges.push(Edge { source: block, target: before, condition: None, guard: None });
    };
    block(&mut cfg, head, lines.before);
    for &end in ends {
        let next = doc.stmts[lines.next].clone();
        block(&mut cfg, end, vec![doc.stmts.push(next)]);
    }
    if let VertexKind::ForLoop { init, condition, update, form, .. } = &mut cfg.vertices[head].kind
    {
        (*init, *condition, *update) = (lines.init, lines.condition, lines.update);
        *form = ForForm::General;
    }
    doc.procs[proc].body = Body::Flow(cfg);
}
