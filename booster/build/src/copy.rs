//! Second copies of expressions and statements.
//!
//! A node, a reference and a statement belong to one place of a document; whoever needs them twice
//! copies them. Symbols and scopes stay, but for those that the maps name. Facts (activity, keys of
//! alias and chain sets) are copied with what they are facts of.

use std::collections::HashMap;

use xaif_schema::model::{
    Allocate, Arg, ArgValue, Base, Callee, CheckpointNumber, Checkpoints, Document, ExprId,
    ExprKind, Forall, ForallHeader, ImpliedDo, IndexRange, InlinableCall, Marker, OpenScope, Part,
    Propagator, RefId, Release, ScopeId, StmtId, StmtKind, SubroutineCall, Subscript, SymbolId, Ty,
    TypeParam, TypeSpec, Where,
};

/// Copies, with other symbols and scopes where asked.
#[derive(Clone, Debug, Default)]
pub struct Copier {
    /// Symbols that become others.
    pub symbols: HashMap<SymbolId, SymbolId>,
    /// Scopes that become others.
    pub scopes: HashMap<ScopeId, ScopeId>,
}

impl Copier {
    /// A copier that changes nothing.
    pub fn new() -> Self {
        Copier::default()
    }

    /// What `symbol` becomes.
    pub fn symbol(&self, symbol: SymbolId) -> SymbolId {
        self.symbols.get(&symbol).copied().unwrap_or(symbol)
    }

    /// What `scope` becomes.
    pub fn scope(&self, scope: ScopeId) -> ScopeId {
        self.scopes.get(&scope).copied().unwrap_or(scope)
    }

    /// A copy of all nodes of `expr`.
    pub fn expr(&self, doc: &mut Document, expr: ExprId) -> ExprId {
        let mut node = doc.exprs[expr].clone();
        node.ty = self.ty(node.ty);
        match &mut node.kind {
            ExprKind::Constant(constant) => {
                if let xaif_schema::model::ConstantKind::Named(symbol) = &mut constant.kind {
                    *symbol = self.symbol(*symbol);
                }
            }
            ExprKind::Opaque(_) => {}
            ExprKind::Procedure(symbol) => *symbol = self.symbol(*symbol),
            ExprKind::Ref(reference) => *reference = self.reference(doc, *reference),
            ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                for operand in operands {
                    operand.expr = self.expr(doc, operand.expr);
                }
            }
            ExprKind::Call(call) => {
                self.callee(doc, &mut call.callee);
                self.args(doc, &mut call.args);
            }
            ExprKind::ArrayConstructor { spec, items } => {
                if let Some(spec) = spec {
                    self.spec(doc, spec);
                }
                self.all(doc, items);
            }
            ExprKind::ImpliedDo(implied) => {
                let ImpliedDo { items, control } = &mut **implied;
                self.all(doc, items);
                self.range(doc, control);
            }
            ExprKind::StructureConstructor { spec, args } => {
                self.spec(doc, spec);
                self.args(doc, args);
            }
        }
        doc.exprs.push(node)
    }

    /// A copy of a reference and of its subscripts.
    pub fn reference(&self, doc: &mut Document, reference: RefId) -> RefId {
        let mut copy = doc.refs[reference].clone();
        copy.base = self.symbol(copy.base);
        copy.ty = self.ty(copy.ty);
        for part in &mut copy.parts {
            self.part(doc, part);
        }
        doc.refs.push(copy)
    }

    /// Makes `part` a copy of itself.
    pub fn part(&self, doc: &mut Document, part: &mut Part) {
        match part {
            Part::Elements(subscripts) => {
                for subscript in subscripts {
                    match subscript {
                        Subscript::Index(index) => *index = self.expr(doc, *index),
                        Subscript::Section { lower, upper, stride } => {
                            for bound in [lower, upper, stride] {
                                self.option(doc, bound);
                            }
                        }
                    }
                }
            }
            Part::Substring { lower, upper } => {
                self.option(doc, lower);
                self.option(doc, upper);
            }
            Part::Component { symbol, .. } => *symbol = symbol.map(|symbol| self.symbol(symbol)),
            Part::Inquiry(_) | Part::Deref => {}
        }
    }

    /// A copy of a statement and of all that stands in it. Its `statement_id` and label are not
    /// copied: they belong to one statement.
    pub fn stmt(&self, doc: &mut Document, stmt: StmtId) -> StmtId {
        let mut copy = doc.stmts[stmt].clone();
        copy.id = None;
        copy.label = None;
        match &mut copy.kind {
            StmtKind::Assign { lhs, rhs, defined } => {
                *lhs = self.reference(doc, *lhs);
                *rhs = self.expr(doc, *rhs);
                if let Some(callee) = defined {
                    self.callee(doc, callee);
                }
            }
            StmtKind::PointerAssign { lhs, rhs } => {
                *lhs = self.reference(doc, *lhs);
                *rhs = self.expr(doc, *rhs);
            }
            StmtKind::Call(call) => {
                let SubroutineCall { callee, args, formal_count: _, active: _ } = &mut **call;
                self.callee(doc, callee);
                self.args(doc, args);
            }
            StmtKind::InlinableCall(call) => {
                let InlinableCall { name: _, args } = &mut **call;
                self.args(doc, args);
            }
            StmtKind::Propagate(steps) => {
                steps.iter_mut().for_each(|step| self.propagator(doc, step));
            }
            StmtKind::Where(construct) => self.masked(doc, construct),
            StmtKind::Forall(construct) => {
                let Forall { header, body, name: _, inline: _ } = &mut **construct;
                self.header(doc, header);
                self.body(doc, body);
            }
            StmtKind::Allocate(allocate) => {
                let Allocate { spec, objects, stat, errmsg, source, mold } = &mut **allocate;
                if let Some(spec) = spec {
                    self.spec(doc, spec);
                }
                self.references(doc, objects);
                for reference in [stat, errmsg].into_iter().flatten() {
                    *reference = self.reference(doc, *reference);
                }
                self.option(doc, source);
                self.option(doc, mold);
            }
            StmtKind::Release(release) => {
                let Release { nullify: _, objects, stat, errmsg } = &mut **release;
                self.references(doc, objects);
                for reference in [stat, errmsg].into_iter().flatten() {
                    *reference = self.reference(doc, *reference);
                }
            }
            StmtKind::OpenScope(open) => {
                let OpenScope { scope, name: _ } = &mut **open;
                *scope = self.scope(*scope);
            }
            StmtKind::CloseScope(scope) => *scope = self.scope(*scope),
            StmtKind::Marker(marker) => {
                let Marker { operands, .. } = &mut **marker;
                for operand in operands {
                    operand.expr = self.expr(doc, operand.expr);
                }
            }
            StmtKind::Comment(_) => {}
        }
        if let Some(recorded) = &mut copy.recorded {
            self.references(doc, recorded);
        }
        self.references(doc, &mut copy.properties);
        if let Some(Checkpoints { number: CheckpointNumber::Variable(symbol), .. }) =
            &mut copy.checkpoints
        {
            *symbol = self.symbol(*symbol);
        }
        doc.stmts.push(copy)
    }

    /// Makes `callee` a copy of itself.
    pub fn callee(&self, doc: &mut Document, callee: &mut Callee) {
        callee.symbol = self.symbol(callee.symbol);
        callee.generic = callee.generic.map(|generic| self.symbol(generic));
        callee.object = callee.object.map(|object| self.reference(doc, object));
    }

    /// Makes each argument a copy of itself.
    pub fn args(&self, doc: &mut Document, args: &mut [Arg]) {
        for arg in args {
            match arg.value {
                ArgValue::Expr(expr) => arg.value = ArgValue::Expr(self.expr(doc, expr)),
                ArgValue::AlternateReturn(_) => {}
            }
        }
    }

    /// Makes the ranges and the mask copies of themselves.
    pub fn header(&self, doc: &mut Document, header: &mut ForallHeader) {
        let ForallHeader { scope, spec, ranges, mask } = header;
        *scope = self.scope(*scope);
        if let Some(spec) = spec {
            self.spec(doc, spec);
        }
        ranges.iter_mut().for_each(|range| self.range(doc, range));
        self.option(doc, mask);
    }

    /// Makes the expressions of a declared type copies of themselves.
    pub fn spec(&self, doc: &mut Document, spec: &mut TypeSpec) {
        use xaif_schema::model::{CharLen, KindSpelling};
        match spec {
            TypeSpec::Intrinsic { kind: KindSpelling::Expr(expr), .. } => {
                *expr = self.expr(doc, *expr);
            }
            TypeSpec::Character { kind, len, .. } => {
                if let KindSpelling::Expr(expr) = kind {
                    *expr = self.expr(doc, *expr);
                }
                if let CharLen::Expr(expr) = len {
                    *expr = self.expr(doc, *expr);
                }
            }
            TypeSpec::Derived { symbol, params, .. } => {
                *symbol = symbol.map(|symbol| self.symbol(symbol));
                for (_, param) in params {
                    if let TypeParam::Expr(expr) = param {
                        *expr = self.expr(doc, *expr);
                    }
                }
            }
            TypeSpec::Pointer(target) => self.spec(doc, target),
            TypeSpec::Intrinsic { .. }
            | TypeSpec::ClassStar
            | TypeSpec::TypeStar
            | TypeSpec::None => {}
        }
    }

    /// A type whose derived type may have become another.
    pub fn ty(&self, ty: Ty) -> Ty {
        let base = match ty.base {
            Base::Derived(symbol) => Base::Derived(self.symbol(symbol)),
            Base::Class(symbol) => Base::Class(self.symbol(symbol)),
            other => other,
        };
        Ty { base, rank: ty.rank }
    }

    /// Makes an optional expression a copy of itself.
    pub fn option(&self, doc: &mut Document, expr: &mut Option<ExprId>) {
        if let Some(expr) = expr {
            *expr = self.expr(doc, *expr);
        }
    }

    fn all(&self, doc: &mut Document, exprs: &mut [ExprId]) {
        for expr in exprs {
            *expr = self.expr(doc, *expr);
        }
    }

    fn references(&self, doc: &mut Document, references: &mut [RefId]) {
        for reference in references {
            *reference = self.reference(doc, *reference);
        }
    }

    fn body(&self, doc: &mut Document, body: &mut [StmtId]) {
        for stmt in body {
            *stmt = self.stmt(doc, *stmt);
        }
    }

    fn masked(&self, doc: &mut Document, construct: &mut Where) {
        for arm in &mut construct.arms {
            self.option(doc, &mut arm.mask);
            self.body(doc, &mut arm.body);
        }
    }

    fn range(&self, doc: &mut Document, range: &mut IndexRange) {
        let IndexRange { var, lower, upper, step } = range;
        *var = self.symbol(*var);
        *lower = self.expr(doc, *lower);
        *upper = self.expr(doc, *upper);
        self.option(doc, step);
    }

    fn propagator(&self, doc: &mut Document, step: &mut Propagator) {
        match step {
            Propagator::Set { target, source }
            | Propagator::SetNegative { target, source }
            | Propagator::Increment { target, source }
            | Propagator::Decrement { target, source } => {
                *target = self.reference(doc, *target);
                *source = self.reference(doc, *source);
            }
            Propagator::Sax { terms, y } | Propagator::Saxpy { terms, y } => {
                for (partial, source) in terms {
                    *partial = self.expr(doc, *partial);
                    *source = self.reference(doc, *source);
                }
                *y = self.reference(doc, *y);
            }
            Propagator::Zero { target } => *target = self.reference(doc, *target),
        }
    }
}
