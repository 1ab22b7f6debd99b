//! What is known of procedures whose source is not given: a specification that the user writes.
//!
//! The text is TOML; `docs/externals.md` is its page for users. For each procedure it tells which
//! arguments and globals are read and written, which outputs depend on which inputs, and perhaps
//! what its tangent and adjoint are called. An analysis asks [`Externals::find`] for the symbol that
//! is called; where the answer is `None` nothing is known, and it must take the pessimistic view:
//! everything that the procedure can reach is read and written, and every output depends on every
//! input.
//!
//! A specification is believed. What contradicts itself (an output that depends on an argument that
//! is not read, a pure procedure that writes a global) is refused with its place. Reading the file
//! is the caller's; this module gets the text.

mod parts;
mod read;

use std::collections::BTreeMap;

use xaif_schema::diag::{Diagnostics, Spot};
use xaif_schema::model::{Document, ProcClass, Role, SymbolId};

pub use parts::{component_named, component_of_variable, global_variables};
pub(crate) use parts::{divided, locations_of_global};
pub use read::syntax_fault;

/// The specifications of a run, by the name of the procedure in lower case.
#[derive(Clone, Debug, Default)]
pub struct Externals {
    procedures: BTreeMap<String, External>,
}

/// What a procedure does.
#[derive(Clone, Debug, PartialEq)]
pub struct External {
    /// Its name in lower case; one of a module has the form `module::name`.
    pub name: String,
    /// Its dummy arguments, in order.
    pub arguments: Vec<Effect>,
    /// For a function: what its result depends on.
    pub result: Option<Effect>,
    /// The COMMON blocks and module variables that it touches; `None`: nobody has told, so it may
    /// be any of them. A pure procedure has an empty list.
    pub globals: Option<Vec<Effect>>,
    /// Whether it does nothing but what is told here: no other globals, no input or output.
    pub pure: bool,
    /// Whether control comes back from it, if that is told.
    pub returns: Option<bool>,
    /// The procedure that computes its tangent.
    pub tangent: Option<Derivative>,
    /// The procedure that computes its adjoint.
    pub adjoint: Option<Derivative>,
    /// Where its specification stands.
    pub spot: Spot,
}

/// What happens to an argument, a global or the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The name, lower case: of the dummy argument; `/block/`; `module::variable`. Empty for the result.
    pub name: String,
    /// Whether its value on entry is used.
    pub read: bool,
    /// Whether it is overwritten. One that is written but not read is overwritten entirely.
    pub written: bool,
    /// The inputs whose values decide how the output changes, where it is written.
    pub depends: Vec<Input>,
    /// The component that is meant, from the outermost inwards, of the argument or global; empty for all of it.
    pub path: Vec<String>,
    /// What happens to components of an argument in place of what is told of all of it.
    pub components: Vec<Effect>,
}

/// Something on which an output depends.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Input {
    /// The argument or global.
    pub slot: Slot,
    /// The component of it that is meant; empty for all of it.
    pub path: Vec<String>,
}

impl From<Slot> for Input {
    fn from(slot: Slot) -> Self {
        Input { slot, path: Vec::new() }
    }
}

/// An input or output of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// The argument with this index in [`External::arguments`], from 0.
    Argument(usize),
    /// The global with this index in [`External::globals`].
    Global(usize),
}

/// A procedure that computes derivatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivative {
    /// Its name as written.
    pub name: String,
    /// The arguments (indices, ascending) that are followed by their derivatives in its argument
    /// list; `None`: all that are active at a call. The result of a function and its derivative are
    /// the last two arguments.
    pub with_derivative: Option<Vec<usize>>,
}

impl Externals {
    /// Nothing is known.
    pub fn new() -> Self {
        Externals::default()
    }

    /// Reads a specification; `file` is what messages call it.
    ///
    /// # Errors
    ///
    /// `OX4110` where it is no TOML or not of this form, `OX4111` for a name that does not exist,
    /// `OX4112` where it contradicts itself; each with its place.
    pub fn parse(file: &str, text: &str) -> Result<Self, Diagnostics> {
        read::parse(file, text).map(|procedures| Externals { procedures })
    }

    /// Adds those of `other`; where both know a procedure, `other` is right.
    pub fn extend(&mut self, other: Externals) {
        self.procedures.extend(other.procedures);
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.procedures.is_empty()
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &External> {
        self.procedures.values()
    }

    /// The specification of the procedure that `symbol` names; `None` where there is none, or where
    /// `symbol` cannot be an external procedure: its body is given, it is internal, a dummy
    /// argument or a procedure pointer.
    pub fn find(&self, doc: &Document, symbol: SymbolId) -> Option<&External> {
        if self.procedures.is_empty() {
            return None;
        }
        let name = doc.name(symbol).to_lowercase();
        let of_module = |module: SymbolId| format!("{}::{name}", doc.name(module).to_lowercase());
        let key = match doc.role(symbol)? {
            Role::Procedure(info) => match info.class {
                ProcClass::External | ProcClass::Abstract if !has_body(doc, symbol) => name,
                ProcClass::Module if !has_body(doc, symbol) => {
                    of_module(module_around(doc, symbol)?)
                }
                ProcClass::External
                | ProcClass::Abstract
                | ProcClass::Module
                | ProcClass::Internal
                | ProcClass::Dummy
                | ProcClass::Pointer
                | ProcClass::Intrinsic
                | ProcClass::Entry => return None,
            },
            Role::Unresolved { module: Some(module) } => of_module(*module),
            Role::Unresolved { module: None } => name,
            Role::Variable
            | Role::Constant
            | Role::Generic { .. }
            | Role::DerivedType { .. }
            | Role::TypeParam { .. }
            | Role::Binding { .. }
            | Role::Final { .. }
            | Role::Module { .. }
            | Role::BlockData
            | Role::CommonBlock
            | Role::Namelist
            | Role::StatementFunction
            | Role::Associate { .. } => return None,
        };
        self.procedures.get(&key)
    }
}

impl Effect {
    /// Whether it or a component is overwritten.
    pub fn writes(&self) -> bool {
        self.written || self.components.iter().any(|component| component.written)
    }
}

impl External {
    /// What happens to the argument at `position` (from 1); `None` where the specification has no
    /// such argument, so that nothing is known of it.
    pub fn argument(&self, position: u32) -> Option<&Effect> {
        self.arguments.get(usize::try_from(position).ok()?.checked_sub(1)?)
    }

    /// What happens to an input or output.
    pub fn effect(&self, slot: Slot) -> Option<&Effect> {
        match slot {
            Slot::Argument(index) => self.arguments.get(index),
            Slot::Global(index) => self.globals.as_ref()?.get(index),
        }
    }
}

fn has_body(doc: &Document, symbol: SymbolId) -> bool {
    use xaif_schema::model::Body;
    doc.procedure_of(symbol).is_some_and(|proc| !matches!(doc.procs[proc].body, Body::Interface))
}

fn module_around(doc: &Document, symbol: SymbolId) -> Option<SymbolId> {
    use xaif_schema::model::ScopeKind;
    match doc.scopes[doc.symbols[symbol].scope].kind {
        ScopeKind::Module(module) => Some(module),
        _ => None,
    }
}
