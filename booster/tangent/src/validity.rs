//! Validity: before each switch, a call that narrows the interval along the direction in which the switch keeps its side.
//!
//! A switch is where a value `t` of the program changes its sign ([`booster_facts::switches`]). Along the direction it does
//! so at `-t/td`, to first order (thesis of Araya Polo, 3.5). The runtime `oxad_validity` keeps the interval, and the place
//! of the switch at each end. A switch whose value has no derivative has no call.

use std::collections::HashSet;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Body, Callee, ConstantClass, Decl, Document, ExprId, Place, Role,
    ScopeId, StmtId, StmtKind, SubroutineCall, Symbol, SymbolId, SymbolKind, Ty, TypeClass,
    TypeSpec, UseName, VertexId, VertexKind,
};

use super::body::Tangent;
use booster_build::{Copier, Emitter, binary, constant, fresh_name, intrinsic, takes_statements};
use booster_facts::switches::{Rounding, Switch, has_switch_in_implied_do, roots_of, switches};
use booster_shadow::derivative::Direction;

/// The module of the runtime.
const MODULE: &str = "oxad_validity";

impl Tangent<'_> {
    /// The calls for the switches of a statement.
    pub(super) fn test_statement(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
    ) -> Result<(), Diagnostic> {
        if !self.validity || e.doc.stmts[stmt].recompute {
            return Ok(());
        }
        let place = e.doc.stmts[stmt].place;
        let roots = all_roots(e.doc, stmt);
        if let StmtKind::Forall(_) = e.doc.stmts[stmt].kind {
            return match switches(e.doc, &roots).is_empty() {
                true => Ok(()),
                false => Err(self.untestable(e.doc, place, "FORALL")),
            };
        }
        self.tests(e, &roots, place)
    }

    /// The calls for the switches of a branch or loop.
    pub(super) fn test_head(
        &mut self,
        e: &mut Emitter<'_>,
        head: VertexId,
    ) -> Result<(), Diagnostic> {
        if !self.validity {
            return Ok(());
        }
        let place = e.head(head).place;
        let kind = e.head(head).kind.clone();
        let roots: Vec<ExprId> = match &kind {
            VertexKind::Branch { condition, .. }
            | VertexKind::PreLoop { condition, .. }
            | VertexKind::PostLoop { condition } => condition.iter().copied().collect(),
            VertexKind::ForLoop { init, condition, update, .. } => {
                let steps = [*init, *update].into_iter().flat_map(|stmt| roots_of(e.doc, stmt));
                steps.chain([*condition]).collect()
            }
            VertexKind::ConcurrentLoop { header, .. } => header.mask.into_iter().collect(),
            VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::BasicBlock { .. }
            | VertexKind::EndBranch
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => Vec::new(),
        };
        let is_concurrent = matches!(kind, VertexKind::ConcurrentLoop { .. });
        if (is_concurrent || !takes_statements(&kind)) && !switches(e.doc, &roots).is_empty() {
            return Err(self.untestable(e.doc, place, "this loop"));
        }
        self.tests(e, &roots, place)
    }

    fn tests(
        &mut self,
        e: &mut Emitter<'_>,
        roots: &[ExprId],
        place: Place,
    ) -> Result<(), Diagnostic> {
        if has_switch_in_implied_do(e.doc, roots) {
            return Err(self.untestable(e.doc, place, "an implied DO loop"));
        }
        let mut told: Vec<(&'static str, ExprId)> = Vec::new();
        for switch in switches(e.doc, roots) {
            if let Some((name, value, change)) = self.test(e.doc, switch)? {
                let same = |&(other, known): &(&str, ExprId)| {
                    other == name && booster_build::same_expr(e.doc, known, value)
                };
                if told.iter().any(same) {
                    continue;
                }
                told.push((name, Copier::new().expr(e.doc, value)));
                self.call_runtime(e, name, (value, change), place)?;
            }
        }
        Ok(())
    }

    /// The procedure of the runtime, the value and its derivative; `None` where that is zero.
    fn test(
        &self,
        doc: &mut Document,
        switch: Switch,
    ) -> Result<Option<(&'static str, ExprId, ExprId)>, Diagnostic> {
        let value = match switch {
            Switch::Equal(left, right) => {
                let [left, right] = [left, right].map(|side| Copier::new().expr(doc, side));
                binary(doc, "sub_scal_scal", left, right)
            }
            Switch::Zero(value) | Switch::Extreme(value, _) | Switch::Break(value, None, _) => {
                Copier::new().expr(doc, value)
            }
            Switch::Break(value, Some(divisor), _) => {
                let [value, divisor] = [value, divisor].map(|side| Copier::new().expr(doc, side));
                binary(doc, "div_scal_scal", value, divisor)
            }
        };
        let Some(change) = self.derivative(doc, value, Direction::All)? else { return Ok(None) };
        let name = match switch {
            Switch::Equal(..) | Switch::Zero(_) => "validity_test",
            Switch::Break(_, _, Rounding::Truncated) => "validity_truncated",
            Switch::Break(_, _, Rounding::Nearest) => "validity_nearest",
            Switch::Break(_, _, Rounding::Integers) => "validity_rounded",
            Switch::Extreme(_, true) => "validity_largest",
            Switch::Extreme(_, false) => "validity_smallest",
        };
        Ok(Some((name, value, change)))
    }

    fn call_runtime(
        &mut self,
        e: &mut Emitter<'_>,
        name: &'static str,
        (value, change): (ExprId, ExprId),
        place: Place,
    ) -> Result<(), Diagnostic> {
        if self.in_concurrent_loop {
            return Err(self.untestable(e.doc, place, "a procedure with DO CONCURRENT"));
        }
        let symbol = e.doc.procs[self.proc].symbol;
        if e.doc.has(symbol, Attr::Elemental) && !e.doc.has(symbol, Attr::Impure) {
            return Err(self.untestable(e.doc, place, "an elemental procedure"));
        }
        let ty = e.doc.exprs[value].ty;
        if !matches!(ty.base, Base::Real(4 | 8)) {
            return Err(self.untestable(e.doc, place, "a number that is no real of 4 or 8 bytes"));
        }
        let at = constant(
            e.doc,
            ConstantClass::String,
            &format!("'{}'", spot(e.doc, place).replace('\'', "''")),
            Ty::scalar(Base::Character(1)),
            place,
        );
        let [value, change] = [value, change].map(|one| flat(e.doc, one, place));
        let arg = |(position, value): (u32, ExprId)| Arg {
            position,
            keyword: None,
            value: ArgValue::Expr(value),
        };
        let args = (1..).zip([value, change, at]).map(arg).collect();
        let callee = Callee { symbol: self.runtime(e.doc, name), generic: None, object: None };
        let call = SubroutineCall { callee, args, formal_count: None, active: Some(false) };
        e.stmt(StmtKind::Call(Box::new(call)), place);
        Ok(())
    }

    /// The name of a procedure of the runtime in the scope of this procedure.
    fn runtime(&mut self, doc: &mut Document, name: &'static str) -> SymbolId {
        if let Some(&known) = self.validity_names.get(&(self.proc, name)) {
            return known;
        }
        let scope = doc.procs[self.proc].scope;
        let module = module_of_runtime(doc, scope);
        let local = fresh_name(doc, scope, name);
        let role = Role::Unresolved { module: Some(module) };
        let symbol = doc.add_symbol(symbol(scope, &local, role));
        let imported = UseName { local, remote: name.to_owned(), symbol: Some(symbol) };
        doc.scopes[scope].bring_in(module, imported, Place::default());
        self.validity_names.insert((self.proc, name), symbol);
        symbol
    }

    fn untestable(&self, doc: &Document, place: Place, what: &str) -> Diagnostic {
        let message = format!("a condition or kink of {what} has no test of validity");
        let help = "write it as IF in a DO loop, or leave out --validity";
        self.error(doc, Code::DERIVATIVE_REFUSED, place, message, help)
    }
}

/// The expressions of a statement, with those under its masks.
fn all_roots(doc: &Document, stmt: StmtId) -> Vec<ExprId> {
    let mut roots = roots_of(doc, stmt);
    let inner: Vec<StmtId> = match &doc.stmts[stmt].kind {
        StmtKind::Where(construct) => {
            construct.arms.iter().flat_map(|arm| arm.body.iter().copied()).collect()
        }
        StmtKind::Forall(construct) => construct.body.clone(),
        StmtKind::Assign { .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::Call(_)
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => Vec::new(),
    };
    roots.extend(inner.into_iter().flat_map(|stmt| all_roots(doc, stmt)));
    roots
}

/// The loops in which no impure procedure may be called.
pub(super) fn has_concurrent_loop(doc: &Document, proc: xaif_schema::model::ProcId) -> bool {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return false };
    cfg.vertices.values().any(|vertex| matches!(vertex.kind, VertexKind::ConcurrentLoop { .. }))
}

/// Takes PURE from procedures: they call the runtime, or procedures that do.
pub(crate) fn impure(doc: &mut Document, procedures: &HashSet<SymbolId>) {
    for &symbol in procedures {
        if let Some(decl) = &mut doc.symbols[symbol].decl {
            decl.attrs.remove(&Attr::Pure);
        }
    }
}

/// `file.f90:12`
fn spot(doc: &Document, place: Place) -> String {
    let path = place.file.map_or("", |file| doc.files[file].path.as_str());
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    format!("{name}:{}", place.line)
}

/// The elements of an array as a vector; a scalar stays one.
fn flat(doc: &mut Document, value: ExprId, place: Place) -> ExprId {
    let ty = doc.exprs[value].ty;
    if ty.rank == 0 {
        return value;
    }
    let mask = constant(doc, ConstantClass::Bool, ".true.", Ty::scalar(Base::Logical(4)), place);
    intrinsic(doc, "pack", &[value, mask], ty.with_rank(1))
}

fn module_of_runtime(doc: &mut Document, scope: ScopeId) -> SymbolId {
    let global = doc.global_scope().unwrap_or(scope);
    if let Some(known) = doc.symbol_in(global, MODULE) {
        return known;
    }
    doc.add_symbol(symbol(global, MODULE, Role::Module { scope: None }))
}

fn symbol(scope: ScopeId, name: &str, role: Role) -> Symbol {
    Symbol {
        id: name.into(),
        scope,
        kind: SymbolKind::Subroutine,
        class: TypeClass::Void,
        fe_type: None,
        rank: None,
        bounds: Vec::new(),
        active: None,
        temp: None,
        pointer: None,
        decl: Some(Box::new(Decl {
            name: name.into(),
            role,
            spec: TypeSpec::None,
            dims: Vec::new(),
            attrs: Default::default(),
            intent: None,
            init: None,
            char_len: None,
            common: None,
            bind_name: None,
            implicit: false,
            value: None,
            place: Place::default(),
        })),
    }
}
