//! Executable statements and constructs.

use super::{
    Argument, ArrayItem, Designator, Expr, Head, Label, Name, Place, SpecItem, SpecKind, Trivia,
    TypeSpec,
};

/// An executable statement, or what stands between two of them.
#[derive(Clone, Debug)]
pub enum ExecItem {
    /// A statement or a whole construct.
    Stmt(Box<Stmt>),
    /// A comment, blank line or directive.
    Trivia(Trivia),
}

/// A list of executable statements.
pub type Block = Vec<ExecItem>;

/// An executable statement or construct.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Place, label and comments; of a construct, those of its first statement.
    pub head: Head,
    /// What it does.
    pub kind: StmtKind,
}

impl Stmt {
    /// The blocks of a construct in their order; of any other statement none.
    pub fn blocks(&self) -> Vec<&[ExecItem]> {
        match &self.kind {
            StmtKind::If(conditional) | StmtKind::Where(conditional) => {
                conditional.arms.iter().map(|arm| arm.body.as_slice()).collect()
            }
            StmtKind::Forall { body, .. }
            | StmtKind::Associate { body, .. }
            | StmtKind::Block { body, .. }
            | StmtKind::Critical { body, .. } => vec![body],
            StmtKind::Do(construct) => vec![&construct.body],
            StmtKind::SelectCase(select) => {
                select.arms.iter().map(|arm| arm.body.as_slice()).collect()
            }
            StmtKind::SelectType(select) => {
                select.arms.iter().map(|arm| arm.body.as_slice()).collect()
            }
            StmtKind::SelectRank(select) => {
                select.arms.iter().map(|arm| arm.body.as_slice()).collect()
            }
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::AssignLabel { .. }
            | StmtKind::Call { .. }
            | StmtKind::Goto(_)
            | StmtKind::ComputedGoto { .. }
            | StmtKind::AssignedGoto { .. }
            | StmtKind::ArithmeticIf { .. }
            | StmtKind::LogicalIf { .. }
            | StmtKind::Return(_)
            | StmtKind::Stop { .. }
            | StmtKind::Pause(_)
            | StmtKind::Cycle(_)
            | StmtKind::Exit(_)
            | StmtKind::Continue
            | StmtKind::Io(_)
            | StmtKind::Allocate { .. }
            | StmtKind::Deallocate { .. }
            | StmtKind::Nullify(_)
            | StmtKind::WhereStmt { .. }
            | StmtKind::ForallStmt { .. }
            | StmtKind::Spec(_)
            | StmtKind::Opaque(_) => Vec::new(),
        }
    }
}

/// The kinds of executable statements and constructs.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `v = e`. At the beginning of the executable part it may be a statement function.
    Assign {
        /// What is set.
        target: Designator,
        /// The value.
        value: Expr,
    },
    /// `p => t`
    PointerAssign {
        /// The pointer; bounds stand as sections in its last argument list.
        target: Designator,
        /// What it points to from now on.
        value: Expr,
    },
    /// `ASSIGN 10 TO i`
    AssignLabel {
        /// The label.
        label: Label,
        /// The variable.
        variable: Name,
    },
    /// `CALL s(…)`
    Call {
        /// The procedure, without the arguments of the call.
        procedure: Designator,
        /// The arguments; `None` where there are no parentheses.
        arguments: Option<Vec<Argument>>,
    },
    /// `GO TO 10`
    Goto(Label),
    /// `GO TO (10, 20), i`
    ComputedGoto {
        /// The labels.
        labels: Vec<Label>,
        /// Which of them, counted from 1.
        selector: Expr,
    },
    /// `GO TO i, (10, 20)`
    AssignedGoto {
        /// The variable.
        variable: Name,
        /// The labels it may hold; none said means any.
        labels: Vec<Label>,
    },
    /// `IF (e) 10, 20, 30`
    ArithmeticIf {
        /// The number whose sign decides.
        value: Expr,
        /// Where to go when it is negative, zero, positive.
        labels: [Label; 3],
    },
    /// `IF (e) statement`
    LogicalIf {
        /// The condition.
        condition: Expr,
        /// The statement; it has a place, but no label and no comments.
        action: Box<Stmt>,
    },
    /// `RETURN [e]`
    Return(Option<Expr>),
    /// `STOP [e]`, `ERROR STOP [e]`
    Stop {
        /// Whether ERROR is said.
        error: bool,
        /// The code.
        code: Option<Expr>,
        /// `QUIET=`
        quiet: Option<Expr>,
    },
    /// `PAUSE [e]`
    Pause(Option<Expr>),
    /// `CYCLE [name]`
    Cycle(Option<Name>),
    /// `EXIT [name]`
    Exit(Option<Name>),
    /// `CONTINUE`
    Continue,
    /// READ, WRITE, OPEN and the like.
    Io(Box<Io>),
    /// `ALLOCATE([type ::] …)`
    Allocate {
        /// The type before `::`.
        type_spec: Option<Box<TypeSpec>>,
        /// What is allocated; its shape is the last argument list.
        objects: Vec<Designator>,
        /// `STAT=`, `SOURCE=` and the like.
        options: Vec<(Name, Expr)>,
    },
    /// `DEALLOCATE(…)`
    Deallocate {
        /// What is deallocated.
        objects: Vec<Designator>,
        /// `STAT=` and the like.
        options: Vec<(Name, Expr)>,
    },
    /// `NULLIFY(…)`
    Nullify(Vec<Designator>),
    /// `IF … THEN … END IF`
    If(Conditional),
    /// `WHERE … END WHERE`
    Where(Conditional),
    /// `WHERE (mask) assignment`
    WhereStmt {
        /// The mask.
        mask: Expr,
        /// The assignment.
        action: Box<Stmt>,
    },
    /// `FORALL … END FORALL`
    Forall {
        /// The construct name.
        name: Option<Name>,
        /// What it runs over.
        header: Concurrent,
        /// Its body.
        body: Block,
        /// Its end.
        end: End,
    },
    /// `FORALL (…) assignment`
    ForallStmt {
        /// What it runs over.
        header: Concurrent,
        /// The assignment.
        action: Box<Stmt>,
    },
    /// A DO loop.
    Do(Do),
    /// `SELECT CASE`
    SelectCase(Select<Expr, CaseSelector>),
    /// `SELECT TYPE`
    SelectType(Select<Association, TypeGuard>),
    /// `SELECT RANK`
    SelectRank(Select<Association, RankGuard>),
    /// `ASSOCIATE (…) … END ASSOCIATE`
    Associate {
        /// The construct name.
        name: Option<Name>,
        /// The new names.
        associations: Vec<(Name, Expr)>,
        /// Its body.
        body: Block,
        /// Its end.
        end: End,
    },
    /// `BLOCK … END BLOCK`
    Block {
        /// The construct name.
        name: Option<Name>,
        /// Its declarations.
        spec: Vec<SpecItem>,
        /// Its body.
        body: Block,
        /// Its end.
        end: End,
    },
    /// `CRITICAL … END CRITICAL`
    Critical {
        /// The construct name.
        name: Option<Name>,
        /// Its body.
        body: Block,
        /// Its end.
        end: End,
    },
    /// A specification statement among executable ones: DATA, FORMAT, ENTRY, NAMELIST, or a
    /// declaration behind statement functions.
    Spec(Box<SpecKind>),
    /// A statement that is carried as it stands: its text.
    Opaque(Box<str>),
}

/// The END statement of a construct.
#[derive(Clone, Debug, Default)]
pub struct End {
    /// Place, label and comments.
    pub head: Head,
    /// The repeated construct name.
    pub name: Option<Name>,
}

/// IF or WHERE with its ELSE branches.
#[derive(Clone, Debug)]
pub struct Conditional {
    /// The construct name.
    pub name: Option<Name>,
    /// The branches in order; the first has the head of the whole construct.
    pub arms: Vec<Arm>,
    /// Its end.
    pub end: End,
}

/// A branch of IF or WHERE.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Of the IF, ELSE IF or ELSE statement; empty but for the place in the first arm.
    pub head: Head,
    /// The condition; none for ELSE.
    pub condition: Option<Expr>,
    /// The repeated construct name.
    pub name: Option<Name>,
    /// What is executed.
    pub body: Block,
}

/// What FORALL and DO CONCURRENT run over.
#[derive(Clone, Debug)]
pub struct Concurrent {
    /// The type before `::`.
    pub type_spec: Option<Box<TypeSpec>>,
    /// `i = first : last [: step]`
    pub indices: Vec<ConcurrentIndex>,
    /// The mask.
    pub mask: Option<Box<Expr>>,
}

/// One index of FORALL or DO CONCURRENT.
#[derive(Clone, Debug)]
pub struct ConcurrentIndex {
    /// The variable.
    pub variable: Name,
    /// Its first value.
    pub first: Expr,
    /// Its last value.
    pub last: Expr,
    /// The step.
    pub step: Option<Expr>,
}

/// A DO loop.
#[derive(Clone, Debug)]
pub struct Do {
    /// The construct name.
    pub name: Option<Name>,
    /// `DO 10`: the label of its last statement.
    pub label: Option<Label>,
    /// What drives it.
    pub control: DoControl,
    /// Its body; of a [`DoEnd::Terminal`] loop the last statement is the one with the label.
    pub body: Block,
    /// How it ends.
    pub end: DoEnd,
}

/// What drives a DO loop.
#[derive(Clone, Debug)]
pub enum DoControl {
    /// `DO`
    Forever,
    /// `DO i = first, last [, step]`
    Counted(Box<DoRange>),
    /// `DO WHILE (e)`
    While(Expr),
    /// `DO CONCURRENT (…) …`
    Concurrent {
        /// What it runs over.
        header: Concurrent,
        /// LOCAL, SHARED and the like.
        locality: Vec<Locality>,
    },
}

/// `i = first, last [, step]`
#[derive(Clone, Debug)]
pub struct DoRange {
    /// The variable: a name, where the source keeps to the standard.
    pub variable: Designator,
    /// Its first value.
    pub first: Expr,
    /// Its last value.
    pub last: Expr,
    /// The step.
    pub step: Option<Expr>,
}

/// A locality clause of DO CONCURRENT.
#[derive(Clone, Debug)]
pub enum Locality {
    /// `LOCAL(…)`
    Local(Vec<Name>),
    /// `LOCAL_INIT(…)`
    LocalInit(Vec<Name>),
    /// `SHARED(…)`
    Shared(Vec<Name>),
    /// `DEFAULT(NONE)`
    DefaultNone,
    /// `REDUCE(op: …)`: the operator and the names.
    Reduce(Box<str>, Vec<Name>),
}

/// How a DO loop ends.
#[derive(Clone, Debug)]
pub enum DoEnd {
    /// With END DO.
    EndDo(End),
    /// With the labelled statement that its body ends in.
    Terminal,
    /// With the labelled statement that a loop inside it ends in.
    Shared,
}

/// SELECT CASE, SELECT TYPE or SELECT RANK.
#[derive(Clone, Debug)]
pub struct Select<S, G> {
    /// The construct name.
    pub name: Option<Name>,
    /// What is looked at.
    pub subject: S,
    /// Comments before the first branch.
    pub preamble: Vec<Trivia>,
    /// The branches in order.
    pub arms: Vec<SelectArm<G>>,
    /// Its end.
    pub end: End,
}

/// A branch of a SELECT construct.
#[derive(Clone, Debug)]
pub struct SelectArm<G> {
    /// Of its statement.
    pub head: Head,
    /// What it is for.
    pub guard: G,
    /// The repeated construct name.
    pub name: Option<Name>,
    /// What is executed.
    pub body: Block,
}

/// `[name =>] selector`
#[derive(Clone, Debug)]
pub struct Association {
    /// The new name.
    pub name: Option<Name>,
    /// What it stands for.
    pub selector: Expr,
}

/// What a CASE is for.
#[derive(Clone, Debug)]
pub enum CaseSelector {
    /// `DEFAULT`
    Default,
    /// Values and ranges.
    Values(Vec<CaseValue>),
}

/// A value or range of a CASE.
#[derive(Clone, Debug)]
pub enum CaseValue {
    /// `e`
    Value(Expr),
    /// `[lower]:[upper]`
    Range(Option<Expr>, Option<Expr>),
}

/// What a branch of SELECT TYPE is for.
#[derive(Clone, Debug)]
pub enum TypeGuard {
    /// `TYPE IS (t)`
    TypeIs(TypeSpec),
    /// `CLASS IS (t)`
    ClassIs(TypeSpec),
    /// `CLASS DEFAULT`
    Default,
}

/// What a branch of SELECT RANK is for.
#[derive(Clone, Debug)]
pub enum RankGuard {
    /// `RANK (n)`
    Rank(Expr),
    /// `RANK (*)`
    Star,
    /// `RANK DEFAULT`
    Default,
}

/// An I/O statement.
#[derive(Clone, Debug)]
pub struct Io {
    /// Which.
    pub kind: IoKind,
    /// Whether the control list stands in parentheses: `READ(5,*) x`, not `READ *, x`.
    pub parentheses: bool,
    /// The control list.
    pub control: Vec<IoControl>,
    /// What is read or written.
    pub items: Vec<ArrayItem>,
}

/// The I/O statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IoKind {
    /// `READ`
    Read,
    /// `WRITE`
    Write,
    /// `PRINT`
    Print,
    /// `OPEN`
    Open,
    /// `CLOSE`
    Close,
    /// `INQUIRE`
    Inquire,
    /// `REWIND`
    Rewind,
    /// `BACKSPACE`
    Backspace,
    /// `ENDFILE`
    Endfile,
    /// `FLUSH`
    Flush,
    /// `WAIT`
    Wait,
}

/// One item of a control list.
#[derive(Clone, Debug)]
pub struct IoControl {
    /// Where it begins.
    pub place: Place,
    /// `keyword=`
    pub keyword: Option<Name>,
    /// Its value.
    pub value: IoValue,
}

/// The value of a control item.
#[derive(Clone, Debug)]
pub enum IoValue {
    /// `*`
    Star,
    /// A label, where a format, `ERR=`, `END=` or `EOR=` wants one.
    Label(Label),
    /// An expression or variable, also the name of a namelist.
    Expr(Expr),
}
