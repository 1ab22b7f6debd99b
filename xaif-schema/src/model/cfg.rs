//! Control flow graphs and procedures.
//!
//! The vertices stand in the order of the source text ([`Cfg::layout`]); structure is told by the
//! vertices that open and close a construct (`Branch`/`EndBranch`, `ForLoop`/`EndLoop`, …), flow by
//! the edges. Rules that our front-ends keep (XAIF 1.0 documents keep only the edges):
//!
//! - the first vertex of each arm of a branch and of each loop body is a basic block (perhaps
//!   empty) to which the edge with the arm's condition leads; arms follow each other in the layout;
//! - a loop vertex has an edge with condition value 1 into its body and one without a condition to
//!   the vertex after its `EndLoop`; `EndLoop` has an edge back to it;
//! - a jump (`GOTO`, `EXIT`, `CYCLE`, `RETURN`, `STOP`) is a `Goto` vertex with one edge; a label
//!   that is jumped to is a `Label` vertex;
//! - a statement that may jump (I/O with `err=`, a call with alternate returns) is the last of its
//!   block, whose edges carry the condition values; the edge without condition goes on;
//! - vertices that cannot be reached stay, with their outgoing edges.

use cranelift_entity::PrimaryMap;

use super::{
    EdgeId, ExprId, ForallHeader, Place, RefId, ScopeId, StmtId, SymbolId, TypeSpec, VertexId,
};

/// A procedure: a subroutine, function or main program; an interface body; a replacement list.
#[derive(Clone, Debug, PartialEq)]
pub struct Procedure {
    /// Its name.
    pub symbol: SymbolId,
    /// Its scope (`controlflowgraph_scope_id`).
    pub scope: ScopeId,
    /// Its dummy arguments in order. ENTRY points have their own lists.
    pub args: Vec<DummyArg>,
    /// The variable that holds a function's result.
    pub result: Option<SymbolId>,
    /// What kind of program unit it is.
    pub kind: ProcKind,
    /// Its body.
    pub body: Body,
    /// Where it begins.
    pub place: Place,
    /// Whether activity analysis has found it active; `None` where it has not run.
    pub active: Option<bool>,
    /// Whether the body writes out what the language does to INTENT(OUT) arguments and structures as the procedure is
    /// entered. An adjoint begins with that.
    pub entry_written: bool,
    /// Side effects, as far as an analysis has told.
    pub effects: Effects,
    /// Variables that an INDEPENDENT directive names.
    pub independent: Vec<RefId>,
    /// Variables that a DEPENDENT directive names.
    pub dependent: Vec<RefId>,
}

/// Kinds of procedures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ProcKind {
    /// A main program.
    Program,
    /// A subroutine; also where a XAIF 1.0 document does not say.
    #[default]
    Subroutine,
    /// A function.
    Function,
    /// `module procedure p` in a submodule: arguments as in the module's interface.
    ModuleProcedure,
}

/// One dummy argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DummyArg {
    /// XAIF's position.
    pub position: u32,
    /// The symbol; `None` is an alternate return, `*`.
    pub symbol: Option<SymbolId>,
    /// The intent as the 1.0 vocabulary has it.
    pub intent: Option<Intent>,
    /// Whether it stands for the derivative.
    pub deriv: bool,
}

/// INTENT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intent {
    /// Not overwritten.
    In,
    /// Undefined on entry.
    Out,
    /// Both.
    InOut,
}

/// What a procedure consists of.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A control flow graph.
    Flow(Cfg),
    /// Only its interface is given.
    Interface,
    /// xaifBooster's `ReplacementList`: fragments for a template.
    Replacements {
        /// The template.
        template: String,
        /// The fragments.
        list: Vec<Replacement>,
    },
}

/// One fragment of a replacement list.
#[derive(Clone, Debug, PartialEq)]
pub struct Replacement {
    /// Which placeholder of the template it replaces.
    pub placeholder: String,
    /// The fragment.
    pub cfg: Cfg,
}

/// XAIF's side-effect lists. `None` means that nobody has computed the list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// Modified here.
    pub mod_local: Option<Vec<RefId>>,
    /// Modified here or in callees.
    pub modified: Option<Vec<RefId>>,
    /// Read here.
    pub read_local: Option<Vec<RefId>>,
    /// Read here or in callees.
    pub read: Option<Vec<RefId>>,
    /// Must be set on entry (used in declarations).
    pub on_entry: Option<Vec<RefId>>,
}

/// A control flow graph.
///
/// ```
/// use xaif_schema::model::{Cfg, Place, Vertex, VertexKind};
///
/// let vertex = |kind| Vertex { kind, place: Place::default(), id: None, recorded: None };
/// let mut cfg = Cfg::default();
/// let entry = cfg.push(vertex(VertexKind::Entry(None)));
/// let exit = cfg.push(vertex(VertexKind::Exit));
/// cfg.connect(entry, exit);
/// assert_eq!(cfg.layout, [entry, exit]);
/// assert!(cfg.successors(entry).all(|edge| edge.target == exit));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cfg {
    /// The vertices.
    pub vertices: PrimaryMap<VertexId, Vertex>,
    /// The edges, in the order of the document.
    pub edges: PrimaryMap<EdgeId, Edge>,
    /// The vertices in the order of the text.
    pub layout: Vec<VertexId>,
    /// Whether every construct is entered at its beginning and left at its end, as far as the
    /// maker of the document has told.
    pub structured: Option<bool>,
}

impl Cfg {
    /// Adds a vertex at the end of the layout.
    pub fn push(&mut self, vertex: Vertex) -> VertexId {
        let id = self.vertices.push(vertex);
        self.layout.push(id);
        id
    }

    /// Adds an edge without condition.
    pub fn connect(&mut self, source: VertexId, target: VertexId) -> EdgeId {
        self.edges.push(Edge { source, target, condition: None, guard: None })
    }

    /// Adds an edge that is taken when the condition of `source` has the value `condition`.
    pub fn connect_if(&mut self, source: VertexId, target: VertexId, condition: i64) -> EdgeId {
        self.edges.push(Edge { source, target, condition: Some(condition), guard: None })
    }

    /// The edges that leave `vertex`, in the order of the document. Linear in the number of edges:
    /// an analysis that asks often builds its own adjacency first.
    pub fn successors(&self, vertex: VertexId) -> impl Iterator<Item = &Edge> {
        self.edges.values().filter(move |edge| edge.source == vertex)
    }
}

/// An edge of a control flow graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Where it starts.
    pub source: VertexId,
    /// Where it leads.
    pub target: VertexId,
    /// The value of the source's condition for which it is taken (for IF, 1 is true); `None` is
    /// the way that is taken otherwise. Two edges may join the same two vertices (`case (1, 2)`).
    pub condition: Option<i64>,
    /// For SELECT: which case it is, as the language writes it. The first edge into an arm has it.
    pub guard: Option<Box<Guard>>,
}

/// Which case an arm of a SELECT is.
#[derive(Clone, Debug, PartialEq)]
pub enum Guard {
    /// `case (a, b:c)`, C's `case a:`. The edge's condition value numbers the arms from 1.
    Case(Vec<CaseRange>),
    /// `case default`, `class default`, `rank default`.
    Default,
    /// `type is (t)`; the arm's scope holds the narrowed associate name.
    TypeIs(TypeSpec),
    /// `class is (t)`.
    ClassIs(TypeSpec),
    /// `rank (n)`.
    Rank(ExprId),
    /// `rank (*)`.
    RankStar,
}

/// One range of a CASE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseRange {
    /// One value.
    Value(ExprId),
    /// `lower:upper`, either of which may be absent.
    Range(Option<ExprId>, Option<ExprId>),
}

/// A vertex of a control flow graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Vertex {
    /// What it is.
    pub kind: VertexKind,
    /// Where it stands in the source.
    pub place: Place,
    /// XAIF's `vertex_id`; the writer numbers those that are `None`.
    pub id: Option<Box<str>>,
    /// For a `Branch`: whether an adjoint records which way was taken. `Some(false)` tells that the
    /// condition evaluated again behind the construct has the same value; `None` that no
    /// to-be-recorded analysis has told.
    pub recorded: Option<bool>,
}

/// The kinds of vertices.
#[derive(Clone, Debug, PartialEq)]
pub enum VertexKind {
    /// The entry, or (with an entry point) a further ENTRY.
    Entry(Option<Box<EntryPoint>>),
    /// The exit.
    Exit,
    /// Statements that are executed one after the other.
    BasicBlock {
        /// The innermost scope of its statements.
        scope: ScopeId,
        /// The statements.
        stmts: Vec<StmtId>,
    },
    /// IF, SELECT, computed GOTO and the like.
    Branch {
        /// The condition or selector.
        condition: Option<ExprId>,
        /// Which construct of the language it is.
        form: BranchForm,
        /// The construct's name.
        name: Option<Box<str>>,
    },
    /// Where the arms of the matching `Branch` meet. Forms that only jump have none.
    EndBranch,
    /// A loop that counts.
    ForLoop {
        /// Assigns the first value.
        init: StmtId,
        /// Holds while the loop goes on.
        condition: ExprId,
        /// Assigns the next value.
        update: StmtId,
        /// How the loop is to be reversed. Where a to-be-recorded analysis has told, a loop with a
        /// value is reversed as a loop that counts, which gives its variable the value of each
        /// round: explicitly where its bounds can be evaluated again behind it, else from values
        /// that are recorded behind it.
        reversal: Option<Reversal>,
        /// Which loop of the language it is.
        form: ForForm,
        /// The construct's name.
        name: Option<Box<str>>,
    },
    /// A loop whose condition is evaluated before each iteration: DO WHILE, DO without control.
    PreLoop {
        /// Holds while the loop goes on.
        condition: Option<ExprId>,
        /// The construct's name.
        name: Option<Box<str>>,
        /// Whether it is a DO without control, which has no condition.
        forever: bool,
    },
    /// A loop whose condition is evaluated after each iteration: C's `do … while`.
    PostLoop {
        /// Holds while the loop goes on.
        condition: Option<ExprId>,
    },
    /// DO CONCURRENT: the iterations may be executed in any order (our dialect).
    ConcurrentLoop {
        /// Indices and mask.
        header: Box<ForallHeader>,
        /// Locality as written: `local(a) shared(b)`.
        locality: Option<Box<str>>,
        /// The construct's name.
        name: Option<Box<str>>,
    },
    /// The end of a loop's body.
    EndLoop,
    /// A jump.
    Goto(Jump),
    /// A place that is jumped to.
    Label {
        /// The numeric label of the source.
        label: Option<u32>,
    },
}

impl VertexKind {
    /// The statements of a block; of another vertex none.
    pub fn stmts(&self) -> &[StmtId] {
        match self {
            VertexKind::BasicBlock { stmts, .. } => stmts,
            VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::Branch { .. }
            | VertexKind::EndBranch
            | VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. }
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => &[],
        }
    }
}

/// A further entry of a procedure.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryPoint {
    /// Its name.
    pub symbol: SymbolId,
    /// Its dummy arguments.
    pub args: Vec<DummyArg>,
    /// The variable that holds its result.
    pub result: Option<SymbolId>,
}

/// Which construct a branch is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BranchForm {
    /// As XAIF 1.0 has it: an IF where the condition is logical, a selection by integer otherwise.
    #[default]
    Plain,
    /// IF … THEN … ELSE … END IF.
    If,
    /// The one-line IF; its arm is one block, or one block and a jump.
    InlineIf,
    /// ELSE IF: a branch that alone is the else arm of the branch around it.
    ElseIf,
    /// SELECT CASE, C's switch.
    SelectCase,
    /// SELECT TYPE; the selector's associate name is the symbol of the arms' scopes.
    SelectType,
    /// SELECT RANK.
    SelectRank,
    /// `if (e) 10, 20, 30`: condition values -1, 0, 1. No `EndBranch`.
    ArithmeticIf,
    /// `goto (10, 20), i`: condition values 1, 2, …; else it goes on. No `EndBranch`.
    ComputedGoto,
    /// `goto i, (10, 20)`: condition values are the labels. No `EndBranch`.
    AssignedGoto,
    /// RETURN with alternate returns is a marker and a jump; this is C's `goto *p`.
    IndirectGoto,
}

impl BranchForm {
    /// Whether the arms meet at an `EndBranch`: not those of a form that only jumps.
    pub const fn has_end(self) -> bool {
        match self {
            Self::Plain
            | Self::If
            | Self::InlineIf
            | Self::ElseIf
            | Self::SelectCase
            | Self::SelectType
            | Self::SelectRank => true,
            Self::ArithmeticIf | Self::ComputedGoto | Self::AssignedGoto | Self::IndirectGoto => {
                false
            }
        }
    }
}

/// Which loop a `ForLoop` is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ForForm {
    /// Condition and update are evaluated in each iteration, as they stand: C's `for`, XAIF 1.0.
    #[default]
    General,
    /// Fortran's DO: bounds and step are evaluated once, before the loop, and the number of iterations
    /// is fixed then. The condition is `var <= upper` for a positive constant step (or none),
    /// `var >= upper` for a negative one, else `(var - upper) * step <= 0`.
    Counted,
}

/// XAIF's way of reversing a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reversal {
    /// By its own variable, backwards.
    Explicit,
    /// By counting iterations.
    Anonymous,
}

/// What a jump is in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Jump {
    /// `goto label`.
    #[default]
    Goto,
    /// `exit [name]`.
    Exit(Option<Box<str>>),
    /// `cycle [name]`.
    Cycle(Option<Box<str>>),
    /// `return`: to the exit.
    Return,
    /// After a STOP marker: to the exit.
    Stop,
    /// C's `break`.
    Break,
    /// C's `continue`.
    Continue,
}
