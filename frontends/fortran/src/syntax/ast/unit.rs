//! Files, program units, and what stands between statements.

use std::sync::Arc;

use xaif_schema::diag::Spot;

use super::{ExecItem, Expr, Label, Name, Place, SpecItem, TypeSpec};

/// One parsed source file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The files that places point into: the file itself first, then included ones.
    pub sources: Vec<Arc<str>>,
    /// Whether the file is in fixed form.
    pub fixed: bool,
    /// Program units in order, with the comments between them.
    pub items: Vec<UnitItem>,
}

impl File {
    /// The place as messages want it.
    pub fn spot(&self, place: Place) -> Spot {
        let file = self.sources.get(place.file as usize).cloned().unwrap_or_else(|| "?".into());
        Spot::new(file, place.line, place.column)
    }

    /// The program units without what stands between them.
    pub fn units(&self) -> impl Iterator<Item = &Unit> {
        self.items.iter().filter_map(|item| match item {
            UnitItem::Unit(unit) => Some(unit.as_ref()),
            UnitItem::Trivia(_) => None,
        })
    }
}

/// A program unit, or what stands between two of them.
#[derive(Clone, Debug)]
pub enum UnitItem {
    /// A program unit, module procedure or internal procedure.
    Unit(Box<Unit>),
    /// A comment, blank line or directive.
    Trivia(Trivia),
}

/// A line that is not a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trivia {
    /// A comment on a line of its own.
    Comment(Comment),
    /// One or more blank lines.
    Blank {
        /// The first of them.
        place: Place,
        /// How many.
        lines: u32,
    },
    /// A comment that speaks to a tool: OpenMP, OpenACC, a compiler, an AD tool.
    Directive(Directive),
}

impl Trivia {
    /// Where it stands.
    pub fn place(&self) -> Place {
        match self {
            Trivia::Comment(comment) => comment.place,
            Trivia::Blank { place, .. } => *place,
            Trivia::Directive(directive) => directive.place,
        }
    }
}

/// A comment, on a line of its own or after a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Where its first character stands.
    pub place: Place,
    /// What follows the comment character, without trailing blanks.
    pub text: Box<str>,
}

/// A directive line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// Where its first character stands.
    pub place: Place,
    /// The lower-case sentinel after the comment character: `$omp`, `$acc`, `$openad`, `$ad`,
    /// `$oxad`, `dir$`, `gcc$`; `$` alone for a conditional line of OpenMP.
    pub sentinel: Box<str>,
    /// What follows the sentinel, without surrounding blanks; a continued directive stays several
    /// directives.
    pub text: Box<str>,
    /// The line as it was, from the comment character on.
    pub line: Box<str>,
}

/// What every statement carries beside its meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Where the statement begins, behind its label and construct name.
    pub place: Place,
    /// Its statement label.
    pub label: Option<Label>,
    /// Comments behind it and between its continuation lines.
    pub comments: Vec<Comment>,
}

/// A program unit or procedure.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Of the first statement; where a main program has no PROGRAM statement, of what stands there.
    pub head: Head,
    /// Which kind it is, and its opening statement.
    pub kind: UnitKind,
    /// Declarations, with the comments between them.
    pub spec: Vec<SpecItem>,
    /// Executable statements. Assignments at its beginning may be statement functions: only who
    /// knows the declarations can tell. Declarations behind them are [`super::StmtKind::Spec`].
    pub exec: Vec<ExecItem>,
    /// The CONTAINS statement and the procedures behind it.
    pub contains: Option<Contains>,
    /// The END statement.
    pub end: UnitEnd,
}

impl Unit {
    /// The name, where there is one.
    pub fn name(&self) -> Option<&Name> {
        match &self.kind {
            UnitKind::Program(name) | UnitKind::BlockData(name) => name.as_ref(),
            UnitKind::Module(name) | UnitKind::ModuleProcedure(name) => Some(name),
            UnitKind::Submodule(submodule) => Some(&submodule.name),
            UnitKind::Subroutine(procedure) | UnitKind::Function(procedure) => {
                Some(&procedure.name)
            }
        }
    }
}

/// The kinds of program units.
#[derive(Clone, Debug)]
pub enum UnitKind {
    /// A main program; without a name where there is no PROGRAM statement.
    Program(Option<Name>),
    /// `MODULE m`
    Module(Name),
    /// `SUBMODULE (parent) s`
    Submodule(Submodule),
    /// `BLOCK DATA [b]`
    BlockData(Option<Name>),
    /// `SUBROUTINE s(…)`
    Subroutine(Procedure),
    /// `FUNCTION f(…)`
    Function(Procedure),
    /// `MODULE PROCEDURE p` behind the CONTAINS of a submodule.
    ModuleProcedure(Name),
}

/// `SUBMODULE (ancestor[:parent]) name`
#[derive(Clone, Debug)]
pub struct Submodule {
    /// The module.
    pub ancestor: Name,
    /// The parent submodule.
    pub parent: Option<Name>,
    /// The submodule's own name.
    pub name: Name,
}

/// The opening statement of a subroutine or function.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// PURE, ELEMENTAL, a type and the like, in order.
    pub prefixes: Vec<Prefix>,
    /// Its name.
    pub name: Name,
    /// Dummy arguments; `None` where there are no parentheses.
    pub dummies: Option<Vec<Dummy>>,
    /// `RESULT(r)`
    pub result: Option<Name>,
    /// `BIND(C …)`
    pub bind: Option<Bind>,
}

/// A word in front of SUBROUTINE or FUNCTION.
#[derive(Clone, Debug)]
pub enum Prefix {
    /// `PURE`
    Pure,
    /// `IMPURE`
    Impure,
    /// `ELEMENTAL`
    Elemental,
    /// `RECURSIVE`
    Recursive,
    /// `NON_RECURSIVE`
    NonRecursive,
    /// `MODULE`
    Module,
    /// The type of the function's result.
    Type(TypeSpec),
}

/// A dummy argument.
#[derive(Clone, Debug)]
pub enum Dummy {
    /// A name.
    Name(Name),
    /// `*`: an alternate return.
    Star(Place),
}

/// `BIND(C [, NAME=…])`
#[derive(Clone, Debug)]
pub struct Bind {
    /// Where it stands.
    pub place: Place,
    /// The binding label.
    pub name: Option<Expr>,
}

/// `CONTAINS` and what follows it.
#[derive(Clone, Debug)]
pub struct Contains {
    /// Of the CONTAINS statement.
    pub head: Head,
    /// Procedures and comments.
    pub items: Vec<UnitItem>,
}

/// The END statement of a program unit.
#[derive(Clone, Debug, Default)]
pub struct UnitEnd {
    /// Its place, label (a jump target) and comments.
    pub head: Head,
    /// Whether it says more than `END`.
    pub long: bool,
    /// The repeated name.
    pub name: Option<Name>,
}
