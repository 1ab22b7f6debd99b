//! The canonical form: what a derivative rule needs a statement for has a statement of its own.
//!
//! Made where activity passes and nowhere else (design.md, section 6):
//!
//! - calls of functions stand alone, as `t = f(args)`, before the statement, condition or loop that
//!   uses their value; operators and assignments that the program defines become plain calls;
//! - actual arguments of such calls that are expressions (`(x)` is one) are temporaries;
//! - the allocatable result of a function has the lower bounds that its value has, 1;
//! - array intrinsics whose derivative is no expression (`maxval`, `product`, …) stand alone, with a
//!   variable as their array;
//! - statement functions are expanded;
//! - calls through procedure components are choices among procedures called by name;
//! - names of ASSOCIATE and SELECT TYPE that hide others get names of their own;
//! - COMMON blocks have the same length in all procedures;
//! - arguments that are passed by value and overwritten have variables of their own;
//! - for adjoints, structures that an array intrinsic or an array constructor gives are assigned
//!   component by component;
//! - where a value is needed in the middle of a WHERE, FORALL, `.and.` or array constructor with an
//!   implied DO, the construct is taken apart as far as that takes.
//!
//! Values are computed in the order in which the program computes them, and under its conditions:
//! what an IF, `.and.` or the mask of a WHERE guards stays guarded.
//!
//! Without activity facts everything with a derivative is taken as active, but for calls that cannot
//! matter to one (see `facts`), which are then told to be passive. What can neither stay nor be
//! hoisted is refused with its place. Running it twice changes nothing more.
//!
//! - `facts`: what is active; `temporaries`: variables; `hoist`: expressions; `statement`:
//!   statements; `masked`: WHERE; `elements`: its assignments as loops; `forall`: FORALL; `expand`: statement functions and implied DOs;
//!   `dispatch`: procedure components and bindings; `components`: structures; `sources`: values that memory begins with;
//!   `by_value`: arguments by value; `results`: bounds of results; `hiding`: names of constructs; `commons`: lengths of blocks.

mod by_value;
mod commons;
mod components;
mod dispatch;
mod elements;
mod expand;
mod facts;
mod forall;
mod hiding;
mod hoist;
mod masked;
mod results;
mod sources;
mod statement;
mod temporaries;
use std::borrow::Cow;
use std::collections::HashSet;
use std::convert::Infallible;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Body, BranchForm, Document, ExprId, ForForm, Place, ProcId, ProcKind, ScopeId, StmtKind,
    SymbolId, VertexId, VertexKind,
};
use xaif_schema::upgrade::upgrade;

use booster_build::{
    Emitter, Site, follow_selector, names_of_selector, nodes_of, rewrite_flow, takes_statements,
};
use booster_facts::bounds::Bounds;
use booster_facts::repeated::refuse_elementals_with_state;
use booster_passes::{About, Mode, Need, Pass};
use booster_reversal::loops::{Counted, parts_of_do};
use dispatch::external::Chooser;
use facts::Facts;
use hiding::show_hidden;
use results::{begin_with_one, begins_elsewhere};
use temporaries::Temporaries;
pub use temporaries::copies_by_procedure;

/// Brings `doc` into canonical form. The result are warnings. A XAIF 1.0 document is made
/// like one of ours first ([`upgrade`]).
///
/// # Errors
///
/// `OX4101` where a value is needed before a statement and cannot be computed there, `OX4102` where
/// no variable can hold it, `OX4103` for expressions nested too deep, `OX4105` for elemental calls that
/// keep something from element to element, `OX4107` for statement functions that are too large, `OX4106` for COMMON blocks that are shorter in a module; `OX4100` from [`upgrade`]. `doc`
/// is then of no use.
pub fn canonicalize(doc: &mut Document) -> Result<Diagnostics, Diagnostics> {
    brought_into_form(doc, false)
}

/// As [`canonicalize`]; besides, each assignment under a mask has a WHERE of its own, and FORALL
/// becomes loops. That is what an adjoint can be made of.
///
/// # Errors
/// Those of [`canonicalize`], and `OX4101` for a FORALL that cannot become loops.
pub fn canonicalize_constructs(doc: &mut Document) -> Result<Diagnostics, Diagnostics> {
    brought_into_form(doc, true)
}

/// The row of the canonical form in lists of passes.
pub const ABOUT: About = About {
    name: "canonicalize",
    need: Need::Required,
    summary: "Gives calls, array reductions and conditions of active values statements of their own.",
    reads: "facts of activity",
    writes: "bodies",
    source: "",
};

/// Brings the document into canonical form, as the first pass of a mode.
pub struct Canonicalize;

impl<M: Mode> Pass<M> for Canonicalize {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, doc: &mut Document, work: &mut M::Work<'_>) -> Result<(), Diagnostics> {
        M::report(work).extend(canonicalize(doc)?);
        Ok(())
    }
}

fn brought_into_form(doc: &mut Document, apart: bool) -> Result<Diagnostics, Diagnostics> {
    let adopted = match upgrade(doc)? {
        Cow::Owned(adopted) => Some(adopted),
        Cow::Borrowed(_) => None,
    };
    if let Some(adopted) = adopted {
        *doc = adopted;
    }
    let unlike = commons::lengthen(doc);
    if unlike.has_errors() {
        return Err(unlike);
    }
    show_hidden(doc);
    let copied = by_value::copy_overwritten(doc);
    let mut stage = Canonical::new(doc);
    stage.changed = copied;
    let repeated = refuse_elementals_with_state(doc, |proc| stage.facts.concerns(doc, proc));
    if repeated.has_errors() {
        return Err(repeated);
    }
    stage.apart = apart;
    let mut storage = None;
    let procs: Vec<ProcId> = doc.procs.keys().collect();
    for proc in procs {
        if stage.facts.concerns(doc, proc) {
            stage.result_begins_with_one(doc, proc);
            stage.procedure(doc, proc);
            stage.choices(doc, &mut storage, proc);
        }
    }
    if stage.problems.has_errors() {
        return Err(stage.problems);
    }
    if stage.changed {
        drop_chains(doc);
    }
    Ok(stage.problems)
}

/// The stage at work.
struct Canonical {
    facts: Facts,
    bounds: Bounds,
    temporaries: Temporaries,
    problems: Diagnostics,
    /// The scope of the procedure, where temporaries are declared.
    scope: ScopeId,
    /// Why nothing can be hoisted from where it looks now.
    fixed: Option<&'static str>,
    /// Whether a derivative will repeat parts of the statement that it looks at: then a function of
    /// which it matters how often it is executed is hoisted, although it is passive. For an adjoint
    /// that holds where control decides, too.
    repeated: bool,
    /// Whether it looks at an argument of a call whose backward sweep computes it again: a function
    /// there may read what the call has overwritten, so it is hoisted whatever it does.
    anew: bool,
    /// How deep the expression is nested that it looks at.
    depth: u32,
    /// How many operands and operations of statement functions were written out where it looks.
    written_out: usize,
    /// The place of the statement or construct.
    place: Place,
    /// Whether bounds of temporaries must be literals: in a main program, and where an ENTRY may
    /// leave a dummy argument out.
    constant_bounds: bool,
    /// Whether every WHERE and FORALL is taken apart, not only those that something is hoisted from.
    apart: bool,
    /// Variables that count in loops that were FORALL, and do nothing else.
    indices: HashSet<SymbolId>,
    /// Procedures that choose where calls cannot.
    choosers: Vec<Chooser>,
    changed: bool,
}

impl Canonical {
    fn new(doc: &Document) -> Self {
        Canonical {
            facts: Facts::gather(doc),
            bounds: Bounds::gather(doc),
            temporaries: Temporaries::default(),
            problems: Diagnostics::new(),
            scope: ScopeId::from_u32(0),
            fixed: None,
            repeated: false,
            anew: false,
            depth: 0,
            written_out: 0,
            place: Place::default(),
            constant_bounds: false,
            apart: false,
            indices: HashSet::new(),
            choosers: Vec::new(),
            changed: false,
        }
    }

    /// Where entries share a result, none of them can have one of its own.
    fn result_begins_with_one(&mut self, doc: &mut Document, proc: ProcId) {
        let Some(result) = begins_elsewhere(doc, &self.bounds, proc) else { return };
        if has_entries(doc, proc) {
            let place = doc.procs[proc].place;
            let message = format!(
                "`{}`, the result of a function with ENTRY, may be allocated with a lower bound other than 1",
                doc.name(result)
            );
            let help = "allocate it from 1 on";
            return self.refuse(doc, Code::CANNOT_HOIST, place, message, help);
        }
        begin_with_one(doc, proc, result);
        self.changed = true;
    }

    fn procedure(&mut self, doc: &mut Document, proc: ProcId) {
        self.scope = doc.procs[proc].scope;
        self.constant_bounds = doc.procs[proc].kind == ProcKind::Program || has_entries(doc, proc);
        let done: Result<(), Infallible> = rewrite_flow(doc, proc, |emitter, site| {
            self.written_out = 0;
            self.place = match site {
                Site::Stmt(stmt) => emitter.doc.stmts[stmt].place,
                Site::Head(head) => emitter.head(head).place,
            };
            match site {
                Site::Stmt(stmt) => self.statement(emitter, stmt),
                Site::Head(head) => self.head(emitter, head),
            }
            Ok(())
        });
        match done {
            Ok(()) => {}
            Err(never) => match never {},
        }
    }

    /// What is evaluated at a branch or loop.
    fn head(&mut self, e: &mut Emitter<'_>, head: VertexId) {
        let kind = e.head(head).kind.clone();
        // An adjoint takes back what statements overwrite, so what changes something is one.
        self.repeated = self.apart;
        if !takes_statements(&kind) {
            self.fixed = Some("in the control of this loop, which is evaluated in each round");
        }
        // What is selected has a derivative, with the same subscripts.
        let narrows = matches!(
            kind,
            VertexKind::Branch { form: BranchForm::SelectType | BranchForm::SelectRank, .. }
        );
        self.repeated |= narrows;
        match kind {
            VertexKind::Branch { condition, .. }
            | VertexKind::PreLoop { condition, .. }
            | VertexKind::PostLoop { condition } => {
                if let Some(condition) = condition {
                    let names = match narrows {
                        true => names_of_selector(e.doc, self.scope, condition),
                        false => Vec::new(),
                    };
                    self.value(e, condition, false);
                    follow_selector(e.doc, &names, condition);
                }
            }
            VertexKind::ForLoop { init, condition, update, form, .. } => {
                if let StmtKind::Assign { rhs, .. } = e.doc.stmts[init].kind {
                    self.value(e, rhs, false);
                }
                if self.apart {
                    self.own_bounds(e, head);
                }
                self.step_with_calls(e, head);
                self.value(e, condition, false);
                if form == ForForm::Counted {
                    self.fixed = Some("in the step of a loop");
                }
                if let StmtKind::Assign { rhs, .. } = e.doc.stmts[update].kind {
                    self.value(e, rhs, false);
                }
            }
            VertexKind::ConcurrentLoop { header, .. } => {
                for range in &header.ranges {
                    for bound in [Some(range.lower), Some(range.upper), range.step] {
                        bound.into_iter().for_each(|bound| self.value(e, bound, false));
                    }
                }
                self.fixed = Some("in the mask of a DO CONCURRENT");
                header.mask.into_iter().for_each(|mask| self.value(e, mask, false));
            }
            VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::BasicBlock { .. }
            | VertexKind::EndBranch
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => {}
        }
        self.fixed = None;
    }

    /// The bound and the step of `do i = 1, i, 1 + i` read the value before the loop. The flow graph
    /// has them behind the first value, so they get variables.
    fn own_bounds(&mut self, e: &mut Emitter<'_>, head: VertexId) {
        let Some(parts) = parts_of_do(e.doc, e.head(head)) else { return };
        let reads = |doc: &Document, expr: ExprId| {
            nodes_of(doc, [expr]).into_iter().any(|node| {
                let reference = doc.exprs[node].reference();
                reference.is_some_and(|reference| doc.refs[reference].base == parts.variable)
            })
        };
        if reads(e.doc, parts.bound) {
            self.hoist(e, parts.bound, "last");
        }
        if reads(e.doc, parts.step) {
            self.step(e, parts);
        }
    }

    /// A step from which something is hoisted is computed once, as the loop begins: it stands in the
    /// condition and in what gives the next value.
    fn step_with_calls(&mut self, e: &mut Emitter<'_>, head: VertexId) {
        let Some(parts) = parts_of_do(e.doc, e.head(head)) else { return };
        if self.fixed.is_none() && self.hoists(e.doc, parts.step, false) {
            self.value(e, parts.bound, false);
            self.value(e, parts.step, false);
            self.step(e, parts);
        }
    }

    /// A variable for the step of a loop.
    fn step(&mut self, e: &mut Emitter<'_>, parts: Counted) {
        self.hoist(e, parts.step, "step");
        let step = e.doc.exprs[parts.step].reference();
        if let (Some(step), Some(again)) = (step, parts.step_again) {
            let step = e.doc.refs[step].base;
            self.replace(e.doc, again, step);
        }
    }

    fn refuse(&mut self, doc: &Document, code: Code, place: Place, message: String, help: &str) {
        let problem = Diagnostic::error(code, doc.spot(place), message).with_help(help);
        self.problems.push(problem);
    }
}

/// Whether a procedure has ENTRY statements.
pub fn has_entries(doc: &Document, proc: ProcId) -> bool {
    match &doc.procs[proc].body {
        Body::Flow(cfg) => {
            cfg.vertices.values().any(|vertex| matches!(vertex.kind, VertexKind::Entry(Some(_))))
        }
        Body::Interface | Body::Replacements { .. } => false,
    }
}

/// Chains of statements no longer hold where statements have been added, and nothing else names statements
/// by their numbers.
pub fn drop_chains(doc: &mut Document) {
    doc.du_ud.sets.clear();
    doc.overwrites.sets.clear();
    let refs: Vec<_> = doc.refs.keys().collect();
    for reference in refs {
        doc.refs[reference].du_ud = None;
    }
    let stmts: Vec<_> = doc.stmts.keys().collect();
    for stmt in stmts {
        let stmt = &mut doc.stmts[stmt];
        stmt.do_chain = None;
        let is_number = |id: &str| id.bytes().all(|byte| byte.is_ascii_digit());
        stmt.id = stmt.id.take().filter(|id| !is_number(id));
    }
}
