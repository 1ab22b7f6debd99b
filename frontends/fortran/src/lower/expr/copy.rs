//! A second copy of an expression, for places where one expression of the source stands for two of
//! the document: the step of a DO loop is in its condition and in its update.

use xaif_schema::model::{
    Arg, ArgValue, CharLen, ExprId, ExprKind, FunctionCall, ImpliedDo, IndexRange, KindSpelling,
    Part, RefId, Subscript, TypeParam, TypeSpec,
};

use crate::lower::Lowering;

impl Lowering<'_> {
    /// Copies all nodes of an expression.
    pub(crate) fn copy_expr(&mut self, expr: ExprId) -> ExprId {
        let mut node = self.doc.exprs[expr].clone();
        match &mut node.kind {
            ExprKind::Constant(_) | ExprKind::Procedure(_) | ExprKind::Opaque(_) => {}
            ExprKind::Ref(reference) => *reference = self.copy_ref(*reference),
            ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                for operand in operands {
                    operand.expr = self.copy_expr(operand.expr);
                }
            }
            ExprKind::Call(call) => self.copy_call(call),
            ExprKind::ArrayConstructor { spec, items } => {
                if let Some(spec) = spec {
                    self.copy_spec(spec);
                }
                self.copy_all(items);
            }
            ExprKind::ImpliedDo(implied) => self.copy_implied_do(implied),
            ExprKind::StructureConstructor { spec, args } => {
                self.copy_spec(spec);
                self.copy_args(args);
            }
        }
        self.doc.exprs.push(node)
    }

    fn copy_ref(&mut self, reference: RefId) -> RefId {
        let mut copy = self.doc.refs[reference].clone();
        for part in &mut copy.parts {
            match part {
                Part::Elements(subscripts) => {
                    for subscript in subscripts {
                        match subscript {
                            Subscript::Index(index) => *index = self.copy_expr(*index),
                            Subscript::Section { lower, upper, stride } => {
                                for bound in [lower, upper, stride] {
                                    self.copy_option(bound);
                                }
                            }
                        }
                    }
                }
                Part::Substring { lower, upper } => {
                    self.copy_option(lower);
                    self.copy_option(upper);
                }
                Part::Component { .. } | Part::Inquiry(_) | Part::Deref => {}
            }
        }
        self.doc.refs.push(copy)
    }

    fn copy_call(&mut self, call: &mut FunctionCall) {
        if let Some(object) = call.callee.object {
            call.callee.object = Some(self.copy_ref(object));
        }
        self.copy_args(&mut call.args);
    }

    fn copy_args(&mut self, args: &mut [Arg]) {
        for arg in args {
            match arg.value {
                ArgValue::Expr(expr) => arg.value = ArgValue::Expr(self.copy_expr(expr)),
                ArgValue::AlternateReturn(_) => {}
            }
        }
    }

    fn copy_implied_do(&mut self, implied: &mut ImpliedDo) {
        self.copy_all(&mut implied.items);
        let IndexRange { var: _, lower, upper, step } = &mut implied.control;
        *lower = self.copy_expr(*lower);
        *upper = self.copy_expr(*upper);
        self.copy_option(step);
    }

    /// Kinds, lengths and parameters are expressions, too.
    fn copy_spec(&mut self, spec: &mut TypeSpec) {
        match spec {
            TypeSpec::Intrinsic { kind, .. } => self.copy_kind(kind),
            TypeSpec::Character { kind, len, .. } => {
                self.copy_kind(kind);
                if let CharLen::Expr(len) = len {
                    *len = self.copy_expr(*len);
                }
            }
            TypeSpec::Derived { params, .. } => {
                for (_, param) in params {
                    if let TypeParam::Expr(expr) = param {
                        *expr = self.copy_expr(*expr);
                    }
                }
            }
            TypeSpec::Pointer(target) => self.copy_spec(target),
            TypeSpec::ClassStar | TypeSpec::TypeStar | TypeSpec::None => {}
        }
    }

    fn copy_kind(&mut self, kind: &mut KindSpelling) {
        if let KindSpelling::Expr(expr) = kind {
            *expr = self.copy_expr(*expr);
        }
    }

    fn copy_all(&mut self, exprs: &mut [ExprId]) {
        for expr in exprs {
            *expr = self.copy_expr(*expr);
        }
    }

    fn copy_option(&mut self, expr: &mut Option<ExprId>) {
        if let Some(expr) = expr {
            *expr = self.copy_expr(*expr);
        }
    }
}
