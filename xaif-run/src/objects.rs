//! Objects of derived type as inputs and outputs: `v%x` names the values of a component in all elements of `v`, one
//! element after the other. The extents that are given for an allocatable component or a pointer are those of each.

use std::collections::HashMap;

use xaif_schema::diag::Code;
use xaif_schema::model::{Role, SymbolId};

use crate::driver::{Output, Request, setting};
use crate::fault::{Run, fault};
use crate::input::Given;
use crate::layout::{Component, SlotKind};
use crate::machine::Machine;
use crate::storage::{Addr, Slot};
use crate::value::Elem;
use crate::view::View;

/// What is given for the components of an object, and how much of it has been used.
pub(crate) struct Parts<'r> {
    request: &'r Request,
    used: HashMap<String, usize>,
}

impl<'r> Parts<'r> {
    /// Nothing is used yet.
    pub(crate) fn new(request: &'r Request) -> Self {
        Parts { request, used: HashMap::new() }
    }

    /// The words of the next `count` values; a single word stands for all.
    fn next(&mut self, given: &Given, key: &str, count: usize) -> Run<Given> {
        if let [word] = given.words.as_slice() {
            return Ok(Given { shape: Vec::new(), words: vec![word.clone()] });
        }
        // The same values for each element.
        if given.words.len() == count {
            return Ok(Given { shape: vec![count as i64], words: given.words.clone() });
        }
        let used = self.used.entry(key.to_string()).or_default();
        let words = given.words.get(*used..*used + count).map(<[String]>::to_vec);
        *used += count;
        match words {
            Some(words) => Ok(Given { shape: vec![count as i64], words }),
            None => {
                let message = format!("too few values are given for `{key}`");
                fault(Code::RUN_BAD_INPUT, message)
            }
        }
    }
}

impl Machine<'_> {
    /// Gives the components of all elements of an object the values that are given by names that begin with `name`.
    pub(crate) fn fill_object(
        &mut self,
        name: &str,
        view: &View,
        parts: &mut Parts<'_>,
    ) -> Run<()> {
        let begins = |(key, _): &(String, Given)| {
            let begin = key.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
            begin && key[name.len()..].starts_with('%')
        };
        let mut given = parts.request.values.iter().chain(&parts.request.direction);
        let Elem::Derived(layout) = view.elem else { return Ok(()) };
        if !given.any(begins) {
            return Ok(());
        }
        self.check_stack()?;
        let components = self.layouts[layout as usize].components.clone();
        for element in view.elements() {
            for component in &components {
                let key = self.key(name, component.symbol);
                self.fill_component(&key, element.plus(component.offset), component, parts)?;
            }
        }
        Ok(())
    }

    /// The type that the single word which is given for an object names: its dynamic type.
    pub(crate) fn type_named(&self, given: &Given) -> Option<SymbolId> {
        let [word] = given.words.as_slice() else { return None };
        let is_it = |symbol: &SymbolId| {
            let is_type = matches!(self.doc.role(*symbol), Some(Role::DerivedType { .. }));
            is_type && self.doc.name(*symbol).eq_ignore_ascii_case(word)
        };
        // A number names no type, and most of what is given are numbers.
        let is_name = word.starts_with(|c: char| c.is_ascii_alphabetic());
        is_name.then(|| self.doc.symbols.keys().find(is_it)).flatten()
    }

    fn fill_component(
        &mut self,
        key: &str,
        addr: Addr,
        component: &Component,
        parts: &mut Parts<'_>,
    ) -> Run<()> {
        let value = setting(&parts.request.values, key);
        let direction = setting(&parts.request.direction, key);
        let Some(elem) = component.elem else { return Ok(()) };
        let view = match component.slot {
            None => View::contiguous(elem, self.size_of(elem), addr, &component.bounds),
            Some(kind) => {
                let Some(given) = value else { return Ok(()) };
                let view = self.allocate_like(elem, &given.shape)?;
                let slot = match kind {
                    SlotKind::Allocatable => Slot::Owned(view.clone()),
                    SlotKind::Pointer | SlotKind::Procedure => Slot::Data(view.clone()),
                };
                self.memory.set_slot(addr, slot)?;
                view
            }
        };
        if matches!(elem, Elem::Derived(_)) {
            return self.fill_object(key, &view, parts);
        }
        let count = view.elements().count();
        let value = value.map(|given| parts.next(given, key, count)).transpose()?;
        let along = format!("{key} direction");
        let direction = direction.map(|given| parts.next(given, &along, count)).transpose()?;
        self.fill(&view, value.as_ref(), direction.as_ref())
    }

    /// The values of each component, objects within objects likewise.
    pub(crate) fn parts_of_object(&mut self, name: &str, view: &View) -> Run<Vec<Output>> {
        let Elem::Derived(layout) = view.elem else { return Ok(Vec::new()) };
        self.check_stack()?;
        let components = self.layouts[layout as usize].components.clone();
        let mut found: Vec<Output> = Vec::new();
        for element in view.elements() {
            for component in &components {
                let addr = element.plus(component.offset);
                let part = match (component.slot, component.elem) {
                    (None, Some(elem)) => {
                        View::contiguous(elem, self.size_of(elem), addr, &component.bounds)
                    }
                    _ => match self.memory.slot(addr)? {
                        Some(Slot::Owned(view) | Slot::Data(view)) => view.clone(),
                        Some(Slot::Null | Slot::Procedure(_)) | None => continue,
                    },
                };
                let key = self.key(name, component.symbol);
                let more = match part.elem {
                    Elem::Derived(_) if component.slot == Some(SlotKind::Pointer) => continue,
                    Elem::Derived(_) => self.parts_of_object(&key, &part)?,
                    Elem::Int(_)
                    | Elem::Real(_)
                    | Elem::Complex(_)
                    | Elem::Logical(_)
                    | Elem::Char(_) => {
                        let value = self.load_view(&part)?;
                        vec![self.output(&key, value)?]
                    }
                };
                for output in more {
                    match found.iter_mut().find(|known| known.name == output.name) {
                        Some(known) => known.elements.extend(output.elements),
                        None => found.push(output),
                    }
                }
            }
        }
        Ok(found)
    }

    fn key(&self, name: &str, component: SymbolId) -> String {
        format!("{name}%{}", self.doc.name(component).to_ascii_lowercase())
    }
}
