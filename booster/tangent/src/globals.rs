//! COMMON blocks and module variables that a procedure writes whose source is not given: their
//! derivatives are zero behind the call where the specification says so; where it may be otherwise,
//! or where it cannot be said here, the call is refused.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Attr, Document, Place, RefId, Reference, Role, ScopeId, ScopeKind, SymbolId,
};

use super::body::Tangent;
use booster_facts::externals::{External, component_of_variable, global_variables};
use booster_shadow::derivative::bring_into_sight;

impl Tangent<'_> {
    /// A global variable with a derivative, if there is one.
    pub(super) fn some_global(&self, doc: &Document) -> Option<SymbolId> {
        doc.symbols.keys().find(|&symbol| self.is_global(doc, symbol))
    }

    fn is_global(&self, doc: &Document, symbol: SymbolId) -> bool {
        let data = &doc.symbols[symbol];
        let common = data.decl.as_ref().is_some_and(|decl| decl.common.is_some());
        let constant = matches!(doc.role(symbol), Some(Role::Constant));
        let shared = common || matches!(doc.scopes[data.scope].kind, ScopeKind::Module(_));
        shared && !constant && self.parts.variable(symbol).is_some()
    }

    /// A procedure without specification or interface may do anything to global variables.
    pub(super) fn refuse_globals(
        &self,
        doc: &Document,
        callee: SymbolId,
        place: Place,
    ) -> Result<(), Diagnostic> {
        let Some(global) = self.some_global(doc) else { return Ok(()) };
        let message = format!(
            "nobody has told whether `{}` changes global variables, and `{}` has a derivative",
            doc.name(callee),
            doc.name(global)
        );
        let help = "list the globals that it touches, or say `pure = true`, in a specification for \
                    --externals; activity analysis may find that it does not matter";
        Err(self.error(doc, Code::NO_DERIVATIVE_PROCEDURE, place, message, help))
    }

    /// The variables with derivatives that a name of a specification means (`/block/`, `module::variable`), with the
    /// components that are meant of them.
    pub(super) fn globals_named(
        &self,
        doc: &Document,
        name: &str,
        path: &[String],
    ) -> Vec<(SymbolId, Reference)> {
        let all = global_variables(doc, name).into_iter().filter(|&s| self.is_global(doc, s));
        let parts = all.filter_map(|symbol| {
            let part = component_of_variable(doc, symbol, path)
                .or_else(|| component_of_variable(doc, symbol, &[]))?;
            Some((symbol, part))
        });
        parts.filter(|(_, part)| self.parts.has_derivative(part)).collect()
    }

    /// The globals whose derivatives are zero behind a call, since the specification says that they
    /// are overwritten and depend on nothing that is active; `depends` tells whether an effect does.
    pub(super) fn zeroed_globals(
        &mut self,
        doc: &mut Document,
        external: &External,
        depends: &[bool],
        place: Place,
    ) -> Result<Vec<RefId>, Diagnostic> {
        let mut zeroed = Vec::new();
        let effects = external.globals.iter().flatten().zip(depends);
        for (effect, &depends) in effects.filter(|(effect, _)| effect.written) {
            let meant = self.globals_named(doc, &effect.name, &effect.path);
            if meant.is_empty() {
                continue;
            }
            if depends {
                return Err(self.global_error(
                    doc,
                    place,
                    format!(
                        "`{}` changes `{}`, which depends on what is active there",
                        external.name, effect.name
                    ),
                ));
            }
            let mut seen = false;
            for (symbol, part) in meant {
                if self.can_name(doc, symbol) {
                    seen = true;
                    zeroed.push(doc.refs.push(Reference { place, ..part }));
                }
            }
            if !seen {
                return Err(self.global_error(
                    doc,
                    place,
                    format!(
                        "`{}` overwrites `{}`, whose derivative cannot be named here",
                        external.name, effect.name
                    ),
                ));
            }
        }
        Ok(zeroed)
    }

    fn global_error(&self, doc: &Document, place: Place, message: String) -> Diagnostic {
        let help = "name its tangent in the specification of externals, or use the module or declare \
                    the COMMON block in the procedure that calls it";
        self.error(doc, Code::NO_DERIVATIVE_PROCEDURE, place, message, help)
    }

    /// Whether the derivative of a global variable has a name in this procedure; one in a derivative
    /// module is imported where it has none yet.
    fn can_name(&self, doc: &mut Document, symbol: SymbolId) -> bool {
        let Some(derivative) = self.parts.variable(symbol) else { return false };
        !has_attr(doc, symbol, Attr::Private) && self.import(doc, derivative)
            || self.around(doc).contains(&doc.symbols[derivative].scope)
    }

    fn around(&self, doc: &Document) -> Vec<ScopeId> {
        std::iter::successors(Some(self.scope(doc)), |&s| doc.scopes[s].parent).collect()
    }

    /// Brings what stands in a derivative module into sight in this procedure; tells whether it can be
    /// seen then.
    pub fn import(&self, doc: &mut Document, derivative: SymbolId) -> bool {
        bring_into_sight(doc, self.scope(doc), derivative)
    }
}

fn has_attr(doc: &Document, symbol: SymbolId, attr: Attr) -> bool {
    doc.symbols[symbol].has(attr)
}
