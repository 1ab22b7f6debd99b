//! Declarations and specification parts.

use std::collections::BTreeSet;

use super::{Ns, Read, Reader, Tag, fault};
use crate::diag::Code;
use crate::model::{
    Attr, Base, CharLen, Comment, CommentKind, DataSet, Decl, Dim, ExprId, GenericSpec,
    ImplicitRule, Init, InterfaceItem, KindSpelling, ProcedureInfo, RefId, Role, SpecItem,
    SymbolId, TypeParam, TypeSpec, Use, UseName,
};
use crate::texts;
use crate::xml::value::{parse_word, shown};

impl<'a> Reader<'a> {
    pub(super) fn decl(&mut self, mut tag: Tag<'a>, id: SymbolId) -> Read<Decl> {
        let name: String = match tag.own_text("name")? {
            Some(name) => name.into(),
            None => self.doc.symbols[id].id.clone(),
        };
        let role = self.role(&mut tag, id)?;
        // A back-end gives variables and procedures a legal name.
        let renamed = matches!(role, Role::Variable | Role::Constant | Role::Procedure(_));
        if !(renamed || texts::is_entity_name(&name) || texts::is_clause(&name)) {
            return tag.bad(format!("`{}` is no name", shown(&name)));
        }
        let mut decl = Decl {
            name,
            role,
            spec: TypeSpec::None,
            dims: Vec::new(),
            attrs: attributes(&mut tag)?,
            intent: tag.own_word("intent")?,
            init: None,
            char_len: None,
            common: None,
            bind_name: None,
            implicit: tag.own_flag("implicit")?,
            value: tag.own_number("value")?,
            place: self.at(&mut tag)?,
        };
        if let Some(block) = self.own_symbol_opt(&mut tag, "common")? {
            let Some(position) = tag.own_number("position")? else {
                return tag.missing("position");
            };
            decl.common = Some((block, position));
        }
        tag.finish()?;
        while let Some(child) = self.input.child()? {
            self.decl_child(child, &mut decl)?;
        }
        Ok(decl)
    }

    fn decl_child(&mut self, mut child: Tag<'a>, decl: &mut Decl) -> Read<()> {
        match (child.ns, child.name) {
            (Ns::Ox, "Type") => decl.spec = self.type_spec(child)?,
            (Ns::Ox, "Dim") => {
                let dim = self.dim(child)?;
                decl.dims.push(dim);
            }
            (Ns::Ox, "Length") => {
                let mut length = self.char_len_attribute(&mut child)?;
                child.finish()?;
                while let Some(inner) = self.input.child()? {
                    self.expect(&inner, Ns::Ox, "Len", "Length")?;
                    length = CharLen::Expr(self.boxed_expr(inner)?);
                }
                decl.char_len = Some(length);
            }
            (Ns::Ox, "Initial") => decl.init = Some(Init::Value(self.boxed_expr(child)?)),
            (Ns::Ox, "Target") => decl.init = Some(Init::Target(self.boxed_expr(child)?)),
            (Ns::Ox, "BindName") => decl.bind_name = Some(self.boxed_expr(child)?),
            (Ns::Ox, "Selector") => {
                let value = self.boxed_expr(child)?;
                if let Role::Associate { selector } = &mut decl.role {
                    *selector = Some(value);
                }
            }
            _ => return child.unexpected("Decl"),
        }
        Ok(())
    }

    fn role(&mut self, tag: &mut Tag<'a>, id: SymbolId) -> Read<Role> {
        let (word, offset) = tag.own_required("role")?;
        Ok(match &*word {
            "variable" => Role::Variable,
            "constant" => Role::Constant,
            "procedure" => Role::Procedure(self.procedure_info(tag, id)?),
            "generic" => {
                let operator = tag.own_text_that("operator", "an operator", texts::is_operator)?;
                let io = tag.own_text_that("io", "words", texts::is_clause)?;
                let spec = match (operator, tag.own_flag("assignment")?, io) {
                    (None, false, None) => GenericSpec::Name,
                    (Some(operator), false, None) => GenericSpec::Operator(operator.into()),
                    (None, true, None) => GenericSpec::Assignment,
                    (None, false, Some(io)) => GenericSpec::Io(io.into()),
                    _ => {
                        return tag.bad("a generic is one of a name, an operator, assignment, I/O");
                    }
                };
                Role::Generic { spec, specifics: self.own_symbols(tag, "specifics")? }
            }
            "derived-type" => Role::DerivedType {
                scope: self.own_scope(tag, "scope")?,
                extends: self.own_symbol_opt(tag, "extends")?,
                params: self.own_symbols(tag, "params")?,
            },
            "type-parameter" => Role::TypeParam { len: tag.own_flag("len")? },
            "binding" => Role::Binding {
                target: self.own_symbol_opt(tag, "target")?,
                interface: self.own_symbol_opt(tag, "interface")?,
                pass: tag.own_name("pass")?.map(Into::into),
            },
            "final" => Role::Final { target: self.own_symbol(tag, "target")? },
            "module" => Role::Module { scope: self.own_scope_opt(tag, "scope")? },
            "block-data" => Role::BlockData,
            "common-block" => Role::CommonBlock,
            "namelist" => Role::Namelist,
            "statement-function" => Role::StatementFunction,
            "unresolved" => Role::Unresolved { module: self.own_symbol_opt(tag, "module")? },
            "associate" => Role::Associate { selector: None },
            other => return fault(Code::BAD_VALUE, offset, format!("`{other}` is no role")),
        })
    }

    fn procedure_info(&mut self, tag: &mut Tag<'a>, id: SymbolId) -> Read<ProcedureInfo> {
        let Some(sort) = tag.own_word("sort")? else { return tag.missing("sort") };
        let Some(class) = tag.own_word("class")? else { return tag.missing("class") };
        if let Some((proc, offset)) = tag.own("proc")? {
            self.bodies.push((id, proc, offset));
        }
        let interface = self.own_symbol_opt(tag, "interface")?;
        let pass = tag.own_name("pass")?.map(Into::into);
        Ok(ProcedureInfo { sort, class, proc: None, interface, pass })
    }

    /// The content of `ox:Type`.
    pub(super) fn type_spec(&mut self, mut tag: Tag<'a>) -> Read<TypeSpec> {
        let symbol = self.own_symbol_opt(&mut tag, "symbol")?;
        let (of_type, of_class) = (tag.own_name("type")?, tag.own_name("class")?);
        if let Some(name) = of_type.as_ref().or(of_class.as_ref()) {
            let (name, class) = (name.clone().into(), of_type.is_none());
            tag.finish()?;
            let params = self.type_params()?;
            return Ok(TypeSpec::Derived { symbol, name, class, params });
        }
        let (text, offset) = tag.own_required("base")?;
        let mut kind = match (tag.own_flag("named")?, tag.own_number("star")?) {
            (false, None) => KindSpelling::Default,
            (true, None) => KindSpelling::Named,
            (false, Some(bytes)) => KindSpelling::Star(bytes),
            (true, Some(_)) => return tag.bad("a kind has one spelling"),
        };
        let mut len = self.char_len_attribute(&mut tag)?;
        tag.finish()?;
        let mut to = None;
        while let Some(child) = self.input.child()? {
            match (child.ns, child.name) {
                (Ns::Ox, "Kind") => kind = KindSpelling::Expr(self.boxed_expr(child)?),
                (Ns::Ox, "Len") => len = CharLen::Expr(self.boxed_expr(child)?),
                (Ns::Ox, "Type") if text == "pointer" => to = Some(self.type_spec(child)?),
                _ => return child.unexpected("Type"),
            }
        }
        Ok(match &*text {
            "pointer" => match to {
                Some(to) => TypeSpec::Pointer(Box::new(to)),
                None => return fault(Code::MISSING_ELEMENT, offset, "a pointer to no type"),
            },
            "class(*)" => TypeSpec::ClassStar,
            "type(*)" => TypeSpec::TypeStar,
            "none" => TypeSpec::None,
            text => match self.base(text, offset)? {
                Base::Character(bytes) => TypeSpec::Character { bytes, kind, len },
                base => TypeSpec::Intrinsic { base, kind },
            },
        })
    }

    fn type_params(&mut self) -> Read<Vec<(Option<String>, TypeParam)>> {
        let mut params = Vec::new();
        while let Some(mut child) = self.input.child()? {
            self.expect(&child, Ns::Ox, "Param", "Type")?;
            let keyword = child.own_name("keyword")?.map(Into::into);
            let value = child.own_text("value")?;
            let param = match value.as_deref() {
                Some("*") => TypeParam::Assumed,
                Some(":") => TypeParam::Deferred,
                Some(_) => return child.bad("the value of a type parameter is `*` or `:`"),
                None => TypeParam::Expr(self.boxed_expr(child)?),
            };
            if value.is_some() {
                self.input.leaf("Param")?;
            }
            params.push((keyword, param));
        }
        Ok(params)
    }

    fn char_len_attribute(&mut self, tag: &mut Tag<'a>) -> Read<CharLen> {
        match tag.own_text("len")?.as_deref() {
            None => Ok(CharLen::One),
            Some("*") => Ok(CharLen::Assumed),
            Some(":") => Ok(CharLen::Deferred),
            Some(_) => tag.bad("`len` is `*` or `:`"),
        }
    }

    fn dim(&mut self, mut tag: Tag<'a>) -> Read<Dim> {
        let (kind, offset) = tag.own_required("kind")?;
        tag.finish()?;
        let (mut lower, mut upper) = (None, None);
        while let Some(child) = self.input.child()? {
            match (child.ns, child.name) {
                (Ns::Ox, "Lower") => lower = Some(self.boxed_expr(child)?),
                (Ns::Ox, "Upper") => upper = Some(self.boxed_expr(child)?),
                _ => return child.unexpected("Dim"),
            }
        }
        match (&*kind, lower, upper) {
            ("explicit", lower, Some(upper)) => Ok(Dim::Explicit { lower, upper }),
            ("assumed-shape", lower, None) => Ok(Dim::AssumedShape { lower }),
            ("assumed-size", lower, None) => Ok(Dim::AssumedSize { lower }),
            ("deferred", None, None) => Ok(Dim::Deferred),
            ("assumed-rank", None, None) => Ok(Dim::AssumedRank),
            (kind, ..) => {
                let message = format!("the bounds do not go with a dimension that is `{kind}`");
                fault(Code::BAD_VALUE, offset, message)
            }
        }
    }

    pub(super) fn spec_items(&mut self, tag: Tag<'a>) -> Read<Vec<SpecItem>> {
        tag.finish()?;
        let mut items = Vec::new();
        while let Some(child) = self.input.child()? {
            if child.ns != Ns::Ox {
                return child.unexpected(tag.name);
            }
            items.push(self.spec_item(child)?);
        }
        Ok(items)
    }

    /// One item, to the end of its element.
    fn spec_item(&mut self, mut tag: Tag<'a>) -> Read<SpecItem> {
        let item = match tag.name {
            "Comment" => SpecItem::Comment(self.comment(&mut tag)?),
            "Unit" => SpecItem::Unit(self.own_scope(&mut tag, "scope")?),
            "Use" => return self.usage(tag),
            "Import" => return self.import(tag),
            "ImplicitNone" => SpecItem::ImplicitNone(
                tag.own_text_that("what", "words", texts::is_clause)?.map(Into::into),
            ),
            "Implicit" => return self.implicit(tag),
            "Declare" => SpecItem::Declare(self.own_symbols(&mut tag, "symbols")?),
            "Access" => SpecItem::Access {
                private: tag.own_flag("private")?,
                symbols: self.own_symbols(&mut tag, "symbols")?,
            },
            "SaveAll" => SpecItem::SaveAll,
            "SaveCommon" => SpecItem::SaveCommon(self.own_symbols(&mut tag, "symbols")?),
            "Common" => SpecItem::Common {
                block: self.own_symbol(&mut tag, "block")?,
                members: self.own_symbols(&mut tag, "members")?,
            },
            "Equivalence" => return self.equivalence(tag),
            "Data" => return self.data(tag),
            "Namelist" => SpecItem::Namelist {
                group: self.own_symbol(&mut tag, "group")?,
                members: self.own_symbols(&mut tag, "members")?,
            },
            "Interface" => return self.interface(tag),
            "DerivedType" => SpecItem::DerivedType(self.own_symbol(&mut tag, "symbol")?),
            "Enum" => SpecItem::Enum(self.own_symbols(&mut tag, "symbols")?),
            "StatementFunction" => {
                let symbol = self.own_symbol(&mut tag, "symbol")?;
                let scope = self.own_scope(&mut tag, "scope")?;
                let args = self.own_symbols(&mut tag, "args")?;
                let body = self.boxed_expr(tag)?;
                return Ok(SpecItem::StatementFunction { symbol, scope, args, body });
            }
            "Generic" => SpecItem::Generic(self.own_symbol(&mut tag, "symbol")?),
            "TypeContains" => SpecItem::TypeContains,
            "OpaqueSpec" => SpecItem::Opaque {
                label: tag.own_number("label")?,
                text: tag.own_piece("text")?.into(),
                place: self.at(&mut tag)?,
            },
            _ => return tag.unexpected("a specification part"),
        };
        tag.finish()?;
        self.input.leaf(tag.name)?;
        Ok(item)
    }

    fn usage(&mut self, mut tag: Tag<'a>) -> Read<SpecItem> {
        let mut usage = Use {
            module: self.own_symbol(&mut tag, "module")?,
            nature: tag.own_name("nature")?.map(Into::into),
            only: tag.own_flag("only")?,
            names: Vec::new(),
            place: self.at(&mut tag)?,
        };
        tag.finish()?;
        while let Some(mut child) = self.input.child()? {
            self.expect(&child, Ns::Ox, "UseName", "Use")?;
            let local: String = child
                .own_text_that("local", "a name", texts::is_entity_name)?
                .map_or_else(|| child.missing("local"), |name| Ok(name.into()))?;
            let remote = child
                .own_text_that("remote", "a name", texts::is_entity_name)?
                .map_or_else(|| local.clone(), Into::into);
            let symbol = self.own_symbol_opt(&mut child, "symbol")?;
            child.finish()?;
            self.input.leaf("UseName")?;
            usage.names.push(UseName { local, remote, symbol });
        }
        Ok(SpecItem::Use(usage))
    }

    fn import(&mut self, mut tag: Tag<'a>) -> Read<SpecItem> {
        let mode = tag.own_name("mode")?.map(Into::into);
        tag.finish()?;
        let mut names = Vec::new();
        while let Some(mut child) = self.input.child()? {
            self.expect(&child, Ns::Ox, "Name", "Import")?;
            names.push(child.own_name_required("name")?.into());
            child.finish()?;
            self.input.leaf("Name")?;
        }
        Ok(SpecItem::Import { names, mode })
    }

    fn implicit(&mut self, tag: Tag<'a>) -> Read<SpecItem> {
        tag.finish()?;
        let mut rules = Vec::new();
        while let Some(mut child) = self.input.child()? {
            self.expect(&child, Ns::Ox, "Rule", "Implicit")?;
            let (text, offset) = child.own_required("letters")?;
            child.finish()?;
            let mut letters = Vec::new();
            for range in text.split(' ').filter(|range| !range.is_empty()) {
                let mut chars = range.chars();
                match (chars.next(), chars.next(), chars.next(), chars.next()) {
                    (Some(from), Some('-'), Some(to), None) => letters.push((from, to)),
                    _ => return fault(Code::BAD_VALUE, offset, "letters are given as `a-h o-z`"),
                }
            }
            let mut spec = TypeSpec::None;
            while let Some(inner) = self.input.child()? {
                self.expect(&inner, Ns::Ox, "Type", "Rule")?;
                spec = self.type_spec(inner)?;
            }
            rules.push(ImplicitRule { spec, letters });
        }
        Ok(SpecItem::Implicit(rules))
    }

    fn equivalence(&mut self, tag: Tag<'a>) -> Read<SpecItem> {
        tag.finish()?;
        let mut sets = Vec::new();
        while let Some(child) = self.input.child()? {
            self.expect(&child, Ns::Ox, "Set", "Equivalence")?;
            child.finish()?;
            sets.push(self.reference_list("Reference", "Set")?);
        }
        Ok(SpecItem::Equivalence(sets))
    }

    /// References `ox:name` to the end of the element `parent`.
    pub(super) fn reference_list(&mut self, name: &str, parent: &str) -> Read<Vec<RefId>> {
        let mut list = Vec::new();
        while let Some(child) = self.input.child()? {
            self.expect(&child, Ns::Ox, name, parent)?;
            list.push(self.reference(child, None)?);
        }
        Ok(list)
    }

    fn data(&mut self, tag: Tag<'a>) -> Read<SpecItem> {
        tag.finish()?;
        let mut sets = Vec::new();
        while let Some(child) = self.input.child()? {
            self.expect(&child, Ns::Ox, "DataSet", "Data")?;
            child.finish()?;
            let mut set = DataSet { objects: Vec::new(), values: Vec::new() };
            while let Some(inner) = self.input.child()? {
                match (inner.ns, inner.name) {
                    (Ns::Ox, "Object") => set.objects.push(self.boxed_expr(inner)?),
                    (Ns::Ox, "Value") => set.values.push(self.data_value(inner)?),
                    _ => return inner.unexpected("DataSet"),
                }
            }
            sets.push(set);
        }
        Ok(SpecItem::Data(sets))
    }

    fn data_value(&mut self, tag: Tag<'a>) -> Read<(Option<ExprId>, ExprId)> {
        tag.finish()?;
        let (mut repeat, mut value) = (None, None);
        while let Some(child) = self.input.child()? {
            match (child.ns, child.name) {
                (Ns::Ox, "Repeat") => repeat = Some(self.boxed_expr(child)?),
                (Ns::Ox, "Expression") => value = Some(self.boxed_expr(child)?),
                _ => return child.unexpected("Value"),
            }
        }
        match value {
            Some(value) => Ok((repeat, value)),
            None => fault(Code::MISSING_ELEMENT, tag.offset, "a value without an expression"),
        }
    }

    fn interface(&mut self, mut tag: Tag<'a>) -> Read<SpecItem> {
        let generic = self.own_symbol_opt(&mut tag, "generic")?;
        let is_abstract = tag.own_flag("abstract")?;
        tag.finish()?;
        let mut items = Vec::new();
        while let Some(mut child) = self.input.child()? {
            items.push(match (child.ns, child.name) {
                (Ns::Ox, "Unit") => InterfaceItem::Body(self.own_scope(&mut child, "scope")?),
                (Ns::Ox, "Procedures") => InterfaceItem::Procedures {
                    module: child.own_flag("module")?,
                    symbols: self.own_symbols(&mut child, "symbols")?,
                },
                (Ns::Ox, "Comment") => InterfaceItem::Comment(self.comment(&mut child)?),
                _ => return child.unexpected("Interface"),
            });
            child.finish()?;
            self.input.leaf(child.name)?;
        }
        Ok(SpecItem::Interface { generic, is_abstract, items })
    }

    /// The attributes of a comment.
    pub(super) fn comment(&mut self, tag: &mut Tag<'a>) -> Read<Comment> {
        Ok(Comment {
            kind: tag.own_word("kind")?.unwrap_or(CommentKind::Text),
            text: tag
                .own_text_that("text", "one line", texts::is_line)?
                .map_or_else(|| tag.missing("text"), |text| Ok(text.into()))?,
            trailing: tag.own_flag("trailing")?,
            place: self.at(tag)?,
        })
    }
}

fn attributes(tag: &mut Tag<'_>) -> Read<BTreeSet<Attr>> {
    let Some((text, offset)) = tag.own("attributes")? else { return Ok(BTreeSet::new()) };
    let words = text.split(' ').filter(|word| !word.is_empty());
    words.map(|word| parse_word("attributes", word, offset)).collect()
}
