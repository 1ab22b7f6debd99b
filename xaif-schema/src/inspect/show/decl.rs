//! Declarations: one line for a symbol.

use super::Show;
use crate::model::{
    Attr, CharLen, Decl, Dim, GenericSpec, Init, Intent, ProcClass, ProcSort, ProcedureInfo, Role,
    Symbol, SymbolId, SymbolKind, TypeClass, TypeSpec,
};

/// A declaration as the text has it: what stands left, and the facts at the right.
pub(super) struct Declaration {
    pub(super) text: String,
    pub(super) facts: Vec<String>,
}

impl<'a> Show<'a> {
    /// The declaration of `id`.
    pub(super) fn declaration(&self, id: SymbolId) -> Declaration {
        let symbol = &self.doc.symbols[id];
        match &symbol.decl {
            Some(decl) => self.declared(id, symbol, decl),
            None => self.undeclared(id, symbol),
        }
    }

    /// The fact of a symbol's activity, where it does not follow from the type: that real and
    /// complex variables have derivatives goes without saying.
    fn activity(symbol: &Symbol) -> Vec<String> {
        let continuous = matches!(symbol.class, TypeClass::Real | TypeClass::Complex);
        match symbol.active {
            Some(true) if !continuous => vec!["active".into()],
            Some(false) if continuous => vec!["passive".into()],
            Some(_) | None => Vec::new(),
        }
    }

    /// A symbol of which only XAIF 1.0 is known.
    fn undeclared(&self, id: SymbolId, symbol: &Symbol) -> Declaration {
        let mut text = format!("{}: ", self.text.name(id));
        match symbol.kind {
            SymbolKind::Subroutine => text.push_str("procedure"),
            SymbolKind::Variable | SymbolKind::Pointer => text.push_str(class_word(symbol.class)),
        }
        if symbol.bounds.is_empty() {
            if let Some(rank @ 1..) = symbol.rank {
                text.push_str(&format!("[{}]", vec![":"; usize::from(rank)].join(", ")));
            }
        } else {
            let bounds: Vec<_> =
                symbol.bounds.iter().map(|(lower, upper)| format!("{lower}:{upper}")).collect();
            text.push_str(&format!("[{}]", bounds.join(", ")));
        }
        if symbol.kind == SymbolKind::Pointer || symbol.pointer == Some(true) {
            text.push_str(", pointer");
        }
        let mut facts = Self::activity(symbol);
        facts.extend(symbol.fe_type.clone());
        facts.extend(symbol.temp.filter(|&temp| temp).map(|_| "temporary".to_owned()));
        Declaration { text, facts }
    }

    fn declared(&self, id: SymbolId, symbol: &Symbol, decl: &'a Decl) -> Declaration {
        let name = self.text.name(id);
        let mut words = vec![match &decl.role {
            Role::Variable | Role::Constant => format!("{name}: {}", self.typed(decl)),
            Role::Procedure(info) => format!("{name}: {}", self.procedure_words(info, decl)),
            Role::Generic { spec, specifics } => {
                let names: Vec<_> = specifics.iter().map(|&s| self.text.name(s)).collect();
                let spec = match spec {
                    GenericSpec::Name => name,
                    GenericSpec::Operator(_) | GenericSpec::Assignment | GenericSpec::Io(_) => {
                        self.text.generic(id)
                    }
                };
                format!("generic {spec} => {}", names.join(", "))
            }
            Role::DerivedType { extends, params, .. } => {
                let params: Vec<_> = params.iter().map(|&p| self.text.name(p)).collect();
                let params = if params.is_empty() {
                    String::new()
                } else {
                    format!("({})", params.join(", "))
                };
                let extends =
                    extends.map_or(String::new(), |e| format!(", extends {}", self.text.name(e)));
                format!("type {name}{params}{extends}")
            }
            Role::TypeParam { len } => {
                format!("{name}: {}, {}", self.typed(decl), if *len { "len" } else { "kind" })
            }
            Role::Binding { target, interface, pass } => {
                let target = target.map_or(String::new(), |t| format!(" => {}", self.text.name(t)));
                let interface =
                    interface.map_or(String::new(), |i| format!("({})", self.text.name(i)));
                let pass = pass.as_ref().map_or(String::new(), |p| format!(", pass({p})"));
                format!("binding{interface} {name}{target}{pass}")
            }
            Role::Final { target } => format!("final {}", self.text.name(*target)),
            Role::Module { scope } => {
                format!("module {name}{}", if scope.is_none() { ", not given" } else { "" })
            }
            Role::BlockData => format!("block data {name}"),
            Role::CommonBlock => format!("common {}", common_name(&symbol.id)),
            Role::Namelist => format!("namelist {name}"),
            Role::StatementFunction => format!("{name}: {}, statement function", self.typed(decl)),
            Role::Unresolved { module } => {
                let module = module.map_or(String::new(), |m| format!(" of {}", self.text.name(m)));
                format!("{name}: unresolved{module}")
            }
            Role::Associate { selector } => {
                let selector =
                    selector.map_or(String::new(), |s| format!(" => {}", self.text.expr(s)));
                format!("{name}: {}, associate{selector}", self.typed(decl))
            }
        }];
        words.extend(decl.intent.map(|intent| intent_word(intent).to_owned()));
        if decl.role == Role::Constant && !decl.has(Attr::Enumerator) {
            words.push("constant".into());
        }
        let said = |attr: Attr| attr == Attr::Parameter && decl.role == Role::Constant;
        words.extend(
            decl.attrs.iter().filter(|&&attr| !said(attr)).map(|&attr| attr.keyword().to_owned()),
        );
        if let Some(name) = decl.bind_name {
            words.push(format!("name={}", self.text.expr(name)));
        }
        if let Some((block, position)) = decl.common {
            let block = common_name(&self.doc.symbols[block].id);
            words.push(format!("common {block} {}", position + 1));
        }
        let mut facts = match decl.role {
            Role::Variable => Self::activity(symbol),
            _ => Vec::new(),
        };
        match decl.init {
            Some(Init::Value(value)) => {
                let value = self.text.expr(value);
                facts.extend(
                    decl.value
                        .map(|v| v.to_string())
                        .filter(|v| *v != value)
                        .map(|v| format!("= {v}")),
                );
                words.push(format!("= {value}"));
            }
            Some(Init::Target(target)) => words.push(format!("=> {}", self.text.expr(target))),
            None => facts.extend(decl.value.map(|value| format!("= {value}"))),
        }
        if decl.implicit {
            words.push("implicit".into());
        }
        facts.extend(symbol.temp.filter(|&temp| temp).map(|_| "temporary".to_owned()));
        Declaration { text: words.join(", "), facts }
    }

    /// `real8[n, 0:m]`
    pub(super) fn typed(&self, decl: &'a Decl) -> String {
        let mut text = match (&decl.spec, decl.char_len) {
            (TypeSpec::None, _) => "untyped".to_owned(),
            (spec @ TypeSpec::Character { .. }, Some(len)) => {
                let len = match len {
                    CharLen::One => "1".to_owned(),
                    CharLen::Expr(len) => self.text.expr(len),
                    CharLen::Assumed => "*".to_owned(),
                    CharLen::Deferred => ":".to_owned(),
                };
                format!("{}*({len})", self.text.spec(spec))
            }
            (spec, _) => self.text.spec(spec),
        };
        if !decl.dims.is_empty() {
            let dims: Vec<_> = decl.dims.iter().map(|&dim| self.dim(dim)).collect();
            text.push_str(&format!("[{}]", dims.join(", ")));
        }
        text
    }

    fn dim(&self, dim: Dim) -> String {
        match dim {
            Dim::Explicit { lower: None, upper } => self.text.expr(upper),
            Dim::Explicit { lower: Some(lower), upper } => {
                format!("{}:{}", self.text.expr(lower), self.text.expr(upper))
            }
            // ALLOCATABLE or POINTER tells the two apart.
            Dim::AssumedShape { lower: None } | Dim::Deferred => ":".into(),
            Dim::AssumedShape { lower: Some(lower) } => format!("{}:", self.text.expr(lower)),
            Dim::AssumedSize { lower: None } => "*".into(),
            Dim::AssumedSize { lower: Some(lower) } => format!("{}:*", self.text.expr(lower)),
            Dim::AssumedRank => "..".into(),
        }
    }

    fn procedure_words(&self, info: &ProcedureInfo, decl: &'a Decl) -> String {
        let mut words = match info.class {
            ProcClass::External => "external ",
            ProcClass::Module => "module ",
            ProcClass::Internal => "internal ",
            ProcClass::Dummy => "dummy ",
            ProcClass::Pointer => "pointer to ",
            ProcClass::Intrinsic => "intrinsic ",
            ProcClass::Abstract => "abstract ",
            ProcClass::Entry => "entry ",
        }
        .to_owned();
        words.push_str(match info.sort {
            ProcSort::Program => "program",
            ProcSort::Subroutine => "subroutine",
            ProcSort::Function => "function",
            ProcSort::Unknown => "procedure",
        });
        if let Some(interface) = info.interface {
            words.push_str(&format!("({})", self.text.name(interface)));
        }
        if decl.spec != TypeSpec::None || !decl.dims.is_empty() {
            words.push_str(&format!(" {}", self.typed(decl)));
        }
        if let Some(pass) = &info.pass {
            words.push_str(&format!(", pass({pass})"));
        }
        words
    }
}

/// `/name/`, `//`.
pub(super) fn common_name(id: &str) -> String {
    if id.starts_with('/') { id.to_owned() } else { format!("/{id}/") }
}

/// INTENT as the text has it.
pub(super) fn intent_word(intent: Intent) -> &'static str {
    match intent {
        Intent::In => "in",
        Intent::Out => "out",
        Intent::InOut => "inout",
    }
}

fn class_word(class: TypeClass) -> &'static str {
    match class {
        TypeClass::Void => "void",
        TypeClass::Integer => "integer",
        TypeClass::Real => "real",
        TypeClass::Complex => "complex",
        TypeClass::Bool => "logical",
        TypeClass::Char => "character",
        TypeClass::String => "string",
        TypeClass::Opaque => "opaque",
    }
}
