//! The constructs of a flow graph, and what a backward sweep provides by itself.
//!
//! A DO loop over integers that is entered at its head is reversed as a loop that counts, even if it
//! is also left elsewhere (U. Naumann, J. Utke, A. Lyons, M. Fagan, Control flow reversal for adjoint
//! code generation; `booster_reversal`): it gives its variable the value of each iteration.
//! So nothing in its body needs the variable to be recorded.

use std::collections::HashMap;
use std::ops::Range;

use xaif_schema::model::{
    Base, Cfg, Document, ForForm, Jump, SecondaryMap, StmtId, StmtKind, SymbolId, VertexId,
    VertexKind,
};

use booster_facts::StepAt;

/// A construct, from the vertex that opens it to the one that closes it.
#[derive(Clone, Debug)]
pub(crate) struct Construct {
    /// The vertex that opens it.
    pub(crate) open: VertexId,
    /// The vertex that closes it.
    pub(crate) close: VertexId,
    /// The positions of the two in the layout.
    span: (usize, usize),
    /// Whether control enters it elsewhere than at its beginning.
    pub(crate) entered: bool,
    /// Whether control leaves it elsewhere than at its end; STOP is no way out.
    pub(crate) left: bool,
    /// What it is.
    pub(crate) kind: ConstructKind,
}

/// The kinds of constructs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConstructKind {
    /// A branch.
    Branch,
    /// A DO loop that counts with this integer variable.
    Counted {
        /// The variable.
        variable: SymbolId,
        /// Its first value.
        init: StmtId,
        /// Its next value.
        update: StmtId,
    },
    /// Another loop.
    Loop,
}

/// The constructs of a procedure.
#[derive(Clone, Debug)]
pub(crate) struct Constructs {
    /// In the order in which they end.
    pub(crate) all: Vec<Construct>,
    positions: SecondaryMap<VertexId, usize>,
    /// The innermost construct around each position, behind the vertex that opens it.
    around: Vec<Option<usize>>,
    /// The construct around each construct.
    outer: Vec<Option<usize>>,
    /// The construct that each position opens.
    opened: HashMap<usize, usize>,
    /// The loops by the statements that assign first and next values.
    counted: HashMap<StmtId, usize>,
}

impl Constructs {
    /// Finds them. What does not nest is no construct.
    pub(crate) fn new(doc: &Document, cfg: &Cfg) -> Self {
        let mut positions = SecondaryMap::with_default(usize::MAX);
        for (position, &vertex) in cfg.layout.iter().enumerate() {
            positions[vertex] = position;
        }
        let mut open: Vec<VertexId> = Vec::new();
        let mut all = Vec::new();
        for &vertex in &cfg.layout {
            match &cfg.vertices[vertex].kind {
                VertexKind::Branch { .. } if !has_end(cfg, vertex) => {}
                VertexKind::Branch { .. }
                | VertexKind::ForLoop { .. }
                | VertexKind::PreLoop { .. }
                | VertexKind::PostLoop { .. }
                | VertexKind::ConcurrentLoop { .. } => open.push(vertex),
                VertexKind::EndBranch | VertexKind::EndLoop => {
                    let Some(first) = open.pop() else { continue };
                    let span = (positions[first], positions[vertex]);
                    let kind = kind_of(doc, cfg, first);
                    let is_branch = kind == ConstructKind::Branch;
                    if is_branch == matches!(cfg.vertices[vertex].kind, VertexKind::EndBranch) {
                        all.push(Construct {
                            open: first,
                            close: vertex,
                            span,
                            entered: false,
                            left: false,
                            kind,
                        });
                    }
                }
                VertexKind::Entry(_)
                | VertexKind::Exit
                | VertexKind::BasicBlock { .. }
                | VertexKind::Goto(_)
                | VertexKind::Label { .. } => {}
            }
        }
        let mut constructs = Constructs {
            all,
            positions,
            around: vec![None; cfg.layout.len()],
            outer: Vec::new(),
            opened: HashMap::new(),
            counted: HashMap::new(),
        };
        constructs.nest();
        constructs.find_jumps(cfg);
        constructs
    }

    /// Finds what stands around what; the spans of constructs nest.
    fn nest(&mut self) {
        self.outer = vec![None; self.all.len()];
        for (number, construct) in self.all.iter().enumerate() {
            self.opened.insert(construct.span.0, number);
            if let ConstructKind::Counted { init, update, .. } = construct.kind {
                for stmt in [init, update] {
                    self.counted.entry(stmt).or_insert(number);
                }
            }
        }
        let mut open: Vec<usize> = Vec::new();
        for position in 0..self.around.len() {
            self.around[position] = open.last().copied();
            if let Some(&number) = self.opened.get(&position) {
                self.outer[number] = open.last().copied();
                open.push(number);
            }
            open.pop_if(|number| self.all[*number].span.1 == position);
        }
    }

    /// The constructs around a position, the innermost first; with `itself`, also that which it opens.
    fn outwards(&self, position: usize, itself: bool) -> impl Iterator<Item = usize> {
        let opened = self.opened.get(&position).copied().filter(|_| itself);
        let first = opened.or_else(|| self.around.get(position).copied().flatten());
        std::iter::successors(first, |&number| self.outer[number])
    }

    /// Notes which constructs are entered or left elsewhere than they should be.
    fn find_jumps(&mut self, cfg: &Cfg) {
        for edge in cfg.edges.values() {
            if matches!(cfg.vertices[edge.source].kind, VertexKind::Goto(Jump::Stop)) {
                continue;
            }
            let (from, to) = (self.positions[edge.source], self.positions[edge.target]);
            // Those around one of the two vertices alone.
            let with_one = |one: usize, other: usize| -> Vec<usize> {
                let without = |&number: &usize| {
                    let (first, last) = self.all[number].span;
                    !(first..=last).contains(&other)
                };
                self.outwards(one, true).take_while(without).collect()
            };
            let (entered, left) = (with_one(to, from), with_one(from, to));
            for number in entered {
                let construct = &mut self.all[number];
                construct.entered |= edge.target != construct.open;
            }
            for number in left {
                let construct = &mut self.all[number];
                let end = match construct.kind {
                    ConstructKind::Branch => construct.close,
                    ConstructKind::Counted { .. } | ConstructKind::Loop => construct.open,
                };
                // A loop with its condition at its end is left there.
                let either =
                    construct.kind == ConstructKind::Loop && edge.source == construct.close;
                construct.left |= edge.source != end && !either;
            }
        }
    }

    /// The steps within a construct, its first and last vertex included; `steps` are in the order of the text.
    pub(crate) fn steps_in(&self, construct: &Construct, steps: &[StepAt<'_>]) -> Range<usize> {
        let first = steps.partition_point(|at| self.positions[at.vertex] < construct.span.0);
        first..steps.partition_point(|at| self.positions[at.vertex] <= construct.span.1)
    }

    /// The steps at a vertex, or on the way to it.
    pub(crate) fn steps_at(&self, vertex: VertexId, steps: &[StepAt<'_>]) -> Range<usize> {
        let position = self.positions[vertex];
        let first = steps.partition_point(|at| self.positions[at.vertex] < position);
        first..steps.partition_point(|at| self.positions[at.vertex] <= position)
    }

    /// The loop whose first or next value `stmt` assigns.
    pub(crate) fn counted_by(&self, stmt: StmtId) -> Option<&Construct> {
        self.counted.get(&stmt).map(|&number| &self.all[number])
    }

    /// The variables of the loops around `vertex` whose values a backward sweep provides there.
    pub(crate) fn provided(&self, vertex: VertexId) -> Vec<SymbolId> {
        let around = self.outwards(self.positions[vertex], false);
        around
            .map(|number| &self.all[number])
            .filter(|construct| !construct.entered)
            .filter_map(|construct| match construct.kind {
                ConstructKind::Counted { variable, .. } => Some(variable),
                ConstructKind::Branch | ConstructKind::Loop => None,
            })
            .collect()
    }
}

/// Whether the arms of a branch meet: not those of a form that only jumps.
fn has_end(cfg: &Cfg, vertex: VertexId) -> bool {
    match &cfg.vertices[vertex].kind {
        VertexKind::Branch { form, .. } => form.has_end(),
        VertexKind::Entry(_)
        | VertexKind::Exit
        | VertexKind::BasicBlock { .. }
        | VertexKind::EndBranch
        | VertexKind::ForLoop { .. }
        | VertexKind::PreLoop { .. }
        | VertexKind::PostLoop { .. }
        | VertexKind::ConcurrentLoop { .. }
        | VertexKind::EndLoop
        | VertexKind::Goto(_)
        | VertexKind::Label { .. } => false,
    }
}

fn kind_of(doc: &Document, cfg: &Cfg, open: VertexId) -> ConstructKind {
    match &cfg.vertices[open].kind {
        VertexKind::ForLoop { init, update, form: ForForm::Counted, .. } => {
            match variable_of(doc, *init) {
                Some(variable) => ConstructKind::Counted { variable, init: *init, update: *update },
                None => ConstructKind::Loop,
            }
        }
        VertexKind::Branch { .. } => ConstructKind::Branch,
        VertexKind::ForLoop { .. }
        | VertexKind::PreLoop { .. }
        | VertexKind::PostLoop { .. }
        | VertexKind::ConcurrentLoop { .. }
        | VertexKind::Entry(_)
        | VertexKind::Exit
        | VertexKind::BasicBlock { .. }
        | VertexKind::EndBranch
        | VertexKind::EndLoop
        | VertexKind::Goto(_)
        | VertexKind::Label { .. } => ConstructKind::Loop,
    }
}

/// The variable to which a loop assigns, if it is a plain integer.
fn variable_of(doc: &Document, init: StmtId) -> Option<SymbolId> {
    let lhs = match &doc.stmts.get(init)?.kind {
        StmtKind::Assign { lhs, defined: None, .. } => *lhs,
        StmtKind::Assign { .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::Call(_)
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => return None,
    };
    let reference = &doc.refs[lhs];
    let is_integer = matches!(reference.ty.base, Base::Integer(_));
    (is_integer && reference.parts.is_empty()).then_some(reference.base)
}
