//! Which references of a finished procedure a statement may overwrite.
//!
//! The passes that merge and share statements of the backward sweep ask for each pair of a written and a read
//! reference whether they may name the same memory: by locations of storage, then by components, then by subscripts
//! (`booster_facts::dependence`). Symbols are divided into classes, so that only pairs of one class are looked at.

use std::collections::{HashMap, HashSet};

use petgraph::unionfind::UnionFind;
use xaif_schema::model::{
    Access, Arg, ArgValue, Attr, Base, Document, ExprId, ExprKind, Intent, Part, RefId, StmtId,
    StmtKind, Subscript, SymbolId,
};
use xaif_schema::tape;

use crate::queries::private_scalars::may_be_same;
use booster_build::{has_call, nodes_of, subscripts_of};
use booster_facts::dependence::{Range, Seen, apart};
use booster_facts::{LocationId, Storage};

/// A class of symbols that may share memory.
pub(crate) type AliasClass = u32;

/// The storage of all symbols, and which of them may share memory.
pub(crate) struct Aliasing {
    storage: Storage,
    /// The representative of the class of each symbol.
    classes: Vec<AliasClass>,
    /// Integer arguments that no statement of their procedure may overwrite.
    settled: HashSet<SymbolId>,
}

/// The variables that a statement overwrites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing.
    Nothing,
    /// The variable that this reference names.
    Writes(RefId),
    /// Everything but scalars of the activation that the statement does not name.
    Unknown,
}

impl Aliasing {
    /// Looks at all symbols of `doc` as it is now.
    pub(crate) fn new(doc: &Document) -> Self {
        let storage = Storage::new(doc);
        let classes = classes(doc, &storage);
        let is_settled = |&symbol: &SymbolId| {
            let decl = doc.symbols[symbol].decl.as_deref();
            decl.is_some_and(|decl| {
                decl.intent == Some(Intent::In)
                    && matches!(decl.spec.base(), Base::Integer(_))
                    && !decl.has(Attr::Pointer)
            })
        };
        let settled = doc.symbols.keys().filter(is_settled).collect();
        Aliasing { storage, classes, settled }
    }

    /// The locations of storage.
    pub(crate) fn storage(&self) -> &Storage {
        &self.storage
    }

    /// The class of a symbol: symbols of different classes never share memory. A symbol that is newer than the classes has
    /// one of its own.
    pub(crate) fn class(&self, symbol: SymbolId) -> AliasClass {
        let number = symbol.as_u32();
        self.classes.get(number as usize).copied().unwrap_or(number)
    }

    /// Whether a write to `written` may change what `read` names, or the other way round; `around` are the loops
    /// around both, whose variables have the same values for both.
    pub(crate) fn touches(
        &self,
        doc: &Document,
        written: RefId,
        read: RefId,
        around: &[Range],
    ) -> bool {
        let (to, of) = (doc.refs[written].base, doc.refs[read].base);
        if to != of {
            return may_be_same(doc, &self.storage, to, of);
        }
        if let Some(same) = constant_elements(doc, written, read) {
            return same;
        }
        let locations = [written, read].map(|one| self.storage.locations_of(doc, one));
        let components = !locations.iter().any(|list| list.is_empty())
            && !locations[0].iter().any(|location| locations[1].contains(location));
        let seen = |reference| Seen { reference, around };
        !components && !apart(doc, seen(written), seen(read), around.len(), &self.settled)
    }
}

/// Whether two elements of one array are the same, where all their subscripts are literals.
fn constant_elements(doc: &Document, one: RefId, other: RefId) -> Option<bool> {
    let lists = [one, other].map(|reference| match &doc.refs[reference].parts[..] {
        [Part::Elements(list)] => Some(list),
        _ => None,
    });
    let literal = |subscript: &Subscript| match *subscript {
        Subscript::Index(index) => match &doc.exprs[index].kind {
            ExprKind::Constant(constant) => constant.text.parse::<i64>().ok(),
            _ => None,
        },
        Subscript::Section { .. } => None,
    };
    let (one, other) = (lists[0]?, lists[1]?);
    let mut same = true;
    for (a, b) in one.iter().zip(other) {
        same &= literal(a)? == literal(b)?;
    }
    Some(same)
}

/// Symbols that may share memory have one class.
fn classes(doc: &Document, storage: &Storage) -> Vec<AliasClass> {
    let mut classes: UnionFind<AliasClass> = UnionFind::new(doc.symbols.len());
    let mut of_location: HashMap<LocationId, AliasClass> = HashMap::new();
    let mut far: Option<AliasClass> = None;
    for symbol in doc.symbols.keys() {
        let number = symbol.as_u32();
        let structure = matches!(
            doc.declared_base(symbol),
            Base::Derived(_) | Base::Class(_) | Base::ClassStar
        );
        let meets = |attr| doc.has(symbol, attr) && !doc.has(symbol, Attr::Restrict);
        if structure || meets(Attr::Pointer) || meets(Attr::Target) {
            classes.union(number, *far.get_or_insert(number));
        }
        for location in storage.locations_of_symbol(symbol) {
            classes.union(number, *of_location.entry(location).or_insert(number));
        }
    }
    classes.into_labeling()
}

/// The effect of a statement; known of assignments without calls and of operations of the tape.
pub(crate) fn effect(doc: &Document, stmt: StmtId) -> Effect {
    match &doc.stmts[stmt].kind {
        StmtKind::Assign { lhs, rhs, defined: None } => {
            let subscripts = subscripts_of(&doc.refs[*lhs]);
            let plain = doc.stmts[stmt].label.is_none()
                && !has_call(doc, subscripts.into_iter().chain([*rhs]));
            if plain { Effect::Writes(*lhs) } else { Effect::Unknown }
        }
        StmtKind::InlinableCall(call) => {
            let Some(operation) = tape::operation(&call.name) else { return Effect::Unknown };
            if operation.is_of_checkpoints() {
                return Effect::Unknown;
            }
            let writes = |argument: &tape::Argument| argument.access == Access::Write;
            match (operation.args.iter().position(writes), &call.args[..]) {
                (None, _) => Effect::Nothing,
                (Some(0), [first, ..]) => {
                    variable(doc, first).map_or(Effect::Unknown, Effect::Writes)
                }
                (Some(_), _) => Effect::Unknown,
            }
        }
        StmtKind::Comment(_) => Effect::Nothing,
        StmtKind::Assign { .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::Call(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_) => Effect::Unknown,
    }
}

fn variable(doc: &Document, arg: &Arg) -> Option<RefId> {
    match arg.value {
        ArgValue::Expr(value) => doc.exprs[value].reference(),
        ArgValue::AlternateReturn(_) => None,
    }
}

/// The expressions of a statement whose effect is known.
pub(crate) fn expressions(doc: &Document, stmt: StmtId) -> Vec<ExprId> {
    match &doc.stmts[stmt].kind {
        StmtKind::Assign { lhs, rhs, .. } => {
            let mut found = subscripts_of(&doc.refs[*lhs]);
            found.push(*rhs);
            found
        }
        StmtKind::InlinableCall(call) => call
            .args
            .iter()
            .filter_map(|arg| match arg.value {
                ArgValue::Expr(value) => Some(value),
                ArgValue::AlternateReturn(_) => None,
            })
            .collect(),
        StmtKind::PointerAssign { .. }
        | StmtKind::Call(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => Vec::new(),
    }
}

/// The references that a statement whose effect is known reads.
pub(crate) fn reads(doc: &Document, stmt: StmtId) -> Vec<RefId> {
    let nodes = nodes_of(doc, expressions(doc, stmt));
    nodes.into_iter().filter_map(|node| doc.exprs[node].reference()).collect()
}
