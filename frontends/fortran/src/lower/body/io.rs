//! Input and output: markers whose operands say exactly what is read and written.

use xaif_schema::model::{
    Access, Base, ExprId, ExprKind, Piece, Role, SpecItem, StmtKind, SymbolId, Verb,
};

use super::Builder;
use super::marker::Text;
use crate::lower::expr::IndexScope;
use crate::syntax::ast::{self, IoKind, IoValue};

impl Builder<'_, '_> {
    /// READ, WRITE, OPEN and the like.
    pub(super) fn io(&mut self, io: &ast::Io, head: &ast::Head) {
        let mut text = Text::new(word(io.kind));
        text.text(if io.parentheses { " (" } else { " " });
        let mut jumps = Vec::new();
        for (index, control) in io.control.iter().enumerate() {
            if index > 0 {
                text.text(", ");
            }
            self.control(&mut text, io, index, control, &mut jumps);
        }
        if io.parentheses {
            text.text(")");
        }
        let access = item_access(io);
        for (index, item) in io.items.iter().enumerate() {
            let separator = match (index, io.parentheses) {
                (0, true) => " ",
                _ => ", ",
            };
            text.text(separator);
            let item = self.low.array_item(self.scope, item, IndexScope::Around, head.place);
            text.operand(item, access);
        }
        let marker = text.marker(Verb::Io);
        let block = self.push(StmtKind::Marker(Box::new(marker)), head.place);
        self.trailing_comments(head);
        if jumps.is_empty() {
            return;
        }
        for (value, label) in jumps {
            self.jump_to(block, label, Some(value), head.place);
        }
        self.block = None;
    }

    fn control(
        &mut self,
        text: &mut Text,
        io: &ast::Io,
        index: usize,
        control: &ast::IoControl,
        jumps: &mut Vec<(i64, ast::Label)>,
    ) {
        let keyword = match &control.keyword {
            Some(keyword) => {
                text.text(keyword.key());
                text.text("=");
                keyword.key()
            }
            None => positional_keyword(io, index),
        };
        match &control.value {
            IoValue::Star => text.text("*"),
            IoValue::Label(label) if matches!(keyword, "err" | "end" | "eor") => {
                let value = i64::try_from(jumps.len() + 1).unwrap_or(i64::MAX);
                jumps.push((value, *label));
                text.piece(Piece::Label(value));
            }
            IoValue::Label(label) => text.piece(Piece::StatementLabel(label.0)),
            IoValue::Expr(value) => {
                let group = matches!(keyword, "fmt" | "nml").then(|| self.namelist(value));
                match group.flatten() {
                    Some(group) => self.namelist_group(text, io.kind, group, value),
                    None => {
                        let value = self.low.expr(self.scope, value);
                        let access = self.control_access(io.kind, keyword, value);
                        text.operand(value, access);
                    }
                }
            }
        }
    }

    /// The namelist group that an expression names.
    fn namelist(&mut self, value: &ast::Expr) -> Option<SymbolId> {
        let ast::ExprKind::Designator(designator) = &value.kind else { return None };
        let symbol = self.low.lookup(self.scope, designator.simple()?.key())?;
        matches!(self.low.doc.role(symbol), Some(Role::Namelist)).then_some(symbol)
    }

    /// A namelist group: its name in the text, its members as operands.
    fn namelist_group(
        &mut self,
        text: &mut Text,
        kind: IoKind,
        group: SymbolId,
        value: &ast::Expr,
    ) {
        let name = self.low.doc.name(group).to_owned();
        text.text(&name);
        let access = if kind == IoKind::Read { Access::Write } else { Access::Read };
        let scope = self.low.doc.symbols[group].scope;
        let mut members = Vec::new();
        for item in &self.low.doc.scopes[scope].items {
            if let SpecItem::Namelist { group: other, members: more } = item
                && *other == group
            {
                members.extend_from_slice(more);
            }
        }
        text.pessimistic |= members.is_empty();
        for member in members {
            let reference = self.low.whole(member, value.place);
            let ty = self.low.doc.refs[reference].ty;
            let node = self.low.node(ExprKind::Ref(reference), ty, value.place);
            text.hidden(node, access);
        }
    }

    /// What a statement does to the value of a control item.
    fn control_access(&self, kind: IoKind, keyword: &str, value: ExprId) -> Access {
        let is_internal = matches!(self.low.ty(value).base, Base::Character(_));
        match keyword {
            "unit" if kind == IoKind::Write && is_internal => Access::Write,
            "unit" | "file" => Access::Read,
            "iomsg" => Access::ReadWrite,
            "iostat" | "size" | "newunit" | "iolength" | "pending" => Access::Write,
            "id" if matches!(kind, IoKind::Read | IoKind::Write) => Access::Write,
            "id" => Access::Read,
            _ if kind == IoKind::Inquire => Access::Write,
            _ => Access::Read,
        }
    }
}

/// What the statement does to the items of its list.
fn item_access(io: &ast::Io) -> Access {
    match io.kind {
        IoKind::Read => Access::Write,
        IoKind::Inquire => Access::Inquire,
        IoKind::Write
        | IoKind::Print
        | IoKind::Open
        | IoKind::Close
        | IoKind::Rewind
        | IoKind::Backspace
        | IoKind::Endfile
        | IoKind::Flush
        | IoKind::Wait => Access::Read,
    }
}

/// What a control item without keyword is.
fn positional_keyword(io: &ast::Io, index: usize) -> &'static str {
    let data_transfer = matches!(io.kind, IoKind::Read | IoKind::Write | IoKind::Print);
    match (data_transfer, io.parentheses, index) {
        (true, false, _) | (true, true, 1) => "fmt",
        (true, true, _) | (false, _, _) => "unit",
    }
}

fn word(kind: IoKind) -> &'static str {
    match kind {
        IoKind::Read => "read",
        IoKind::Write => "write",
        IoKind::Print => "print",
        IoKind::Open => "open",
        IoKind::Close => "close",
        IoKind::Inquire => "inquire",
        IoKind::Rewind => "rewind",
        IoKind::Backspace => "backspace",
        IoKind::Endfile => "endfile",
        IoKind::Flush => "flush",
        IoKind::Wait => "wait",
    }
}
