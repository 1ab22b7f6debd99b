//! Which symbols a declaration or a specification item names.

use xaif_schema::model::{
    ArgValue, CharLen, ConstantKind, Decl, Dim, Document, ExprId, ExprKind, Init, KindSpelling,
    Part, RefId, Role, ScopeId, SpecItem, Subscript, SymbolId, TypeParam, TypeSpec,
};

/// Collects symbols from expressions, without recursion.
pub(super) struct Needs<'d> {
    doc: &'d Document,
    found: Vec<SymbolId>,
    /// Of those the ones that are called.
    called: Vec<SymbolId>,
    todo: Vec<ExprId>,
}

impl<'d> Needs<'d> {
    /// The symbols that the declaration of `symbol` names.
    pub(super) fn of_symbol(doc: &'d Document, symbol: SymbolId) -> Vec<SymbolId> {
        Needs::collect_symbol(doc, symbol).found
    }

    /// The functions that the declarations of `scope` call.
    pub(super) fn called_in(doc: &'d Document, scope: ScopeId) -> Vec<SymbolId> {
        let scope = &doc.scopes[scope];
        let symbols = scope.symbols.iter().map(|&symbol| Needs::collect_symbol(doc, symbol));
        let items = scope.items.iter().map(|item| Needs::collect_item(doc, item));
        symbols.chain(items).flat_map(|needs| needs.called).collect()
    }

    fn new(doc: &'d Document) -> Self {
        Needs { doc, found: Vec::new(), called: Vec::new(), todo: Vec::new() }
    }

    fn collect_symbol(doc: &'d Document, symbol: SymbolId) -> Self {
        let mut needs = Needs::new(doc);
        if let Some(decl) = doc.symbols[symbol].decl.as_deref() {
            needs.decl(decl);
        }
        needs.finish()
    }

    /// The symbols that an item names.
    pub(super) fn of_item(doc: &'d Document, item: &SpecItem) -> Vec<SymbolId> {
        Needs::collect_item(doc, item).found
    }

    fn collect_item(doc: &'d Document, item: &SpecItem) -> Self {
        let mut needs = Needs::new(doc);
        match item {
            SpecItem::Data(sets) => {
                for set in sets {
                    needs.todo.extend(&set.objects);
                    for (repeat, value) in &set.values {
                        needs.todo.extend(repeat.iter().chain([value]));
                    }
                }
            }
            SpecItem::Equivalence(sets) => {
                for &reference in sets.iter().flatten() {
                    needs.reference(reference);
                }
            }
            SpecItem::Common { members, .. } | SpecItem::Namelist { members, .. } => {
                needs.found.extend(members);
            }
            SpecItem::StatementFunction { body, .. } => needs.todo.push(*body),
            SpecItem::Comment(_)
            | SpecItem::Unit(_)
            | SpecItem::Use(_)
            | SpecItem::Import { .. }
            | SpecItem::ImplicitNone(_)
            | SpecItem::Implicit(_)
            | SpecItem::Declare(_)
            | SpecItem::Access { .. }
            | SpecItem::SaveAll
            | SpecItem::SaveCommon(_)
            | SpecItem::Interface { .. }
            | SpecItem::DerivedType(_)
            | SpecItem::Enum(_)
            | SpecItem::Generic(_)
            | SpecItem::TypeContains
            | SpecItem::Opaque { .. } => {}
        }
        needs.finish()
    }

    fn decl(&mut self, decl: &Decl) {
        self.spec(&decl.spec);
        for dim in &decl.dims {
            match dim {
                Dim::Explicit { lower, upper } => {
                    self.todo.extend(lower.iter().chain([upper]));
                }
                Dim::AssumedShape { lower } | Dim::AssumedSize { lower } => {
                    self.todo.extend(lower);
                }
                Dim::Deferred | Dim::AssumedRank => {}
            }
        }
        match decl.init {
            Some(Init::Value(expr) | Init::Target(expr)) => self.todo.push(expr),
            None => {}
        }
        if let Some(CharLen::Expr(expr)) = decl.char_len {
            self.todo.push(expr);
        }
        self.todo.extend(decl.bind_name);
        if let Role::Procedure(info) = &decl.role {
            self.found.extend(info.interface);
        }
    }

    fn spec(&mut self, spec: &TypeSpec) {
        match spec {
            TypeSpec::Intrinsic { kind, .. } => self.kind(*kind),
            TypeSpec::Character { kind, len, .. } => {
                self.kind(*kind);
                if let CharLen::Expr(expr) = len {
                    self.todo.push(*expr);
                }
            }
            TypeSpec::Derived { symbol, params, .. } => {
                self.found.extend(*symbol);
                for (_, param) in params {
                    if let TypeParam::Expr(expr) = param {
                        self.todo.push(*expr);
                    }
                }
            }
            TypeSpec::Pointer(inner) => self.spec(inner),
            TypeSpec::ClassStar | TypeSpec::TypeStar | TypeSpec::None => {}
        }
    }

    fn kind(&mut self, kind: KindSpelling) {
        if let KindSpelling::Expr(expr) = kind {
            self.todo.push(expr);
        }
    }

    fn finish(mut self) -> Self {
        while let Some(expr) = self.todo.pop() {
            self.expr(expr);
        }
        self
    }

    fn expr(&mut self, expr: ExprId) {
        match &self.doc.exprs[expr].kind {
            ExprKind::Constant(constant) => {
                if let ConstantKind::Named(symbol) = constant.kind {
                    self.found.push(symbol);
                }
            }
            ExprKind::Ref(reference) => self.reference(*reference),
            ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                self.todo.extend(operands.iter().map(|operand| operand.expr));
            }
            ExprKind::Call(call) => {
                self.found.push(call.callee.symbol);
                self.called.push(call.callee.symbol);
                self.found.extend(call.callee.generic);
                for arg in &call.args {
                    if let ArgValue::Expr(expr) = arg.value {
                        self.todo.push(expr);
                    }
                }
            }
            ExprKind::ArrayConstructor { spec, items } => {
                if let Some(spec) = spec {
                    self.spec(spec);
                }
                self.todo.extend(items);
            }
            ExprKind::ImpliedDo(implied) => {
                self.todo.extend(&implied.items);
                let control = &implied.control;
                self.todo.extend([control.lower, control.upper]);
                self.todo.extend(control.step);
            }
            ExprKind::StructureConstructor { spec, args } => {
                self.spec(spec);
                for arg in args {
                    if let ArgValue::Expr(expr) = arg.value {
                        self.todo.push(expr);
                    }
                }
            }
            ExprKind::Procedure(symbol) => self.found.push(*symbol),
            ExprKind::Opaque(_) => {}
        }
    }

    fn reference(&mut self, reference: RefId) {
        let reference = &self.doc.refs[reference];
        self.found.push(reference.base);
        for part in &reference.parts {
            match part {
                Part::Elements(subscripts) => {
                    for subscript in subscripts {
                        match subscript {
                            Subscript::Index(expr) => self.todo.push(*expr),
                            Subscript::Section { lower, upper, stride } => {
                                self.todo.extend([lower, upper, stride].into_iter().flatten());
                            }
                        }
                    }
                }
                Part::Substring { lower, upper } => {
                    self.todo.extend([lower, upper].into_iter().flatten());
                }
                Part::Component { .. } | Part::Inquiry(_) | Part::Deref => {}
            }
        }
    }
}
