//! Declarations and specification parts: all of it in our namespace.

use std::io;

use super::Writer;
use crate::model::{
    Attr, CharLen, Comment, CommentKind, DataSet, Decl, Dim, EntityRef, ExprId, GenericSpec, Init,
    InterfaceItem, KindSpelling, ProcedureInfo, Role, SpecItem, TypeParam, TypeSpec, Use,
};
use crate::xml::words::Word;

impl<W: io::Write> Writer<'_, W> {
    pub(super) fn decl(&mut self, id: &str, decl: &Decl) {
        self.out.start("ox:Decl");
        if decl.name != id {
            self.out.own("name", &decl.name);
        }
        self.role_attributes(&decl.role);
        if !decl.attrs.is_empty() {
            let words: Vec<&str> = decl.attrs.iter().map(|&attr: &Attr| attr.word()).collect();
            self.out.own("attributes", &words.join(" "));
        }
        self.out.own_word("intent", decl.intent);
        if let Some((block, position)) = decl.common {
            self.own_symbol("common", block);
            self.out.own_display("position", format_args!("{position}"));
        }
        self.out.own_flag("implicit", decl.implicit);
        if let Some(value) = decl.value {
            self.out.own_display("value", format_args!("{value}"));
        }
        self.own_place("at", decl.place);
        self.type_spec(&decl.spec);
        for dim in &decl.dims {
            self.dim(dim);
        }
        if let Some(length) = decl.char_len {
            self.out.start("ox:Length");
            self.char_len(length);
            self.out.end();
        }
        match decl.init {
            Some(Init::Value(value)) => self.boxed_expr("ox:Initial", value),
            Some(Init::Target(target)) => self.boxed_expr("ox:Target", target),
            None => (),
        }
        self.boxed_expr_opt("ox:BindName", decl.bind_name);
        if let Role::Associate { selector } = decl.role {
            self.boxed_expr_opt("ox:Selector", selector);
        }
        self.out.end();
    }

    fn role_attributes(&mut self, role: &Role) {
        match role {
            Role::Variable => self.out.own("role", "variable"),
            Role::Constant => self.out.own("role", "constant"),
            Role::Procedure(info) => self.procedure_attributes(info),
            Role::Generic { spec, specifics } => {
                self.out.own("role", "generic");
                match spec {
                    GenericSpec::Name => (),
                    GenericSpec::Operator(operator) => self.out.own("operator", operator),
                    GenericSpec::Assignment => self.out.own_flag("assignment", true),
                    GenericSpec::Io(text) => self.out.own("io", text),
                }
                self.own_symbols("specifics", specifics);
            }
            Role::DerivedType { scope, extends, params } => {
                self.out.own("role", "derived-type");
                let scope = self.scopes.get(scope.index());
                self.out.own_display("scope", format_args!("{scope}"));
                self.own_symbol_opt("extends", *extends);
                self.own_symbols("params", params);
            }
            Role::TypeParam { len } => {
                self.out.own("role", "type-parameter");
                self.out.own_flag("len", *len);
            }
            Role::Binding { target, interface, pass } => {
                self.out.own("role", "binding");
                self.own_symbol_opt("target", *target);
                self.own_symbol_opt("interface", *interface);
                self.out.own_opt("pass", pass.as_deref());
            }
            Role::Final { target } => {
                self.out.own("role", "final");
                self.own_symbol("target", *target);
            }
            Role::Module { scope } => {
                self.out.own("role", "module");
                if let Some(scope) = scope {
                    let scope = self.scopes.get(scope.index());
                    self.out.own_display("scope", format_args!("{scope}"));
                }
            }
            Role::BlockData => self.out.own("role", "block-data"),
            Role::CommonBlock => self.out.own("role", "common-block"),
            Role::Namelist => self.out.own("role", "namelist"),
            Role::StatementFunction => self.out.own("role", "statement-function"),
            Role::Unresolved { module } => {
                self.out.own("role", "unresolved");
                self.own_symbol_opt("module", *module);
            }
            Role::Associate { selector: _ } => self.out.own("role", "associate"),
        }
    }

    fn procedure_attributes(&mut self, info: &ProcedureInfo) {
        self.out.own("role", "procedure");
        self.out.own_word("sort", Some(info.sort));
        self.out.own_word("class", Some(info.class));
        if let Some(proc) = info.proc {
            let id = self.procs.get(proc.index());
            self.out.own("proc", &id.to_string());
        }
        self.own_symbol_opt("interface", info.interface);
        self.out.own_opt("pass", info.pass.as_deref());
    }

    /// `ox:Type`; nothing at all for no type.
    pub(super) fn type_spec(&mut self, spec: &TypeSpec) {
        if *spec != TypeSpec::None {
            self.out.start("ox:Type");
            self.type_content(spec);
            self.out.end();
        }
    }

    fn type_content(&mut self, spec: &TypeSpec) {
        match spec {
            TypeSpec::Intrinsic { base, kind } => {
                let base = self.base_text(*base);
                self.out.own("base", &base);
                self.kind(*kind);
            }
            TypeSpec::Character { bytes, kind, len } => {
                self.out.own_display("base", format_args!("character{bytes}"));
                // Attributes come before children.
                match kind {
                    KindSpelling::Default | KindSpelling::Named | KindSpelling::Star(_) => {
                        self.kind(*kind);
                        self.char_len(*len);
                    }
                    KindSpelling::Expr(_) => {
                        self.char_len(*len);
                        self.kind(*kind);
                    }
                }
            }
            TypeSpec::Derived { symbol, name, class, params } => {
                self.out.own(if *class { "class" } else { "type" }, name);
                self.own_symbol_opt("symbol", *symbol);
                for (keyword, param) in params {
                    self.out.start("ox:Param");
                    self.out.own_opt("keyword", keyword.as_deref());
                    match param {
                        TypeParam::Expr(value) => self.expr(*value),
                        TypeParam::Assumed => self.out.own("value", "*"),
                        TypeParam::Deferred => self.out.own("value", ":"),
                    }
                    self.out.end();
                }
            }
            TypeSpec::ClassStar => self.out.own("base", "class(*)"),
            TypeSpec::TypeStar => self.out.own("base", "type(*)"),
            TypeSpec::Pointer(to) => {
                self.out.own("base", "pointer");
                if self.out.is_full() {
                    return;
                }
                self.out.start("ox:Type");
                self.type_content(to);
                self.out.end();
            }
            TypeSpec::None => self.out.own("base", "none"),
        }
    }

    /// The attribute or child that tells how a kind is spelt; the child comes last.
    fn kind(&mut self, kind: KindSpelling) {
        match kind {
            KindSpelling::Default => (),
            KindSpelling::Named => self.out.own_flag("named", true),
            KindSpelling::Star(bytes) => self.out.own_display("star", format_args!("{bytes}")),
            KindSpelling::Expr(expr) => self.boxed_expr("ox:Kind", expr),
        }
    }

    fn char_len(&mut self, length: CharLen) {
        match length {
            CharLen::One => (),
            CharLen::Expr(expr) => self.boxed_expr("ox:Len", expr),
            CharLen::Assumed => self.out.own("len", "*"),
            CharLen::Deferred => self.out.own("len", ":"),
        }
    }

    fn dim(&mut self, dim: &Dim) {
        let (kind, lower, upper) = match *dim {
            Dim::Explicit { lower, upper } => ("explicit", lower, Some(upper)),
            Dim::AssumedShape { lower } => ("assumed-shape", lower, None),
            Dim::Deferred => ("deferred", None, None),
            Dim::AssumedSize { lower } => ("assumed-size", lower, None),
            Dim::AssumedRank => ("assumed-rank", None, None),
        };
        self.out.start("ox:Dim");
        self.out.own("kind", kind);
        self.boxed_expr_opt("ox:Lower", lower);
        self.boxed_expr_opt("ox:Upper", upper);
        self.out.end();
    }

    pub(super) fn spec_items(&mut self, name: &'static str, items: &[SpecItem]) {
        if !items.is_empty() {
            self.out.start(name);
            for item in items {
                self.spec_item(item);
            }
            self.out.end();
        }
    }

    fn spec_item(&mut self, item: &SpecItem) {
        match item {
            SpecItem::Comment(comment) => return self.comment(comment),
            SpecItem::Unit(scope) => {
                self.out.start("ox:Unit");
                let scope = self.scopes.get(scope.index());
                self.out.own_display("scope", format_args!("{scope}"));
            }
            SpecItem::Use(usage) => self.usage(usage),
            SpecItem::Import { names, mode } => {
                self.out.start("ox:Import");
                self.out.own_opt("mode", mode.as_deref());
                for name in names {
                    self.out.start("ox:Name");
                    self.out.own("name", name);
                    self.out.end();
                }
            }
            SpecItem::ImplicitNone(what) => {
                self.out.start("ox:ImplicitNone");
                self.out.own_opt("what", what.as_deref());
            }
            SpecItem::Implicit(rules) => {
                self.out.start("ox:Implicit");
                for rule in rules {
                    self.out.start("ox:Rule");
                    let letters: Vec<String> =
                        rule.letters.iter().map(|(from, to)| format!("{from}-{to}")).collect();
                    self.out.own("letters", &letters.join(" "));
                    self.type_spec(&rule.spec);
                    self.out.end();
                }
            }
            SpecItem::Declare(symbols) => {
                self.out.start("ox:Declare");
                self.own_symbols("symbols", symbols);
            }
            SpecItem::Access { private, symbols } => {
                self.out.start("ox:Access");
                self.out.own_flag("private", *private);
                self.own_symbols("symbols", symbols);
            }
            SpecItem::SaveAll => self.out.start("ox:SaveAll"),
            SpecItem::SaveCommon(symbols) => {
                self.out.start("ox:SaveCommon");
                self.own_symbols("symbols", symbols);
            }
            SpecItem::Common { block, members } => {
                self.out.start("ox:Common");
                self.own_symbol("block", *block);
                self.own_symbols("members", members);
            }
            SpecItem::Equivalence(sets) => {
                self.out.start("ox:Equivalence");
                for set in sets {
                    self.out.start("ox:Set");
                    for &reference in set {
                        self.reference("ox:Reference", None, reference);
                    }
                    self.out.end();
                }
            }
            SpecItem::Data(sets) => {
                self.out.start("ox:Data");
                for set in sets {
                    self.data_set(set);
                }
            }
            SpecItem::Namelist { group, members } => {
                self.out.start("ox:Namelist");
                self.own_symbol("group", *group);
                self.own_symbols("members", members);
            }
            SpecItem::Interface { generic, is_abstract, items } => {
                self.out.start("ox:Interface");
                self.own_symbol_opt("generic", *generic);
                self.out.own_flag("abstract", *is_abstract);
                for item in items {
                    self.interface_item(item);
                }
            }
            SpecItem::DerivedType(symbol) => {
                self.out.start("ox:DerivedType");
                self.own_symbol("symbol", *symbol);
            }
            SpecItem::Enum(symbols) => {
                self.out.start("ox:Enum");
                self.own_symbols("symbols", symbols);
            }
            SpecItem::StatementFunction { symbol, scope, args, body } => {
                self.out.start("ox:StatementFunction");
                self.own_symbol("symbol", *symbol);
                let scope = self.scopes.get(scope.index());
                self.out.own_display("scope", format_args!("{scope}"));
                self.own_symbols("args", args);
                self.expr(*body);
            }
            SpecItem::Generic(symbol) => {
                self.out.start("ox:Generic");
                self.own_symbol("symbol", *symbol);
            }
            SpecItem::TypeContains => self.out.start("ox:TypeContains"),
            SpecItem::Opaque { label, text, place } => {
                self.out.start("ox:OpaqueSpec");
                if let Some(label) = label {
                    self.out.own_display("label", format_args!("{label}"));
                }
                self.out.own("text", text);
                self.own_place("at", *place);
            }
        }
        self.out.end();
    }

    fn usage(&mut self, usage: &Use) {
        self.out.start("ox:Use");
        self.own_symbol("module", usage.module);
        self.out.own_opt("nature", usage.nature.as_deref());
        self.out.own_flag("only", usage.only);
        self.own_place("at", usage.place);
        for name in &usage.names {
            self.out.start("ox:UseName");
            self.out.own("local", &name.local);
            if name.remote != name.local {
                self.out.own("remote", &name.remote);
            }
            self.own_symbol_opt("symbol", name.symbol);
            self.out.end();
        }
    }

    fn data_set(&mut self, set: &DataSet) {
        self.out.start("ox:DataSet");
        for &object in &set.objects {
            self.boxed_expr("ox:Object", object);
        }
        for &(repeat, value) in &set.values {
            self.out.start("ox:Value");
            self.boxed_expr_opt("ox:Repeat", repeat);
            self.boxed_expr("ox:Expression", value);
            self.out.end();
        }
        self.out.end();
    }

    fn interface_item(&mut self, item: &InterfaceItem) {
        match item {
            InterfaceItem::Body(scope) => {
                self.out.start("ox:Unit");
                let scope = self.scopes.get(scope.index());
                self.out.own_display("scope", format_args!("{scope}"));
            }
            InterfaceItem::Procedures { module, symbols } => {
                self.out.start("ox:Procedures");
                self.out.own_flag("module", *module);
                self.own_symbols("symbols", symbols);
            }
            InterfaceItem::Comment(comment) => return self.comment(comment),
        }
        self.out.end();
    }

    /// A comment of a specification part.
    fn comment(&mut self, comment: &Comment) {
        self.out.start("ox:Comment");
        self.comment_attributes(comment);
        self.out.end();
    }

    pub(super) fn comment_attributes(&mut self, comment: &Comment) {
        let kind = (comment.kind != CommentKind::Text).then_some(comment.kind);
        self.out.own_word("kind", kind);
        self.out.own("text", &comment.text);
        self.out.own_flag("trailing", comment.trailing);
        self.own_place("at", comment.place);
    }

    /// An element that holds one expression.
    pub(super) fn boxed_expr(&mut self, name: &'static str, expr: ExprId) {
        self.out.start(name);
        self.expr(expr);
        self.out.end();
    }

    pub(super) fn boxed_expr_opt(&mut self, name: &'static str, expr: Option<ExprId>) {
        if let Some(expr) = expr {
            self.boxed_expr(name, expr);
        }
    }
}
