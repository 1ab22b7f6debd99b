//! The document: arenas, and the few questions that everybody asks.

use std::collections::HashSet;

use cranelift_entity::PrimaryMap;

use super::{
    AliasSets, Arg, ArgValue, AsRead, Attr, Base, Body, Callee, Expr, ExprId, ExprKind, FileId,
    KeptNest, ProcClass, ProcId, Procedure, RefId, Reference, Role, Scope, ScopeId, ScopeKind,
    SpecItem, Stmt, StmtId, StmtKind, StmtSets, SubroutineCall, Symbol, SymbolId, Ty, TypeId,
};
use crate::diag::Spot;
use crate::intrinsics;

/// A place in the source of the program that a document describes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The file; `None` where it is not known (XAIF 1.0 documents give lines only).
    pub file: Option<FileId>,
    /// Line from 1; 0 is not known.
    pub line: u32,
    /// Column from 1; 0 is not known.
    pub column: u32,
}

impl Place {
    /// Whether nothing is known.
    pub fn is_unknown(self) -> bool {
        self.line == 0
    }
}

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path as the user gave it.
    pub path: String,
    /// The language and form.
    pub language: Language,
}

/// The language of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Fortran, free form.
    FreeFortran,
    /// Fortran, fixed form.
    FixedFortran,
    /// C.
    C,
}

/// One stage that has touched the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageRun {
    /// The program.
    pub stage: String,
    /// Its version.
    pub version: String,
    /// Its options, as given.
    pub options: String,
}

/// A program as an XAIF document.
///
/// Arenas hold its parts, and typed ids name them:
///
/// ```
/// use xaif_schema::model::{Document, Place, ScopeKind};
///
/// let mut doc = Document::new();
/// let global = doc.global_scope().expect("a new document has one");
/// let scope = doc.add_scope(global, ScopeKind::Block, Place::default());
/// assert_eq!(doc.scopes[scope].parent, Some(global));
/// for (_, proc) in &doc.procs {
///     println!("{}", doc.name(proc.symbol));
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// `program_name`.
    pub program_name: Option<String>,
    /// `prefix`: what names made by a stage begin with.
    pub prefix: Option<String>,
    /// The stages that have touched it, oldest first.
    pub history: Vec<StageRun>,
    /// Source files.
    pub files: PrimaryMap<FileId, SourceFile>,
    /// Scopes. The global scope has no parent and is unique.
    pub scopes: PrimaryMap<ScopeId, Scope>,
    /// Symbols of all scopes.
    pub symbols: PrimaryMap<SymbolId, Symbol>,
    /// Types that C pointers point to.
    pub types: PrimaryMap<TypeId, Ty>,
    /// Procedures, in the order of the document.
    pub procs: PrimaryMap<ProcId, Procedure>,
    /// Edges of the call graph: caller and callee.
    pub calls: Vec<(ProcId, ProcId)>,
    /// Statements of all procedures.
    pub stmts: PrimaryMap<StmtId, Stmt>,
    /// Nodes of all expressions.
    pub exprs: PrimaryMap<ExprId, Expr>,
    /// References of all expressions and statements.
    pub refs: PrimaryMap<RefId, Reference>,
    /// Alias sets.
    pub aliases: AliasSets,
    /// Definition-use and use-definition chains.
    pub du_ud: StmtSets,
    /// Definition-overwrite chains.
    pub overwrites: StmtSets,
    /// How a XAIF 1.0 document spelt what has more than one spelling.
    pub as_read: AsRead,
    /// See [`Document::nest`].
    pub(super) kept_nest: KeptNest,
}

impl Document {
    /// A document with nothing but a global scope.
    pub fn new() -> Self {
        let mut doc = Document::default();
        doc.scopes.push(Scope::new(None, ScopeKind::Global, Place::default()));
        doc
    }

    /// Every call that CALL statements and expressions make: what is called and the arguments that are written.
    pub fn calls(&self) -> impl Iterator<Item = (&Callee, &[Arg])> {
        let subroutines = self.stmts.values().filter_map(|stmt| match &stmt.kind {
            StmtKind::Call(call) => Some((&call.callee, &call.args[..])),
            _ => None,
        });
        let functions = self.exprs.values().filter_map(|expr| match &expr.kind {
            ExprKind::Call(call) => Some((&call.callee, &call.args[..])),
            _ => None,
        });
        subroutines.chain(functions)
    }

    /// The global scope: the one without a parent.
    ///
    /// `None` only for a document that has no scope at all.
    pub fn global_scope(&self) -> Option<ScopeId> {
        self.scopes.iter().find(|(_, scope)| scope.parent.is_none()).map(|(id, _)| id)
    }

    /// Adds a scope.
    pub fn add_scope(&mut self, parent: ScopeId, kind: ScopeKind, place: Place) -> ScopeId {
        self.scopes.push(Scope::new(Some(parent), kind, place))
    }

    /// Adds a symbol to the scope that it names.
    pub fn add_symbol(&mut self, symbol: Symbol) -> SymbolId {
        let scope = symbol.scope;
        let id = self.symbols.push(symbol);
        self.scopes[scope].symbols.push(id);
        id
    }

    /// The symbol with `id` in `scope` itself (not in the scopes around it).
    pub fn symbol_in(&self, scope: ScopeId, id: &str) -> Option<SymbolId> {
        self.scopes[scope].symbols.iter().copied().find(|&symbol| self.symbols[symbol].id == id)
    }

    /// The name of `symbol` as a person would write it where it is declared.
    pub fn name(&self, symbol: SymbolId) -> &str {
        let symbol = &self.symbols[symbol];
        symbol.decl.as_ref().map_or(symbol.id.as_str(), |decl| decl.name.as_str())
    }

    /// Whether it says of some symbol nothing but what XAIF 1.0 has: no front-end of ours made it,
    /// and nobody has adopted it yet.
    pub fn is_xaif_1(&self) -> bool {
        self.symbols.values().any(|symbol| symbol.decl.is_none())
    }

    /// What `symbol` is; `None` in a XAIF 1.0 document.
    pub fn role(&self, symbol: SymbolId) -> Option<&Role> {
        self.symbols[symbol].decl.as_ref().map(|decl| &decl.role)
    }

    /// A derived type and the types that it extends, the nearest first.
    pub fn lineage(&self, ty: SymbolId) -> Vec<SymbolId> {
        let mut found = Vec::new();
        let mut at = Some(ty);
        // Sources may say that types extend each other.
        while let Some(ty) = at.filter(|ty| !found.contains(ty)) {
            found.push(ty);
            at = match self.role(ty) {
                Some(Role::DerivedType { extends, .. }) => *extends,
                Some(_) | None => None,
            };
        }
        found
    }

    /// Abstract types beside others that are not: no object is of such a type, so that nothing is called by their
    /// bindings. Where all that extend one type are abstract, what is not shown extends them.
    pub fn types_without_objects(&self) -> HashSet<SymbolId> {
        let types = || {
            self.scopes.values().filter_map(|scope| match scope.kind {
                ScopeKind::DerivedType(owner) => Some(owner),
                _ => None,
            })
        };
        let concrete = types().filter(|&ty| !self.has(ty, Attr::Abstract));
        let inhabited: HashSet<SymbolId> = concrete.flat_map(|ty| self.lineage(ty)).collect();
        let has_objects = |ty: &SymbolId| inhabited.contains(ty);
        let beside_others =
            |ty: &SymbolId| !has_objects(ty) && self.lineage(*ty).iter().any(has_objects);
        types().filter(beside_others).collect()
    }

    /// The components that a derived type itself declares, procedures included.
    pub fn own_components(&self, ty: SymbolId) -> impl Iterator<Item = SymbolId> {
        let scope = match self.role(ty) {
            Some(Role::DerivedType { scope, .. }) => Some(*scope),
            Some(_) | None => None,
        };
        let symbols = scope.map_or(&[][..], |scope| self.scopes[scope].symbols.as_slice());
        symbols.iter().copied().filter(|&symbol| {
            matches!(self.role(symbol), Some(Role::Variable | Role::Procedure(_)))
        })
    }

    /// All components of a derived type in the order of a structure constructor: what is inherited
    /// first.
    pub fn components(&self, ty: SymbolId) -> Vec<SymbolId> {
        self.lineage(ty).into_iter().rev().flat_map(|ty| self.own_components(ty)).collect()
    }

    /// The component that an argument of a constructor of `ty` gives a value: by its keyword, or by its
    /// place among the arguments, from 0.
    pub fn component_given(&self, ty: SymbolId, arg: &Arg, place: usize) -> Option<SymbolId> {
        let all = self.components(ty);
        match &arg.keyword {
            None => all.get(place).copied(),
            Some(name) => all.into_iter().find(|&one| self.name(one).eq_ignore_ascii_case(name)),
        }
    }

    /// Those of them that are no procedures.
    pub fn data_components(&self, ty: SymbolId) -> Vec<SymbolId> {
        let mut found = self.components(ty);
        found.retain(|&component| matches!(self.role(component), Some(Role::Variable)));
        found
    }

    /// The procedure (body, interface or replacement list) that `symbol` names, if it is given.
    pub fn procedure_of(&self, symbol: SymbolId) -> Option<ProcId> {
        match self.role(symbol) {
            Some(Role::Procedure(info)) => info.proc,
            Some(_) => None,
            None => self.procs.iter().find(|(_, proc)| proc.symbol == symbol).map(|(id, _)| id),
        }
    }

    /// The procedure or interface body that tells the arguments and the result of what is called by
    /// `symbol`: itself, the procedure of a binding (the interface of a deferred one), the interface of a
    /// procedure pointer or dummy procedure. `None` for an ENTRY, and where nothing is declared.
    pub fn described_by(&self, symbol: SymbolId) -> Option<ProcId> {
        let mut symbol = symbol;
        // `procedure(p) :: q` where `p` is declared likewise; no compiler takes a circle.
        for _ in 0..16 {
            match self.role(symbol) {
                Some(Role::Procedure(info)) => match (info.class, info.proc, info.interface) {
                    (ProcClass::Entry, ..) => return None,
                    (_, Some(proc), _) => {
                        return (!self.is_entry_of(symbol, proc)).then_some(proc);
                    }
                    (_, None, interface) => symbol = interface?,
                },
                Some(Role::Binding { target, interface, .. }) => {
                    symbol = (*target).or(*interface)?
                }
                Some(_) => return None,
                None => return self.procedure_of(symbol),
            }
        }
        None
    }

    /// Whether `symbol`, declared EXTERNAL, names an ENTRY of the program unit `proc`.
    fn is_entry_of(&self, symbol: SymbolId, proc: ProcId) -> bool {
        let Procedure { symbol: own, body, .. } = &self.procs[proc];
        let is_external = matches!(self.role(symbol),
            Some(Role::Procedure(info)) if info.class == ProcClass::External);
        is_external
            && matches!(body, Body::Flow(_))
            && !self.symbols[*own].id.eq_ignore_ascii_case(&self.symbols[symbol].id)
    }

    /// Whether `inner` is `outer` or stands inside it.
    pub fn is_within(&self, inner: ScopeId, outer: ScopeId) -> bool {
        let up = std::iter::successors(Some(inner), |&scope| self.scopes[scope].parent);
        // A scope tree with a cycle is the verifier's business; here it must not hang.
        up.take(self.scopes.len() + 1).any(|scope| scope == outer)
    }

    /// Whether the declaration of `symbol` gives it an attribute.
    pub fn has(&self, symbol: SymbolId, attr: Attr) -> bool {
        self.symbols[symbol].has(attr)
    }

    /// The COMMON block that a variable is in.
    pub fn block_of(&self, symbol: SymbolId) -> Option<SymbolId> {
        self.symbols[symbol].decl.as_deref()?.common.map(|(block, _)| block)
    }

    /// Whether a module keeps `symbol`, which it declares, to itself. A generic name has the access of
    /// the type of the same name.
    pub fn is_private(&self, symbol: SymbolId) -> bool {
        if self.has(symbol, Attr::Private) {
            return true;
        }
        if matches!(self.role(symbol), Some(Role::Generic { .. })) {
            let id = self.name(symbol).to_ascii_lowercase();
            let owner = self.symbol_in(self.symbols[symbol].scope, &id);
            let owner = owner.filter(|&owner| owner != symbol);
            if owner.is_some_and(|owner| !self.is_private(owner)) {
                return false;
            }
        }
        let mut private = false;
        for item in &self.scopes[self.symbols[symbol].scope].items {
            if let SpecItem::Access { private: told, symbols } = item {
                if symbols.contains(&symbol) {
                    return *told;
                }
                if symbols.is_empty() {
                    private = *told;
                }
            }
        }
        private && !self.has(symbol, Attr::Public)
    }

    /// Whether what is called by `symbol` has an attribute, by its own declaration or by that of what
    /// [describes](Self::described_by) it.
    pub fn callee_has(&self, symbol: SymbolId, attr: Attr) -> bool {
        let described = self.described_by(symbol).map(|proc| self.procs[proc].symbol);
        [Some(symbol), described].into_iter().flatten().any(|symbol| self.symbols[symbol].has(attr))
    }

    /// Adds to `symbols` the variables of a scope that share storage with one of them by EQUIVALENCE.
    pub fn add_equivalent(&self, scope: ScopeId, symbols: &mut HashSet<SymbolId>) {
        let sets = self.scopes[scope].items.iter().filter_map(|item| match item {
            SpecItem::Equivalence(sets) => Some(sets),
            _ => None,
        });
        let sets: Vec<Vec<SymbolId>> = sets
            .flatten()
            .map(|set| set.iter().map(|&reference| self.refs[reference].base).collect())
            .collect();
        // A variable may stand in several sets.
        let mut grows = true;
        while grows {
            grows = false;
            for set in &sets {
                if set.iter().any(|one| symbols.contains(one)) {
                    set.iter().for_each(|&symbol| grows |= symbols.insert(symbol));
                }
            }
        }
    }

    /// The declared type of a variable or component; the parent component of an extended type is named
    /// by its type.
    pub fn declared_base(&self, symbol: SymbolId) -> Base {
        match self.role(symbol) {
            Some(Role::DerivedType { .. }) => Base::Derived(symbol),
            Some(_) | None => {
                self.symbols[symbol].decl.as_ref().map_or(Base::Unknown, |decl| decl.spec.base())
            }
        }
    }

    /// Whether `symbol` is an intrinsic procedure.
    pub fn is_intrinsic(&self, symbol: SymbolId) -> bool {
        matches!(self.role(symbol), Some(Role::Procedure(info)) if info.class == ProcClass::Intrinsic)
    }

    /// The variables `from` and `to` of `call move_alloc(from, to)`.
    pub fn moved(&self, call: &SubroutineCall) -> Option<(RefId, RefId)> {
        let symbol = call.callee.symbol;
        if !self.is_intrinsic(symbol) || !self.name(symbol).eq_ignore_ascii_case("move_alloc") {
            return None;
        }
        let row = intrinsics::by_fortran("move_alloc")?;
        let named = |position: u32, keyword: &str| {
            let arg = call.args.iter().find(|arg| {
                let own = arg.keyword.as_deref().and_then(|own| row.position_of(own));
                if own.is_some() {
                    own == row.position_of(keyword)
                } else {
                    arg.position == position
                }
            })?;
            match arg.value {
                ArgValue::Expr(expr) => self.exprs[expr].reference(),
                ArgValue::AlternateReturn(_) => None,
            }
        };
        Some((named(1, "from")?, named(2, "to")?))
    }

    /// Whether what is called by `symbol` is elemental.
    pub fn is_elemental(&self, symbol: SymbolId) -> bool {
        self.callee_has(symbol, Attr::Elemental)
    }

    /// Whether `symbol` names an elemental procedure that is IMPURE.
    pub fn is_impure_elemental(&self, symbol: SymbolId) -> bool {
        self.is_elemental(symbol) && self.callee_has(symbol, Attr::Impure)
    }

    /// Whether what is called by `symbol` promises to change nothing but its arguments: it is PURE, or
    /// elemental and not IMPURE.
    pub fn is_promised_pure(&self, symbol: SymbolId) -> bool {
        self.callee_has(symbol, Attr::Pure)
            || self.is_elemental(symbol) && !self.is_impure_elemental(symbol)
    }

    /// The variable that a recomputation computes: the left-hand side of an assignment, within a FORALL or not.
    pub fn recomputed_variable(&self, stmt: StmtId) -> Option<SymbolId> {
        if !self.stmts[stmt].recompute {
            return None;
        }
        let mut kind = &self.stmts[stmt].kind;
        while let StmtKind::Forall(forall) = kind {
            kind = &self.stmts[*forall.body.first()?].kind;
        }
        match kind {
            StmtKind::Assign { lhs, .. } => Some(self.refs[*lhs].base),
            StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => None,
        }
    }

    /// `place` as diagnostics show it.
    pub fn spot(&self, place: Place) -> Option<Spot> {
        let file = &self.files[place.file?];
        Some(Spot::new(file.path.as_str(), place.line, place.column))
    }
}

impl Scope {
    /// An empty scope.
    pub fn new(parent: Option<ScopeId>, kind: ScopeKind, place: Place) -> Self {
        Scope {
            id: None,
            parent,
            kind,
            symbols: Vec::new(),
            items: Vec::new(),
            contains: Vec::new(),
            provided: false,
            place,
            end: place,
        }
    }
}
