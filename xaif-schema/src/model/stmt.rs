//! Statements: what stands in a basic block.
//!
//! XAIF 1.0 has assignments, subroutine calls, markers and, after linearisation, derivative
//! propagators and inlinable calls. Everything that moves no numbers is a marker there; in our
//! dialect the marker says what it is and what it reads and writes.

use super::{Arg, Callee, ExprId, ForallHeader, Place, RefId, ScopeId, TypeSpec};

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands in the source.
    pub place: Place,
    /// XAIF's `statement_id`: what DU/UD and DO chains refer to. Unique within a procedure; the
    /// writer numbers statements whose id is `None`.
    pub id: Option<Box<str>>,
    /// Key into the DO sets (definition-overwrite chains), where an analysis has told.
    pub do_chain: Option<i64>,
    /// The numeric label that the source puts before it and that no jump needs (FORMAT, the label
    /// of an assignment nobody jumps to). Labels that are jumped to are `Label` vertices.
    pub label: Option<u32>,
    /// What an adjoint pushes before it executes the statement, in this order, and pops in reverse
    /// before it executes the statement's adjoint: values that the statement may overwrite and that
    /// adjoint statements need. Each is a place of its own, evaluated before the statement. A WHERE
    /// or FORALL tells what all of it records, each assignment in it what it records itself. The
    /// next value of a loop tells what is recorded at the end of each iteration. `None` where no
    /// to-be-recorded analysis has told, which means all that the statement may overwrite.
    pub recorded: Option<Vec<RefId>>,
    /// Objects of which an adjoint records the property alone: allocation, bounds, association, dynamic type or
    /// length. The statement may change it, and the backward sweep asks for it. Told together with `recorded`;
    /// what is recorded there has its property with it.
    pub properties: Vec<RefId>,
    /// Whether what `recorded` tells, here and elsewhere, holds only if this call is differentiated
    /// jointly: then nobody needs behind it what the callee's adjoint reads.
    pub joint: bool,
    /// Whether the assignment recomputes a value: its left-hand side already holds the value of its right-hand side, so it
    /// changes nothing where the program executes it. Only a backward sweep executes it, in the place of a record of the
    /// left-hand side.
    pub recompute: bool,
    /// Whether the forward sweep of an adjoint needs the statement. One that it does not need is left out of the forward
    /// sweep and records nothing, as no adjoint reads its results; the backward sweep has its adjoint nevertheless. True
    /// where no liveness analysis has told.
    pub adjoint_live: bool,
    /// How the adjoint keeps the states of the loop whose whole body this call is; `None` for any other statement.
    pub checkpoints: Option<Checkpoints>,
    /// Its part in a local Jacobian; `None` for all that preaccumulation has not touched.
    pub local_jacobian: Option<LocalJacobian>,
}

/// How the adjoint of a loop keeps states of the loop: it executes iterations again from some of them (paper 5, section
/// 4.2.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoints {
    /// Which states it keeps.
    pub scheme: CheckpointScheme,
    /// How many: the number of snapshots, or the number of iterations between two of them.
    pub number: CheckpointNumber,
}

/// Which states of a loop are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CheckpointScheme {
    /// A given number of snapshots, placed for the fewest executions of iterations (Griewank and Walther 2000).
    Binomial,
    /// One snapshot in a given number of iterations; between two of them all states while they are reversed.
    Periodic,
    /// Binomial, with the snapshots in files.
    Disk,
}

/// Where the generated program takes a number from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointNumber {
    /// The number itself.
    Number(u32),
    /// A variable of the program, as the loop begins.
    Variable(super::SymbolId),
    /// An environment variable of this name.
    Environment(Box<str>),
}

impl CheckpointNumber {
    /// Whether a text may be the name of an environment variable: letters, digits and underscores, no digit first.
    pub fn may_be_environment(name: &str) -> bool {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        !name.is_empty()
            && name.chars().all(is_of_name)
            && !name.starts_with(|c: char| c.is_ascii_digit())
    }
}

/// The part of a statement in a local Jacobian (paper 2, section 3). Preaccumulation makes of a run of
/// assignments in a basic block: the same assignments, which now compute values alone; assignments
/// of partial derivatives and of what is accumulated from them; behind them, in the same block, one
/// propagator, which computes the derivatives of all that the run assigned. Without such a mark a
/// propagator is a genuine one, which stands behind assignments that are still active.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LocalJacobian {
    /// An assignment of the run: the derivative of its left-hand side is the propagator's.
    Value,
    /// An assignment to a passive variable that leads to coefficients of the propagator. An adjoint
    /// executes it in the forward sweep, and records what it computes where that is overwritten too
    /// early (paper 2, equation 5: an entry is pushed).
    Entry,
    /// The same, but an adjoint executes it once more in the backward sweep, before what mirrors the
    /// propagator. Nothing but such assignments stands between it and the propagator, and what one of
    /// them reads of what is assigned before them no other overwrites.
    Again,
    /// The propagator: its steps are `Sax`, their coefficients passive.
    Propagator,
    /// ALLOCATE before and DEALLOCATE behind all that, for variables whose extents are known there.
    Memory,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `lhs = rhs`
    Assign {
        /// The variable that is overwritten.
        lhs: RefId,
        /// The value.
        rhs: ExprId,
        /// The procedure of a user-defined assignment, which is then what is executed.
        defined: Option<Box<Callee>>,
    },
    /// `lhs => rhs`, bounds as the last part of `lhs`.
    PointerAssign {
        /// The pointer.
        lhs: RefId,
        /// The target, or `null()`.
        rhs: ExprId,
    },
    /// `call callee(args)`
    Call(Box<SubroutineCall>),
    /// xaifBooster's call of a subroutine that the back-end expands from a template.
    InlinableCall(Box<InlinableCall>),
    /// xaifBooster's linearised form of the assignments before it.
    Propagate(Vec<Propagator>),
    /// WHERE statement or construct: masked array assignments.
    Where(Box<Where>),
    /// FORALL statement or construct.
    Forall(Box<Forall>),
    /// ALLOCATE.
    Allocate(Box<Allocate>),
    /// DEALLOCATE or NULLIFY.
    Release(Box<Release>),
    /// The beginning of a BLOCK or ASSOCIATE construct.
    OpenScope(Box<OpenScope>),
    /// The end of a BLOCK or ASSOCIATE construct.
    CloseScope(ScopeId),
    /// Anything else: I/O, STOP, FORMAT, CONTINUE, what was not understood; genuine markers.
    Marker(Box<Marker>),
    /// A comment or directive, or (with empty text) a blank line.
    Comment(Comment),
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The text after the `!`, as written; empty for a blank line.
    pub text: Box<str>,
    /// Whether it stands on the line of what precedes it.
    pub trailing: bool,
    /// What kind of line it is.
    pub kind: CommentKind,
    /// Where it stands.
    pub place: Place,
}

/// The kinds of comment lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommentKind {
    /// For people.
    Text,
    /// No text at all.
    Blank,
    /// For a tool: `$omp …`, `$openad …`, `$ad …`, `$oxad …`; the text begins with the `$`.
    Directive,
}

/// A subroutine call.
#[derive(Clone, Debug, PartialEq)]
pub struct SubroutineCall {
    /// What is called.
    pub callee: Callee,
    /// The actual arguments.
    pub args: Vec<Arg>,
    /// XAIF's `formalArgCount`: how many dummy arguments the callee has, where known.
    pub formal_count: Option<u32>,
    /// Whether activity passes through this call; `None` where no analysis has told.
    pub active: Option<bool>,
}

/// `InlinableSubroutineCall` of XAIF's output schema.
#[derive(Clone, Debug, PartialEq)]
pub struct InlinableCall {
    /// The template's name (`push`, `pop`, `Saxpy`).
    pub name: Box<str>,
    /// The arguments.
    pub args: Vec<Arg>,
}

/// One step of a `DerivativePropagator`. `deriv(v)` is the derivative of `v`.
#[derive(Clone, Debug, PartialEq)]
pub enum Propagator {
    /// deriv(target) = deriv(source)
    Set {
        /// Overwritten.
        target: RefId,
        /// Read.
        source: RefId,
    },
    /// deriv(target) = -deriv(source)
    SetNegative {
        /// Overwritten.
        target: RefId,
        /// Read.
        source: RefId,
    },
    /// deriv(target) += deriv(source)
    Increment {
        /// Incremented.
        target: RefId,
        /// Read.
        source: RefId,
    },
    /// deriv(target) -= deriv(source)
    Decrement {
        /// Decremented.
        target: RefId,
        /// Read.
        source: RefId,
    },
    /// deriv(y) = sum of a * deriv(x)
    Sax {
        /// Pairs of partial and source.
        terms: Vec<(ExprId, RefId)>,
        /// Overwritten.
        y: RefId,
    },
    /// deriv(y) += sum of a * deriv(x)
    Saxpy {
        /// Pairs of partial and source.
        terms: Vec<(ExprId, RefId)>,
        /// Incremented.
        y: RefId,
    },
    /// deriv(target) = 0
    Zero {
        /// Overwritten.
        target: RefId,
    },
}

/// WHERE. The masks are evaluated as the construct is entered (for `elsewhere(mask)`, as that arm
/// is reached); an assignment overwrites only the elements for which its arm's mask holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Where {
    /// The arms; only the last may lack a mask, and an absent mask is ELSEWHERE.
    pub arms: Vec<WhereArm>,
    /// The construct's name.
    pub name: Option<Box<str>>,
    /// Whether it is the one-line WHERE statement.
    pub inline: bool,
}

/// One arm of a WHERE.
#[derive(Clone, Debug, PartialEq)]
pub struct WhereArm {
    /// The mask.
    pub mask: Option<ExprId>,
    /// Assignments, nested WHERE, comments.
    pub body: Vec<super::StmtId>,
}

/// FORALL. For each statement of the body all right-hand sides are evaluated before anything is
/// assigned.
#[derive(Clone, Debug, PartialEq)]
pub struct Forall {
    /// Indices and mask.
    pub header: ForallHeader,
    /// Assignments, pointer assignments, nested WHERE and FORALL, comments.
    pub body: Vec<super::StmtId>,
    /// The construct's name.
    pub name: Option<Box<str>>,
    /// Whether it is the one-line FORALL statement.
    pub inline: bool,
}

/// ALLOCATE.
#[derive(Clone, Debug, PartialEq)]
pub struct Allocate {
    /// The type written before `::`.
    pub spec: Option<TypeSpec>,
    /// The objects; the last part of each holds the bounds, as sections `lower:upper` or indices.
    pub objects: Vec<RefId>,
    /// `stat=`, written.
    pub stat: Option<RefId>,
    /// `errmsg=`, written.
    pub errmsg: Option<RefId>,
    /// `source=`, read.
    pub source: Option<ExprId>,
    /// `mold=`, its shape is read.
    pub mold: Option<ExprId>,
}

/// DEALLOCATE or NULLIFY.
#[derive(Clone, Debug, PartialEq)]
pub struct Release {
    /// Whether it is NULLIFY.
    pub nullify: bool,
    /// The objects.
    pub objects: Vec<RefId>,
    /// `stat=`, written.
    pub stat: Option<RefId>,
    /// `errmsg=`, written.
    pub errmsg: Option<RefId>,
}

/// The beginning of a construct that has a scope of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenScope {
    /// The scope; its symbols are the construct's declarations or associate names. The selector of
    /// an associate name is its symbol's `Role::Associate`.
    pub scope: ScopeId,
    /// The construct's name.
    pub name: Option<Box<str>>,
}

/// What a marker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    /// A genuine marker: only its annotation is known.
    Genuine,
    /// READ, WRITE, PRINT, OPEN, CLOSE, INQUIRE, BACKSPACE, REWIND, ENDFILE, FLUSH, WAIT.
    Io,
    /// FORMAT.
    Format,
    /// STOP, ERROR STOP: control goes to the exit.
    Stop,
    /// PAUSE.
    Pause,
    /// CONTINUE.
    Continue,
    /// ASSIGN label TO variable: the operand is written.
    AssignLabel,
    /// `return expr`: the operand selects the alternate return.
    Return,
    /// Not understood; effects are pessimistic.
    Opaque,
}

/// A statement that moves no numbers, or that was not understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// What it is.
    pub verb: Verb,
    /// Its text in the source language with holes for the operands and labels.
    pub text: Vec<Piece>,
    /// What it reads and writes.
    pub operands: Vec<MarkerOperand>,
    /// Whether it may read and write, besides the operands, everything that is visible here.
    pub pessimistic: bool,
    /// The annotation of a genuine marker (kept word for word).
    pub annotation: Option<Box<str>>,
}

/// A piece of a marker's text.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Literal text.
    Text(Box<str>),
    /// The operand with this index.
    Operand(usize),
    /// The label of the block that the edge with this condition value leads to (`err=`, `end=`).
    Label(i64),
    /// The label of the statement with this number in the same procedure (`fmt=100`).
    StatementLabel(u32),
}

/// One operand of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkerOperand {
    /// A reference, an expression or an implied DO.
    pub expr: ExprId,
    /// What happens to it.
    pub access: Access,
}

/// What a marker does to an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Its value is read.
    Read,
    /// It is overwritten, perhaps.
    Write,
    /// Both.
    ReadWrite,
    /// Neither: only bounds, type or status is asked for.
    Inquire,
}
