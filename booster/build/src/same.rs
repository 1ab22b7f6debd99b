//! Whether two pieces of a document say the same, wherever they stand in the source.

use xaif_schema::model::{
    Arg, ArgValue, Document, ExprId, ExprKind, Operand, Part, RefId, Subscript,
};

/// Whether two references name the same thing by the same words. Facts and places do not count.
pub fn same_reference(doc: &Document, a: RefId, b: RefId) -> bool {
    let (a, b) = (&doc.refs[a], &doc.refs[b]);
    a.base == b.base && a.deriv == b.deriv && same_parts(doc, &a.parts, &b.parts)
}

/// Whether two lists of selectors are written alike.
pub fn same_parts(doc: &Document, a: &[Part], b: &[Part]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_part(doc, a, b))
}

/// Whether two expressions are written alike. References to functions are only if the functions promise to
/// be pure: what others give may be another value each time. Structure constructors never are.
pub fn same_expr(doc: &Document, a: ExprId, b: ExprId) -> bool {
    match (&doc.exprs[a].kind, &doc.exprs[b].kind) {
        (ExprKind::Constant(a), ExprKind::Constant(b)) => a == b,
        (ExprKind::Ref(a), ExprKind::Ref(b)) => same_reference(doc, *a, *b),
        (ExprKind::Procedure(a), ExprKind::Procedure(b)) => a == b,
        (
            ExprKind::Intrinsic { name: a, operands: of_a, .. },
            ExprKind::Intrinsic { name: b, operands: of_b, .. },
        ) => a == b && same_operands(doc, of_a, of_b),
        (
            ExprKind::Boolean { op: a, operands: of_a },
            ExprKind::Boolean { op: b, operands: of_b },
        ) => a == b && same_operands(doc, of_a, of_b),
        (
            ExprKind::ArrayConstructor { items: of_a, .. },
            ExprKind::ArrayConstructor { items: of_b, .. },
        ) => {
            let mut items = of_a.iter().zip(of_b);
            let alike = of_a.len() == of_b.len() && items.all(|(&a, &b)| same_expr(doc, a, b));
            alike && doc.exprs[a].ty == doc.exprs[b].ty
        }
        (ExprKind::Call(a), ExprKind::Call(b)) => {
            let object = match (a.callee.object, b.callee.object) {
                (Some(a), Some(b)) => same_reference(doc, a, b),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            };
            let mut args = a.args.iter().zip(&b.args);
            let same = a.callee.symbol == b.callee.symbol && object && a.args.len() == b.args.len();
            same && doc.is_promised_pure(a.callee.symbol) && args.all(|(a, b)| same_arg(doc, a, b))
        }
        _ => false,
    }
}

fn same_arg(doc: &Document, a: &Arg, b: &Arg) -> bool {
    let value = match (&a.value, &b.value) {
        (ArgValue::Expr(a), ArgValue::Expr(b)) => same_expr(doc, *a, *b),
        (ArgValue::Expr(_) | ArgValue::AlternateReturn(_), _) => false,
    };
    a.position == b.position && a.keyword == b.keyword && value
}

fn same_operands(doc: &Document, a: &[Operand], b: &[Operand]) -> bool {
    let alike =
        |(a, b): (&Operand, &Operand)| a.position == b.position && same_expr(doc, a.expr, b.expr);
    a.len() == b.len() && a.iter().zip(b).all(alike)
}

fn same_part(doc: &Document, a: &Part, b: &Part) -> bool {
    match (a, b) {
        (Part::Elements(a), Part::Elements(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_subscript(doc, a, b))
        }
        (Part::Component { name: a, .. }, Part::Component { name: b, .. }) => {
            a.eq_ignore_ascii_case(b)
        }
        (Part::Substring { lower, upper }, Part::Substring { lower: low, upper: up }) => {
            same_option(doc, *lower, *low) && same_option(doc, *upper, *up)
        }
        (Part::Inquiry(a), Part::Inquiry(b)) => a == b,
        (Part::Deref, Part::Deref) => true,
        _ => false,
    }
}

fn same_subscript(doc: &Document, a: &Subscript, b: &Subscript) -> bool {
    match (*a, *b) {
        (Subscript::Index(a), Subscript::Index(b)) => same_expr(doc, a, b),
        (
            Subscript::Section { lower, upper, stride },
            Subscript::Section { lower: low, upper: up, stride: step },
        ) => [(lower, low), (upper, up), (stride, step)]
            .into_iter()
            .all(|(a, b)| same_option(doc, a, b)),
        (Subscript::Index(_), Subscript::Section { .. })
        | (Subscript::Section { .. }, Subscript::Index(_)) => false,
    }
}

fn same_option(doc: &Document, a: Option<ExprId>, b: Option<ExprId>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same_expr(doc, a, b),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}
