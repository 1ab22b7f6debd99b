//! What every part of the back end has at hand: the document, names, what was used, and where problems go.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Allocate, ArgValue, Attr, Base, Decl, Dim, Document, ExprId, ExprKind, Language, Part, Place,
    StmtKind, Subscript, SymbolId,
};

use crate::names::Names;

/// The document that is printed.
#[derive(Debug)]
pub(crate) struct Context<'d> {
    pub(crate) doc: &'d Document,
    pub(crate) names: Names,
    /// Headers of the library that the text needs.
    headers: RefCell<BTreeSet<&'static str>>,
    /// Symbols that references name.
    referred: RefCell<HashSet<SymbolId>>,
    problems: RefCell<Diagnostics>,
    /// Lower bounds of arrays whose extents are given where they are allocated.
    deferred: HashMap<SymbolId, Vec<i64>>,
    /// Dummy arguments.
    dummies: HashSet<SymbolId>,
    /// Arrays of which the text asks whether they are allocated.
    asked: HashSet<SymbolId>,
    /// Allocated arrays whose numbers of elements the text keeps.
    kept: HashSet<SymbolId>,
}

impl<'d> Context<'d> {
    pub(crate) fn new(doc: &'d Document) -> Self {
        let dummies = doc
            .procs
            .values()
            .flat_map(|proc| proc.args.iter().filter_map(|arg| arg.symbol))
            .collect();
        Context {
            doc,
            names: Names::new(doc),
            headers: RefCell::default(),
            referred: RefCell::default(),
            problems: RefCell::default(),
            deferred: deferred(doc),
            dummies,
            asked: asked(doc),
            kept: kept(doc),
        }
    }

    /// Whether all sources are C.
    pub(crate) fn is_from_c(&self) -> bool {
        let mut files = self.doc.files.values().peekable();
        files.peek().is_some() && files.all(|file| file.language == Language::C)
    }

    pub(crate) fn needs(&self, header: &'static str) {
        self.headers.borrow_mut().insert(header);
    }

    pub(crate) fn headers(&self) -> BTreeSet<&'static str> {
        self.headers.borrow().clone()
    }

    /// Forgets which symbols were named.
    pub(crate) fn begin(&self) {
        self.referred.borrow_mut().clear();
    }

    pub(crate) fn is_referred_to(&self, symbol: SymbolId) -> bool {
        self.referred.borrow().contains(&symbol)
    }

    /// Adds the symbols that were named since the beginning.
    pub(crate) fn add_referred_to(&self, used: &mut HashSet<SymbolId>) {
        used.extend(self.referred.borrow().iter());
    }

    /// The name of a symbol that is used.
    pub(crate) fn refer(&self, symbol: SymbolId) -> String {
        self.referred.borrow_mut().insert(symbol);
        self.names.of(symbol).to_owned()
    }

    pub(crate) fn decl(&self, symbol: SymbolId) -> Option<&'d Decl> {
        self.doc.symbols[symbol].decl.as_deref()
    }

    pub(crate) fn is_dummy(&self, symbol: SymbolId) -> bool {
        self.dummies.contains(&symbol)
    }

    /// Whether a variable is a pointer to one object in the text.
    pub(crate) fn is_reference(&self, symbol: SymbolId) -> bool {
        self.is_dummy(symbol)
            && self.decl(symbol).is_some_and(|decl| decl.dims.is_empty() && !decl.has(Attr::Value))
    }

    /// Whether the memory of an array is given where it is allocated.
    pub(crate) fn is_deferred(&self, symbol: SymbolId) -> bool {
        self.decl(symbol).is_some_and(|decl| {
            (decl.has(Attr::Allocatable) || decl.has(Attr::Pointer))
                && decl.dims.iter().all(|dim| matches!(dim, Dim::Deferred))
                && !decl.dims.is_empty()
        })
    }

    /// The value of a lower bound, where it is known.
    pub(crate) fn lower_value(&self, expr: ExprId) -> Option<i64> {
        lower_bound(self.doc, expr, &self.deferred)
    }

    /// The array and dimension of a bound.
    pub(crate) fn bound_of(&self, expr: ExprId) -> Option<(&str, SymbolId, usize)> {
        bound_of(self.doc, expr)
    }

    /// The number of elements of a whole array in a dimension.
    pub(crate) fn extent_of(&self, symbol: SymbolId, dim: usize) -> Option<String> {
        if self.is_deferred(symbol) {
            let name = self.refer(symbol);
            return Some(format!("{name}_extent{}", dim + 1));
        }
        self.extent(self.decl(symbol)?.dims.get(dim)?)
    }

    /// The lower bounds of an array.
    pub(crate) fn lower_of_deferred(&self, symbol: SymbolId) -> Option<&[i64]> {
        self.deferred.get(&symbol).map(Vec::as_slice)
    }

    /// Whether the text asks if an array is allocated.
    pub(crate) fn is_asked(&self, symbol: SymbolId) -> bool {
        self.asked.contains(&symbol)
    }

    /// Whether the text keeps the number of elements of an allocated array in a dimension.
    pub(crate) fn keeps_extent(&self, symbol: SymbolId, dim: usize) -> bool {
        let rank = self.decl(symbol).map_or(0, |decl| decl.dims.len());
        // The position of an element does not depend on the last extent.
        self.doc.has(symbol, Attr::Allocatable) && (self.kept.contains(&symbol) || dim + 1 < rank)
    }

    /// Says that C has no words for something.
    pub(crate) fn refuse(&self, place: Place, message: impl Into<String>) -> String {
        let spot = self.doc.spot(place);
        let problem = Diagnostic::error(Code::NO_C_FOR_IT, spot, message).with_help(
            "print it as Fortran by xaif2f, or write it with scalars and elements of arrays",
        );
        self.problems.borrow_mut().push(problem);
        "0".to_owned()
    }

    pub(crate) fn into_problems(self) -> Diagnostics {
        self.problems.into_inner()
    }

    /// The value of an integer literal.
    pub(crate) fn integer(&self, expr: ExprId) -> Option<i64> {
        integer(self.doc, expr)
    }
}

pub(crate) fn integer(doc: &Document, expr: ExprId) -> Option<i64> {
    match &doc.exprs[expr].kind {
        ExprKind::Constant(constant) => match doc.exprs[expr].ty.base {
            Base::Integer(_) | Base::Unsigned(_) => constant.text.parse().ok(),
            _ => None,
        },
        ExprKind::Intrinsic { name, operands, .. } if &**name == "minus_scal" => {
            integer(doc, operands.first()?.expr).map(|value| -value)
        }
        ExprKind::Ref(_)
        | ExprKind::Intrinsic { .. }
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => None,
    }
}

/// The lower bounds with which each array is allocated; nothing, where they differ.
fn deferred(doc: &Document) -> HashMap<SymbolId, Vec<i64>> {
    let mut found: HashMap<SymbolId, Vec<i64>> = HashMap::new();
    let mut differ: HashSet<SymbolId> = HashSet::new();
    // An array may have the bounds of another one, which are known before.
    for _ in 0..4 {
        let known = found.clone();
        for stmt in doc.stmts.values() {
            match &stmt.kind {
                StmtKind::Allocate(allocate) => {
                    for &object in &allocate.objects {
                        let reference = &doc.refs[object];
                        if reference.parts.is_empty() {
                            let lowers = lowers_of_source(doc, allocate, &known);
                            found.extend(lowers.map(|lowers| (reference.base, lowers)));
                            continue;
                        }
                        let [Part::Elements(bounds)] = &reference.parts[..] else { continue };
                        let lower = |bound: &Subscript| match bound {
                            Subscript::Section { lower: Some(lower), .. } => {
                                lower_bound(doc, *lower, &known)
                            }
                            Subscript::Section { lower: None, .. } | Subscript::Index(_) => Some(1),
                        };
                        let lowers: Option<Vec<i64>> = bounds.iter().map(lower).collect();
                        let Some(lowers) = lowers else { continue };
                        let own = found.entry(reference.base).or_insert_with(|| lowers.clone());
                        if *own != lowers {
                            differ.insert(reference.base);
                        }
                    }
                }
                // The tape counts the elements of its blocks from 1.
                StmtKind::InlinableCall(call) if call.name.starts_with("block_") => {
                    for arg in call.args.iter().take(1) {
                        let ArgValue::Expr(expr) = arg.value else { continue };
                        if let Some(reference) = doc.exprs[expr].reference() {
                            found.entry(doc.refs[reference].base).or_insert(vec![1]);
                        }
                    }
                }
                StmtKind::Assign { .. }
                | StmtKind::PointerAssign { .. }
                | StmtKind::Call(_)
                | StmtKind::InlinableCall(_)
                | StmtKind::Propagate(_)
                | StmtKind::Where(_)
                | StmtKind::Forall(_)
                | StmtKind::Release(_)
                | StmtKind::OpenScope(_)
                | StmtKind::CloseScope(_)
                | StmtKind::Marker(_)
                | StmtKind::Comment(_) => {}
            }
        }
        if known.len() == found.len() {
            break;
        }
    }
    found.retain(|symbol, _| !differ.contains(symbol));
    found
}

/// The lower bounds of the array whose shape an allocation takes.
fn lowers_of_source(
    doc: &Document,
    allocate: &Allocate,
    known: &HashMap<SymbolId, Vec<i64>>,
) -> Option<Vec<i64>> {
    let source = allocate.source.or(allocate.mold)?;
    let reference = &doc.refs[doc.exprs[source].reference()?];
    if !reference.parts.is_empty() {
        return None;
    }
    if let Some(lowers) = known.get(&reference.base) {
        return Some(lowers.clone());
    }
    let dims = &doc.symbols[reference.base].decl.as_ref()?.dims;
    let lower = |dim: &Dim| match dim {
        Dim::Explicit { lower: Some(lower), .. } => integer(doc, *lower),
        Dim::Explicit { lower: None, .. } => Some(1),
        _ => None,
    };
    dims.iter().map(lower).collect()
}

/// The value of a lower bound: a literal, or the bound of an array whose bounds are known.
pub(crate) fn lower_bound(
    doc: &Document,
    expr: ExprId,
    known: &HashMap<SymbolId, Vec<i64>>,
) -> Option<i64> {
    if let Some(value) = integer(doc, expr) {
        return Some(value);
    }
    let (name, symbol, dim) = bound_of(doc, expr)?;
    if name != "lbound" {
        return None;
    }
    if let Some(lowers) = known.get(&symbol) {
        return lowers.get(dim).copied();
    }
    match doc.symbols[symbol].decl.as_ref()?.dims.get(dim)? {
        Dim::Explicit { lower: Some(lower), .. } => integer(doc, *lower),
        Dim::Explicit { lower: None, .. } => Some(1),
        _ => None,
    }
}

/// The array and dimension (from 0) of `lbound(x, 1)`, `ubound(x, 1)` or `size(x, 1)` of a whole array.
pub(crate) fn bound_of(doc: &Document, expr: ExprId) -> Option<(&str, SymbolId, usize)> {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else { return None };
    if !matches!(&**name, "lbound" | "ubound" | "size") {
        return None;
    }
    let reference = &doc.refs[doc.exprs[operands.first()?.expr].reference()?];
    if !reference.parts.is_empty() {
        return None;
    }
    let rank = doc.symbols[reference.base].decl.as_ref()?.dims.len();
    let dim = match operands.iter().find(|operand| operand.position == 2) {
        Some(dim) => usize::try_from(integer(doc, dim.expr)? - 1).ok()?,
        None if rank == 1 => 0,
        None => return None,
    };
    Some((name, reference.base, dim))
}

fn asked(doc: &Document) -> HashSet<SymbolId> {
    let asked = doc.exprs.values().filter_map(|node| match &node.kind {
        ExprKind::Intrinsic { name, operands, .. } if &**name == "allocated" => {
            let reference = doc.exprs[operands.first()?.expr].reference()?;
            Some(doc.refs[reference].base)
        }
        _ => None,
    });
    asked.collect()
}

/// Allocated arrays that are assigned or recorded as a whole.
fn kept(doc: &Document) -> HashSet<SymbolId> {
    let allocatable = |symbol: &SymbolId| doc.has(*symbol, Attr::Allocatable);
    let mut found = HashSet::new();
    let whole = |reference: xaif_schema::model::RefId| {
        let data = &doc.refs[reference];
        (data.parts.is_empty() && data.ty.rank > 0).then_some(data.base)
    };
    for expr in doc.exprs.keys() {
        if let Some(("ubound" | "size", symbol, _)) = bound_of(doc, expr) {
            found.extend(Some(symbol).filter(allocatable));
        }
    }
    for stmt in doc.stmts.values() {
        match &stmt.kind {
            StmtKind::Assign { lhs, .. } => found.extend(whole(*lhs).filter(allocatable)),
            StmtKind::Allocate(allocate) if allocate.source.is_some() => {
                found.extend(allocate.objects.iter().map(|&one| doc.refs[one].base));
            }
            StmtKind::InlinableCall(call) => {
                let values = call.args.iter().filter_map(|arg| match arg.value {
                    ArgValue::Expr(expr) => doc.exprs[expr].reference(),
                    ArgValue::AlternateReturn(_) => None,
                });
                found.extend(values.filter_map(whole).filter(allocatable));
            }
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
            | StmtKind::Comment(_) => {}
        }
    }
    found
}
