//! One statement: told apart, and read.
//!
//! Keywords are not reserved. A statement is tried as an assignment first; else every row of the
//! keyword table that fits is tried in order, since in fixed form one keyword may be the beginning
//! of another; of several faults the one that came furthest is reported.

mod action;
mod block;
mod declaration;
mod header;
mod io;
mod specification;
mod types;

use xaif_schema::diag::Code;

use super::ast::{
    Association, CaseSelector, Concurrent, DoControl, Expr, GenericName, Label, Name, RankGuard,
    SpecKind, Stmt, StmtKind, TypeAttribute, TypeGuard, UnitKind,
};
use super::cursor::{Cursor, Fault, Parse, Scan, is_word};

/// A statement by itself, before it is put into a block.
#[derive(Debug)]
pub(super) enum Flat {
    Spec(SpecKind),
    Exec(StmtKind),
    /// Opens a construct with this name.
    Open(Option<Name>, Opener),
    /// Opens a branch of a construct; the name repeats that of the construct.
    Branch(Branch, Option<Name>),
    Unit(UnitKind),
    TypeDef(Name, Vec<TypeAttribute>, Vec<Name>),
    Enum,
    Interface(bool, Option<GenericName>),
    Contains,
    End(EndStmt),
}

/// The opening statement of a construct.
#[derive(Debug)]
pub(super) enum Opener {
    If(Expr),
    Where(Expr),
    Forall(Concurrent),
    Do(Option<Label>, DoControl),
    SelectCase(Expr),
    SelectType(Association),
    SelectRank(Association),
    Associate(Vec<(Name, Expr)>),
    Block,
    Critical,
}

/// A statement that divides a construct.
#[derive(Debug)]
pub(super) enum Branch {
    ElseIf(Expr),
    Else,
    ElseWhere(Option<Expr>),
    Case(CaseSelector),
    Type(TypeGuard),
    Rank(RankGuard),
}

/// An END statement.
#[derive(Debug)]
pub(super) struct EndStmt {
    /// What it says behind END; nothing in a bare END.
    pub(super) what: Option<Ends>,
    pub(super) name: Option<GenericName>,
}

impl EndStmt {
    /// The repeated name.
    pub(super) fn plain_name(self) -> Option<Name> {
        match self.name {
            Some(GenericName::Name(name)) => Some(name),
            Some(GenericName::Operator(..) | GenericName::Assignment(_) | GenericName::Io(..))
            | None => None,
        }
    }
}

/// What an END statement may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    Program,
    Module,
    Submodule,
    Subroutine,
    Function,
    Procedure,
    BlockData,
    Interface,
    Type,
    Enum,
    If,
    Do,
    Select,
    Where,
    Forall,
    Associate,
    Block,
    Critical,
}

impl Ends {
    /// Whether it ends a program unit or procedure.
    pub(super) fn is_unit(self) -> bool {
        matches!(
            self,
            Ends::Program
                | Ends::Module
                | Ends::Submodule
                | Ends::Subroutine
                | Ends::Function
                | Ends::Procedure
                | Ends::BlockData
        )
    }
}

/// What may follow END; longer words before their beginnings.
const ENDS: &[(&str, Ends)] = &[
    ("end program", Ends::Program),
    ("end module", Ends::Module),
    ("end submodule", Ends::Submodule),
    ("end subroutine", Ends::Subroutine),
    ("end function", Ends::Function),
    ("end procedure", Ends::Procedure),
    ("end block data", Ends::BlockData),
    ("end interface", Ends::Interface),
    ("end type", Ends::Type),
    ("end enum", Ends::Enum),
    ("end if", Ends::If),
    ("end do", Ends::Do),
    ("end select", Ends::Select),
    ("end where", Ends::Where),
    ("end forall", Ends::Forall),
    ("end associate", Ends::Associate),
    ("end block", Ends::Block),
    ("end critical", Ends::Critical),
];

/// Reads what follows a keyword.
type Reader = fn(&mut Cursor<'_>) -> Parse<Flat>;

/// Keywords and what reads the rest of their statements.
const KEYWORDS: &[(&str, Reader)] = &[
    ("call", |c| c.call()),
    ("if", |c| c.if_stmt()),
    ("do", |c| c.do_stmt()),
    ("end file", |c| c.io_position(super::ast::IoKind::Endfile)),
    ("else if", |c| c.else_if()),
    ("else where", |c| c.else_where()),
    ("else", |c| c.else_stmt()),
    ("continue", |c| c.alone(StmtKind::Continue)),
    ("go to", |c| c.goto_stmt()),
    ("return", |c| Ok(Flat::Exec(StmtKind::Return(c.optional_expr()?)))),
    ("stop", |c| c.stop(false)),
    ("error stop", |c| c.stop(true)),
    ("pause", |c| Ok(Flat::Exec(StmtKind::Pause(c.optional_expr()?)))),
    ("cycle", |c| Ok(Flat::Exec(StmtKind::Cycle(c.optional_name()?)))),
    ("exit", |c| Ok(Flat::Exec(StmtKind::Exit(c.optional_name()?)))),
    ("assign", |c| c.assign_label()),
    ("allocate", |c| c.allocate()),
    ("deallocate", |c| c.deallocate()),
    ("nullify", |c| c.nullify()),
    ("read", |c| c.read()),
    ("write", |c| c.write()),
    ("print", |c| c.print()),
    ("open", |c| c.io_control(super::ast::IoKind::Open)),
    ("close", |c| c.io_control(super::ast::IoKind::Close)),
    ("inquire", |c| c.inquire()),
    ("rewind", |c| c.io_position(super::ast::IoKind::Rewind)),
    ("backspace", |c| c.io_position(super::ast::IoKind::Backspace)),
    ("flush", |c| c.io_position(super::ast::IoKind::Flush)),
    ("wait", |c| c.io_control(super::ast::IoKind::Wait)),
    ("select case", |c| c.select_case()),
    ("select type", |c| c.select_type()),
    ("select rank", |c| c.select_rank()),
    ("case", |c| c.case()),
    ("type is", |c| c.type_is()),
    ("class is", |c| c.class_is()),
    ("class default", |c| c.branch(Branch::Type(TypeGuard::Default))),
    ("rank", |c| c.rank()),
    ("where", |c| c.where_stmt()),
    ("forall", |c| c.forall()),
    ("associate", |c| c.associate()),
    ("block data", |c| c.block_data()),
    ("block", |c| c.opener(Opener::Block)),
    ("critical", |c| c.opener(Opener::Critical)),
    ("subroutine", |c| c.subroutine(Vec::new())),
    ("function", |c| c.function(Vec::new())),
    ("program", |c| c.program()),
    ("module procedure", |c| c.module_procedure()),
    ("module", |c| c.module()),
    ("submodule", |c| c.submodule()),
    ("contains", |c| {
        if c.at_end() { Ok(Flat::Contains) } else { c.expected("the end of the statement") }
    }),
    ("format", |c| c.format()),
    ("entry", |c| c.entry()),
    ("use", |c| c.use_stmt()),
    ("import", |c| c.import()),
    ("implicit", |c| c.implicit()),
    ("parameter", |c| c.parameter()),
    ("data", |c| c.data()),
    ("save", |c| c.save()),
    ("dimension", |c| c.dimension()),
    ("common", |c| c.common()),
    ("equivalence", |c| c.equivalence()),
    ("external", |c| c.external()),
    ("intrinsic", |c| c.intrinsic()),
    ("namelist", |c| c.namelist()),
    ("bind", |c| c.bind_stmt()),
    ("public", |c| c.access(super::ast::Access::Public)),
    ("private", |c| c.access(super::ast::Access::Private)),
    ("generic", |c| Ok(Flat::Spec(SpecKind::Generic(c.generic_binding()?)))),
    ("interface", |c| c.interface(false)),
    ("abstract interface", |c| c.interface(true)),
    ("enum", |c| c.enum_stmt()),
    ("procedure", |c| Ok(Flat::Spec(SpecKind::Procedure(c.procedure_decl()?)))),
    ("type", |c| c.type_def()),
    ("", |c| c.end_stmt()),
    ("", |c| c.attribute_stmt()),
    ("structure", |c| c.refuse("DEC structures are not supported")),
    ("", |c| c.opaque()),
];

/// Statements that are carried as they stand.
const OPAQUE: &[&str] = &[
    "sync all",
    "sync images",
    "sync memory",
    "sync team",
    "event post",
    "event wait",
    "notify wait",
    "fail image",
    "form team",
    "lock (",
    "unlock (",
    "encode (",
    "decode (",
    "accept",
    "define file",
    "record /",
    "find (",
];

impl Cursor<'_> {
    /// The whole statement. `header` says whether a program unit may begin here; in fixed form
    /// `REAL FUNCTION F(10)` is a declaration elsewhere.
    pub(super) fn statement(&mut self, header: bool) -> Parse<Flat> {
        if let Some(flat) = self.named_construct()? {
            return Ok(flat);
        }
        if self.sees_assignment() && !self.sees_bare_parameter() {
            return self.assignment();
        }
        self.by_keyword(header)
    }

    /// `PARAMETER A = 1` in fixed form: the blank tells it from an assignment to `PARAMETERA`.
    fn sees_bare_parameter(&self) -> bool {
        const WORD: &str = "parameter";
        let rest = self.rest();
        let is_word = rest.get(..WORD.len()).is_some_and(|word| word.eq_ignore_ascii_case(WORD));
        let names = rest.as_bytes().get(WORD.len()).is_some_and(u8::is_ascii_alphabetic);
        if self.free || !is_word || !names {
            return false;
        }
        let behind = self.at + WORD.len();
        let (last, next) = (self.place_at(behind - 1), self.place_at(behind));
        last.line == next.line && last.column + 1 < next.column
    }

    fn by_keyword(&mut self, header: bool) -> Parse<Flat> {
        let (start, depth) = (self.at, self.depth);
        let mut best: Option<Box<Fault>> = None;
        let mut note = |fault: Box<Fault>| {
            if best.as_ref().is_none_or(|best| {
                fault.at > best.at || (fault.at == best.at && fault.code != Code::SYNTAX)
            }) {
                best = Some(fault);
            }
        };
        if header || self.free {
            match self.whole(Cursor::prefixed_header) {
                Ok(flat) => return Ok(flat),
                Err(fault) if fault.code != Code::SYNTAX => return Err(fault),
                Err(fault) => note(fault),
            }
            (self.at, self.depth) = (start, depth);
        }
        match self.whole(Cursor::declaration) {
            Ok(flat) => return Ok(flat),
            Err(fault) => note(fault),
        }
        for (keyword, read) in KEYWORDS {
            (self.at, self.depth) = (start, depth);
            if self.word_or_nothing(keyword) {
                match self.whole(*read) {
                    Ok(flat) => return Ok(flat),
                    Err(fault) => note(fault),
                }
            }
        }
        self.at = start;
        match best {
            Some(fault) if fault.at > start => Err(fault),
            _ => self.fault("this is not a statement"),
        }
    }

    fn word_or_nothing(&mut self, keyword: &str) -> bool {
        keyword.is_empty() || self.word(keyword)
    }

    /// What `read` reads, where that is all there is.
    fn whole(&mut self, read: impl Fn(&mut Self) -> Parse<Flat>) -> Parse<Flat> {
        let flat = read(self)?;
        if self.at_end() { Ok(flat) } else { self.expected("the end of the statement") }
    }

    /// `name: construct`
    fn named_construct(&mut self) -> Parse<Option<Flat>> {
        let Some(behind) = self.name_before(":") else { return Ok(None) };
        if self.text.get(behind..).is_some_and(|rest| rest.starts_with(':')) {
            return Ok(None);
        }
        let name = self.name()?;
        self.at = behind;
        match self.by_keyword(false)? {
            Flat::Open(_, opener) => Ok(Some(Flat::Open(Some(name), opener))),
            _ => self.fault("only a construct may have a construct name"),
        }
    }

    /// Whether the statement is `name… =`, but no DO loop of fixed form.
    fn sees_assignment(&mut self) -> bool {
        if !self.sees_name() {
            return false;
        }
        let start = self.at;
        let end = self.behind_target();
        self.at = start;
        let Some(equals) = end else { return false };
        let do_loop = !self.free && self.word("do") && self.has_comma_behind(equals);
        self.at = start;
        !do_loop
    }

    /// The offset of the `=` behind something that looks like a variable.
    fn behind_target(&mut self) -> Option<usize> {
        self.skip_name()?;
        loop {
            match self.peek()? {
                b'(' | b'[' => self.at = self.behind_parenthesis(self.at)?,
                b'%' => {
                    self.at += 1;
                    self.skip_name()?;
                }
                b'=' => return (!self.sees("==")).then_some(self.at),
                _ => return None,
            }
        }
    }

    fn skip_name(&mut self) -> Option<()> {
        let found = self.sees_name();
        while self.byte(0).is_some_and(is_word) {
            self.at += 1;
        }
        found.then_some(())
    }

    /// Whether a comma outside parentheses follows `offset`.
    fn has_comma_behind(&self, offset: usize) -> bool {
        let mut scan = Scan::new(self.text, offset);
        let mut depth = 0_i32;
        while let Some((_, byte)) = scan.next_code() {
            match byte {
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth -= 1,
                b',' if depth == 0 => return true,
                _ => {}
            }
        }
        false
    }

    fn assignment(&mut self) -> Parse<Flat> {
        self.whole(|cursor| {
            let target = cursor.designator()?;
            let pointer = cursor.eat("=>");
            if !pointer {
                cursor.expect("=")?;
            }
            let value = cursor.expr()?;
            Ok(Flat::Exec(if pointer {
                StmtKind::PointerAssign { target, value }
            } else {
                StmtKind::Assign { target, value }
            }))
        })
    }

    /// The statement behind `IF (…)`, `WHERE (…)` or `FORALL (…)`.
    fn action(&mut self) -> Parse<Box<Stmt>> {
        let place = self.place();
        self.depth += 1;
        if self.depth > 20 {
            return self.coded(Code::TOO_DEEP, "the statement is nested too deep");
        }
        match self.statement(false)? {
            Flat::Exec(kind) => {
                let head = super::ast::Head { place, ..super::ast::Head::default() };
                Ok(Box::new(Stmt { head, kind }))
            }
            _ => self.fault("only an action statement may stand here"),
        }
    }

    /// A construct that its keyword says all about.
    fn opener(&mut self, opener: Opener) -> Parse<Flat> {
        if self.at_end() {
            Ok(Flat::Open(None, opener))
        } else {
            self.expected("the end of the statement")
        }
    }

    /// A branch, with the name of its construct.
    fn branch(&mut self, branch: Branch) -> Parse<Flat> {
        Ok(Flat::Branch(branch, self.optional_name()?))
    }

    /// A statement that its keyword says all about.
    fn alone(&mut self, kind: StmtKind) -> Parse<Flat> {
        if self.at_end() { Ok(Flat::Exec(kind)) } else { self.expected("the end of the statement") }
    }

    fn optional_name(&mut self) -> Parse<Option<Name>> {
        if self.at_end() { Ok(None) } else { Ok(Some(self.name()?)) }
    }

    fn optional_expr(&mut self) -> Parse<Option<Expr>> {
        if self.at_end() { Ok(None) } else { Ok(Some(self.expr()?)) }
    }

    fn refuse(&mut self, message: &str) -> Parse<Flat> {
        self.coded(Code::UNSUPPORTED, message)
    }

    /// A statement that is known, but not understood.
    fn opaque(&mut self) -> Parse<Flat> {
        let start = self.at;
        for keyword in OPAQUE {
            let (word, mark) = match keyword.rsplit_once(' ') {
                Some((word, mark @ ("(" | "/"))) => (word, mark),
                _ => (*keyword, ""),
            };
            if self.word(word) && self.sees(mark) {
                return self.carried(start);
            }
            self.at = start;
        }
        self.fault("this is not a statement")
    }

    /// The statement from `start` on, with its exact text.
    fn carried(&mut self, start: usize) -> Parse<Flat> {
        let text = self.text.get(start..).unwrap_or("").trim_end();
        self.at = self.text.len();
        Ok(Flat::Exec(StmtKind::Opaque(text.into())))
    }

    /// Where `word` begins, which was read last.
    fn at_word(&self, word: &str) -> usize {
        self.at.saturating_sub(word.len())
    }

    /// An END statement.
    pub(super) fn end_only(&mut self) -> Parse<EndStmt> {
        let start = self.at;
        if self.word("end") && self.at_end() {
            return Ok(EndStmt { what: None, name: None });
        }
        for (words, what) in ENDS {
            self.at = start;
            if !self.word(words) {
                continue;
            }
            let name = match what {
                _ if self.at_end() => None,
                Ends::Interface => Some(self.generic_name()?),
                _ => Some(GenericName::Name(self.name()?)),
            };
            if self.at_end() {
                return Ok(EndStmt { what: Some(*what), name });
            }
        }
        self.at = start;
        self.expected("END")
    }

    /// A whole CONTAINS statement.
    pub(super) fn contains_only(&mut self) -> Parse<()> {
        if self.word("contains") && self.at_end() { Ok(()) } else { self.expected("CONTAINS") }
    }

    fn end_stmt(&mut self) -> Parse<Flat> {
        Ok(Flat::End(self.end_only()?))
    }
}
