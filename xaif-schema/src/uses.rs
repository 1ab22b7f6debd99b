//! Which symbols and references an expression, a type, a statement or a body mentions.

use crate::model::{
    Arg, ArgValue, CaseRange, Cfg, CharLen, ConstantKind, Decl, Dim, Document, ExprId, ExprKind,
    ForallHeader, Guard, Init, KindSpelling, Part, Propagator, RefId, StmtId, StmtKind, Subscript,
    SymbolId, TypeParam, TypeSpec, VertexKind,
};

/// A place where a procedure stands for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mention {
    /// A call statement.
    Stmt(StmtId),
    /// A call of a function, or a procedure as an argument.
    Expr(ExprId),
}

/// Collects symbols; what has been collected is handed out in the order of the first mention.
#[derive(Debug)]
pub struct Uses<'d> {
    doc: &'d Document,
    exprs: Vec<ExprId>,
    refs: Vec<RefId>,
    /// The symbols, with repetitions.
    pub symbols: Vec<SymbolId>,
    /// The references, with repetitions.
    pub references: Vec<RefId>,
    /// Where procedures are called or passed, with repetitions.
    pub procedures: Vec<(Mention, SymbolId)>,
}

impl<'d> Uses<'d> {
    /// Nothing yet.
    pub fn new(doc: &'d Document) -> Self {
        Uses {
            doc,
            exprs: Vec::new(),
            refs: Vec::new(),
            symbols: Vec::new(),
            references: Vec::new(),
            procedures: Vec::new(),
        }
    }

    /// Adds what `expr` mentions.
    pub fn expr(&mut self, expr: ExprId) {
        self.exprs.push(expr);
        self.run();
    }

    /// Adds what a reference mentions, its base included.
    pub fn reference(&mut self, reference: RefId) {
        self.refs.push(reference);
        self.run();
    }

    /// Adds what the declaration of a symbol mentions.
    pub fn decl(&mut self, decl: &Decl) {
        self.spec(&decl.spec);
        if let Some(CharLen::Expr(len)) = decl.char_len {
            self.exprs.push(len);
        }
        for dim in &decl.dims {
            match *dim {
                Dim::Explicit { lower, upper } => {
                    self.exprs.extend(lower);
                    self.exprs.push(upper);
                }
                Dim::AssumedShape { lower } | Dim::AssumedSize { lower } => {
                    self.exprs.extend(lower);
                }
                Dim::Deferred | Dim::AssumedRank => {}
            }
        }
        if let Some(Init::Value(expr) | Init::Target(expr)) = decl.init {
            self.exprs.push(expr);
        }
        self.exprs.extend(decl.bind_name);
        self.run();
    }

    /// Adds what a type mentions.
    pub fn spec(&mut self, spec: &TypeSpec) {
        let kind = |kind: KindSpelling| match kind {
            KindSpelling::Expr(expr) => Some(expr),
            KindSpelling::Default | KindSpelling::Named | KindSpelling::Star(_) => None,
        };
        match spec {
            TypeSpec::Intrinsic { kind: spelling, .. } => self.exprs.extend(kind(*spelling)),
            TypeSpec::Character { kind: spelling, len, .. } => {
                self.exprs.extend(kind(*spelling));
                if let CharLen::Expr(len) = len {
                    self.exprs.push(*len);
                }
            }
            TypeSpec::Derived { symbol, params, .. } => {
                self.symbols.extend(*symbol);
                for (_, value) in params {
                    if let TypeParam::Expr(expr) = value {
                        self.exprs.push(*expr);
                    }
                }
            }
            TypeSpec::Pointer(inner) => self.spec(inner),
            TypeSpec::ClassStar | TypeSpec::TypeStar | TypeSpec::None => {}
        }
        self.run();
    }

    /// Adds what a body mentions.
    pub fn cfg(&mut self, cfg: &Cfg) {
        for edge in cfg.edges.values() {
            match edge.guard.as_deref() {
                Some(Guard::Case(ranges)) => {
                    for range in ranges {
                        match *range {
                            CaseRange::Value(value) => self.exprs.push(value),
                            CaseRange::Range(lower, upper) => {
                                self.exprs.extend(lower);
                                self.exprs.extend(upper);
                            }
                        }
                    }
                }
                Some(Guard::Rank(rank)) => self.exprs.push(*rank),
                Some(Guard::TypeIs(spec) | Guard::ClassIs(spec)) => self.spec(spec),
                Some(Guard::Default | Guard::RankStar) | None => {}
            }
        }
        for vertex in cfg.vertices.values() {
            match &vertex.kind {
                VertexKind::BasicBlock { stmts, .. } => {
                    stmts.iter().for_each(|&stmt| self.stmt(stmt));
                }
                VertexKind::Branch { condition, .. }
                | VertexKind::PreLoop { condition, .. }
                | VertexKind::PostLoop { condition } => self.exprs.extend(*condition),
                VertexKind::ForLoop { init, condition, update, .. } => {
                    self.stmt(*init);
                    self.stmt(*update);
                    self.exprs.push(*condition);
                }
                VertexKind::ConcurrentLoop { header, .. } => self.header(header),
                VertexKind::Entry(_)
                | VertexKind::Exit
                | VertexKind::EndBranch
                | VertexKind::EndLoop
                | VertexKind::Goto(_)
                | VertexKind::Label { .. } => {}
            }
            self.run();
        }
    }

    fn header(&mut self, header: &ForallHeader) {
        for range in &header.ranges {
            self.symbols.push(range.var);
            self.exprs.extend([range.lower, range.upper]);
            self.exprs.extend(range.step);
        }
        self.exprs.extend(header.mask);
    }

    fn arguments(&mut self, args: &[Arg]) {
        self.exprs.extend(args.iter().filter_map(|arg| match arg.value {
            ArgValue::Expr(expr) => Some(expr),
            ArgValue::AlternateReturn(_) => None,
        }));
    }

    /// Adds what a statement mentions.
    pub fn stmt(&mut self, stmt: StmtId) {
        let doc = self.doc;
        let mut stack = vec![stmt];
        while let Some(stmt) = stack.pop() {
            match &doc.stmts[stmt].kind {
                StmtKind::Assign { lhs, rhs, .. } | StmtKind::PointerAssign { lhs, rhs } => {
                    self.refs.push(*lhs);
                    self.exprs.push(*rhs);
                }
                StmtKind::Call(call) => {
                    self.procedure(Mention::Stmt(stmt), call.callee.symbol);
                    self.refs.extend(call.callee.object);
                    self.arguments(&call.args);
                }
                StmtKind::InlinableCall(call) => self.arguments(&call.args),
                StmtKind::Propagate(steps) => steps.iter().for_each(|step| self.propagator(step)),
                StmtKind::Where(construct) => {
                    self.exprs.extend(construct.arms.iter().filter_map(|arm| arm.mask));
                    stack.extend(construct.arms.iter().flat_map(|arm| &arm.body));
                }
                StmtKind::Forall(construct) => {
                    self.header(&construct.header);
                    stack.extend(&construct.body);
                }
                StmtKind::Allocate(allocate) => {
                    self.refs.extend(&allocate.objects);
                    self.refs.extend(allocate.stat.into_iter().chain(allocate.errmsg));
                    self.exprs.extend(allocate.source.into_iter().chain(allocate.mold));
                }
                StmtKind::Release(release) => {
                    self.refs.extend(&release.objects);
                    self.refs.extend(release.stat.into_iter().chain(release.errmsg));
                }
                StmtKind::Marker(marker) => {
                    self.exprs.extend(marker.operands.iter().map(|operand| operand.expr));
                }
                StmtKind::OpenScope(_) | StmtKind::CloseScope(_) | StmtKind::Comment(_) => {}
            }
            self.run();
        }
    }

    fn procedure(&mut self, place: Mention, symbol: SymbolId) {
        self.symbols.push(symbol);
        self.procedures.push((place, symbol));
    }

    fn propagator(&mut self, step: &Propagator) {
        match step {
            Propagator::Set { target, source }
            | Propagator::SetNegative { target, source }
            | Propagator::Increment { target, source }
            | Propagator::Decrement { target, source } => self.refs.extend([target, source]),
            Propagator::Sax { terms, y } | Propagator::Saxpy { terms, y } => {
                self.refs.push(*y);
                for &(partial, source) in terms {
                    self.exprs.push(partial);
                    self.refs.push(source);
                }
            }
            Propagator::Zero { target } => self.refs.push(*target),
        }
    }

    fn run(&mut self) {
        loop {
            if let Some(expr) = self.exprs.pop() {
                self.node(expr);
            } else if let Some(reference) = self.refs.pop() {
                self.parts(reference);
            } else {
                return;
            }
        }
    }

    fn node(&mut self, expr: ExprId) {
        let doc = self.doc;
        match &doc.exprs[expr].kind {
            ExprKind::Constant(constant) => {
                if let ConstantKind::Named(symbol) = constant.kind {
                    self.symbols.push(symbol);
                }
            }
            ExprKind::Ref(reference) => self.refs.push(*reference),
            ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                self.exprs.extend(operands.iter().map(|operand| operand.expr));
            }
            ExprKind::Call(call) => {
                self.procedure(Mention::Expr(expr), call.callee.symbol);
                self.symbols.extend(call.callee.generic);
                self.refs.extend(call.callee.object);
                self.exprs.extend(call.args.iter().filter_map(|arg| match arg.value {
                    ArgValue::Expr(expr) => Some(expr),
                    ArgValue::AlternateReturn(_) => None,
                }));
            }
            ExprKind::ArrayConstructor { spec, items } => {
                if let Some(spec) = spec {
                    self.nested_spec(spec);
                }
                self.exprs.extend(items);
            }
            ExprKind::ImpliedDo(implied) => {
                self.symbols.push(implied.control.var);
                self.exprs.extend(&implied.items);
                self.exprs.extend([implied.control.lower, implied.control.upper]);
                self.exprs.extend(implied.control.step);
            }
            ExprKind::StructureConstructor { spec, args } => {
                self.nested_spec(spec);
                self.exprs.extend(args.iter().filter_map(|arg| match arg.value {
                    ArgValue::Expr(expr) => Some(expr),
                    ArgValue::AlternateReturn(_) => None,
                }));
            }
            ExprKind::Procedure(symbol) => self.procedure(Mention::Expr(expr), *symbol),
            ExprKind::Opaque(_) => {}
        }
    }

    /// A type within an expression: its own symbol and kind, without recursion.
    fn nested_spec(&mut self, spec: &TypeSpec) {
        match spec {
            TypeSpec::Derived { symbol, .. } => self.symbols.extend(*symbol),
            TypeSpec::Intrinsic { kind: KindSpelling::Expr(kind), .. } => self.exprs.push(*kind),
            TypeSpec::Character { len: CharLen::Expr(len), .. } => self.exprs.push(*len),
            TypeSpec::Intrinsic { .. }
            | TypeSpec::Character { .. }
            | TypeSpec::ClassStar
            | TypeSpec::TypeStar
            | TypeSpec::Pointer(_)
            | TypeSpec::None => {}
        }
    }

    fn parts(&mut self, reference: RefId) {
        let doc = self.doc;
        self.references.push(reference);
        let reference = &doc.refs[reference];
        self.symbols.push(reference.base);
        for part in &reference.parts {
            match part {
                Part::Elements(subscripts) => {
                    for subscript in subscripts {
                        match *subscript {
                            Subscript::Index(expr) => self.exprs.push(expr),
                            Subscript::Section { lower, upper, stride } => {
                                self.exprs.extend(lower);
                                self.exprs.extend(upper);
                                self.exprs.extend(stride);
                            }
                        }
                    }
                }
                Part::Substring { lower, upper } => {
                    self.exprs.extend(*lower);
                    self.exprs.extend(*upper);
                }
                Part::Component { .. } | Part::Inquiry(_) | Part::Deref => {}
            }
        }
    }
}
