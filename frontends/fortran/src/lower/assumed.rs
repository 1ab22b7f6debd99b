//! FORTRAN 66's way to pass arrays of any size: dummy arrays declared with the last extent 1, `a(1)` or
//! `a(lda, 1)`, of which the procedure uses more. They become what they mean, `a(*)` and
//! `a(lda, *)`; a derivative that took them at their word would record one element.
//!
//! What is used as a whole, in an expression or in input and output, has the extent that it says, and
//! so has what is neither subscripted by more than a constant 1 nor passed to a larger array.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Arg, ArgValue, Attr, Callee, Dim, Document, ExprId, ExprKind, Part, ProcClass, RefId, Role,
    Subscript, SymbolId,
};

use super::Lowering;

/// What is known of an array that may be larger than it says.
#[derive(Default)]
struct Uses {
    /// It is subscripted beyond its extent, or passed to something larger.
    beyond: bool,
    /// It is used as a whole.
    whole: bool,
    /// The dummy arrays of its kind that it is passed to.
    passed: Vec<SymbolId>,
}

impl Lowering<'_> {
    /// Gives such arrays of the whole document the size that they mean.
    pub(super) fn assume_sizes(&mut self) {
        let mut arrays: HashMap<SymbolId, Uses> = self.arrays_of_one();
        if arrays.is_empty() {
            return;
        }
        let passed = self.look_at_calls(&mut arrays);
        self.look_at_references(&mut arrays, &passed);
        let mut larger: Vec<SymbolId> =
            arrays.iter().filter(|(_, uses)| uses.beyond).map(|(&symbol, _)| symbol).collect();
        let mut known: HashSet<SymbolId> = larger.iter().copied().collect();
        while let Some(found) = larger.pop() {
            let holders = arrays.iter().filter(|(_, uses)| uses.passed.contains(&found));
            let new: Vec<SymbolId> =
                holders.map(|(&holder, _)| holder).filter(|&holder| known.insert(holder)).collect();
            larger.extend(new);
        }
        for symbol in known {
            if arrays.get(&symbol).is_some_and(|uses| !uses.whole) {
                self.assume_size(symbol);
            }
        }
    }

    /// The dummy arrays whose last extent is a literal 1.
    fn arrays_of_one(&self) -> HashMap<SymbolId, Uses> {
        let is_one = |expr: ExprId| {
            matches!(self.doc.exprs[expr].kind, ExprKind::Constant(_))
                && self.fold_integer(expr) == Some(1)
        };
        let fits = |symbol: SymbolId| {
            let Some(decl) = self.doc.symbols[symbol].decl.as_deref() else { return false };
            matches!(decl.dims.last(), Some(&Dim::Explicit { lower, upper })
                if is_one(upper) && lower.is_none_or(is_one))
                && self.is_dummy(symbol)
                && !decl.has(Attr::Value)
        };
        let symbols = self.doc.symbols.keys().filter(|&symbol| fits(symbol));
        symbols.map(|symbol| (symbol, Uses::default())).collect()
    }

    /// What the arrays are passed to; the references that are actual arguments.
    fn look_at_calls(&self, arrays: &mut HashMap<SymbolId, Uses>) -> HashSet<RefId> {
        let mut passed = HashSet::new();
        let doc = &self.doc;
        for (callee, args) in doc.calls() {
            for arg in args {
                let Some(reference) = variable_of(doc, arg) else { continue };
                passed.insert(reference);
                let dummy = dummy_of(doc, callee, arg);
                let shaped =
                    takes_shape(doc, callee, dummy) && doc.refs[reference].parts.is_empty();
                let larger = dummy.is_none_or(|dummy| is_larger(doc, arrays, dummy));
                let Some(uses) = arrays.get_mut(&doc.refs[reference].base) else { continue };
                uses.whole |= shaped;
                uses.beyond |= larger;
                uses.passed.extend(dummy);
            }
        }
        passed
    }

    fn look_at_references(&self, arrays: &mut HashMap<SymbolId, Uses>, passed: &HashSet<RefId>) {
        let beyond = |expr: ExprId| self.fold_integer(expr) != Some(1);
        for (id, reference) in &self.doc.refs {
            let Some(uses) = arrays.get_mut(&reference.base) else { continue };
            match reference.parts.first() {
                None => uses.whole |= !passed.contains(&id),
                Some(Part::Elements(list)) => match list.last() {
                    Some(&Subscript::Index(index)) => uses.beyond |= beyond(index),
                    Some(&Subscript::Section { upper: Some(upper), .. }) => {
                        uses.beyond |= beyond(upper);
                    }
                    Some(Subscript::Section { upper: None, .. }) | None => uses.whole = true,
                },
                Some(
                    Part::Component { .. }
                    | Part::Substring { .. }
                    | Part::Inquiry(_)
                    | Part::Deref,
                ) => uses.whole = true,
            }
        }
    }

    fn assume_size(&mut self, symbol: SymbolId) {
        let data = &mut self.doc.symbols[symbol];
        data.bounds.clear();
        let Some(decl) = data.decl.as_deref_mut() else { return };
        if let Some(last) = decl.dims.last_mut()
            && let Dim::Explicit { lower, .. } = *last
        {
            *last = Dim::AssumedSize { lower };
        }
    }
}

/// The variable that is passed, or of which an element is passed with all behind it.
fn variable_of(doc: &Document, arg: &Arg) -> Option<RefId> {
    let ArgValue::Expr(expr) = arg.value else { return None };
    match doc.exprs[expr].kind {
        ExprKind::Ref(reference) if !doc.exprs[expr].parens => Some(reference),
        _ => None,
    }
}

/// The dummy argument, where it is known.
fn dummy_of(doc: &Document, callee: &Callee, arg: &Arg) -> Option<SymbolId> {
    let proc = doc.described_by(callee.symbol)?;
    let args = &doc.procs[proc].args;
    let index = usize::try_from(arg.position).ok()?.checked_sub(1)?;
    args.get(index)?.symbol
}

/// Whether a whole array that is passed must have a shape: for a dummy argument that takes it, an
/// elemental or intrinsic procedure.
fn takes_shape(doc: &Document, callee: &Callee, dummy: Option<SymbolId>) -> bool {
    let decl = dummy.and_then(|dummy| doc.symbols[dummy].decl.as_deref());
    match (decl, doc.role(callee.symbol)) {
        (Some(decl), _) => {
            !matches!(decl.dims.last(), Some(Dim::Explicit { .. } | Dim::AssumedSize { .. }))
        }
        (None, Some(Role::Procedure(info))) => info.class == ProcClass::Intrinsic,
        (None, _) => false,
    }
}

/// Whether a dummy argument is an array that takes more than one element of what is passed for it.
fn is_larger(doc: &Document, arrays: &HashMap<SymbolId, Uses>, dummy: SymbolId) -> bool {
    let Some(decl) = doc.symbols[dummy].decl.as_deref() else { return false };
    matches!(decl.dims.last(), Some(Dim::Explicit { .. } | Dim::AssumedSize { .. }))
        && !arrays.contains_key(&dummy)
}
