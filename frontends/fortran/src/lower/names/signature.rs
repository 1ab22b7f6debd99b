//! What is known of a procedure to who calls it: dummy arguments, result, and which specific
//! procedure a generic name means.

use xaif_schema::model::{
    Attr, Base, Dim, DummyArg, EntryPoint, ProcId, ProcSort, Role, ScopeId, SymbolId, Ty,
};

use crate::lower::Lowering;

/// The interface of a procedure.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    /// Its dummy arguments.
    pub(crate) args: Vec<DummyArg>,
    /// Its result variable.
    pub(crate) result: Option<SymbolId>,
    /// Of a type-bound procedure or procedure component: the index in `args` of the dummy that
    /// gets the object.
    pub(crate) passed: Option<usize>,
    /// Whether it is elemental.
    pub(crate) elemental: bool,
}

/// What is known of an actual argument when a generic name is resolved.
#[derive(Clone, Debug)]
pub(crate) struct Actual {
    /// `keyword=`, lower case.
    pub(crate) keyword: Option<Box<str>>,
    /// Its type and rank; of a procedure, [`Base::Procedure`].
    pub(crate) ty: Ty,
}

impl Lowering<'_> {
    /// The interface of `symbol`: of a procedure, a dummy or pointer with an interface, a binding.
    /// `None` where nothing is known.
    pub(crate) fn signature(&mut self, symbol: SymbolId) -> Option<Signature> {
        // An interface may name an interface that names another.
        let mut current = symbol;
        for _ in 0..16 {
            self.settle(current);
            let next = match self.doc.role(current)? {
                Role::Procedure(info) => match (info.proc, info.interface) {
                    (Some(proc), _) => return self.signature_of(symbol, current, proc),
                    (None, interface) => interface,
                },
                Role::Binding { target, interface, .. } => target.or(*interface),
                Role::Final { target } => Some(*target),
                Role::Variable
                | Role::Constant
                | Role::Generic { .. }
                | Role::DerivedType { .. }
                | Role::TypeParam { .. }
                | Role::Module { .. }
                | Role::BlockData
                | Role::CommonBlock
                | Role::Namelist
                | Role::StatementFunction
                | Role::Unresolved { .. }
                | Role::Associate { .. } => None,
            };
            current = next?;
        }
        None
    }

    /// The interface that `proc`, reached as `named`, has for who calls it as `symbol`.
    fn signature_of(
        &mut self,
        symbol: SymbolId,
        named: SymbolId,
        proc: ProcId,
    ) -> Option<Signature> {
        let own = self.doc.procs[proc].symbol;
        self.settle(own);
        let entry = self.entries.get(&named).or_else(|| self.external_entry(named, own));
        let (args, result) = match entry {
            Some(entry) => (entry.args.clone(), entry.result),
            None => (self.doc.procs[proc].args.clone(), self.doc.procs[proc].result),
        };
        for arg in &args {
            if let Some(dummy) = arg.symbol {
                self.settle(dummy);
            }
        }
        if let Some(result) = result {
            self.settle(result);
        }
        let passed = self.passed_argument(symbol, &args);
        let elemental = self.doc.symbols[own].has(Attr::Elemental);
        Some(Signature { args, result, passed, elemental })
    }

    /// The ENTRY that `named`, declared EXTERNAL, names: then the program unit `own` has another name.
    fn external_entry(&self, named: SymbolId, own: SymbolId) -> Option<&EntryPoint> {
        let key = &self.doc.symbols[named].id;
        if *key == self.doc.symbols[own].id {
            return None;
        }
        self.entries.get(self.names[self.global].own.get(key.as_str())?)
    }

    /// Which dummy of a binding or procedure component gets the object.
    fn passed_argument(&self, symbol: SymbolId, args: &[DummyArg]) -> Option<usize> {
        let decl = self.doc.symbols[symbol].decl.as_deref()?;
        if decl.has(Attr::NoPass) || args.is_empty() {
            return None;
        }
        let in_type = matches!(
            self.doc.scopes[self.doc.symbols[symbol].scope].kind,
            xaif_schema::model::ScopeKind::DerivedType(_)
        );
        let name = match &decl.role {
            Role::Binding { pass, .. } => pass.as_ref(),
            Role::Procedure(info) if in_type => info.pass.as_ref(),
            _ => return None,
        };
        match name {
            None => Some(0),
            Some(name) => args.iter().position(|arg| {
                arg.symbol
                    .is_some_and(|dummy| self.doc.symbols[dummy].id == name.to_ascii_lowercase())
            }),
        }
    }

    /// The component or binding `key` of the derived type `ty`, also an inherited one; for the name
    /// of the parent component, the parent type.
    pub(crate) fn component(&mut self, ty: SymbolId, key: &str) -> Option<SymbolId> {
        let mut current = ty;
        for _ in 0..64 {
            let (scope, extends) = match self.doc.role(current)? {
                Role::DerivedType { scope, extends, .. } => (*scope, *extends),
                _ => return None,
            };
            if let Some(symbol) = self.lookup_own(scope, key) {
                return Some(symbol);
            }
            let parent = extends?;
            if self.doc.symbols[parent].id == key {
                return Some(parent);
            }
            current = parent;
        }
        None
    }

    /// All specific procedures that the generic name, `operator(…)` or `assignment(=)` with this
    /// key reaches in `scope`, each with the generic symbol that brings it; the nearest first.
    pub(crate) fn specifics(&mut self, scope: ScopeId, key: &str) -> Vec<(SymbolId, SymbolId)> {
        let mut all = Vec::new();
        let mut current = scope;
        while current != self.global {
            let mut generics = Vec::new();
            generics.extend(self.names[current].own.get(key).copied());
            generics.extend(self.names[current].hidden.get(key).copied());
            generics.extend(self.used_all(current, key));
            for generic in generics {
                if let Some(Role::Generic { specifics, .. }) = self.doc.role(generic) {
                    all.extend(specifics.iter().map(|&specific| (generic, specific)));
                }
            }
            if !self.names[current].host.sees(key) {
                break;
            }
            match self.doc.scopes[current].parent {
                Some(parent) => current = parent,
                None => break,
            }
        }
        let mut seen = std::collections::HashSet::new();
        all.retain(|(_, specific)| seen.insert(*specific));
        all
    }

    /// The specific procedure that a reference to the generic `key` in `scope` with these actual
    /// arguments means: (generic, specific). A procedure that is not elemental goes first.
    pub(crate) fn resolve_generic(
        &mut self,
        scope: ScopeId,
        key: &str,
        actuals: &[Actual],
    ) -> Option<(SymbolId, SymbolId)> {
        let candidates = self.specifics(scope, key);
        self.first_fitting(candidates, actuals)
    }

    /// The same for a generic binding of the type `ty`; `actuals` do not hold the object, which is this
    /// `operand` of an operator, from 0.
    pub(crate) fn resolve_bound_generic(
        &mut self,
        ty: SymbolId,
        key: &str,
        actuals: &[Actual],
        operand: Option<usize>,
    ) -> Option<(SymbolId, SymbolId)> {
        let mut candidates = Vec::new();
        let mut current = Some(ty);
        for _ in 0..64 {
            let Some(Role::DerivedType { scope, extends, .. }) =
                current.and_then(|ty| self.doc.role(ty))
            else {
                break;
            };
            let (scope, extends) = (*scope, *extends);
            if let Some(&generic) = self.names[scope].own.get(key)
                && let Some(Role::Generic { specifics, .. }) = self.doc.role(generic)
            {
                candidates.extend(specifics.iter().map(|&specific| (generic, specific)));
            }
            current = extends;
        }
        // Which operand the object is, tells what it is passed for.
        candidates.retain(|&(_, specific)| {
            operand.is_none() || self.signature(specific).is_some_and(|s| s.passed == operand)
        });
        self.first_fitting(candidates, actuals)
    }

    fn first_fitting(
        &mut self,
        candidates: Vec<(SymbolId, SymbolId)>,
        actuals: &[Actual],
    ) -> Option<(SymbolId, SymbolId)> {
        let mut elemental = None;
        for (generic, specific) in candidates {
            let Some(signature) = self.signature(specific) else { continue };
            if self.fits(&signature, actuals, false) {
                return Some((generic, specific));
            }
            if elemental.is_none() && signature.elemental && self.fits(&signature, actuals, true) {
                elemental = Some((generic, specific));
            }
        }
        elemental
    }

    /// Whether a call with `actuals` fits `signature`, ranks ignored if `elemental`.
    fn fits(&mut self, signature: &Signature, actuals: &[Actual], elemental: bool) -> bool {
        let dummies: Vec<Option<SymbolId>> = signature
            .args
            .iter()
            .enumerate()
            .filter(|(index, _)| Some(*index) != signature.passed)
            .map(|(_, arg)| arg.symbol)
            .collect();
        let mut given = vec![false; dummies.len()];
        for (index, actual) in actuals.iter().enumerate() {
            let position = match &actual.keyword {
                None => Some(index),
                Some(keyword) => dummies.iter().position(|dummy| {
                    dummy.is_some_and(|dummy| self.doc.symbols[dummy].id == **keyword)
                }),
            };
            let Some(position) = position.filter(|&position| position < dummies.len()) else {
                return false;
            };
            if std::mem::replace(&mut given[position], true) {
                return false;
            }
            match dummies[position] {
                Some(dummy) if !self.accepts(dummy, actual.ty, elemental) => return false,
                Some(_) | None => {}
            }
        }
        given.iter().zip(&dummies).all(|(given, dummy)| {
            *given || dummy.is_some_and(|dummy| self.has_attr(dummy, Attr::Optional))
        })
    }

    /// Whether the dummy argument may get an actual argument of type `actual`.
    fn accepts(&mut self, dummy: SymbolId, actual: Ty, elemental: bool) -> bool {
        let ty = self.type_of(dummy);
        let Some(decl) = self.doc.symbols[dummy].decl.as_deref() else { return true };
        if let Role::Procedure(info) = &decl.role {
            return matches!(actual.base, Base::Procedure | Base::Unknown | Base::Void)
                || (info.sort != ProcSort::Subroutine && info.interface.is_none());
        }
        let any_rank = elemental || matches!(decl.dims.as_slice(), [Dim::AssumedRank]);
        let fits_rank = any_rank || actual.rank == ty.rank || actual.base == Base::Unknown;
        fits_rank && self.fits_base(ty.base, actual.base)
    }

    /// Whether a dummy argument of type `dummy` may get one of type `actual`.
    pub(crate) fn fits_base(&self, dummy: Base, actual: Base) -> bool {
        match (dummy, actual) {
            (Base::Unknown | Base::ClassStar | Base::TypeStar, _) | (_, Base::Unknown) => true,
            (Base::Class(dummy), Base::Class(actual) | Base::Derived(actual)) => {
                self.is_same_or_extends(actual, dummy)
            }
            (Base::Derived(dummy), Base::Class(actual) | Base::Derived(actual)) => dummy == actual,
            (Base::Integer(0), Base::Integer(_))
            | (Base::Integer(_), Base::Integer(0))
            | (Base::Real(0), Base::Real(_))
            | (Base::Real(_), Base::Real(0))
            | (Base::Complex(0), Base::Complex(_))
            | (Base::Complex(_), Base::Complex(0))
            | (Base::Logical(0), Base::Logical(_))
            | (Base::Logical(_), Base::Logical(0)) => true,
            (dummy, actual) => dummy == actual,
        }
    }

    /// Whether type `ty` is `ancestor` or extends it.
    pub(crate) fn is_same_or_extends(&self, ty: SymbolId, ancestor: SymbolId) -> bool {
        let mut current = Some(ty);
        for _ in 0..64 {
            let Some(ty) = current else { return false };
            if ty == ancestor {
                return true;
            }
            current = match self.doc.role(ty) {
                Some(Role::DerivedType { extends, .. }) => *extends,
                _ => None,
            };
        }
        false
    }

    /// Whether the declaration of `symbol` has the attribute `attr`.
    pub(crate) fn has_attr(&self, symbol: SymbolId, attr: Attr) -> bool {
        self.doc.symbols[symbol].has(attr)
    }
}
