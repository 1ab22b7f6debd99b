//! Storage of declared names: when it is made, how long it lives, what it holds at first.
//!
//! Storage is made as a name is used first. What is SAVEd, initialised, in DATA, in COMMON, of a
//! module or of the main program lives as long as the program; the rest as long as its activation.
//! COMMON and EQUIVALENCE are in `common.rs`, dummy arguments in `call.rs`.

use xaif_schema::diag::Code;
use xaif_schema::model::{
    Attr, DataSet, Decl, ExprId, ExprKind, Init, ProcClass, Role, ScopeId, SpecItem, SymbolId,
};

use crate::arith::convert;
use crate::call::Target;
use crate::fault::{Located as _, Run, fault, refuse};
use crate::layout::{SLOT_SIZE, SlotKind};
use crate::machine::{Binding, Handle, Machine};
use crate::storage::{Addr, Slot};
use crate::value::{Elem, Scalar, Value, size_of_shape};
use crate::view::{Extent, View};

impl Machine<'_> {
    /// Makes what `symbol` stands for.
    pub(crate) fn instantiate(&mut self, symbol: SymbolId) -> Run<Binding> {
        if let Some(binding) = self.statics.get(&symbol) {
            return Ok(binding.clone());
        }
        let doc = self.doc;
        let name = doc.name(symbol);
        if self.program.results.contains(&symbol) {
            return self.make_variable(symbol);
        }
        let Some(decl) = &doc.symbols[symbol].decl else {
            // A XAIF 1.0 document tells variables from procedures by the kind.
            return match self.program.bodies.get(&symbol) {
                Some(_) => Ok(Binding::Procedure(self.target_of(symbol)?)),
                None => self.make_variable(symbol),
            };
        };
        match &decl.role {
            Role::Variable => self.make_variable(symbol).at(decl.place),
            Role::Constant => self.make_constant(symbol, decl),
            Role::Procedure(info) if info.class == ProcClass::Pointer => {
                self.make_handle(symbol, decl, SlotKind::Procedure)
            }
            Role::Procedure(_) => Ok(Binding::Procedure(self.target_of(symbol)?)),
            Role::Associate { .. } => fault(
                Code::RUN_MALFORMED,
                format!("associate name `{name}` is used outside of its construct"),
            ),
            Role::Unresolved { .. } => {
                refuse(format!("`{name}`, which comes from a module that is not in the document"))
            }
            Role::Generic { .. }
            | Role::DerivedType { .. }
            | Role::TypeParam { .. }
            | Role::Binding { .. }
            | Role::Final { .. }
            | Role::Module { .. }
            | Role::BlockData
            | Role::CommonBlock
            | Role::Namelist
            | Role::StatementFunction => {
                fault(Code::RUN_MALFORMED, format!("`{name}` is no variable"))
            }
        }
    }

    fn make_variable(&mut self, symbol: SymbolId) -> Run<Binding> {
        let doc = self.doc;
        if self.program.dummies.contains(&symbol) {
            let name = doc.name(symbol);
            return fault(
                Code::RUN_UNDEFINED,
                format!("dummy argument `{name}` does not belong to the entry that was called"),
            );
        }
        let is_static = self.program.statics.contains(&symbol);
        let binding = match self.associated(symbol)? {
            Some(view) => Binding::Data(view),
            None => self.make_own_storage(symbol)?,
        };
        if is_static {
            self.statics.insert(symbol, binding.clone());
        }
        self.initialise(symbol, &binding)?;
        if is_static {
            // DATA of another variable gives values to this one, now and never again.
            for other in self.sharing_storage(symbol)? {
                let decl = doc.symbols[other].decl.as_ref();
                let given = self.program.data.contains_key(&other)
                    || decl.is_some_and(|decl| decl.init.is_some());
                if given && !self.statics.contains_key(&other) {
                    self.instantiate(other)?;
                }
            }
        }
        Ok(binding)
    }

    /// Storage for a variable that shares none.
    fn make_own_storage(&mut self, symbol: SymbolId) -> Run<Binding> {
        let doc = self.doc;
        if let Some(decl) = &doc.symbols[symbol].decl {
            if decl.has(Attr::Pointer) {
                return self.make_handle(symbol, decl, SlotKind::Pointer);
            }
            if decl.has(Attr::Allocatable) {
                return self.make_handle(symbol, decl, SlotKind::Allocatable);
            }
        }
        let data = &doc.symbols[symbol];
        if data.decl.is_none() && data.bounds.is_empty() && data.rank.is_some_and(|rank| rank > 0) {
            let name = doc.name(symbol);
            return refuse(format!("array `{name}`, whose extents the document does not give"));
        }
        let elem = match (self.elem_of_symbol(symbol)?, self.result_length.take()) {
            (Elem::Char(0), Some(length)) if self.program.results.contains(&symbol) => {
                Elem::Char(length)
            }
            (elem, _) => elem,
        };
        let bounds = self.bounds_of_symbol(symbol)?;
        if bounds.iter().any(|&(_, count)| count == Extent::UNKNOWN) {
            let name = doc.name(symbol);
            return fault(Code::RUN_SHAPE, format!("the extents of `{name}` are not known"));
        }
        self.refuse_final_local(symbol, elem)?;
        let addr = self.room_for(symbol, elem, &bounds)?;
        Ok(Binding::Data(View::contiguous(elem, self.size_of(elem), addr, &bounds)))
    }

    fn room_for(&mut self, symbol: SymbolId, elem: Elem, bounds: &[(i64, i64)]) -> Run<Addr> {
        let shape: Vec<i64> = bounds.iter().map(|&(_, count)| count).collect();
        let size = (size_of_shape(&shape)? as i64).saturating_mul(self.size_of(elem));
        if self.program.statics.contains(&symbol) {
            return Ok(Addr { block: self.memory.allocate(size)?, offset: 0 });
        }
        self.local_block(size, symbol)
    }

    fn make_handle(&mut self, symbol: SymbolId, decl: &Decl, kind: SlotKind) -> Run<Binding> {
        use xaif_schema::model::Base;
        let elem = match (kind, decl.spec.base()) {
            (SlotKind::Procedure, _) | (_, Base::ClassStar) => None,
            (SlotKind::Pointer | SlotKind::Allocatable, _) => Some(self.elem_of_symbol(symbol)?),
        };
        if let (SlotKind::Allocatable, Some(elem)) = (kind, elem) {
            self.refuse_final_local(symbol, elem)?;
        }
        let addr = if self.program.statics.contains(&symbol) {
            Addr { block: self.memory.allocate(SLOT_SIZE)?, offset: 0 }
        } else {
            self.local_block(SLOT_SIZE, symbol)?
        };
        if kind == SlotKind::Allocatable {
            self.memory.set_slot(addr, Slot::Null)?;
        }
        let handle = Handle {
            addr,
            elem,
            rank: decl.dims.len() as u8,
            allocatable: kind == SlotKind::Allocatable,
        };
        if kind == SlotKind::Procedure {
            self.initial_target(decl, handle)?;
        }
        Ok(Binding::Handle(handle))
    }

    fn make_constant(&mut self, symbol: SymbolId, decl: &Decl) -> Run<Binding> {
        if let Some(binding) = self.constants.get(&symbol) {
            return Ok(binding.clone());
        }
        self.check_stack()?;
        let elem = self.elem_of_symbol(symbol)?;
        let value = match (decl.init, decl.value) {
            (_, Some(value)) if decl.dims.is_empty() => folded(elem, value)?,
            (Some(Init::Value(expr)), _) => self.eval(expr)?,
            (Some(Init::Target(_)) | None, Some(_) | None) => {
                let name = self.doc.name(symbol);
                return refuse(format!(
                    "constant `{name}`, whose value the document does not give"
                ));
            }
        };
        let elem = match (elem, value.elem()) {
            // character(*), parameter
            (Elem::Char(0), Elem::Char(len)) => Elem::Char(len),
            (elem, _) => elem,
        };
        let mut bounds = self.bounds_of_symbol(symbol)?;
        let shape = value.shape();
        for (bound, &count) in bounds.iter_mut().zip(&shape) {
            if bound.1 == Extent::UNKNOWN {
                bound.1 = count;
            }
        }
        let counts: Vec<i64> = bounds.iter().map(|&(_, count)| count).collect();
        let size = size_of_shape(&counts)? as i64 * self.size_of(elem);
        let block = self.memory.allocate(size)?;
        let view = View::contiguous(elem, self.size_of(elem), Addr { block, offset: 0 }, &bounds);
        self.store(&view, value)?;
        self.memory.protect(block)?;
        self.constants.insert(symbol, Binding::Data(view.clone()));
        Ok(Binding::Data(view))
    }

    /// First values: default initialisation of components, `= value`, `=> target`, DATA.
    fn initialise(&mut self, symbol: SymbolId, binding: &Binding) -> Run<()> {
        let doc = self.doc;
        let Some(decl) = &doc.symbols[symbol].decl else { return Ok(()) };
        if let Binding::Data(view) = binding {
            self.default_initialise(&view.clone())?;
            if let Some(Init::Value(expr)) = decl.init {
                let value = self.eval(expr)?;
                self.store(view, value).at(decl.place)?;
            }
        }
        if let Binding::Handle(handle) = binding {
            self.initial_target(decl, *handle)?;
        }
        if let Some(&scope) = self.program.data.get(&symbol) {
            // The DATA statements of a scope are executed together and refer to this variable.
            self.bind(symbol, binding.clone())?;
            self.run_data(scope)?;
        }
        Ok(())
    }

    fn initial_target(&mut self, decl: &Decl, handle: Handle) -> Run<()> {
        if let Some(Init::Target(expr) | Init::Value(expr)) = decl.init {
            let slot = self.target(expr)?;
            self.memory.set_slot(handle.addr, slot)?;
        }
        Ok(())
    }

    /// Gives the components of each element of `view` their default values.
    pub(crate) fn default_initialise(&mut self, view: &View) -> Run<()> {
        let Elem::Derived(layout) = view.elem else { return Ok(()) };
        let doc = self.doc;
        let components = self.layouts[layout as usize].components.clone();
        for component in &components {
            let init = doc.symbols[component.symbol].decl.as_ref().and_then(|decl| decl.init);
            for element in view.elements() {
                let addr = element.plus(component.offset);
                match (component.slot, init) {
                    (Some(SlotKind::Allocatable), _) => self.memory.set_slot(addr, Slot::Null)?,
                    (Some(_), Some(Init::Target(expr) | Init::Value(expr))) => {
                        let slot = self.target(expr)?;
                        self.memory.set_slot(addr, slot)?;
                    }
                    (Some(_), None) => {}
                    (None, init) => {
                        let Some(elem) = component.elem else { continue };
                        let size = self.size_of(elem);
                        let part = View::contiguous(elem, size, addr, &component.bounds);
                        if let Some(Init::Value(expr)) = init {
                            let value = self.eval(expr)?;
                            self.store(&part, value)?;
                        } else {
                            self.default_initialise(&part)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes the values of the components of each element of `view`. Allocatable components and pointers stay as they
    /// are.
    pub(crate) fn undefine_components(&mut self, view: &View) -> Run<()> {
        let Elem::Derived(layout) = view.elem else { return Ok(()) };
        let components = self.layouts[layout as usize].components.clone();
        for component in components.iter().filter(|component| component.slot.is_none()) {
            let Some(elem) = component.elem else { continue };
            let size = self.size_of(elem);
            for element in view.elements() {
                let addr = element.plus(component.offset);
                let part = View::contiguous(elem, size, addr, &component.bounds);
                if let Elem::Derived(_) = elem {
                    self.undefine_components(&part)?;
                    continue;
                }
                for addr in part.elements() {
                    self.memory.undefine(addr, elem)?;
                }
            }
        }
        Ok(())
    }

    /// Executes the DATA statements of `scope`, once.
    pub(crate) fn run_data(&mut self, scope: ScopeId) -> Run<()> {
        if !self.data_done.insert(scope) {
            return Ok(());
        }
        let doc = self.doc;
        for item in &doc.scopes[scope].items {
            if let SpecItem::Data(sets) = item {
                for set in sets {
                    self.data_set(set)?;
                }
            }
        }
        Ok(())
    }

    fn data_set(&mut self, set: &DataSet) -> Run<()> {
        let mut values = Vec::new();
        for &(repeat, value) in &set.values {
            let count = repeat.map_or(Ok(1), |repeat| self.int(repeat))?;
            let is_null = matches!(&self.doc.exprs[value].kind, ExprKind::Constant(c)
                    if c.class == xaif_schema::model::ConstantClass::Null);
            let value = if is_null { None } else { Some(self.eval(value)?) };
            values.push((count, value));
        }
        let mut values = values
            .into_iter()
            .flat_map(|(count, value)| (0..count.max(0)).map(move |_| value.clone()));
        for &object in &set.objects {
            self.data_object(object, &mut values).at(self.doc.exprs[object].place)?;
        }
        Ok(())
    }

    fn data_object(
        &mut self,
        object: ExprId,
        values: &mut dyn Iterator<Item = Option<Value>>,
    ) -> Run<()> {
        self.check_stack()?;
        let missing = "a DATA statement has fewer values than variables";
        match &self.doc.exprs[object].kind {
            ExprKind::Ref(r) => {
                let base = self.doc.refs[*r].base;
                if let Binding::Handle(handle) = self.binding(base)? {
                    let addr = handle.addr;
                    values.next();
                    return self.memory.set_slot(addr, Slot::Null);
                }
                for (addr, elem) in self.locate(*r)?.addresses() {
                    let Some(Some(value)) = values.next() else {
                        return fault(Code::RUN_MALFORMED, missing);
                    };
                    let target = View::scalar(elem, addr);
                    self.store(&target, value)?;
                }
                Ok(())
            }
            ExprKind::ImpliedDo(implied) => {
                self.implied_do(implied, &mut |machine, item| machine.data_object(item, values))
            }
            ExprKind::Constant(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => {
                fault(Code::RUN_MALFORMED, "a DATA statement sets what is no variable")
            }
        }
    }

    /// What a procedure's name refers to here.
    pub(crate) fn target_of(&mut self, symbol: SymbolId) -> Run<Target> {
        crate::callee::target_of(self, symbol)
    }
}

fn folded(elem: Elem, value: i64) -> Run<Value> {
    let value = match elem {
        Elem::Logical(kind) => Scalar::Logical(kind, value != 0),
        Elem::Int(_) | Elem::Real(_) | Elem::Complex(_) | Elem::Char(_) | Elem::Derived(_) => {
            convert(Scalar::Int(8, value), elem)?
        }
    };
    Ok(Value::Scalar(value))
}
