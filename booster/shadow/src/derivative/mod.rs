//! The declarations of a derivative: which objects and procedures it has, and the program units
//! that hold them.
//!
//! [`Counterparts::make`] adds to a document, beside the user's program units, those of the
//! derivative: for an external procedure `p` a procedure `p_d`; for a module `m` a module `m_d` that
//! uses `m` and holds the derivatives of its variables and procedures; for a block `/c/` a block
//! `/c_d/`. Each new procedure has the complete signature and declarations of a derivative procedure
//! (`p(x, y)` becomes `p_d(x, xd, y, yd)`, a function a subroutine whose last arguments are the
//! result and its derivative) and, as its body, a plain copy of the original's. What statements the
//! derivative needs is the business of the mode; no derivative rule stands here. Such a document
//! can be printed and compiled.
//!
//! A derivative object has the type of its original ("shadow"): components, allocation and
//! association mirror it. With several directions every derivative object has a leading dimension
//! of their number (leading, so that element and sequence association keep working).
//!
//! - `plan`: what gets a derivative. `types`: which types carry one. `storage`: COMMON, EQUIVALENCE.
//!   `classes`: procedures that must agree.
//! - `unseen`: what FINAL procedures and those for input and output would do to derivatives.
//! - `units`: the new program units. `declare`: the derivative variables. `signature`: dummy
//!   arguments, entries. `heading`: the comment at the head.
//! - `labels`: derivatives that C can call.
//! - `arms`: SELECT TYPE and SELECT RANK.
//! - `bindings`, `dispatch`: type-bound calls. `separate`: separate module procedures.
//! - `hidden`: what a module keeps from its derivative module.
//! - `callables`: dummy procedures, pointers, interfaces.
//! - `sweep_pairs`: procedures that execute one sweep of an adjoint. `halves`: names that stand for them.
//! - `sweep`: what turned out not to be needed is taken out.
//! - `reference`: the derivative of a reference.
//!
//! The conventions are those of design.md, section 6; association by name and by shadow objects is
//! compared in Fagan, Hascoët and Utke, "Data representation alternatives in semantically augmented
//! numerical models" (SCAM 2006).

mod arms;
mod bindings;
mod callables;
mod classes;
mod declare;
mod dispatch;
mod halves;
mod heading;
mod hidden;
mod labels;
mod modules;
mod names;
mod plan;
mod procedures;
mod reference;
mod separate;
mod share;
mod signature;
mod storage;
mod sweep;
mod sweep_pairs;
mod types;
mod units;
mod unseen;
mod variables;
mod visibility;
mod zero;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{Document, ExprId, ProcId, ScopeId, SymbolId};

use variables::Variables;

pub use booster_build::stop_marker;
pub use booster_facts::inherited;
pub use dispatch::modules_below;
pub use halves::{Callables, Class};
pub use sweep_pairs::Sweep;
pub use types::Types;
pub use units::{declaration, symbol};
pub use visibility::bring_into_sight;
pub use zero::zero_value;

/// What derivatives are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    /// What names of derivative variables end with.
    pub variable: String,
    /// What names of derivative procedures, modules and COMMON blocks end with.
    pub procedure: String,
    /// What the comment at the head of a derivative procedure calls it: `Tangent`.
    pub title: String,
    /// Whether derivatives go from outputs to inputs, as that comment has to say.
    pub transposed: bool,
}

impl Default for Naming {
    fn default() -> Self {
        let (variable, procedure, title) = ("d".into(), "_d".into(), "Tangent".into());
        Naming { variable, procedure, title, transposed: false }
    }
}

/// Which of several directions is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// All of them (or the only one): the leading dimension as a whole.
    All,
    /// One, by its number: an expression, of which each use is a copy.
    One(ExprId),
}

/// What a dummy argument of a derivative procedure is. Positions are those of the original's dummy
/// arguments, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// An argument of the original (also an alternate return).
    Argument(u32),
    /// Its derivative.
    ArgumentDerivative(u32),
    /// Of a procedure that is called in two halves: what executes the forward sweep of its adjoint.
    ArgumentForward(u32),
    /// What executes the backward sweep.
    ArgumentBackward(u32),
    /// The result of a function.
    Result,
    /// Its derivative.
    ResultDerivative,
}

/// The program units of a derivative.
#[derive(Clone, Debug, Default)]
pub struct Counterparts {
    /// The derivative procedure of each differentiated procedure, in document order.
    pub procedures: Vec<(ProcId, ProcId)>,
    /// Derivative variables that must be set to zero when a derivative procedure begins: they come
    /// into being with the values that their type gives to its components, or have kept a value.
    pub zeroed: Vec<(ProcId, Vec<SymbolId>)>,
    /// The number of directions.
    pub directions: Option<u32>,
    /// The types of the document.
    pub types: Types,
    variables: Variables,
    callees: HashMap<SymbolId, SymbolId>,
    signatures: HashMap<SymbolId, Vec<Slot>>,
    /// The new program units.
    units: Vec<ScopeId>,
    /// What derivative modules have copied of what their modules hide.
    hidden: HashSet<SymbolId>,
    /// The procedures of split mode.
    twins: sweep_pairs::Twins,
    /// Adjoint procedures with one adjoint for several arguments, by what they are copies of.
    shares: HashMap<(ProcId, Vec<(u32, u32)>), SymbolId>,
}

impl Counterparts {
    /// Adds the program units of the derivative to `doc` and marks the user's as provided.
    ///
    /// # Errors
    /// What cannot have a derivative, with its place. `doc` is of no use then.
    pub fn make(
        doc: &mut Document,
        naming: &Naming,
        directions: Option<u32>,
    ) -> Result<(Counterparts, Diagnostics), Diagnostics> {
        units::make(doc, naming, directions)
    }

    /// The derivative variable of a variable that the new bodies name.
    pub fn variable(&self, symbol: SymbolId) -> Option<SymbolId> {
        self.variables.get(symbol)
    }

    /// All variables that have derivatives.
    pub fn primals(&self) -> impl Iterator<Item = SymbolId> {
        self.variables.iter().map(|(primal, _)| primal)
    }

    /// All derivative variables.
    pub fn derivatives(&self) -> Arc<HashSet<SymbolId>> {
        self.variables.derivatives()
    }

    /// The variables that transformations made, without the derivatives of those that they did not make.
    pub fn made(&self, doc: &Document) -> HashSet<SymbolId> {
        let is_ours = |symbol: SymbolId| doc.symbols[symbol].temp == Some(true);
        let theirs = self.variables.iter().filter(|&(primal, _)| !is_ours(primal));
        let theirs: HashSet<SymbolId> = theirs.map(|(_, own)| own).collect();
        doc.symbols.keys().filter(|s| is_ours(*s) && !theirs.contains(s)).collect()
    }

    /// The derivative procedure of what the new bodies call by `symbol`: a procedure, a dummy
    /// procedure, a procedure pointer.
    pub fn callee(&self, symbol: SymbolId) -> Option<SymbolId> {
        self.callees.get(&symbol).copied()
    }

    /// The dummy arguments of a derivative procedure, by its symbol (what [`Counterparts::callee`]
    /// gives); `None` where they are not known: then every actual argument that has a derivative is
    /// followed by it.
    pub fn signature(&self, derivative: SymbolId) -> Option<&[Slot]> {
        self.signatures.get(&derivative).map(Vec::as_slice)
    }

    /// Notes a further program unit.
    pub fn add_unit(&mut self, scope: ScopeId) {
        self.units.push(scope);
    }

    /// Notes that a variable has a derivative: for variables that a later stage makes.
    pub fn add_variable(&mut self, symbol: SymbolId, derivative: SymbolId) {
        self.variables.insert(symbol, derivative);
    }

    /// Notes the derivative procedure of a procedure, as a specification of externals names it.
    pub fn add_callee(&mut self, symbol: SymbolId, derivative: SymbolId, slots: Option<Vec<Slot>>) {
        self.callees.insert(symbol, derivative);
        if let Some(slots) = slots {
            self.signatures.insert(derivative, slots);
        }
    }
}
