//! Ids: that what they name exists, and that each entity has one owner.
//!
//! [`walk`] is the one place that knows every id in a document. It goes through the arenas, never
//! from entity to entity, so that it ends on any document.

use std::collections::{HashMap, HashSet};

use super::{At, Verifier, graph};
use crate::diag::Code;
use crate::model::{
    Arg, ArgValue, Base, Callee, CaseRange, CharLen, Decl, Dim, Document, DummyArg, EntityRef,
    ExprId, ExprKind, FileId, ForallHeader, Guard, Init, InterfaceItem, KindSpelling, Part, Place,
    ProcId, Propagator, RefId, Role, ScopeId, ScopeKind, SpecItem, StmtId, StmtKind, Subscript,
    SymbolId, Ty, TypeId, TypeParam, TypeSpec, VertexKind,
};
use crate::model::{ConstantKind, InlinableCall, SubroutineCall};

/// An id that an entity holds.
#[derive(Clone, Copy, Debug)]
enum Held {
    File(FileId),
    Scope(ScopeId),
    Symbol(SymbolId),
    Type(TypeId),
    Proc(ProcId),
    Stmt(StmtId),
    /// The root of an expression.
    Root(ExprId),
    /// The selector of an associate name, which in SELECT TYPE is also the branch's condition.
    Selector(ExprId),
    /// A node of the same expression.
    Operand(ExprId),
    Ref(RefId),
}

/// Calls `visit` for each id in the document, with the entity that holds it.
fn walk(doc: &Document, visit: &mut dyn FnMut(At, Held)) {
    for (id, scope) in doc.scopes.iter() {
        let mut walker = Walker { at: At::Scope(id), visit };
        scope.parent.iter().for_each(|&parent| walker.hold(Held::Scope(parent)));
        walker.symbols(&scope.symbols);
        walker.place(scope.place);
        walker.place(scope.end);
        match scope.kind {
            ScopeKind::Plain
            | ScopeKind::Global
            | ScopeKind::Block
            | ScopeKind::Associate
            | ScopeKind::Indices => (),
            ScopeKind::Submodule { symbol, parent } => walker.symbols(&[symbol, parent]),
            ScopeKind::Module(symbol)
            | ScopeKind::Procedure(symbol)
            | ScopeKind::BlockData(symbol)
            | ScopeKind::DerivedType(symbol)
            | ScopeKind::StatementFunction(symbol) => walker.symbols(&[symbol]),
        }
        scope.items.iter().chain(&scope.contains).for_each(|item| walker.spec_item(item));
    }
    for (id, symbol) in doc.symbols.iter() {
        let mut walker = Walker { at: At::Symbol(id), visit };
        walker.hold(Held::Scope(symbol.scope));
        if let Some(decl) = &symbol.decl {
            walker.decl(decl);
        }
    }
    for ty in doc.types.values() {
        Walker { at: At::Document, visit }.ty(*ty);
    }
    for &(caller, callee) in &doc.calls {
        let mut walker = Walker { at: At::Document, visit };
        walker.hold(Held::Proc(caller));
        walker.hold(Held::Proc(callee));
    }
    walk_procs(doc, visit);
    for (id, stmt) in doc.stmts.iter() {
        let mut walker = Walker { at: At::Stmt(id), visit };
        walker.place(stmt.place);
        walker.stmt(&stmt.kind);
        stmt.recorded.iter().for_each(|recorded| walker.refs(recorded));
        walker.refs(&stmt.properties);
    }
    for (id, expr) in doc.exprs.iter() {
        let mut walker = Walker { at: At::Expr(id), visit };
        walker.place(expr.place);
        walker.ty(expr.ty);
        walker.expr(&expr.kind);
    }
    for (id, reference) in doc.refs.iter() {
        let mut walker = Walker { at: At::Ref(id), visit };
        walker.place(reference.place);
        walker.ty(reference.ty);
        walker.symbols(&[reference.base]);
        reference.parts.iter().for_each(|part| walker.part(part));
    }
}

fn walk_procs(doc: &Document, visit: &mut dyn FnMut(At, Held)) {
    for (id, proc) in doc.procs.iter() {
        let mut walker = Walker { at: At::Proc(id), visit };
        walker.symbols(&[proc.symbol]);
        walker.hold(Held::Scope(proc.scope));
        walker.dummy_args(&proc.args);
        proc.result.iter().for_each(|&result| walker.symbols(&[result]));
        walker.place(proc.place);
        let effects = &proc.effects;
        for list in [
            &effects.mod_local,
            &effects.modified,
            &effects.read_local,
            &effects.read,
            &effects.on_entry,
        ] {
            list.iter().for_each(|list| walker.refs(list));
        }
        walker.refs(&proc.independent);
        walker.refs(&proc.dependent);
    }
    for (graph, cfg) in graph::all(doc) {
        for (id, vertex) in cfg.vertices.iter() {
            let mut walker = Walker { at: At::Vertex(graph, id), visit };
            walker.place(vertex.place);
            walker.vertex(&vertex.kind);
        }
        for (id, edge) in cfg.edges.iter() {
            if let Some(guard) = &edge.guard {
                Walker { at: At::Edge(graph, id), visit }.guard(guard);
            }
        }
    }
}

struct Walker<'v> {
    at: At,
    visit: &'v mut dyn FnMut(At, Held),
}

impl Walker<'_> {
    fn hold(&mut self, held: Held) {
        (self.visit)(self.at, held);
    }

    fn symbols(&mut self, symbols: &[SymbolId]) {
        symbols.iter().for_each(|&symbol| self.hold(Held::Symbol(symbol)));
    }

    fn symbol_opt(&mut self, symbol: Option<SymbolId>) {
        symbol.into_iter().for_each(|symbol| self.hold(Held::Symbol(symbol)));
    }

    fn refs(&mut self, refs: &[RefId]) {
        refs.iter().for_each(|&reference| self.hold(Held::Ref(reference)));
    }

    fn roots(&mut self, roots: impl IntoIterator<Item = ExprId>) {
        roots.into_iter().for_each(|root| self.hold(Held::Root(root)));
    }

    fn operands(&mut self, operands: impl IntoIterator<Item = ExprId>) {
        operands.into_iter().for_each(|operand| self.hold(Held::Operand(operand)));
    }

    fn stmts(&mut self, stmts: &[StmtId]) {
        stmts.iter().for_each(|&stmt| self.hold(Held::Stmt(stmt)));
    }

    fn place(&mut self, place: Place) {
        place.file.into_iter().for_each(|file| self.hold(Held::File(file)));
    }

    fn ty(&mut self, ty: Ty) {
        self.base(ty.base);
    }

    fn base(&mut self, base: Base) {
        match base {
            Base::Derived(symbol) | Base::Class(symbol) => self.hold(Held::Symbol(symbol)),
            Base::Pointer(to) => self.hold(Held::Type(to)),
            Base::Unknown
            | Base::Void
            | Base::Integer(_)
            | Base::Unsigned(_)
            | Base::Real(_)
            | Base::Complex(_)
            | Base::Logical(_)
            | Base::Character(_)
            | Base::ClassStar
            | Base::TypeStar
            | Base::Procedure => (),
        }
    }

    fn spec(&mut self, spec: &TypeSpec) {
        let mut spec = spec;
        while let TypeSpec::Pointer(to) = spec {
            spec = to;
        }
        match spec {
            TypeSpec::Intrinsic { base, kind } => {
                self.base(*base);
                self.kind(*kind);
            }
            TypeSpec::Character { bytes: _, kind, len } => {
                self.kind(*kind);
                self.char_len(*len);
            }
            TypeSpec::Derived { symbol, params, .. } => {
                self.symbol_opt(*symbol);
                for (_, param) in params {
                    match *param {
                        TypeParam::Expr(value) => self.hold(Held::Root(value)),
                        TypeParam::Assumed | TypeParam::Deferred => (),
                    }
                }
            }
            TypeSpec::ClassStar | TypeSpec::TypeStar | TypeSpec::Pointer(_) | TypeSpec::None => (),
        }
    }

    fn kind(&mut self, kind: KindSpelling) {
        match kind {
            KindSpelling::Expr(expr) => self.hold(Held::Root(expr)),
            KindSpelling::Default | KindSpelling::Named | KindSpelling::Star(_) => (),
        }
    }

    fn char_len(&mut self, len: CharLen) {
        match len {
            CharLen::Expr(expr) => self.hold(Held::Root(expr)),
            CharLen::One | CharLen::Assumed | CharLen::Deferred => (),
        }
    }

    fn decl(&mut self, decl: &Decl) {
        self.place(decl.place);
        self.spec(&decl.spec);
        for dim in &decl.dims {
            match *dim {
                Dim::Explicit { lower, upper } => {
                    self.roots(lower);
                    self.hold(Held::Root(upper));
                }
                Dim::AssumedShape { lower } | Dim::AssumedSize { lower } => self.roots(lower),
                Dim::Deferred | Dim::AssumedRank => (),
            }
        }
        match decl.init {
            Some(Init::Value(expr) | Init::Target(expr)) => self.hold(Held::Root(expr)),
            None => (),
        }
        decl.char_len.into_iter().for_each(|len| self.char_len(len));
        self.symbol_opt(decl.common.map(|(block, _)| block));
        self.roots(decl.bind_name);
        self.role(&decl.role);
    }

    fn role(&mut self, role: &Role) {
        match role {
            Role::Variable
            | Role::Constant
            | Role::TypeParam { .. }
            | Role::BlockData
            | Role::CommonBlock
            | Role::Namelist
            | Role::StatementFunction => (),
            Role::Procedure(info) => {
                info.proc.into_iter().for_each(|proc| self.hold(Held::Proc(proc)));
                self.symbol_opt(info.interface);
            }
            Role::Generic { specifics, .. } => self.symbols(specifics),
            Role::DerivedType { scope, extends, params } => {
                self.hold(Held::Scope(*scope));
                self.symbol_opt(*extends);
                self.symbols(params);
            }
            Role::Binding { target, interface, .. } => {
                self.symbol_opt(*target);
                self.symbol_opt(*interface);
            }
            Role::Final { target } => self.hold(Held::Symbol(*target)),
            Role::Module { scope } => {
                scope.iter().for_each(|&scope| self.hold(Held::Scope(scope)));
            }
            Role::Unresolved { module } => self.symbol_opt(*module),
            Role::Associate { selector } => {
                selector.iter().for_each(|&selector| self.hold(Held::Selector(selector)));
            }
        }
    }

    fn spec_item(&mut self, item: &SpecItem) {
        match item {
            SpecItem::Comment(comment) => self.place(comment.place),
            SpecItem::Unit(scope) => self.hold(Held::Scope(*scope)),
            SpecItem::Use(usage) => {
                self.hold(Held::Symbol(usage.module));
                self.place(usage.place);
                usage.names.iter().for_each(|name| self.symbol_opt(name.symbol));
            }
            SpecItem::Import { .. }
            | SpecItem::ImplicitNone(_)
            | SpecItem::SaveAll
            | SpecItem::TypeContains => (),
            SpecItem::Implicit(rules) => rules.iter().for_each(|rule| self.spec(&rule.spec)),
            SpecItem::Declare(symbols)
            | SpecItem::Access { private: _, symbols }
            | SpecItem::SaveCommon(symbols)
            | SpecItem::Enum(symbols) => self.symbols(symbols),
            SpecItem::Common { block: symbol, members }
            | SpecItem::Namelist { group: symbol, members } => {
                self.hold(Held::Symbol(*symbol));
                self.symbols(members);
            }
            SpecItem::Equivalence(sets) => sets.iter().for_each(|set| self.refs(set)),
            SpecItem::Data(sets) => {
                for set in sets {
                    self.roots(set.objects.iter().copied());
                    for &(repeat, value) in &set.values {
                        self.roots(repeat);
                        self.hold(Held::Root(value));
                    }
                }
            }
            SpecItem::Interface { generic, items, .. } => {
                self.symbol_opt(*generic);
                items.iter().for_each(|item| self.interface_item(item));
            }
            SpecItem::DerivedType(symbol) | SpecItem::Generic(symbol) => {
                self.hold(Held::Symbol(*symbol));
            }
            SpecItem::StatementFunction { symbol, scope, args, body } => {
                self.hold(Held::Symbol(*symbol));
                self.hold(Held::Scope(*scope));
                self.symbols(args);
                self.hold(Held::Root(*body));
            }
            SpecItem::Opaque { place, .. } => self.place(*place),
        }
    }

    fn interface_item(&mut self, item: &InterfaceItem) {
        match item {
            InterfaceItem::Body(scope) => self.hold(Held::Scope(*scope)),
            InterfaceItem::Procedures { symbols, .. } => self.symbols(symbols),
            InterfaceItem::Comment(comment) => self.place(comment.place),
        }
    }

    fn dummy_args(&mut self, args: &[DummyArg]) {
        args.iter().for_each(|arg| self.symbol_opt(arg.symbol));
    }

    fn vertex(&mut self, kind: &VertexKind) {
        match kind {
            VertexKind::Entry(Some(entry)) => {
                self.hold(Held::Symbol(entry.symbol));
                self.dummy_args(&entry.args);
                self.symbol_opt(entry.result);
            }
            VertexKind::Entry(None)
            | VertexKind::Exit
            | VertexKind::EndBranch
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => (),
            VertexKind::BasicBlock { scope, stmts } => {
                self.hold(Held::Scope(*scope));
                self.stmts(stmts);
            }
            VertexKind::Branch { condition, .. }
            | VertexKind::PreLoop { condition, .. }
            | VertexKind::PostLoop { condition } => self.roots(*condition),
            VertexKind::ForLoop { init, condition, update, .. } => {
                self.stmts(&[*init, *update]);
                self.hold(Held::Root(*condition));
            }
            VertexKind::ConcurrentLoop { header, .. } => self.header(header),
        }
    }

    fn header(&mut self, header: &ForallHeader) {
        self.hold(Held::Scope(header.scope));
        header.spec.iter().for_each(|spec| self.spec(spec));
        for range in &header.ranges {
            self.hold(Held::Symbol(range.var));
            self.roots([range.lower, range.upper].into_iter().chain(range.step));
        }
        self.roots(header.mask);
    }

    fn guard(&mut self, guard: &Guard) {
        match guard {
            Guard::Case(ranges) => {
                for range in ranges {
                    match *range {
                        CaseRange::Value(value) => self.hold(Held::Root(value)),
                        CaseRange::Range(lower, upper) => {
                            self.roots(lower.into_iter().chain(upper));
                        }
                    }
                }
            }
            Guard::TypeIs(spec) | Guard::ClassIs(spec) => self.spec(spec),
            Guard::Rank(rank) => self.hold(Held::Root(*rank)),
            Guard::Default | Guard::RankStar => (),
        }
    }

    fn stmt(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Assign { lhs, rhs, defined } => {
                self.hold(Held::Ref(*lhs));
                self.hold(Held::Root(*rhs));
                defined.iter().for_each(|callee| self.callee(callee));
            }
            StmtKind::PointerAssign { lhs, rhs } => {
                self.hold(Held::Ref(*lhs));
                self.hold(Held::Root(*rhs));
            }
            StmtKind::Call(call) => {
                let SubroutineCall { callee, args, .. } = &**call;
                self.callee(callee);
                self.arguments(args);
            }
            StmtKind::InlinableCall(call) => {
                let InlinableCall { args, .. } = &**call;
                self.arguments(args);
            }
            StmtKind::Propagate(steps) => steps.iter().for_each(|step| self.propagator(step)),
            StmtKind::Where(masked) => {
                for arm in &masked.arms {
                    self.roots(arm.mask);
                    self.stmts(&arm.body);
                }
            }
            StmtKind::Forall(forall) => {
                self.header(&forall.header);
                self.stmts(&forall.body);
            }
            StmtKind::Allocate(allocate) => {
                allocate.spec.iter().for_each(|spec| self.spec(spec));
                self.refs(&allocate.objects);
                self.refs(allocate.stat.as_slice());
                self.refs(allocate.errmsg.as_slice());
                self.roots(allocate.source.into_iter().chain(allocate.mold));
            }
            StmtKind::Release(release) => {
                self.refs(&release.objects);
                self.refs(release.stat.as_slice());
                self.refs(release.errmsg.as_slice());
            }
            StmtKind::OpenScope(open) => self.hold(Held::Scope(open.scope)),
            StmtKind::CloseScope(scope) => self.hold(Held::Scope(*scope)),
            StmtKind::Marker(marker) => {
                self.roots(marker.operands.iter().map(|operand| operand.expr));
            }
            StmtKind::Comment(comment) => self.place(comment.place),
        }
    }

    fn propagator(&mut self, step: &Propagator) {
        match step {
            Propagator::Set { target, source }
            | Propagator::SetNegative { target, source }
            | Propagator::Increment { target, source }
            | Propagator::Decrement { target, source } => self.refs(&[*target, *source]),
            Propagator::Sax { terms, y } | Propagator::Saxpy { terms, y } => {
                for &(partial, source) in terms {
                    self.hold(Held::Root(partial));
                    self.hold(Held::Ref(source));
                }
                self.hold(Held::Ref(*y));
            }
            Propagator::Zero { target } => self.hold(Held::Ref(*target)),
        }
    }

    /// Arguments of a statement are expressions of their own.
    fn arguments(&mut self, args: &[Arg]) {
        for arg in args {
            match arg.value {
                ArgValue::Expr(value) => self.hold(Held::Root(value)),
                ArgValue::AlternateReturn(_) => (),
            }
        }
    }

    fn callee(&mut self, callee: &Callee) {
        self.hold(Held::Symbol(callee.symbol));
        self.symbol_opt(callee.generic);
        self.refs(callee.object.as_slice());
    }

    fn expr(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Constant(constant) => match constant.kind {
                ConstantKind::Named(symbol) => self.hold(Held::Symbol(symbol)),
                ConstantKind::None | ConstantKind::Number(_) => (),
            },
            ExprKind::Ref(reference) => self.hold(Held::Ref(*reference)),
            ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                self.operands(operands.iter().map(|operand| operand.expr));
            }
            ExprKind::Call(call) => {
                self.callee(&call.callee);
                self.operand_args(&call.args);
            }
            ExprKind::ArrayConstructor { spec, items } => {
                spec.iter().for_each(|spec| self.spec(spec));
                self.operands(items.iter().copied());
            }
            ExprKind::ImpliedDo(implied) => {
                let control = &implied.control;
                self.hold(Held::Symbol(control.var));
                self.operands(implied.items.iter().copied());
                self.operands([control.lower, control.upper].into_iter().chain(control.step));
            }
            ExprKind::StructureConstructor { spec, args } => {
                self.spec(spec);
                self.operand_args(args);
            }
            ExprKind::Procedure(symbol) => self.hold(Held::Symbol(*symbol)),
            ExprKind::Opaque(_) => (),
        }
    }

    fn operand_args(&mut self, args: &[Arg]) {
        for arg in args {
            match arg.value {
                ArgValue::Expr(value) => self.hold(Held::Operand(value)),
                ArgValue::AlternateReturn(_) => (),
            }
        }
    }

    fn part(&mut self, part: &Part) {
        match part {
            Part::Elements(subscripts) => {
                for subscript in subscripts {
                    match *subscript {
                        Subscript::Index(index) => self.hold(Held::Root(index)),
                        Subscript::Section { lower, upper, stride } => {
                            self.roots(lower.into_iter().chain(upper).chain(stride));
                        }
                    }
                }
            }
            Part::Component { symbol, .. } => self.symbol_opt(*symbol),
            Part::Substring { lower, upper } => self.roots(lower.iter().chain(upper).copied()),
            Part::Inquiry(_) | Part::Deref => (),
        }
    }
}

/// OX0200: every id names an entity that exists.
pub(super) fn check_existence(verifier: &mut Verifier<'_>) {
    let doc = verifier.doc;
    let mut found = Vec::new();
    walk(doc, &mut |at, held| {
        let there = match held {
            Held::File(id) => doc.files.is_valid(id),
            Held::Scope(id) => doc.scopes.is_valid(id),
            Held::Symbol(id) => doc.symbols.is_valid(id),
            Held::Type(id) => doc.types.is_valid(id),
            Held::Proc(id) => doc.procs.is_valid(id),
            Held::Stmt(id) => doc.stmts.is_valid(id),
            Held::Root(id) | Held::Selector(id) | Held::Operand(id) => doc.exprs.is_valid(id),
            Held::Ref(id) => doc.refs.is_valid(id),
        };
        if !there {
            found.push((at, format!("{held:?} does not exist")));
        }
    });
    for (graph, cfg) in graph::all(doc) {
        for (id, edge) in cfg.edges.iter() {
            for end in [edge.source, edge.target] {
                if !cfg.vertices.is_valid(end) {
                    found.push((At::Edge(graph, id), format!("{end} does not exist")));
                }
            }
        }
        for &vertex in cfg.layout.iter().filter(|&&vertex| !cfg.vertices.is_valid(vertex)) {
            found.push((At::Proc(graph.proc), format!("{vertex} of the layout does not exist")));
        }
    }
    for (at, message) in found {
        verifier.report(Code::DANGLING_ID, at, message);
    }
}

/// What the statements, nodes and references of a document hold, by holder.
#[derive(Default)]
struct Holders {
    held: Vec<Held>,
    /// Ranges of `held`.
    stmts: Vec<(usize, usize)>,
    exprs: Vec<(usize, usize)>,
    refs: Vec<(usize, usize)>,
    /// What all other entities hold: everything that is part of the program is reached from here.
    fixed: Vec<(At, Held)>,
}

impl Holders {
    fn of(doc: &Document) -> Self {
        let mut holders = Holders {
            stmts: vec![(0, 0); doc.stmts.len()],
            exprs: vec![(0, 0); doc.exprs.len()],
            refs: vec![(0, 0); doc.refs.len()],
            ..Holders::default()
        };
        walk(doc, &mut |at, held| {
            let range = match at {
                At::Stmt(id) => &mut holders.stmts[id.index()],
                At::Expr(id) => &mut holders.exprs[id.index()],
                At::Ref(id) => &mut holders.refs[id.index()],
                At::Document
                | At::Scope(_)
                | At::Symbol(_)
                | At::Proc(_)
                | At::Vertex(..)
                | At::Edge(..) => return holders.fixed.push((at, held)),
            };
            // What one entity holds is visited without a break.
            if range.1 == 0 {
                range.0 = holders.held.len();
            }
            holders.held.push(held);
            range.1 = holders.held.len();
        });
        holders
    }

    fn held_by(&self, at: At) -> &[Held] {
        let (from, to) = match at {
            At::Stmt(id) => self.stmts[id.index()],
            At::Expr(id) => self.exprs[id.index()],
            At::Ref(id) => self.refs[id.index()],
            At::Document
            | At::Scope(_)
            | At::Symbol(_)
            | At::Proc(_)
            | At::Vertex(..)
            | At::Edge(..) => (0, 0),
        };
        &self.held[from..to]
    }
}

/// OX0203: statements, references and roots have one owner. What a stage has cut off and left in an
/// arena does not count. Answers the roots of the expressions that are part of the program.
pub(super) fn check_owners(verifier: &mut Verifier<'_>) -> Vec<ExprId> {
    let doc = verifier.doc;
    let holders = Holders::of(doc);
    let mut stmts = vec![false; doc.stmts.len()];
    let mut exprs = vec![false; doc.exprs.len()];
    let mut roots = vec![false; doc.exprs.len()];
    let mut refs = vec![false; doc.refs.len()];
    let mut live_roots = Vec::new();
    let mut pending: Vec<(At, Held)> = holders.fixed.iter().rev().copied().collect();
    while let Some((at, held)) = pending.pop() {
        if let Held::Root(root) | Held::Selector(root) = held {
            live_roots.push(root);
        }
        let (next, second) = match held {
            Held::Stmt(id) => (At::Stmt(id), std::mem::replace(&mut stmts[id.index()], true)),
            Held::Root(id) => {
                let second = std::mem::replace(&mut roots[id.index()], true);
                let again = std::mem::replace(&mut exprs[id.index()], true);
                if again && !second {
                    continue;
                }
                (At::Expr(id), second)
            }
            Held::Selector(id) | Held::Operand(id) => {
                if std::mem::replace(&mut exprs[id.index()], true) {
                    continue;
                }
                (At::Expr(id), false)
            }
            Held::Ref(id) => (At::Ref(id), std::mem::replace(&mut refs[id.index()], true)),
            Held::File(_) | Held::Scope(_) | Held::Symbol(_) | Held::Type(_) | Held::Proc(_) => {
                continue;
            }
        };
        if second {
            let message = format!("{held:?} is used in a second place");
            verifier.report(Code::SECOND_OWNER, at, message);
        } else {
            pending.extend(holders.held_by(next).iter().rev().map(|&held| (next, held)));
        }
    }
    live_roots
}

/// OX0204: expressions have no cycle and share no nodes.
pub(super) fn check_cycles(verifier: &mut Verifier<'_>, roots: Vec<ExprId>) {
    let doc = verifier.doc;
    let mut operands: Vec<(ExprId, ExprId)> = Vec::new();
    walk(doc, &mut |at, held| {
        if let (At::Expr(operator), Held::Operand(operand)) = (at, held) {
            operands.push((operator, operand));
        }
    });
    // `walk` goes through the nodes in order, so that the operands of a node stand together.
    let mut first = vec![0usize; doc.exprs.len() + 1];
    operands.iter().for_each(|(operator, _)| first[operator.index() + 1] += 1);
    for i in 0..doc.exprs.len() {
        first[i + 1] += first[i];
    }
    let mut owner: Vec<Option<ExprId>> = vec![None; doc.exprs.len()];
    let mut done = vec![false; doc.exprs.len()];
    for root in roots {
        let mut stack = vec![(root, first[root.index()])];
        if owner[root.index()].is_some_and(|other| other != root) {
            verifier.report(
                Code::SHARED_NODE,
                At::Expr(root),
                format!("{root} belongs to two expressions"),
            );
            continue;
        }
        owner[root.index()] = Some(root);
        while let Some((node, next)) = stack.last_mut() {
            if *next == first[node.index() + 1] {
                done[node.index()] = true;
                stack.pop();
                continue;
            }
            let operand = operands[*next].1;
            *next += 1;
            match owner[operand.index()] {
                None => {
                    owner[operand.index()] = Some(root);
                    stack.push((operand, first[operand.index()]));
                }
                Some(other) if other != root => {
                    let message = format!("{operand} belongs to two expressions");
                    verifier.report(Code::SHARED_NODE, At::Expr(operand), message);
                }
                Some(_) if !done[operand.index()] => {
                    let message = format!("{operand} is an operand of itself");
                    verifier.report(Code::SHARED_NODE, At::Expr(operand), message);
                }
                Some(_) => (),
            }
        }
    }
}

/// OX0212: ids that were read are unique where XAIF says so.
pub(super) fn check_read_ids(verifier: &mut Verifier<'_>) {
    let doc = verifier.doc;
    let mut scopes = HashSet::new();
    for (id, scope) in doc.scopes.iter() {
        if scope.id.as_ref().is_some_and(|name| !scopes.insert(name)) {
            verifier.report(Code::REPEATED_ID, At::Scope(id), "two scopes have the same vertex_id");
        }
    }
    for (graph, cfg) in graph::all(doc) {
        let mut vertices = HashMap::new();
        for (id, vertex) in cfg.vertices.iter() {
            if let Some(name) = &vertex.id
                && let Some(other) = vertices.insert(name, id)
            {
                let message = format!("{other} has the same vertex_id `{name}`");
                verifier.report(Code::REPEATED_ID, At::Vertex(graph, id), message);
            }
        }
    }
}
