//! The references of an expression.

use xaif_schema::model::{
    Arg, ArgValue, Document, ExprId, ExprKind, Part, RefId, StmtId, StmtKind, Subscript, SymbolId,
};

use booster_build::subscripts_of;
use booster_shadow::jacobian::{Sum, local_jacobian};

/// All references of an expression, those in subscripts and arguments included.
pub fn references(doc: &Document, root: ExprId) -> Vec<RefId> {
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some(expr) = stack.pop() {
        match &doc.exprs[expr].kind {
            ExprKind::Ref(reference) => {
                found.push(*reference);
                stack.extend(subscripts(doc, *reference));
            }
            ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                stack.extend(operands.iter().map(|operand| operand.expr));
            }
            ExprKind::Call(call) => {
                found.extend(call.callee.object);
                let args = call.args.iter().filter_map(|arg| value(arg.value));
                stack.extend(args);
            }
            ExprKind::ArrayConstructor { items, .. } => stack.extend(items),
            ExprKind::ImpliedDo(implied) => {
                stack.extend(&implied.items);
                stack.extend([implied.control.lower, implied.control.upper]);
                stack.extend(implied.control.step);
            }
            ExprKind::StructureConstructor { args, .. } => {
                stack.extend(args.iter().filter_map(|arg| value(arg.value)));
            }
            ExprKind::Constant(_) | ExprKind::Procedure(_) | ExprKind::Opaque(_) => {}
        }
    }
    found
}

/// The expressions in the subscripts of a reference.
pub fn subscripts(doc: &Document, reference: RefId) -> Vec<ExprId> {
    let mut found = Vec::new();
    for part in &doc.refs[reference].parts {
        match part {
            Part::Elements(list) => {
                for subscript in list {
                    match *subscript {
                        Subscript::Index(index) => found.push(index),
                        Subscript::Section { lower, upper, stride } => {
                            found.extend([lower, upper, stride].into_iter().flatten());
                        }
                    }
                }
            }
            Part::Substring { lower, upper } => {
                found.extend([*lower, *upper].into_iter().flatten());
            }
            Part::Component { .. } | Part::Inquiry(_) | Part::Deref => {}
        }
    }
    found
}

/// Whether an expression names `symbol`.
pub fn reads(doc: &Document, expr: ExprId, symbol: SymbolId) -> bool {
    references(doc, expr).into_iter().any(|reference| doc.refs[reference].base == symbol)
}

fn value(arg: ArgValue) -> Option<ExprId> {
    match arg {
        ArgValue::Expr(expr) => Some(expr),
        ArgValue::AlternateReturn(_) => None,
    }
}

/// Whether a statement may name a variable; what is no assignment may.
pub fn names_in_statement(doc: &Document, stmt: StmtId, symbol: SymbolId) -> bool {
    let named = |value: ExprId| reads(doc, value, symbol);
    let passed = |args: &[Arg]| {
        args.iter().any(|arg| match arg.value {
            ArgValue::Expr(value) => named(value),
            ArgValue::AlternateReturn(_) => true,
        })
    };
    match &doc.stmts[stmt].kind {
        StmtKind::Assign { lhs, rhs, .. } => {
            doc.refs[*lhs].base == symbol
                || named(*rhs)
                || subscripts_of(&doc.refs[*lhs]).into_iter().any(named)
        }
        StmtKind::InlinableCall(call) => passed(&call.args),
        StmtKind::Call(call) => passed(&call.args),
        StmtKind::Comment(_) => false,
        StmtKind::Propagate(_) => local_jacobian(doc, stmt).is_none_or(|steps| {
            let mut of_steps = steps.iter().flat_map(|Sum { y, terms }| {
                let coefficients = terms.iter().map(|&(coefficient, _)| named(coefficient));
                let active = terms.iter().map(|&(_, x)| x).chain([*y]);
                let active = active.map(|one| {
                    doc.refs[one].base == symbol
                        || subscripts_of(&doc.refs[one]).into_iter().any(named)
                });
                coefficients.chain(active).collect::<Vec<_>>()
            });
            of_steps.any(|named| named)
        }),
        StmtKind::PointerAssign { .. }
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_) => true,
    }
}
