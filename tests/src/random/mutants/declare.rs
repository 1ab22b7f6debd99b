//! Declarations that changes make: variables, modules, procedures with one block.

use xaif_booster::build::{constant_integer, first_free, integer, node};
use xaif_booster::transform::derivative::{declaration, symbol as plain_symbol};
use xaif_schema::model::{
    Arg, ArgValue, Base, Body, Callee, Cfg, Decl, Dim, Document, DummyArg, Effects, ExprId,
    ExprKind, FunctionCall, Intent, KindSpelling, Place, ProcClass, ProcId, ProcKind, ProcSort,
    Procedure, ProcedureInfo, Role, ScopeId, ScopeKind, SpecItem, StmtId, SubroutineCall, Symbol,
    SymbolId, SymbolKind, Ty, TypeSpec, Use, UseName, Vertex, VertexKind,
};

/// The place of all that is made: there is no source of it.
pub(super) fn nowhere() -> Place {
    Place::default()
}

/// A name that nothing in the document has.
pub(super) fn name(doc: &Document, wish: &str) -> String {
    // The id of a COMMON block has its name between slashes.
    let is = |id: &str, name: &str| id.trim_matches('/').eq_ignore_ascii_case(name);
    let taken = |name: &str| doc.symbols.values().any(|own| is(&own.id, name));
    first_free(wish, taken)
}

/// Whether EQUIVALENCE, DATA, NAMELIST or a SAVE for all tells more of a variable than its declaration.
pub(super) fn is_listed(doc: &Document, scope: ScopeId, symbol: SymbolId) -> bool {
    doc.scopes[scope].items.iter().any(|item| match item {
        SpecItem::Equivalence(sets) => {
            sets.iter().flatten().any(|&one| doc.refs[one].base == symbol)
        }
        SpecItem::Namelist { members, .. } => members.contains(&symbol),
        SpecItem::Data(_) | SpecItem::SaveAll => true,
        _ => false,
    })
}

/// Lower and upper bounds of dimensions.
pub(super) type Bounds = Vec<(i64, i64)>;

/// The bounds of a variable, where constants tell all of them; none for a scalar.
pub(super) fn extents(doc: &Document, symbol: SymbolId) -> Option<Bounds> {
    let decl = doc.symbols[symbol].decl.as_deref()?;
    let bounds = decl.dims.iter().map(|dim| match *dim {
        Dim::Explicit { lower, upper } => {
            let lower = lower.map_or(Some(1), |lower| constant_integer(doc, lower))?;
            Some((lower, constant_integer(doc, upper)?))
        }
        Dim::AssumedShape { .. } | Dim::Deferred | Dim::AssumedSize { .. } | Dim::AssumedRank => {
            None
        }
    });
    bounds.collect()
}

/// Dimensions of known bounds.
pub(super) fn dims(doc: &mut Document, bounds: &[(i64, i64)]) -> Vec<Dim> {
    let of = |&(lower, upper): &(i64, i64)| {
        let lower = (lower != 1).then(|| integer(doc, lower, nowhere()));
        Dim::Explicit { lower, upper: integer(doc, upper, nowhere()) }
    };
    bounds.iter().map(of).collect()
}

/// `real(8)` and the like.
pub(super) fn spec(doc: &mut Document, base: Base) -> TypeSpec {
    let bytes = match base {
        Base::Real(bytes) | Base::Complex(bytes) | Base::Integer(bytes) | Base::Logical(bytes) => {
            i64::from(bytes)
        }
        _ => 4,
    };
    let kind = KindSpelling::Expr(integer(doc, bytes, nowhere()));
    TypeSpec::Intrinsic { base, kind }
}

/// A new variable.
pub(super) fn variable(
    doc: &mut Document,
    scope: ScopeId,
    wish: &str,
    spec: TypeSpec,
    dims: Vec<Dim>,
) -> SymbolId {
    let name = name(doc, wish);
    let rank = Some(dims.len() as u8);
    let decl = Decl { spec, dims, ..declaration(name, Role::Variable, nowhere()) };
    let plain = plain_symbol(scope, decl);
    doc.add_symbol(Symbol { kind: SymbolKind::Variable, rank, ..plain })
}

/// Takes a variable out of the scope that declares it.
pub(super) fn take_out(doc: &mut Document, symbol: SymbolId) {
    let scope = doc.symbols[symbol].scope;
    doc.scopes[scope].symbols.retain(|&own| own != symbol);
    for item in &mut doc.scopes[scope].items {
        if let SpecItem::Declare(list) = item {
            list.retain(|&own| own != symbol);
        }
    }
    doc.scopes[scope]
        .items
        .retain(|item| !matches!(item, SpecItem::Declare(list) if list.is_empty()));
}

/// An empty module before all other program units.
pub(super) fn module(doc: &mut Document) -> Option<(SymbolId, ScopeId)> {
    let global = doc.global_scope()?;
    let name = name(doc, "mut_m");
    let decl = declaration(name, Role::Module { scope: None }, nowhere());
    let symbol = doc.add_symbol(plain_symbol(global, decl));
    let scope = doc.add_scope(global, ScopeKind::Module(symbol), nowhere());
    if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
        decl.role = Role::Module { scope: Some(scope) };
    }
    doc.scopes[scope].items.push(SpecItem::ImplicitNone(None));
    doc.scopes[global].items.insert(0, SpecItem::Unit(scope));
    Some((symbol, scope))
}

/// `use module, only: symbol`
pub(super) fn bring_in(doc: &mut Document, scope: ScopeId, module: SymbolId, symbol: SymbolId) {
    let name = doc.name(symbol).to_owned();
    let name = UseName { local: name.clone(), remote: name, symbol: Some(symbol) };
    let used = Use { module, nature: None, only: true, names: vec![name], place: nowhere() };
    let at = doc.scopes[scope].behind_uses();
    doc.scopes[scope].items.insert(at, SpecItem::Use(used));
}

/// A procedure that is made.
pub(super) struct Made {
    /// Its name.
    pub(super) symbol: SymbolId,
    /// Itself.
    pub(super) proc: ProcId,
    /// Its scope.
    pub(super) scope: ScopeId,
}

/// A procedure without arguments and statements, in `parent`.
pub(super) fn procedure(
    doc: &mut Document,
    parent: ScopeId,
    class: ProcClass,
    kind: ProcKind,
) -> Made {
    let name = name(doc, "mut_p");
    let sort = match kind {
        ProcKind::Function => ProcSort::Function,
        ProcKind::Program | ProcKind::Subroutine | ProcKind::ModuleProcedure => {
            ProcSort::Subroutine
        }
    };
    let info = ProcedureInfo { sort, class, proc: None, interface: None, pass: None };
    let decl = declaration(name, Role::Procedure(info), nowhere());
    let symbol = doc.add_symbol(plain_symbol(parent, decl));
    let scope = doc.add_scope(parent, ScopeKind::Procedure(symbol), nowhere());
    let proc = doc.procs.push(Procedure {
        symbol,
        scope,
        args: Vec::new(),
        result: None,
        kind,
        body: Body::Flow(Cfg::default()),
        place: nowhere(),
        active: None,
        entry_written: false,
        effects: Effects::default(),
        independent: Vec::new(),
        dependent: Vec::new(),
    });
    if let Some(Role::Procedure(info)) =
        doc.symbols[symbol].decl.as_deref_mut().map(|decl| &mut decl.role)
    {
        info.proc = Some(proc);
    }
    match class {
        ProcClass::External => doc.scopes[parent].items.insert(0, SpecItem::Unit(scope)),
        _ => doc.scopes[parent].contains.push(SpecItem::Unit(scope)),
    }
    Made { symbol, proc, scope }
}

/// Gives a procedure a body of one block.
pub(super) fn body(doc: &mut Document, made: &Made, stmts: Vec<StmtId>) {
    let vertex = |kind| Vertex { kind, place: nowhere(), id: None, recorded: None };
    let mut cfg = Cfg::default();
    let entry = cfg.push(vertex(VertexKind::Entry(None)));
    let block = cfg.push(vertex(VertexKind::BasicBlock { scope: made.scope, stmts }));
    let exit = cfg.push(vertex(VertexKind::Exit));
    cfg.connect(entry, block);
    cfg.connect(block, exit);
    doc.procs[made.proc].body = Body::Flow(cfg);
}

/// Adds a dummy argument.
pub(super) fn dummy(doc: &mut Document, made: &Made, symbol: SymbolId, intent: Intent) {
    if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
        decl.intent = Some(intent);
    }
    let args = &mut doc.procs[made.proc].args;
    let position = args.len() as u32 + 1;
    args.push(DummyArg { position, symbol: Some(symbol), intent: Some(intent), deriv: false });
}

/// The arguments of a call.
pub(super) fn actuals(values: &[ExprId]) -> Vec<Arg> {
    let numbered = values.iter().zip(1..);
    let arg = |(&expr, position)| Arg { position, keyword: None, value: ArgValue::Expr(expr) };
    numbered.map(arg).collect()
}

/// What a call of a procedure calls.
pub(super) fn callee(made: &Made) -> Callee {
    Callee { symbol: made.symbol, generic: None, object: None }
}

/// A CALL statement.
pub(super) fn call(made: &Made, values: &[ExprId]) -> SubroutineCall {
    let args = actuals(values);
    SubroutineCall { callee: callee(made), formal_count: None, args, active: None }
}

/// A reference to a function.
pub(super) fn function_value(doc: &mut Document, made: &Made, values: &[ExprId], ty: Ty) -> ExprId {
    let args = actuals(values);
    let call = FunctionCall { callee: callee(made), args, active: None };
    node(doc, ExprKind::Call(Box::new(call)), ty, nowhere())
}
