//! Every id that an entity of a document holds, one after the other: for whoever marks what is
//! used, or gives everything new ids.

use xaif_schema::model::Base;
use xaif_schema::model::{
    Allocate, Arg, ArgValue, Body, Callee, CaseRange, Cfg, CharLen, CheckpointNumber, Checkpoints,
    ConstantKind, Decl, Dim, DummyArg, Effects, Expr, ExprId, ExprKind, ForallHeader, FunctionCall,
    Guard, ImpliedDo, IndexRange, Init, InterfaceItem, KindSpelling, Part, ProcId, Procedure,
    Propagator, RefId, Reference, Release, Role, Scope, ScopeId, ScopeKind, SpecItem, Stmt, StmtId,
    StmtKind, Subscript, Symbol, SymbolId, Ty, TypeParam, TypeSpec, VertexKind,
};

/// A place where an id stands.
#[derive(Debug)]
pub(super) enum Id<'a> {
    Scope(&'a mut ScopeId),
    Symbol(&'a mut SymbolId),
    Proc(&'a mut ProcId),
    Stmt(&'a mut StmtId),
    Expr(&'a mut ExprId),
    Ref(&'a mut RefId),
}

/// What is done with each.
pub(super) type Visit<'v> = dyn FnMut(Id<'_>) + 'v;

fn symbols<'a>(list: impl IntoIterator<Item = &'a mut SymbolId>, visit: &mut Visit<'_>) {
    list.into_iter().for_each(|symbol| visit(Id::Symbol(symbol)));
}

fn exprs<'a>(list: impl IntoIterator<Item = &'a mut ExprId>, visit: &mut Visit<'_>) {
    list.into_iter().for_each(|expr| visit(Id::Expr(expr)));
}

fn refs<'a>(list: impl IntoIterator<Item = &'a mut RefId>, visit: &mut Visit<'_>) {
    list.into_iter().for_each(|reference| visit(Id::Ref(reference)));
}

/// The ids of a scope, but for the symbols and items that it lists.
pub(super) fn scope(data: &mut Scope, visit: &mut Visit<'_>) {
    if let Some(parent) = &mut data.parent {
        visit(Id::Scope(parent));
    }
    match &mut data.kind {
        ScopeKind::Module(symbol)
        | ScopeKind::Procedure(symbol)
        | ScopeKind::BlockData(symbol)
        | ScopeKind::DerivedType(symbol)
        | ScopeKind::StatementFunction(symbol) => visit(Id::Symbol(symbol)),
        ScopeKind::Submodule { symbol, parent } => {
            visit(Id::Symbol(symbol));
            visit(Id::Symbol(parent));
        }
        ScopeKind::Plain
        | ScopeKind::Global
        | ScopeKind::Block
        | ScopeKind::Associate
        | ScopeKind::Indices => {}
    }
}

/// The ids of an item of a specification part.
pub(super) fn item(item: &mut SpecItem, visit: &mut Visit<'_>) {
    match item {
        SpecItem::Comment(_)
        | SpecItem::Import { .. }
        | SpecItem::ImplicitNone(_)
        | SpecItem::SaveAll
        | SpecItem::TypeContains
        | SpecItem::Opaque { .. } => {}
        SpecItem::Unit(scope) => visit(Id::Scope(scope)),
        SpecItem::Use(used) => {
            visit(Id::Symbol(&mut used.module));
            symbols(used.names.iter_mut().filter_map(|name| name.symbol.as_mut()), visit);
        }
        SpecItem::Implicit(rules) => rules.iter_mut().for_each(|rule| spec(&mut rule.spec, visit)),
        SpecItem::Declare(list) | SpecItem::Enum(list) | SpecItem::SaveCommon(list) => {
            symbols(list, visit);
        }
        SpecItem::Access { symbols: list, .. } => symbols(list, visit),
        SpecItem::Common { block: first, members }
        | SpecItem::Namelist { group: first, members } => {
            visit(Id::Symbol(first));
            symbols(members, visit);
        }
        SpecItem::Equivalence(sets) => refs(sets.iter_mut().flatten(), visit),
        SpecItem::Data(sets) => {
            for set in sets {
                exprs(&mut set.objects, visit);
                for (repeat, value) in &mut set.values {
                    exprs(repeat.iter_mut().chain([value]), visit);
                }
            }
        }
        SpecItem::Interface { generic, items, .. } => {
            symbols(generic, visit);
            for item in items {
                match item {
                    InterfaceItem::Body(scope) => visit(Id::Scope(scope)),
                    InterfaceItem::Procedures { symbols: list, .. } => symbols(list, visit),
                    InterfaceItem::Comment(_) => {}
                }
            }
        }
        SpecItem::DerivedType(symbol) | SpecItem::Generic(symbol) => visit(Id::Symbol(symbol)),
        SpecItem::StatementFunction { symbol, scope, args, body } => {
            visit(Id::Symbol(symbol));
            visit(Id::Scope(scope));
            symbols(args, visit);
            visit(Id::Expr(body));
        }
    }
}

/// The ids of a symbol.
pub(super) fn symbol(data: &mut Symbol, visit: &mut Visit<'_>) {
    visit(Id::Scope(&mut data.scope));
    let Some(decl) = data.decl.as_deref_mut() else { return };
    let Decl { role, spec: kind, dims, init, char_len, common, bind_name, .. } = decl;
    spec(kind, visit);
    for dim in dims {
        match dim {
            Dim::Explicit { lower, upper } => exprs(lower.iter_mut().chain([upper]), visit),
            Dim::AssumedShape { lower } | Dim::AssumedSize { lower } => exprs(lower, visit),
            Dim::Deferred | Dim::AssumedRank => {}
        }
    }
    if let Some(Init::Value(expr) | Init::Target(expr)) = init {
        visit(Id::Expr(expr));
    }
    if let Some(CharLen::Expr(len)) = char_len {
        visit(Id::Expr(len));
    }
    if let Some((block, _)) = common {
        visit(Id::Symbol(block));
    }
    exprs(bind_name, visit);
    match role {
        Role::Procedure(info) => {
            if let Some(proc) = &mut info.proc {
                visit(Id::Proc(proc));
            }
            symbols(&mut info.interface, visit);
        }
        Role::Generic { specifics, .. } => symbols(specifics, visit),
        Role::DerivedType { scope, extends, params } => {
            visit(Id::Scope(scope));
            symbols(extends.iter_mut().chain(params), visit);
        }
        Role::Binding { target, interface, .. } => {
            symbols(target.iter_mut().chain(interface), visit);
        }
        Role::Final { target } => visit(Id::Symbol(target)),
        Role::Module { scope: Some(scope) } => visit(Id::Scope(scope)),
        Role::Unresolved { module } => symbols(module, visit),
        Role::Associate { selector } => exprs(selector, visit),
        Role::Variable
        | Role::Constant
        | Role::TypeParam { .. }
        | Role::Module { scope: None }
        | Role::BlockData
        | Role::CommonBlock
        | Role::Namelist
        | Role::StatementFunction => {}
    }
}

fn dummies(args: &mut [DummyArg], visit: &mut Visit<'_>) {
    symbols(args.iter_mut().filter_map(|arg| arg.symbol.as_mut()), visit);
}

/// The ids of a procedure and its body.
pub(super) fn procedure(data: &mut Procedure, visit: &mut Visit<'_>) {
    visit(Id::Symbol(&mut data.symbol));
    visit(Id::Scope(&mut data.scope));
    dummies(&mut data.args, visit);
    symbols(&mut data.result, visit);
    let Effects { mod_local, modified, read_local, read, on_entry } = &mut data.effects;
    for list in [mod_local, modified, read_local, read, on_entry].into_iter().flatten() {
        refs(list, visit);
    }
    refs(data.independent.iter_mut().chain(&mut data.dependent), visit);
    match &mut data.body {
        Body::Flow(cfg) => graph(cfg, visit),
        Body::Interface => {}
        Body::Replacements { list, .. } => {
            list.iter_mut().for_each(|one| graph(&mut one.cfg, visit));
        }
    }
}

fn graph(cfg: &mut Cfg, visit: &mut Visit<'_>) {
    for vertex in cfg.vertices.values_mut() {
        match &mut vertex.kind {
            VertexKind::Entry(Some(entry)) => {
                visit(Id::Symbol(&mut entry.symbol));
                dummies(&mut entry.args, visit);
                symbols(&mut entry.result, visit);
            }
            VertexKind::BasicBlock { scope, stmts } => {
                visit(Id::Scope(scope));
                stmts.iter_mut().for_each(|stmt| visit(Id::Stmt(stmt)));
            }
            VertexKind::Branch { condition, .. }
            | VertexKind::PreLoop { condition, .. }
            | VertexKind::PostLoop { condition } => exprs(condition, visit),
            VertexKind::ForLoop { init, condition, update, .. } => {
                visit(Id::Stmt(init));
                visit(Id::Expr(condition));
                visit(Id::Stmt(update));
            }
            VertexKind::ConcurrentLoop { header: control, .. } => header(control, visit),
            VertexKind::Entry(None)
            | VertexKind::Exit
            | VertexKind::EndBranch
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => {}
        }
    }
    for edge in cfg.edges.values_mut() {
        match edge.guard.as_deref_mut() {
            Some(Guard::Case(ranges)) => {
                for range in ranges {
                    match range {
                        CaseRange::Value(value) => visit(Id::Expr(value)),
                        CaseRange::Range(lower, upper) => {
                            exprs(lower.iter_mut().chain(upper), visit);
                        }
                    }
                }
            }
            Some(Guard::TypeIs(kind) | Guard::ClassIs(kind)) => spec(kind, visit),
            Some(Guard::Rank(rank)) => visit(Id::Expr(rank)),
            Some(Guard::Default | Guard::RankStar) | None => {}
        }
    }
}

/// The ids of a statement.
pub(super) fn stmt(data: &mut Stmt, visit: &mut Visit<'_>) {
    refs(data.recorded.iter_mut().flatten(), visit);
    refs(data.properties.iter_mut(), visit);
    if let Some(Checkpoints { number: CheckpointNumber::Variable(symbol), .. }) =
        &mut data.checkpoints
    {
        visit(Id::Symbol(symbol));
    }
    match &mut data.kind {
        StmtKind::Assign { lhs, rhs, defined } => {
            visit(Id::Ref(lhs));
            visit(Id::Expr(rhs));
            if let Some(called) = defined {
                callee(called, visit);
            }
        }
        StmtKind::PointerAssign { lhs, rhs } => {
            visit(Id::Ref(lhs));
            visit(Id::Expr(rhs));
        }
        StmtKind::Call(call) => {
            callee(&mut call.callee, visit);
            arguments(&mut call.args, visit);
        }
        StmtKind::InlinableCall(call) => arguments(&mut call.args, visit),
        StmtKind::Propagate(steps) => steps.iter_mut().for_each(|step| propagator(step, visit)),
        StmtKind::Where(construct) => {
            for arm in &mut construct.arms {
                exprs(&mut arm.mask, visit);
                arm.body.iter_mut().for_each(|stmt| visit(Id::Stmt(stmt)));
            }
        }
        StmtKind::Forall(construct) => {
            header(&mut construct.header, visit);
            construct.body.iter_mut().for_each(|stmt| visit(Id::Stmt(stmt)));
        }
        StmtKind::Allocate(allocate) => {
            let Allocate { spec: kind, objects, stat, errmsg, source, mold } = &mut **allocate;
            if let Some(kind) = kind {
                spec(kind, visit);
            }
            refs(objects.iter_mut().chain(stat).chain(errmsg), visit);
            exprs(source.iter_mut().chain(mold), visit);
        }
        StmtKind::Release(release) => {
            let Release { nullify: _, objects, stat, errmsg } = &mut **release;
            refs(objects.iter_mut().chain(stat).chain(errmsg), visit);
        }
        StmtKind::OpenScope(open) => visit(Id::Scope(&mut open.scope)),
        StmtKind::CloseScope(scope) => visit(Id::Scope(scope)),
        StmtKind::Marker(marker) => {
            exprs(marker.operands.iter_mut().map(|operand| &mut operand.expr), visit);
        }
        StmtKind::Comment(_) => {}
    }
}

fn callee(data: &mut Callee, visit: &mut Visit<'_>) {
    visit(Id::Symbol(&mut data.symbol));
    symbols(&mut data.generic, visit);
    refs(&mut data.object, visit);
}

fn arguments(args: &mut [Arg], visit: &mut Visit<'_>) {
    for arg in args {
        match &mut arg.value {
            ArgValue::Expr(expr) => visit(Id::Expr(expr)),
            ArgValue::AlternateReturn(_) => {}
        }
    }
}

fn propagator(step: &mut Propagator, visit: &mut Visit<'_>) {
    match step {
        Propagator::Set { target, source }
        | Propagator::SetNegative { target, source }
        | Propagator::Increment { target, source }
        | Propagator::Decrement { target, source } => refs([target, source], visit),
        Propagator::Sax { terms, y } | Propagator::Saxpy { terms, y } => {
            visit(Id::Ref(y));
            for (partial, source) in terms {
                visit(Id::Expr(partial));
                visit(Id::Ref(source));
            }
        }
        Propagator::Zero { target } => visit(Id::Ref(target)),
    }
}

fn range(data: &mut IndexRange, visit: &mut Visit<'_>) {
    let IndexRange { var, lower, upper, step } = data;
    visit(Id::Symbol(var));
    exprs([lower, upper].into_iter().chain(step), visit);
}

fn header(data: &mut ForallHeader, visit: &mut Visit<'_>) {
    visit(Id::Scope(&mut data.scope));
    if let Some(kind) = &mut data.spec {
        spec(kind, visit);
    }
    data.ranges.iter_mut().for_each(|one| range(one, visit));
    exprs(&mut data.mask, visit);
}

/// The ids of a node of an expression.
pub(super) fn expr(data: &mut Expr, visit: &mut Visit<'_>) {
    ty(&mut data.ty, visit);
    match &mut data.kind {
        ExprKind::Constant(constant) => {
            if let ConstantKind::Named(symbol) = &mut constant.kind {
                visit(Id::Symbol(symbol));
            }
        }
        ExprKind::Ref(reference) => visit(Id::Ref(reference)),
        ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
            exprs(operands.iter_mut().map(|operand| &mut operand.expr), visit);
        }
        ExprKind::Call(call) => {
            let FunctionCall { callee: called, args, active: _ } = &mut **call;
            callee(called, visit);
            arguments(args, visit);
        }
        ExprKind::ArrayConstructor { spec: kind, items } => {
            if let Some(kind) = kind {
                spec(kind, visit);
            }
            exprs(items, visit);
        }
        ExprKind::ImpliedDo(implied) => {
            let ImpliedDo { items, control } = &mut **implied;
            exprs(items, visit);
            range(control, visit);
        }
        ExprKind::StructureConstructor { spec: kind, args } => {
            spec(kind, visit);
            arguments(args, visit);
        }
        ExprKind::Procedure(symbol) => visit(Id::Symbol(symbol)),
        ExprKind::Opaque(_) => {}
    }
}

/// The ids of a reference.
pub(super) fn reference(data: &mut Reference, visit: &mut Visit<'_>) {
    visit(Id::Symbol(&mut data.base));
    ty(&mut data.ty, visit);
    for part in &mut data.parts {
        match part {
            Part::Elements(subscripts) => {
                for subscript in subscripts {
                    match subscript {
                        Subscript::Index(index) => visit(Id::Expr(index)),
                        Subscript::Section { lower, upper, stride } => {
                            exprs(lower.iter_mut().chain(upper).chain(stride), visit);
                        }
                    }
                }
            }
            Part::Component { symbol, .. } => symbols(symbol, visit),
            Part::Substring { lower, upper } => exprs(lower.iter_mut().chain(upper), visit),
            Part::Inquiry(_) | Part::Deref => {}
        }
    }
}

/// The ids of a type.
pub(super) fn ty(data: &mut Ty, visit: &mut Visit<'_>) {
    match &mut data.base {
        Base::Derived(symbol) | Base::Class(symbol) => visit(Id::Symbol(symbol)),
        Base::Unknown
        | Base::Pointer(_)
        | Base::Void
        | Base::Integer(_)
        | Base::Unsigned(_)
        | Base::Real(_)
        | Base::Complex(_)
        | Base::Logical(_)
        | Base::Character(_)
        | Base::ClassStar
        | Base::TypeStar
        | Base::Procedure => {}
    }
}

fn spec(data: &mut TypeSpec, visit: &mut Visit<'_>) {
    let kind = |kind: &mut KindSpelling, visit: &mut Visit<'_>| {
        if let KindSpelling::Expr(expr) = kind {
            visit(Id::Expr(expr));
        }
    };
    match data {
        TypeSpec::Intrinsic { base, kind: spelling } => {
            let mut own = Ty::scalar(*base);
            ty(&mut own, visit);
            *base = own.base;
            kind(spelling, visit);
        }
        TypeSpec::Character { kind: spelling, len, .. } => {
            kind(spelling, visit);
            if let CharLen::Expr(len) = len {
                visit(Id::Expr(len));
            }
        }
        TypeSpec::Derived { symbol, params, .. } => {
            symbols(symbol, visit);
            for (_, value) in params {
                if let TypeParam::Expr(expr) = value {
                    visit(Id::Expr(expr));
                }
            }
        }
        TypeSpec::Pointer(inner) => spec(inner, visit),
        TypeSpec::ClassStar | TypeSpec::TypeStar | TypeSpec::None => {}
    }
}
