//! Which names a program unit mentions: in its declarations, statements and expressions.
//!
//! What is told is what the text of the unit would name, so that one can ask what a unit needs from
//! elsewhere. The types of expressions are no mention: only where a declaration or constructor
//! names a type is it one.

use xaif_schema::model::{
    Arg, ArgValue, Body, Callee, CaseRange, CharLen, ConstantKind, Decl, Dim, Document, ExprId,
    ExprKind, ForallHeader, Guard, Init, Intent, InterfaceItem, KindSpelling, Nest, Part, Place,
    ProcId, Propagator, RefId, Role, ScopeId, SpecItem, StmtId, StmtKind, Subscript, SymbolId,
    TypeParam, TypeSpec, VertexKind,
};

use booster_flow::Step;

/// One mention of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention {
    /// What is named.
    pub symbol: SymbolId,
    /// Where.
    pub place: Place,
    /// Whether its value, allocation or association may change here: it is assigned to, allocated, read
    /// into, the target of a pointer, or passed to a dummy argument with INTENT(OUT) or INTENT(INOUT).
    pub written: bool,
    /// Whether the text has a generic name, an operator or `=` in the place of the name.
    pub generic: bool,
}

/// All mentions in the scopes inside `root` (itself included), in the order of scopes: items,
/// declarations, then the body. Scopes for which `skip` holds are left out with all inside them.
pub fn mentions(
    doc: &Document,
    tree: &Nest,
    root: ScopeId,
    skip: impl Fn(ScopeId) -> bool,
) -> Vec<Mention> {
    let mut finder = Finder { doc, work: Vec::new(), place: Place::default(), found: Vec::new() };
    let mut left_out = std::collections::HashSet::new();
    for scope in tree.inside(root) {
        let parent = doc.scopes[scope].parent;
        if skip(scope) || scope != root && parent.is_some_and(|p| left_out.contains(&p)) {
            left_out.insert(scope);
            continue;
        }
        finder.scope(scope);
        if let Some(proc) = tree.procedure(scope) {
            finder.procedure(proc);
        }
    }
    finder.found
}

/// All mentions in the declaration of one symbol.
pub fn mentions_of_declaration(doc: &Document, symbol: SymbolId) -> Vec<Mention> {
    let mut finder = Finder { doc, work: Vec::new(), place: Place::default(), found: Vec::new() };
    finder.declaration(symbol);
    finder.found
}

/// All mentions in the declarations and items of the scopes inside `root`, itself included; not what
/// is executed.
pub fn mentions_of_declarations(doc: &Document, tree: &Nest, root: ScopeId) -> Vec<Mention> {
    let mut finder = Finder { doc, work: Vec::new(), place: Place::default(), found: Vec::new() };
    tree.inside(root).into_iter().for_each(|scope| finder.scope(scope));
    finder.found
}

/// All mentions in what one step executes.
pub fn mentions_of_step(doc: &Document, step: Step<'_>) -> Vec<Mention> {
    let mut finder = Finder { doc, work: Vec::new(), place: Place::default(), found: Vec::new() };
    match step {
        Step::Stmt(stmt) => finder.work.push(Work::Stmt(stmt)),
        Step::Evaluate(expr) => finder.work.push(Work::Expr(expr)),
        Step::Concurrent(header) => finder.header(header),
        Step::Enter(_) | Step::Leave => {}
    }
    finder.run();
    finder.found
}

#[derive(Clone, Copy)]
enum Work {
    Expr(ExprId),
    Ref(RefId, bool),
    Stmt(StmtId),
}

struct Finder<'d> {
    doc: &'d Document,
    work: Vec<Work>,
    /// Where what is looked at stands.
    place: Place,
    found: Vec<Mention>,
}

impl Finder<'_> {
    fn name(&mut self, symbol: SymbolId) {
        self.found.push(Mention { symbol, place: self.place, written: false, generic: false });
    }

    fn scope(&mut self, scope: ScopeId) {
        let data = &self.doc.scopes[scope];
        self.place = data.place;
        for item in data.items.iter().chain(&data.contains) {
            self.item(item);
        }
        for &symbol in &data.symbols {
            self.declaration(symbol);
        }
    }

    fn declaration(&mut self, symbol: SymbolId) {
        if let Some(decl) = self.doc.symbols[symbol].decl.as_deref() {
            self.place = decl.place;
            self.decl(decl);
            self.run();
        }
    }

    fn decl(&mut self, decl: &Decl) {
        self.spec(&decl.spec);
        if let Some(CharLen::Expr(len)) = decl.char_len {
            self.work.push(Work::Expr(len));
        }
        for dim in &decl.dims {
            match *dim {
                Dim::Explicit { lower, upper } => {
                    self.exprs(lower.into_iter().chain([upper]));
                }
                Dim::AssumedShape { lower } | Dim::AssumedSize { lower } => self.exprs(lower),
                Dim::Deferred | Dim::AssumedRank => {}
            }
        }
        if let Some(Init::Value(value) | Init::Target(value)) = decl.init {
            self.work.push(Work::Expr(value));
        }
        self.exprs(decl.bind_name);
        match &decl.role {
            Role::Procedure(info) => info.interface.into_iter().for_each(|s| self.name(s)),
            Role::DerivedType { extends, .. } => extends.iter().for_each(|&s| self.name(s)),
            Role::Binding { target, interface, .. } => {
                target.iter().chain(interface).for_each(|&s| self.name(s));
            }
            Role::Final { target } => self.name(*target),
            Role::Associate { selector } => self.exprs(*selector),
            Role::Generic { .. }
            | Role::Variable
            | Role::Constant
            | Role::TypeParam { .. }
            | Role::Module { .. }
            | Role::BlockData
            | Role::CommonBlock
            | Role::Namelist
            | Role::StatementFunction
            | Role::Unresolved { .. } => {}
        }
    }

    fn item(&mut self, item: &SpecItem) {
        match item {
            SpecItem::Implicit(rules) => rules.iter().for_each(|rule| self.spec(&rule.spec)),
            SpecItem::Namelist { members, .. } => members.iter().for_each(|&s| self.name(s)),
            SpecItem::Interface { items, .. } => {
                for item in items {
                    if let InterfaceItem::Procedures { symbols, .. } = item {
                        symbols.iter().for_each(|&symbol| self.name(symbol));
                    }
                }
            }
            SpecItem::Equivalence(sets) => {
                self.work.extend(sets.iter().flatten().map(|&r| Work::Ref(r, false)));
            }
            SpecItem::Data(sets) => {
                for set in sets {
                    self.exprs(set.objects.iter().copied());
                    for &(repeat, value) in &set.values {
                        self.exprs(repeat.into_iter().chain([value]));
                    }
                }
            }
            SpecItem::StatementFunction { body, .. } => self.work.push(Work::Expr(*body)),
            // Names of their own scope, or that are declared there.
            SpecItem::Comment(_)
            | SpecItem::Unit(_)
            | SpecItem::Use(_)
            | SpecItem::Import { .. }
            | SpecItem::ImplicitNone(_)
            | SpecItem::Declare(_)
            | SpecItem::Access { .. }
            | SpecItem::SaveAll
            | SpecItem::SaveCommon(_)
            | SpecItem::Common { .. }
            | SpecItem::DerivedType(_)
            | SpecItem::Enum(_)
            | SpecItem::Generic(_)
            | SpecItem::TypeContains
            | SpecItem::Opaque { .. } => {}
        }
        self.run();
    }

    fn procedure(&mut self, proc: ProcId) {
        let Body::Flow(cfg) = &self.doc.procs[proc].body else { return };
        for edge in cfg.edges.values() {
            match edge.guard.as_deref() {
                Some(Guard::Case(ranges)) => {
                    for range in ranges {
                        match *range {
                            CaseRange::Value(value) => self.work.push(Work::Expr(value)),
                            CaseRange::Range(lower, upper) => {
                                self.exprs(lower.into_iter().chain(upper));
                            }
                        }
                    }
                }
                Some(Guard::TypeIs(spec) | Guard::ClassIs(spec)) => self.spec(spec),
                Some(Guard::Rank(rank)) => self.work.push(Work::Expr(*rank)),
                Some(Guard::Default | Guard::RankStar) | None => {}
            }
            self.run();
        }
        for vertex in cfg.vertices.values() {
            self.place = vertex.place;
            match &vertex.kind {
                VertexKind::BasicBlock { stmts, .. } => {
                    self.work.extend(stmts.iter().rev().map(|&stmt| Work::Stmt(stmt)));
                }
                VertexKind::Branch { condition, .. }
                | VertexKind::PreLoop { condition, .. }
                | VertexKind::PostLoop { condition } => self.exprs(*condition),
                VertexKind::ForLoop { init, condition, update, .. } => {
                    self.work.extend([Work::Stmt(*update), Work::Expr(*condition)]);
                    self.work.push(Work::Stmt(*init));
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

    fn run(&mut self) {
        while let Some(work) = self.work.pop() {
            match work {
                Work::Expr(expr) => self.expr(expr),
                Work::Ref(reference, written) => self.reference(reference, written),
                Work::Stmt(stmt) => self.stmt(stmt),
            }
        }
    }

    fn exprs(&mut self, exprs: impl IntoIterator<Item = ExprId>) {
        self.work.extend(exprs.into_iter().map(Work::Expr));
    }

    fn propagator(&mut self, step: &Propagator) {
        let read = |reference: RefId| Work::Ref(reference, false);
        match step {
            Propagator::Set { target, source }
            | Propagator::SetNegative { target, source }
            | Propagator::Increment { target, source }
            | Propagator::Decrement { target, source } => {
                self.work.extend([read(*source), Work::Ref(*target, true)]);
            }
            Propagator::Sax { terms, y } | Propagator::Saxpy { terms, y } => {
                for &(partial, source) in terms {
                    self.work.extend([Work::Expr(partial), read(source)]);
                }
                self.work.push(Work::Ref(*y, true));
            }
            Propagator::Zero { target } => self.work.push(Work::Ref(*target, true)),
        }
    }

    fn stmt(&mut self, stmt: StmtId) {
        let doc = self.doc;
        self.place = doc.stmts[stmt].place;
        let write = |reference: &RefId| Work::Ref(*reference, true);
        match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, defined } => {
                self.work.extend([Work::Expr(*rhs), write(lhs)]);
                if let Some(callee) = defined {
                    self.callee(callee);
                }
            }
            StmtKind::PointerAssign { lhs, rhs } => {
                let target = match doc.exprs[*rhs].kind {
                    ExprKind::Ref(reference) => Work::Ref(reference, true),
                    _ => Work::Expr(*rhs),
                };
                self.work.extend([target, write(lhs)]);
            }
            StmtKind::Call(call) => {
                self.callee(&call.callee);
                self.args(Some(&call.callee), &call.args);
            }
            StmtKind::InlinableCall(call) => {
                use xaif_schema::model::Access;
                let operation = xaif_schema::tape::operation(&call.name);
                for (index, arg) in call.args.iter().enumerate() {
                    let access = operation.and_then(|it| it.args.get(index)).map(|arg| arg.access);
                    let written = match access {
                        Some(Access::Read | Access::Inquire) => false,
                        Some(Access::Write | Access::ReadWrite) | None => true,
                    };
                    self.arg(arg, written);
                }
            }
            StmtKind::Propagate(steps) => {
                steps.iter().for_each(|step| self.propagator(step));
            }
            StmtKind::Where(construct) => {
                self.exprs(construct.arms.iter().filter_map(|arm| arm.mask));
                let bodies = construct.arms.iter().flat_map(|arm| &arm.body);
                self.work.extend(bodies.map(|&stmt| Work::Stmt(stmt)));
            }
            StmtKind::Forall(construct) => {
                self.header(&construct.header);
                self.work.extend(construct.body.iter().map(|&stmt| Work::Stmt(stmt)));
            }
            StmtKind::Allocate(allocate) => {
                if let Some(spec) = &allocate.spec {
                    self.spec(spec);
                }
                self.work.extend(allocate.objects.iter().map(write));
                self.work.extend(allocate.stat.iter().chain(&allocate.errmsg).map(write));
                self.exprs(allocate.source.into_iter().chain(allocate.mold));
            }
            StmtKind::Release(release) => {
                self.work.extend(release.objects.iter().map(write));
                self.work.extend(release.stat.iter().chain(&release.errmsg).map(write));
            }
            StmtKind::Marker(marker) => {
                for operand in &marker.operands {
                    use xaif_schema::model::Access;
                    let written = matches!(operand.access, Access::Write | Access::ReadWrite);
                    match doc.exprs[operand.expr].kind {
                        ExprKind::Ref(reference) => self.work.push(Work::Ref(reference, written)),
                        _ => self.work.push(Work::Expr(operand.expr)),
                    }
                }
            }
            StmtKind::OpenScope(_) | StmtKind::CloseScope(_) | StmtKind::Comment(_) => {}
        }
    }

    fn callee(&mut self, callee: &Callee) {
        match callee.object {
            Some(object) => self.work.push(Work::Ref(object, false)),
            None => {
                let (symbol, generic) = (callee.symbol, callee.generic.is_some());
                self.found.push(Mention { symbol, place: self.place, written: false, generic });
                callee.generic.iter().for_each(|&generic| self.name(generic));
            }
        }
    }

    /// The arguments of a call, or (no callee) of a structure constructor.
    fn args(&mut self, callee: Option<&Callee>, args: &[Arg]) {
        let doc = self.doc;
        let dummies = callee.and_then(|callee| doc.described_by(callee.symbol));
        let dummies = dummies.map(|proc| doc.procs[proc].args.as_slice());
        for arg in args {
            let index = (arg.position as usize).checked_sub(1);
            let dummy = index.and_then(|index| dummies?.get(index)?.symbol);
            let intent = dummy.and_then(|dummy| doc.symbols[dummy].decl.as_deref()?.intent);
            self.arg(arg, matches!(intent, Some(Intent::Out | Intent::InOut)));
        }
    }

    fn arg(&mut self, arg: &Arg, written: bool) {
        let ArgValue::Expr(expr) = arg.value else { return };
        self.work.push(match self.doc.exprs[expr].kind {
            ExprKind::Ref(reference) => Work::Ref(reference, written),
            _ => Work::Expr(expr),
        });
    }

    fn header(&mut self, header: &ForallHeader) {
        for range in &header.ranges {
            self.name(range.var);
            self.exprs([range.lower, range.upper].into_iter().chain(range.step));
        }
        self.exprs(header.mask);
    }

    fn expr(&mut self, expr: ExprId) {
        let doc = self.doc;
        match &doc.exprs[expr].kind {
            ExprKind::Constant(constant) => {
                if let ConstantKind::Named(symbol) = constant.kind {
                    self.name(symbol);
                }
            }
            ExprKind::Ref(reference) => self.work.push(Work::Ref(*reference, false)),
            ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                self.exprs(operands.iter().map(|operand| operand.expr));
            }
            ExprKind::Call(call) => {
                self.callee(&call.callee);
                self.args(Some(&call.callee), &call.args);
            }
            ExprKind::ArrayConstructor { spec, items } => {
                if let Some(spec) = spec {
                    self.spec(spec);
                }
                self.exprs(items.iter().copied());
            }
            ExprKind::ImpliedDo(implied) => {
                self.name(implied.control.var);
                self.exprs(implied.items.iter().copied());
                self.exprs([implied.control.lower, implied.control.upper]);
                self.exprs(implied.control.step);
            }
            ExprKind::StructureConstructor { spec, args } => {
                self.spec(spec);
                self.args(None, args);
            }
            ExprKind::Procedure(symbol) => self.name(*symbol),
            ExprKind::Opaque(_) => {}
        }
    }

    fn reference(&mut self, reference: RefId, written: bool) {
        let reference = &self.doc.refs[reference];
        let (symbol, place) = (reference.base, self.place);
        self.found.push(Mention { symbol, place, written, generic: false });
        for part in &reference.parts {
            match part {
                Part::Elements(subscripts) => {
                    for subscript in subscripts {
                        match *subscript {
                            Subscript::Index(index) => self.work.push(Work::Expr(index)),
                            Subscript::Section { lower, upper, stride } => {
                                self.exprs(lower.into_iter().chain(upper).chain(stride));
                            }
                        }
                    }
                }
                Part::Component { symbol, .. } => symbol.iter().for_each(|&s| self.name(s)),
                Part::Substring { lower, upper } => {
                    self.exprs(lower.iter().chain(upper).copied());
                }
                Part::Inquiry(_) | Part::Deref => {}
            }
        }
    }

    fn spec(&mut self, spec: &TypeSpec) {
        match spec {
            TypeSpec::Intrinsic { kind, .. } => self.kind(*kind),
            TypeSpec::Character { kind, len, .. } => {
                self.kind(*kind);
                if let CharLen::Expr(len) = len {
                    self.work.push(Work::Expr(*len));
                }
            }
            TypeSpec::Derived { symbol, params, .. } => {
                symbol.iter().for_each(|&symbol| self.name(symbol));
                for (_, value) in params {
                    if let TypeParam::Expr(expr) = value {
                        self.work.push(Work::Expr(*expr));
                    }
                }
            }
            TypeSpec::Pointer(inner) => self.spec(inner),
            TypeSpec::ClassStar | TypeSpec::TypeStar | TypeSpec::None => {}
        }
    }

    fn kind(&mut self, kind: KindSpelling) {
        if let KindSpelling::Expr(expr) = kind {
            self.work.push(Work::Expr(expr));
        }
    }
}
