//! What every part of the back-end has at hand: the document, names, and where problems go.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use xaif_schema::diag::{Code as DiagCode, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Base, Callee, Document, Operand, Place, ProcId, Role, ScopeId, SpecItem, SymbolId, VertexId,
};

use crate::hiding::{Called, Misread};
use crate::names::Names;
use crate::tape::Tape;

/// The document that is printed and what is known about it as a whole.
#[derive(Debug)]
pub(crate) struct Context<'d> {
    /// The document.
    pub(crate) doc: &'d Document,
    /// What symbols are called.
    pub(crate) names: Names<'d>,
    /// The operations of the tape.
    pub(crate) tape: Tape,
    /// The procedure whose scope it is.
    procs: HashMap<ScopeId, ProcId>,
    /// The symbols that a PUBLIC or PRIVATE statement names: their declaration does not repeat it.
    stated: HashSet<SymbolId>,
    /// Loops that must count their iterations in a variable, with the scope of their procedure.
    uncounted: RefCell<Vec<(ScopeId, VertexId)>>,
    /// The intrinsic functions that are called, by the scope, and whether their name is taken.
    called: RefCell<BTreeMap<(ScopeId, String), Called>>,
    /// The symbols whose names mean something else where they are printed.
    misread: RefCell<BTreeSet<(ScopeId, SymbolId)>>,
    /// The symbols that references name.
    referred: RefCell<HashSet<SymbolId>>,
    /// Whether the user has some of the program units anyway: those that are printed were made
    /// beside them by a stage.
    beside_the_users: bool,
    /// What could not be printed.
    problems: RefCell<Diagnostics>,
}

impl<'d> Context<'d> {
    /// Looks over the document.
    pub(crate) fn new(doc: &'d Document) -> Self {
        let procs = doc.procs.iter().map(|(id, proc)| (proc.scope, id)).collect();
        // A module may hide what it uses: such a statement says nothing about the declaration.
        let stated = doc
            .scopes
            .iter()
            .flat_map(|(id, scope)| scope.items.iter().map(move |item| (id, item)))
            .filter_map(|(id, item)| match item {
                SpecItem::Access { symbols, .. } => Some((id, symbols)),
                _ => None,
            })
            .flat_map(|(id, symbols)| symbols.iter().map(move |&symbol| (id, symbol)))
            .filter(|&(id, symbol)| doc.symbols[symbol].scope == id)
            .map(|(_, symbol)| symbol)
            .collect();
        Context {
            doc,
            names: Names::new(doc),
            tape: Tape::new(doc),
            procs,
            stated,
            uncounted: RefCell::default(),
            called: RefCell::default(),
            misread: RefCell::default(),
            referred: RefCell::default(),
            beside_the_users: doc.scopes.values().any(|scope| scope.provided),
            problems: RefCell::default(),
        }
    }

    /// The procedure whose scope is `scope`.
    pub(crate) fn proc_of(&self, scope: ScopeId) -> Option<ProcId> {
        self.procs.get(&scope).copied()
    }

    /// The name of `symbol` in `scope`.
    pub(crate) fn name(&self, scope: ScopeId, symbol: SymbolId) -> String {
        let (name, right) = self.names.in_scope(scope, symbol);
        if !right {
            self.misread.borrow_mut().insert((scope, symbol));
        }
        name
    }

    /// The value of a constant in the place of its name, which `scope` cannot have: its module keeps it
    /// to itself. A function may have a result of such an extent.
    pub(crate) fn value_instead(&self, scope: ScopeId, symbol: SymbolId) -> Option<String> {
        let decl = self.doc.symbols[symbol].decl.as_deref()?;
        let value = decl.value.filter(|_| matches!(decl.role, Role::Constant))?;
        let plain = decl.dims.is_empty() && decl.spec.base() == Base::Integer(4);
        let instead = plain && self.doc.is_private(symbol) && !self.names.in_scope(scope, symbol).1;
        let text = || if value < 0 { format!("({value})") } else { value.to_string() };
        instead.then(text)
    }

    /// Whether a PUBLIC or PRIVATE statement names `symbol`.
    pub(crate) fn access_is_stated(&self, symbol: SymbolId) -> bool {
        self.stated.contains(&symbol)
    }

    /// Says that something cannot be printed.
    pub(crate) fn error(&self, code: DiagCode, place: Place, message: impl Into<String>) {
        let spot = self.doc.spot(place);
        self.problems.borrow_mut().push(Diagnostic::error(code, spot, message));
    }

    /// Says that something cannot be printed, and what the user can do.
    pub(crate) fn error_with_help(
        &self,
        code: DiagCode,
        place: Place,
        message: impl Into<String>,
        help: &str,
    ) {
        let spot = self.doc.spot(place);
        self.problems.borrow_mut().push(Diagnostic::error(code, spot, message).with_help(help));
    }

    /// Says that a loop must count its iterations in a variable, which the document must have first.
    pub(crate) fn must_count(&self, scope: ScopeId, head: VertexId) {
        self.uncounted.borrow_mut().push((scope, head));
    }

    /// The loops that must count their iterations.
    pub(crate) fn take_uncounted(&self) -> Vec<(ScopeId, VertexId)> {
        self.uncounted.take()
    }

    /// Notes that the intrinsic function `function` is called in `scope` with these operands.
    pub(crate) fn calls_intrinsic(&self, scope: ScopeId, function: &str, operands: &[Operand]) {
        let call = (scope, function.to_ascii_lowercase());
        let mut called = self.called.borrow_mut();
        let called = called.entry(call).or_insert_with_key(|(scope, function)| {
            Called::new(self.doc, self.names.sight(), *scope, function)
        });
        called.with(self.doc, operands);
    }

    /// Notes that a procedure is called by a name, which may be a generic one. What the user wrote has the
    /// meaning that it has.
    pub(crate) fn calls_by(&self, scope: ScopeId, name: &str, callee: &Callee) {
        if let Some(generic) = callee.generic
            && self.beside_the_users
            && !self.names.stands_for((scope, name), generic, callee.symbol)
        {
            self.misread.borrow_mut().insert((scope, generic));
        }
    }

    /// What is called by a name that means something else there.
    pub(crate) fn take_misread(&self) -> Vec<Misread> {
        let called = self.called.take().into_iter().filter(|(_, called)| called.hidden);
        let functions = called.map(|((scope, name), _)| Misread::Function(scope, name));
        let symbols = self.misread.take().into_iter();
        functions.chain(symbols.map(|(scope, symbol)| Misread::Symbol(scope, symbol))).collect()
    }

    /// The name of `symbol` in `scope`, for a reference to it.
    pub(crate) fn refer(&self, scope: ScopeId, symbol: SymbolId) -> String {
        self.referred.borrow_mut().insert(symbol);
        self.name(scope, symbol)
    }

    /// Whether a reference to `symbol` has been printed.
    pub(crate) fn is_referred_to(&self, symbol: SymbolId) -> bool {
        self.referred.borrow().contains(&symbol)
    }

    /// Whether a stage has made what is printed, beside units that the user has.
    pub(crate) fn is_made_beside_the_users(&self) -> bool {
        self.beside_the_users
    }

    /// Everything that was said.
    pub(crate) fn into_problems(self) -> Diagnostics {
        self.problems.into_inner()
    }
}
