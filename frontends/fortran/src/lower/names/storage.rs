//! COMMON, EQUIVALENCE, DATA, SAVE and NAMELIST.

use xaif_schema::model::{
    DataSet, Expr, ExprId, ExprKind, ImpliedDo, IndexRange, RefId, Role, ScopeId, ScopeKind,
    SpecItem, SymbolId, Ty,
};

use crate::lower::Lowering;
use crate::syntax::ast;

impl Lowering<'_> {
    /// COMMON: one item for each block.
    pub(super) fn common_items(
        &mut self,
        scope: ScopeId,
        blocks: &[ast::CommonBlock],
    ) -> Vec<SpecItem> {
        blocks.iter().map(|block| self.common_item(scope, block)).collect()
    }

    fn common_item(&mut self, scope: ScopeId, block: &ast::CommonBlock) -> SpecItem {
        let symbol = self.common_block(block.name.as_ref(), block.place);
        let mut members = Vec::new();
        for member in &block.members {
            let Some(&variable) = self.names[scope].own.get(member.name.key()) else { continue };
            let count = self.names[scope].common.entry(symbol).or_insert(0);
            let position = *count;
            *count += 1;
            self.decl_mut(variable, |decl| decl.common = Some((symbol, position)));
            members.push(variable);
        }
        SpecItem::Common { block: symbol, members }
    }

    /// The global symbol of a COMMON block.
    pub(super) fn common_block(&mut self, name: Option<&ast::Name>, place: ast::Place) -> SymbolId {
        let key = format!("/{}/", name.map_or("", ast::Name::key));
        if let Some(&symbol) = self.names[self.global].own.get(&*key) {
            return symbol;
        }
        let spelling = name.map_or("", ast::Name::spelling);
        let place = self.place(name.map_or(place, |name| name.place));
        self.declare_key(self.global, &key, spelling, Role::CommonBlock, place)
    }

    /// SAVE without names, or of COMMON blocks. (`save x` is an attribute of `x`.)
    pub(super) fn save_items(&mut self, list: &[ast::NameOrBlock]) -> Vec<SpecItem> {
        if list.is_empty() {
            return vec![SpecItem::SaveAll];
        }
        let mut blocks = Vec::new();
        for item in list {
            if let ast::NameOrBlock::Block(name) = item {
                blocks.push(self.common_block(Some(name), name.place));
            }
        }
        if blocks.is_empty() { Vec::new() } else { vec![SpecItem::SaveCommon(blocks)] }
    }

    /// EQUIVALENCE.
    pub(super) fn equivalence(
        &mut self,
        scope: ScopeId,
        sets: &[Vec<ast::Designator>],
    ) -> SpecItem {
        let sets = sets
            .iter()
            .map(|set| set.iter().map(|object| self.reference(scope, object)).collect())
            .collect();
        SpecItem::Equivalence(sets)
    }

    /// NAMELIST: one item for each group.
    pub(super) fn namelist_items(
        &mut self,
        scope: ScopeId,
        groups: &[(ast::Name, Vec<ast::Name>)],
    ) -> Vec<SpecItem> {
        groups
            .iter()
            .map(|(name, members)| {
                let group = self.lookup_or_declare(scope, name);
                let members =
                    members.iter().map(|name| self.lookup_or_declare(scope, name)).collect();
                SpecItem::Namelist { group, members }
            })
            .collect()
    }

    /// DATA.
    pub(super) fn data_statement(&mut self, scope: ScopeId, sets: &[ast::DataSet]) -> SpecItem {
        SpecItem::Data(sets.iter().map(|set| self.data_set(scope, set)).collect())
    }

    fn data_set(&mut self, scope: ScopeId, set: &ast::DataSet) -> DataSet {
        let objects = set.objects.iter().map(|object| self.data_object(scope, object)).collect();
        DataSet { objects, values: self.data_values(scope, &set.values) }
    }

    fn data_values(
        &mut self,
        scope: ScopeId,
        values: &[ast::DataValue],
    ) -> Vec<(Option<ExprId>, ExprId)> {
        values
            .iter()
            .map(|value| {
                let repeat = value.repeat.as_ref().map(|repeat| self.expr(scope, repeat));
                (repeat, self.expr(scope, &value.value))
            })
            .collect()
    }

    fn data_object(&mut self, scope: ScopeId, object: &ast::DataObject) -> ExprId {
        match object {
            ast::DataObject::Designator(designator) => {
                let reference = self.reference(scope, designator);
                self.value_of(reference)
            }
            ast::DataObject::ImpliedDo(implied) => self.data_loop(scope, implied),
        }
    }

    fn data_loop(&mut self, scope: ScopeId, implied: &ast::ImpliedDo<ast::DataObject>) -> ExprId {
        let inner = self.open_scope(scope, ScopeKind::Indices, implied.place);
        let lower = self.expr(inner, &implied.first);
        let upper = self.expr(inner, &implied.last);
        let step = implied.step.as_ref().map(|step| self.expr(inner, step));
        let var = self.declare_index(inner, &implied.variable, implied.type_spec.as_deref());
        let items = implied.items.iter().map(|item| self.data_object(inner, item)).collect();
        let control = IndexRange { var, lower, upper, step };
        let place = self.place(implied.place);
        let kind = ExprKind::ImpliedDo(Box::new(ImpliedDo { items, control }));
        self.doc.exprs.push(Expr { kind, ty: Ty::default(), place, parens: false })
    }

    fn value_of(&mut self, reference: RefId) -> ExprId {
        let (ty, place) = (self.doc.refs[reference].ty, self.doc.refs[reference].place);
        let kind = ExprKind::Ref(reference);
        self.doc.exprs.push(Expr { kind, ty, place, parens: false })
    }

    /// `real x /1.0/`: the old form of an initial value is a DATA statement.
    pub(super) fn old_initials(
        &mut self,
        scope: ScopeId,
        declaration: &ast::Declaration,
    ) -> Vec<SpecItem> {
        let mut items = Vec::new();
        for entity in &declaration.entities {
            let Some(ast::Initial::Data(values)) = &entity.initial else { continue };
            let part = ast::Part { name: entity.name.clone(), arguments: Vec::new() };
            let reference = self.reference(scope, &ast::Designator { parts: vec![part] });
            let object = self.value_of(reference);
            let values = self.data_values(scope, values);
            items.push(SpecItem::Data(vec![DataSet { objects: vec![object], values }]));
        }
        items
    }
}
