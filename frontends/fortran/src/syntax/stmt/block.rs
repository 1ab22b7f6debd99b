//! The statements that open and divide constructs.

use super::super::ast::{
    Association, CaseSelector, CaseValue, Concurrent, ConcurrentIndex, DoControl, DoRange, Expr,
    Locality, Name, RankGuard, StmtKind, TypeGuard,
};
use super::super::cursor::{Cursor, Parse};
use super::{Branch, Flat, Opener};

impl Cursor<'_> {
    /// `(e)`
    fn condition(&mut self) -> Parse<Expr> {
        self.expect("(")?;
        let condition = self.expr()?;
        self.expect(")")?;
        Ok(condition)
    }

    pub(super) fn if_stmt(&mut self) -> Parse<Flat> {
        let condition = self.condition()?;
        let behind = self.at;
        if self.word("then") && self.at_end() {
            return Ok(Flat::Open(None, Opener::If(condition)));
        }
        self.at = behind;
        if matches!(self.peek(), Some(b'0'..=b'9')) {
            let mut label = |comma| -> Parse<_> {
                if comma {
                    self.expect(",")?;
                }
                self.label()
            };
            let labels = [label(false)?, label(true)?, label(true)?];
            return Ok(Flat::Exec(StmtKind::ArithmeticIf { value: condition, labels }));
        }
        let action = self.action()?;
        Ok(Flat::Exec(StmtKind::LogicalIf { condition, action }))
    }

    pub(super) fn else_if(&mut self) -> Parse<Flat> {
        let condition = self.condition()?;
        if !self.word("then") {
            return self.expected("THEN");
        }
        self.branch(Branch::ElseIf(condition))
    }

    pub(super) fn else_stmt(&mut self) -> Parse<Flat> {
        self.branch(Branch::Else)
    }

    pub(super) fn else_where(&mut self) -> Parse<Flat> {
        let mask = if self.sees("(") { Some(self.condition()?) } else { None };
        self.branch(Branch::ElseWhere(mask))
    }

    pub(super) fn where_stmt(&mut self) -> Parse<Flat> {
        let mask = self.condition()?;
        if self.at_end() {
            return Ok(Flat::Open(None, Opener::Where(mask)));
        }
        Ok(Flat::Exec(StmtKind::WhereStmt { mask, action: self.action()? }))
    }

    pub(super) fn forall(&mut self) -> Parse<Flat> {
        let header = self.concurrent()?;
        if self.at_end() {
            return Ok(Flat::Open(None, Opener::Forall(header)));
        }
        Ok(Flat::Exec(StmtKind::ForallStmt { header, action: self.action()? }))
    }

    /// `([type ::] i = first : last [: step], … [, mask])`
    fn concurrent(&mut self) -> Parse<Concurrent> {
        self.expect("(")?;
        let type_spec = self.type_before_colons()?;
        let mut indices = Vec::new();
        let mut mask = None;
        loop {
            match self.keyword() {
                Some(variable) => {
                    let first = self.expr()?;
                    self.expect(":")?;
                    let last = self.expr()?;
                    let step = if self.eat(":") { Some(self.expr()?) } else { None };
                    indices.push(ConcurrentIndex { variable, first, last, step });
                }
                None => {
                    mask = Some(Box::new(self.expr()?));
                    break;
                }
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(Concurrent { type_spec, indices, mask })
    }

    pub(super) fn do_stmt(&mut self) -> Parse<Flat> {
        let labelled = matches!(self.peek(), Some(b'0'..=b'9'));
        let label = if labelled { Some(self.label()?) } else { None };
        let opened = |control| Ok(Flat::Open(None, Opener::Do(label, control)));
        self.eat(",");
        if self.at_end() {
            return opened(DoControl::Forever);
        }
        let start = self.at;
        if self.word("while") && self.sees("(") {
            return opened(DoControl::While(self.condition()?));
        }
        self.at = start;
        if self.word("concurrent") && self.sees("(") {
            let header = self.concurrent()?;
            return opened(DoControl::Concurrent { header, locality: self.localities()? });
        }
        self.at = start;
        let variable = self.designator()?;
        self.expect("=")?;
        let first = self.expr()?;
        self.expect(",")?;
        let last = self.expr()?;
        let step = if self.eat(",") { Some(self.expr()?) } else { None };
        opened(DoControl::Counted(Box::new(DoRange { variable, first, last, step })))
    }

    fn localities(&mut self) -> Parse<Vec<Locality>> {
        let mut list = Vec::new();
        while !self.at_end() {
            list.push(if self.word("local_init") {
                Locality::LocalInit(self.parenthesised(Cursor::name)?)
            } else if self.word("local") {
                Locality::Local(self.parenthesised(Cursor::name)?)
            } else if self.word("shared") {
                Locality::Shared(self.parenthesised(Cursor::name)?)
            } else if self.word("default") {
                self.expect("(")?;
                if !self.word("none") {
                    return self.expected("NONE");
                }
                self.expect(")")?;
                Locality::DefaultNone
            } else if self.word("reduce") {
                self.reduce()?
            } else {
                return self.expected("a locality clause");
            });
        }
        Ok(list)
    }

    fn reduce(&mut self) -> Parse<Locality> {
        self.expect("(")?;
        let Some(colon) = self.rest().find(':') else { return self.expected("`operator:`") };
        let operator = self.rest().get(..colon).unwrap_or("").trim().to_ascii_lowercase();
        self.at += colon + 1;
        let names = self.list(Cursor::name)?;
        self.expect(")")?;
        Ok(Locality::Reduce(operator.into(), names))
    }

    pub(super) fn select_case(&mut self) -> Parse<Flat> {
        Ok(Flat::Open(None, Opener::SelectCase(self.condition()?)))
    }

    pub(super) fn select_type(&mut self) -> Parse<Flat> {
        Ok(Flat::Open(None, Opener::SelectType(self.association()?)))
    }

    pub(super) fn select_rank(&mut self) -> Parse<Flat> {
        Ok(Flat::Open(None, Opener::SelectRank(self.association()?)))
    }

    /// `([name =>] selector)`
    fn association(&mut self) -> Parse<Association> {
        self.expect("(")?;
        let name = self.attempt(|cursor| {
            let name = cursor.name()?;
            cursor.expect("=>")?;
            Ok(name)
        });
        let selector = self.expr()?;
        self.expect(")")?;
        Ok(Association { name, selector })
    }

    pub(super) fn case(&mut self) -> Parse<Flat> {
        if self.word("default") {
            return self.branch(Branch::Case(CaseSelector::Default));
        }
        let values = self.parenthesised(|cursor| {
            let lower = if cursor.sees(":") { None } else { Some(cursor.expr()?) };
            if !cursor.eat(":") {
                return match lower {
                    Some(value) => Ok(CaseValue::Value(value)),
                    None => cursor.expected("a value"),
                };
            }
            let open = matches!(cursor.peek(), Some(b',' | b')'));
            let upper = if open { None } else { Some(cursor.expr()?) };
            Ok(CaseValue::Range(lower, upper))
        })?;
        self.branch(Branch::Case(CaseSelector::Values(values)))
    }

    pub(super) fn type_is(&mut self) -> Parse<Flat> {
        self.expect("(")?;
        let type_spec = self.type_or_name()?;
        self.expect(")")?;
        self.branch(Branch::Type(TypeGuard::TypeIs(type_spec)))
    }

    pub(super) fn class_is(&mut self) -> Parse<Flat> {
        self.expect("(")?;
        let type_spec = self.type_or_name()?;
        self.expect(")")?;
        self.branch(Branch::Type(TypeGuard::ClassIs(type_spec)))
    }

    pub(super) fn rank(&mut self) -> Parse<Flat> {
        if self.word("default") {
            return self.branch(Branch::Rank(RankGuard::Default));
        }
        self.expect("(")?;
        let guard = if self.eat("*") { RankGuard::Star } else { RankGuard::Rank(self.expr()?) };
        self.expect(")")?;
        self.branch(Branch::Rank(guard))
    }

    pub(super) fn associate(&mut self) -> Parse<Flat> {
        let list = self.parenthesised(|cursor| -> Parse<(Name, Expr)> {
            let name = cursor.name()?;
            cursor.expect("=>")?;
            Ok((name, cursor.expr()?))
        })?;
        Ok(Flat::Open(None, Opener::Associate(list)))
    }
}
