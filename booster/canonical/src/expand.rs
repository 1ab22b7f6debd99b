//! Statement functions and array constructors with implied DOs, written out where they stand.

use xaif_schema::diag::Code;
use xaif_schema::intrinsics;
use xaif_schema::model::{
    Base, Document, ExprId, ExprKind, FunctionCall, ImpliedDo, Operand, Place, SymbolId, Ty,
};

use super::Canonical;
use super::facts::statement_function;
use super::hoist::{is_derived, plain_name, values};
use super::temporaries::Storage;
use booster_build::{
    Copier, Emitter, assign, binary, fresh_name, index, integer, intrinsic, new_variable, nodes_of,
    real, value_of, whole,
};
use booster_facts::may_hold_numbers;

/// So many operands and operations a statement may get from statement functions. Two calls of a function that calls
/// another twice are four, so that their number is exponential in the number of functions.
const MOST_WRITTEN_OUT: usize = 10_000;

impl Canonical {
    /// Puts the value of a statement function in the place of the call; tells whether that was done. An argument that is used
    /// more than once and is more than a variable is computed once.
    pub(super) fn expand_statement_function(
        &mut self,
        e: &mut Emitter<'_>,
        expr: ExprId,
        call: &FunctionCall,
    ) -> bool {
        let found = statement_function(e.doc, call.callee.symbol);
        let Some((dummies, body)) = found.map(|(dummies, body)| (dummies.to_vec(), body)) else {
            return false;
        };
        let size = nodes_of(e.doc, [body]).len();
        let before = self.written_out;
        self.written_out += size;
        if self.written_out > MOST_WRITTEN_OUT {
            if before <= MOST_WRITTEN_OUT {
                self.refuse_to_write_out(e.doc, call);
            }
            return false;
        }
        let body = Copier::new().expr(e.doc, body);
        let nodes = nodes_of(e.doc, [body]);
        for (&dummy, actual) in dummies.iter().zip(values(&call.args)) {
            let is_use = |node: &&ExprId| match &e.doc.exprs[**node].kind {
                ExprKind::Ref(reference) => e.doc.refs[*reference].base == dummy,
                _ => false,
            };
            let uses: Vec<ExprId> = nodes.iter().filter(is_use).copied().collect();
            let simple =
                matches!(e.doc.exprs[actual].kind, ExprKind::Ref(_) | ExprKind::Constant(_));
            if uses.len() > 1 && !simple && self.fixed.is_none() {
                let flows = may_hold_numbers(e.doc, e.doc.exprs[actual].ty.base);
                self.value(e, actual, flows);
                let wish = plain_name(e.doc.name(dummy));
                self.hoist(e, actual, &wish);
            }
            for node in uses {
                let copy = Copier::new().expr(e.doc, actual);
                put(e.doc, node, copy);
            }
        }
        let wanted = e.doc.exprs[expr].ty.base;
        let value = converted(e.doc, body, wanted);
        put(e.doc, expr, value);
        self.changed = true;
        true
    }

    fn refuse_to_write_out(&mut self, doc: &Document, call: &FunctionCall) {
        let message = format!(
            "statement functions written out here, `{}` among them, make a statement of more than \
             {MOST_WRITTEN_OUT} operations",
            doc.name(call.callee.symbol)
        );
        let help = "make an internal procedure of one that calls another several times";
        self.refuse(doc, Code::STATEMENT_FUNCTION_TOO_LARGE, self.place, message, help);
    }

    /// `[items]`: an implied DO from which something must be hoisted becomes a loop that fills a
    /// temporary.
    pub(super) fn constructor(
        &mut self,
        e: &mut Emitter<'_>,
        expr: ExprId,
        items: &[ExprId],
        flows: bool,
    ) {
        let loops = |doc: &Document, item: ExprId| match &doc.exprs[item].kind {
            ExprKind::ImpliedDo(implied) => {
                implied.items.iter().any(|&inner| self.hoists(doc, inner, flows))
            }
            _ => false,
        };
        let expands = self.fixed.is_none() && items.iter().any(|&item| loops(e.doc, item));
        if !expands {
            items.iter().for_each(|&item| self.operand(e, item, flows));
            return;
        }
        let (ty, place) = (e.doc.exprs[expr].ty, e.doc.exprs[expr].place);
        let fits = items.iter().all(|&item| match &e.doc.exprs[item].kind {
            ExprKind::ImpliedDo(implied) => implied.items.iter().all(|&inner| {
                let inner = &e.doc.exprs[inner];
                inner.ty.rank == 0 && !matches!(inner.kind, ExprKind::ImpliedDo(_))
            }),
            _ => e.doc.exprs[item].ty.rank == 0,
        });
        if !fits || is_derived(ty.base) {
            let message = "this array constructor calls a function that activity passes through";
            let help = "fill the array in a loop";
            self.refuse(e.doc, Code::CANNOT_HOIST, place, message.into(), help);
            return;
        }
        let Some(array) = self.temporary(e, "values", ty, Storage::Plain, place) else { return };
        self.shape(e, array, items, ty, place);
        self.fill(e, array, items, place);
        self.replace(e.doc, expr, array);
    }

    /// Gives a temporary the shape of the constructor: `array = [(0.0, i = 1, n)]`.
    fn shape(
        &mut self,
        e: &mut Emitter<'_>,
        array: SymbolId,
        items: &[ExprId],
        ty: Ty,
        place: Place,
    ) {
        let mut zeros = Vec::with_capacity(items.len());
        for &item in items {
            let zero = match e.doc.exprs[item].kind.clone() {
                ExprKind::ImpliedDo(mut implied) => {
                    let ImpliedDo { items, control } = &mut *implied;
                    for bound in [Some(control.lower), Some(control.upper), control.step] {
                        bound.into_iter().for_each(|bound| self.value(e, bound, false));
                    }
                    control.lower = Copier::new().expr(e.doc, control.lower);
                    control.upper = Copier::new().expr(e.doc, control.upper);
                    control.step = control.step.map(|step| Copier::new().expr(e.doc, step));
                    *items = items.iter().map(|_| zero_of(e.doc, ty.base, place)).collect();
                    e.doc.exprs.push(xaif_schema::model::Expr {
                        kind: ExprKind::ImpliedDo(implied),
                        ..e.doc.exprs[item].clone()
                    })
                }
                _ => zero_of(e.doc, ty.base, place),
            };
            zeros.push(zero);
        }
        let kind = ExprKind::ArrayConstructor { spec: None, items: zeros };
        let start = xaif_schema::model::Expr { kind, ty, place, parens: false };
        let start = e.doc.exprs.push(start);
        let lhs = self.use_of(e.doc, array, ty, place);
        let stmt = assign(e.doc, lhs, start, place);
        e.push(stmt);
    }

    /// Computes the items one by one.
    fn fill(&mut self, e: &mut Emitter<'_>, array: SymbolId, items: &[ExprId], place: Place) {
        let name = fresh_name(e.doc, self.scope, "position");
        let counter = new_variable(e.doc, self.scope, &name, Base::Integer(4), place);
        let start = whole(e.doc, counter, place);
        let zero = integer(e.doc, 0, place);
        e.assign(start, zero, place);
        for &item in items {
            let ExprKind::ImpliedDo(implied) = e.doc.exprs[item].kind.clone() else {
                self.element(e, array, counter, item, place);
                continue;
            };
            let control = &implied.control;
            let base = e.doc.symbols[control.var].decl.as_ref().map(|decl| decl.spec.base());
            let base = base.unwrap_or(Base::Integer(4));
            let name = fresh_name(e.doc, self.scope, e.doc.name(control.var));
            let var = new_variable(e.doc, self.scope, &name, base, place);
            let mut copier = Copier::new();
            copier.symbols.insert(control.var, var);
            match control.step {
                None => e.open_do(var, (control.lower, control.upper), false, place),
                Some(step) => e.open_do_by(var, (control.lower, control.upper), step, place),
            }
            for &inner in &implied.items {
                let inner = copier.expr(e.doc, inner);
                self.element(e, array, counter, inner, place);
            }
            e.close_do();
        }
    }

    fn element(
        &mut self,
        e: &mut Emitter<'_>,
        array: SymbolId,
        counter: SymbolId,
        value: ExprId,
        place: Place,
    ) {
        let count = |doc: &mut Document| {
            let counter = whole(doc, counter, place);
            value_of(doc, counter)
        };
        let (before, one) = (count(e.doc), integer(e.doc, 1, place));
        let next = binary(e.doc, "add_scal_scal", before, one);
        let target = whole(e.doc, counter, place);
        e.assign(target, next, place);
        let position = count(e.doc);
        let lhs = index(e.doc, array, &[position], place);
        if self.facts.analysed {
            e.doc.refs[lhs].active = e.doc.symbols[array].active;
        }
        self.assignment(e, lhs, value);
        e.assign(lhs, value, place);
    }
}

fn zero_of(doc: &mut Document, base: Base, place: Place) -> ExprId {
    match base {
        Base::Real(_) | Base::Complex(_) => real(doc, "0", base, place),
        _ => integer(doc, 0, place),
    }
}

/// Makes `node` what `value` is. An operation stays one within what is around it.
fn put(doc: &mut Document, node: ExprId, value: ExprId) {
    let (kind, ty) = (doc.exprs[value].kind.clone(), doc.exprs[value].ty);
    let operation = match &kind {
        ExprKind::Intrinsic { name, .. } => intrinsics::operator(name).is_some(),
        ExprKind::Boolean { .. } => true,
        ExprKind::Constant(_)
        | ExprKind::Ref(_)
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    };
    let parens = doc.exprs[value].parens || operation;
    let node = &mut doc.exprs[node];
    (node.kind, node.ty, node.parens) = (kind, ty, parens);
}

/// `value` in the type of the statement function.
fn converted(doc: &mut Document, value: ExprId, base: Base) -> ExprId {
    let ty = doc.exprs[value].ty;
    if ty.base == base {
        return value;
    }
    let place = doc.exprs[value].place;
    let (name, bytes, position) = match base {
        Base::Real(bytes) => ("real_scal", bytes, 2),
        Base::Integer(bytes) => ("int_scal", bytes, 2),
        Base::Complex(bytes) => ("complex_scal", bytes, 3),
        _ => return value,
    };
    let kind = integer(doc, i64::from(bytes), place);
    let node = intrinsic(doc, name, &[value], Ty { base, rank: ty.rank });
    if let ExprKind::Intrinsic { operands, .. } = &mut doc.exprs[node].kind {
        operands.push(Operand { position, keyword: true, expr: kind });
    }
    node
}
