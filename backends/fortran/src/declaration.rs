//! Type declarations: one statement for names whose type and attributes agree.

use xaif_schema::model::{
    Attr, Decl, Dim, Init, ProcClass, ProcSort, ProcedureInfo, Role, SymbolId, TypeSpec,
};

use crate::attribute::{attributes, binding_attributes};
use crate::code::Code;
use crate::expression::{Printer, Tok, comma, owned, text, whole};

/// What stands before `::`, and what stands behind it for one name.
struct Declared {
    head: Code,
    entity: Code,
}

impl<'d> Printer<'_, 'd> {
    /// The statements that declare `symbols`, in their order.
    pub(crate) fn declarations(self, symbols: &[SymbolId]) -> Vec<Code> {
        let mut statements: Vec<(String, Code)> = Vec::new();
        for &symbol in symbols {
            let Some(declared) = self.declared(symbol) else { continue };
            match statements.last_mut() {
                Some((head, code)) if *head == declared.head.text => {
                    code.push(",");
                    code.allow_break(crate::code::Level(1));
                    code.push(" ");
                    code.append(&declared.entity);
                }
                _ => {
                    let mut code = declared.head.clone();
                    code.push(" :: ");
                    code.append(&declared.entity);
                    statements.push((declared.head.text, code));
                }
            }
        }
        statements.into_iter().map(|(_, code)| code).collect()
    }

    fn declared(self, symbol: SymbolId) -> Option<Declared> {
        let decl = self.cx.doc.symbols[symbol].decl.as_deref()?;
        let name = self.cx.names.declared(symbol);
        let stated = self.cx.access_is_stated(symbol);
        let head = match &decl.role {
            Role::Procedure(info) => self.procedure_head(decl, info, stated),
            Role::Binding { target, interface, pass } => {
                return Some(self.binding(decl, name, *target, *interface, pass.as_deref()));
            }
            Role::Final { target } => {
                let target = self.cx.name(self.scope, *target);
                return Some(Declared { head: Code::from("final"), entity: Code::from(target) });
            }
            Role::TypeParam { len } => {
                let mut tokens = self.type_spec(&decl.spec);
                tokens.push(text(if *len { ", len" } else { ", kind" }));
                tokens
            }
            Role::Variable
            | Role::Constant
            | Role::StatementFunction
            | Role::Unresolved { .. }
            | Role::CommonBlock => self.variable_head(decl, stated),
            Role::Generic { .. } => {
                // Only access can be said of a generic name in a declaration.
                return None;
            }
            Role::DerivedType { .. }
            | Role::Module { .. }
            | Role::BlockData
            | Role::Namelist
            | Role::Associate { .. } => return None,
        };
        if head.is_empty() {
            return None;
        }
        Some(Declared { head: self.code(head), entity: self.code(self.entity(decl, name)) })
    }

    fn variable_head(self, decl: &'d Decl, stated: bool) -> Vec<Tok<'d>> {
        let mut tokens = self.type_with_len(&decl.spec, decl.char_len);
        let mut attributes = attributes(decl, stated);
        if tokens.is_empty() {
            // Nothing but attributes: `external :: f`, `bind(c) :: /block/`.
            attributes = attributes.trim_start_matches(", ").to_owned();
        }
        tokens.push(owned(attributes));
        tokens.extend(self.bind_c(decl, tokens.len() > 1));
        if tokens.iter().all(|token| matches!(token, Tok::Text(text) if text.is_empty())) {
            return Vec::new();
        }
        tokens
    }

    /// `bind(c, name="…")`.
    pub(crate) fn bind_c(self, decl: &'d Decl, comma_before: bool) -> Vec<Tok<'d>> {
        if !decl.has(Attr::BindC) {
            return Vec::new();
        }
        let mut tokens = vec![text(if comma_before { ", bind(c" } else { "bind(c" })];
        if let Some(name) = decl.bind_name {
            tokens.extend([text(", name="), whole(name)]);
        }
        tokens.push(text(")"));
        tokens
    }

    fn procedure_head(self, decl: &'d Decl, info: &ProcedureInfo, stated: bool) -> Vec<Tok<'d>> {
        let pointer = decl.has(Attr::Pointer);
        let untyped = matches!(decl.spec, TypeSpec::None) || decl.implicit;
        let mut tokens = match info.interface {
            Some(interface) => {
                let name = self.cx.name(self.scope, interface);
                vec![owned(format!("procedure({name})"))]
            }
            None if pointer || info.class == ProcClass::Pointer => {
                let mut tokens = vec![text("procedure(")];
                if !untyped && info.sort != ProcSort::Subroutine {
                    tokens.extend(self.type_with_len(&decl.spec, decl.char_len));
                }
                tokens.push(text(")"));
                tokens
            }
            None if untyped => {
                let mut words = attributes(decl, stated);
                if !words.contains("external") && !words.contains("intrinsic") {
                    let word = match info.class {
                        ProcClass::External | ProcClass::Dummy => ", external",
                        ProcClass::Intrinsic => ", intrinsic",
                        ProcClass::Module
                        | ProcClass::Internal
                        | ProcClass::Pointer
                        | ProcClass::Abstract
                        | ProcClass::Entry => "",
                    };
                    words = format!("{word}{words}");
                }
                // EXTERNAL and another attribute cannot stand in one statement without a type.
                let others = words.replace(", external", "");
                if words.contains("external") && !others.is_empty() {
                    let mut tokens = vec![text("procedure(")];
                    if info.sort == ProcSort::Function {
                        tokens.extend(self.type_with_len(&decl.spec, decl.char_len));
                    }
                    tokens.push(owned(format!("){others}")));
                    return tokens;
                }
                return match words.strip_prefix(", ") {
                    Some(words) => vec![owned(words.to_owned())],
                    None => Vec::new(),
                };
            }
            None => self.type_with_len(&decl.spec, decl.char_len),
        };
        tokens.push(owned(attributes(decl, stated)));
        tokens.push(owned(binding_attributes(decl, info.pass.as_deref())));
        tokens.extend(self.bind_c(decl, true));
        tokens
    }

    fn binding(
        self,
        decl: &Decl,
        name: &str,
        target: Option<SymbolId>,
        interface: Option<SymbolId>,
        pass: Option<&str>,
    ) -> Declared {
        let mut head = String::from("procedure");
        if let Some(interface) = interface {
            head.push_str(&format!("({})", self.cx.name(self.scope, interface)));
        }
        for (attr, word) in [(Attr::Public, ", public"), (Attr::Private, ", private")] {
            if decl.has(attr) {
                head.push_str(word);
            }
        }
        head.push_str(&binding_attributes(decl, pass));
        let mut entity = name.to_owned();
        if let Some(target) = target.filter(|_| !decl.has(Attr::Deferred)) {
            let target = self.cx.name(self.scope, target);
            if !target.eq_ignore_ascii_case(name) {
                entity = format!("{name} => {target}");
            }
        }
        Declared { head: Code::from(head), entity: Code::from(entity) }
    }

    fn entity(self, decl: &'d Decl, name: &str) -> Vec<Tok<'d>> {
        let name = match decl.role {
            Role::CommonBlock => format!("/{}/", name.trim_matches('/')),
            _ => name.to_owned(),
        };
        let mut tokens = vec![owned(name)];
        tokens.extend(dims(&decl.dims));
        match decl.init {
            Some(Init::Value(expr)) => tokens.extend([text(" = "), whole(expr)]),
            Some(Init::Target(expr)) => tokens.extend([text(" => "), whole(expr)]),
            None => {}
        }
        tokens
    }
}

/// `(n, 0:m)`
pub(crate) fn dims<'d>(dims: &[Dim]) -> Vec<Tok<'d>> {
    if dims.is_empty() {
        return Vec::new();
    }
    let mut tokens = vec![text("("), Tok::Down, Tok::Tight];
    for (index, dim) in dims.iter().enumerate() {
        if index > 0 {
            tokens.extend(comma());
        }
        match *dim {
            Dim::Explicit { lower, upper } => {
                if let Some(lower) = lower {
                    tokens.extend([whole(lower), text(":")]);
                }
                tokens.push(whole(upper));
            }
            Dim::AssumedShape { lower } => {
                tokens.extend(lower.map(whole));
                tokens.push(text(":"));
            }
            Dim::Deferred => tokens.push(text(":")),
            Dim::AssumedSize { lower } => {
                if let Some(lower) = lower {
                    tokens.extend([whole(lower), text(":")]);
                }
                tokens.push(text("*"));
            }
            Dim::AssumedRank => tokens.push(text("..")),
        }
    }
    tokens.extend([Tok::Loose, Tok::Up, text(")")]);
    tokens
}
