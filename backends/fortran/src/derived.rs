//! Derived types: components, bindings, generic bindings.

use xaif_schema::model::{Attr, GenericSpec, Role, SymbolId};

use crate::code::Code;
use crate::context::Context;
use crate::expression::{list, owned, text};
use crate::lines::Lines;
use crate::specification::Specification;

impl<'d> Specification<'_, 'd> {
    /// `type … end type`
    pub(crate) fn derived_type(&self, lines: &mut Lines, symbol: SymbolId) {
        let cx: &Context<'d> = self.printer.cx;
        let Some(decl) = cx.doc.symbols[symbol].decl.as_deref() else { return };
        let Role::DerivedType { scope, extends, params } = &decl.role else { return };
        let name = self.name(symbol);
        let mut tokens = vec![text("type")];
        if decl.has(Attr::Abstract) {
            tokens.push(text(", abstract"));
        }
        if let Some(parent) = extends {
            tokens.push(owned(format!(", extends({})", self.name(*parent))));
        }
        for (attr, word) in [(Attr::Public, ", public"), (Attr::Private, ", private")] {
            if decl.has(attr) && !cx.access_is_stated(symbol) {
                tokens.push(text(word));
            }
        }
        tokens.extend(self.printer.bind_c(decl, true));
        tokens.push(owned(format!(" :: {name}")));
        if !params.is_empty() {
            tokens.push(text("("));
            tokens.extend(list(params.iter().map(|&param| owned(self.name(param)))));
            tokens.push(text(")"));
        }
        lines.code(None, &self.printer.code(tokens));
        lines.indent();
        let inner = Specification::new(cx, *scope, None, self.depth + 1);
        if decl.has(Attr::PrivateComponents) {
            lines.plain("private");
        }
        if decl.has(Attr::Sequence) {
            lines.plain("sequence");
        }
        inner.print(lines);
        lines.dedent();
        lines.plain(&format!("end type {name}"));
    }

    /// CONTAINS within a derived type.
    pub(crate) fn type_contains(&self, lines: &mut Lines) {
        lines.dedent();
        lines.plain("contains");
        lines.indent();
        let cx = self.printer.cx;
        let scope = &cx.doc.scopes[self.printer.scope];
        let xaif_schema::model::ScopeKind::DerivedType(symbol) = scope.kind else { return };
        let decl = cx.doc.symbols[symbol].decl.as_deref();
        if decl.is_some_and(|decl| decl.has(Attr::PrivateBindings)) {
            lines.plain("private");
        }
    }

    /// `generic :: name => a, b`
    pub(crate) fn generic(&self, symbol: SymbolId) -> Code {
        let doc = self.printer.cx.doc;
        let mut tokens = vec![text("generic")];
        let Some(decl) = doc.symbols[symbol].decl.as_deref() else { return Code::default() };
        for (attr, word) in [(Attr::Public, ", public"), (Attr::Private, ", private")] {
            if decl.has(attr) {
                tokens.push(text(word));
            }
        }
        let Role::Generic { spec, specifics } = &decl.role else { return Code::default() };
        let name = match spec {
            GenericSpec::Name => self.name(symbol),
            GenericSpec::Operator(operator) => format!("operator({operator})"),
            GenericSpec::Assignment => "assignment(=)".to_owned(),
            GenericSpec::Io(text) => text.clone(),
        };
        tokens.push(owned(format!(" :: {name} => ")));
        tokens.extend(list(specifics.iter().map(|&specific| owned(self.name(specific)))));
        self.printer.code(tokens)
    }
}
