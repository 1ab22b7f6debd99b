//! Statements of a basic block.

use xaif_schema::model::{
    Allocate, ArgValue, ExprId, ExprKind, InlinableCall, Marker, Part, Piece, RefId, Release, Stmt,
    StmtKind, Subscript, Verb,
};

use crate::context::Context;
use crate::expression::Level;

/// The lines of a text.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pub(crate) text: String,
    pub(crate) depth: usize,
}

impl Lines {
    pub(crate) fn line(&mut self, text: &str) {
        if !text.is_empty() {
            self.text.push_str(&"    ".repeat(self.depth));
            self.text.push_str(text);
        }
        self.text.push('\n');
    }

    /// Puts a text behind the last line.
    pub(crate) fn behind(&mut self, text: &str) {
        if self.text.ends_with('\n') {
            self.text.pop();
        }
        self.text.push_str("  ");
        self.text.push_str(text);
        self.text.push('\n');
    }
}

impl Context<'_> {
    /// Prints a statement.
    pub(crate) fn statement(&self, lines: &mut Lines, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { lhs, rhs, defined: None } => {
                if self.doc.refs[*lhs].ty.rank > 0 {
                    self.array_assignment(*lhs, *rhs).iter().for_each(|line| lines.line(line));
                } else {
                    lines.line(&format!("{};", self.assignment(*lhs, *rhs)));
                }
            }
            StmtKind::Call(call) => {
                let args = self.arguments(call.callee.symbol, &call.args);
                lines.line(&format!("{}({args});", self.refer(call.callee.symbol)));
            }
            StmtKind::InlinableCall(call) => self.tape(lines, call, stmt),
            StmtKind::Allocate(allocate) => self.allocate(lines, allocate, stmt),
            StmtKind::Release(release) => self.release(lines, release),
            StmtKind::Marker(marker) => self.marker(lines, marker, stmt),
            // The text says by itself where an arm of a switch falls into the next one.
            StmtKind::Comment(comment)
                if comment.text.trim().to_ascii_lowercase().starts_with("fall") => {}
            StmtKind::Comment(comment) => {
                let text = format!("//{}", comment.text);
                match (&*comment.text, comment.trailing) {
                    ("", _) => lines.line(""),
                    (_, true) => lines.behind(&text),
                    (_, false) => lines.line(&text),
                }
            }
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_) => {
                self.refuse(stmt.place, "a statement that C does not have");
            }
        }
    }

    /// `lhs = rhs`, `lhs += e`, `lhs++`.
    pub(crate) fn assignment(&self, lhs: RefId, rhs: ExprId) -> String {
        let base = self.doc.refs[lhs].base;
        let ignored =
            self.doc.symbols[base].temp == Some(true) && self.doc.name(base).starts_with("ignored");
        if ignored && matches!(self.doc.exprs[rhs].kind, ExprKind::Call(_)) {
            return self.expr(rhs);
        }
        let target = self.reference(lhs, None);
        if let ExprKind::Intrinsic { name, operands, .. } = &self.doc.exprs[rhs].kind
            && let [a, b] = operands.as_slice()
            && let Some(own) = self.doc.exprs[a.expr].reference()
            && self.reference(own, None) == target
            && !self.doc.exprs[a.expr].parens
        {
            let op = match &**name {
                "add_scal_scal" => "+",
                "sub_scal_scal" => "-",
                "mul_scal_scal" => "*",
                "div_scal_scal" => "/",
                _ => "",
            };
            let step = self.integer(b.expr) == Some(1);
            let shown =
                if target.starts_with('*') { format!("({target})") } else { target.clone() };
            match (op, step) {
                ("+", true) => return format!("{shown}++"),
                ("-", true) => return format!("{shown}--"),
                ("", _) => {}
                _ => {
                    return format!("{target} {op}= {}", self.at(b.expr, Level::Conditional, None));
                }
            }
        }
        format!("{target} = {}", self.at(rhs, Level::Conditional, None))
    }

    fn marker(&self, lines: &mut Lines, marker: &Marker, stmt: &Stmt) {
        match marker.verb {
            Verb::Io | Verb::Stop => {}
            Verb::Continue => return lines.line(";"),
            Verb::Genuine
            | Verb::Format
            | Verb::Pause
            | Verb::AssignLabel
            | Verb::Return
            | Verb::Opaque => {
                self.refuse(stmt.place, "a statement that C does not have");
                return;
            }
        }
        let mut text = String::new();
        for piece in &marker.text {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Operand(index) => {
                    if let Some(operand) = marker.operands.get(*index) {
                        text.push_str(&self.at(operand.expr, Level::Conditional, None));
                    }
                }
                Piece::Label(_) | Piece::StatementLabel(_) => {
                    self.refuse(stmt.place, "a statement with a label as its operand");
                }
            }
        }
        let word = text.split('(').next().unwrap_or_default().to_owned();
        match &*word {
            "printf" | "fprintf" | "puts" | "putchar" | "fflush" => self.needs("stdio.h"),
            "exit" | "abort" | "_Exit" => self.needs("stdlib.h"),
            "assert" => self.needs("assert.h"),
            _ => {
                self.refuse(stmt.place, "input or output in the words of another language");
            }
        }
        lines.line(&format!("{text};"));
    }

    fn allocate(&self, lines: &mut Lines, allocate: &Allocate, stmt: &Stmt) {
        if allocate.stat.is_some() || allocate.errmsg.is_some() {
            self.refuse(stmt.place, "an allocation with options");
            return;
        }
        self.needs("stdlib.h");
        for &object in &allocate.objects {
            let data = &self.doc.refs[object];
            if data.parts.is_empty() {
                self.allocate_as(lines, object, allocate.source.or(allocate.mold));
                continue;
            }
            let [Part::Elements(bounds)] = &data.parts[..] else {
                self.refuse(data.place, "an allocation of a component");
                continue;
            };
            if self.lower_of_deferred(data.base).is_none() {
                self.refuse(data.place, "an array that is allocated with several lower bounds");
                continue;
            }
            let name = self.refer(data.base);
            let mut extents = Vec::new();
            for (dim, bound) in bounds.iter().enumerate() {
                let (lower, upper) = match bound {
                    Subscript::Section { lower, upper: Some(upper), .. } => (*lower, *upper),
                    Subscript::Index(upper) => (None, *upper),
                    Subscript::Section { .. } => continue,
                };
                let same = match (lower.and_then(|one| self.bound_of(one)), self.bound_of(upper)) {
                    (Some(("lbound", a, i)), Some(("ubound", b, j))) => a == b && i == j,
                    _ => false,
                };
                let whole = self.bound_of(upper).filter(|_| same);
                let text = match (
                    whole.and_then(|(_, symbol, dim)| self.extent_of(symbol, dim)),
                    lower.map_or(Some(1), |lower| self.lower_value(lower)),
                ) {
                    (Some(extent), _) => extent,
                    (None, Some(0)) => match (self.integer(upper), self.one_more(upper)) {
                        (Some(upper), _) => (upper + 1).to_string(),
                        (None, Some(count)) => count,
                        (None, None) => format!("{} + 1", self.at(upper, Level::Sum, None)),
                    },
                    (None, Some(1)) => self.expr(upper),
                    (None, Some(lower)) => {
                        format!("{} - ({lower}) + 1", self.at(upper, Level::Sum, None))
                    }
                    (None, None) => self.refuse(data.place, "a lower bound that is no literal"),
                };
                if self.keeps_extent(data.base, dim) {
                    lines.line(&format!("{name}_extent{} = {text};", dim + 1));
                }
                extents.push(text);
            }
            let count = match &extents[..] {
                [one] if one.bytes().all(|byte| byte.is_ascii_digit()) => one.clone(),
                [one] if one.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') => {
                    format!("(size_t){one}")
                }
                many => {
                    many.iter().map(|one| format!("(size_t)({one})")).collect::<Vec<_>>().join("*")
                }
            };
            // Zero bytes may give a null pointer.
            lines.line(&format!("{name} = malloc({count} * sizeof *{name});"));
            if let Some(source) = allocate.source {
                let place = stmt.place;
                if self.doc.exprs[source].ty.rank > 0
                    || !self.keeps_extent(data.base, extents.len().saturating_sub(1))
                {
                    self.refuse(place, "an allocation with an array as its first value");
                    continue;
                }
                let names: Vec<String> =
                    (1..=extents.len()).map(|dim| format!("{name}_extent{dim}")).collect();
                lines.line(&format!("for (long k1 = 0; k1 < {}; k1++)", names.join("*")));
                lines.line(&format!(
                    "    {name}[k1] = {};",
                    self.at(source, Level::Conditional, None)
                ));
            }
        }
    }

    /// An allocation with the shape and the values of another array.
    fn allocate_as(&self, lines: &mut Lines, object: RefId, source: Option<ExprId>) {
        let data = &self.doc.refs[object];
        let source = source.and_then(|source| self.doc.exprs[source].reference());
        let extents = source.and_then(|source| self.extents(source));
        let (Some(source), Some(extents)) = (source, extents) else {
            self.refuse(data.place, "an allocation whose shape is not known");
            return;
        };
        let name = self.refer(data.base);
        for (dim, extent) in extents.iter().enumerate() {
            if self.keeps_extent(data.base, dim) {
                lines.line(&format!("{name}_extent{} = {extent};", dim + 1));
            }
        }
        let count: Vec<String> = extents.iter().map(|one| format!("(size_t)({one})")).collect();
        lines.line(&format!("{name} = malloc({} * sizeof *{name});", count.join("*")));
        let names: Vec<String> = (1..=extents.len()).map(|dim| format!("k{dim}")).collect();
        for (depth, (index, extent)) in names.iter().zip(&extents).rev().enumerate() {
            let indent = "    ".repeat(depth);
            lines.line(&format!("{indent}for (long {index} = 0; {index} < {extent}; {index}++)"));
        }
        let indent = "    ".repeat(extents.len());
        let (to, from) =
            (self.reference(object, Some(&names)), self.reference(source, Some(&names)));
        lines.line(&format!("{indent}{to} = {from};"));
    }

    fn release(&self, lines: &mut Lines, release: &Release) {
        self.needs("stdlib.h");
        for &object in &release.objects {
            let text = self.reference(object, None);
            if !release.nullify {
                lines.line(&format!("free({text});"));
            }
            if self.is_asked(self.doc.refs[object].base) || release.nullify {
                self.needs("stddef.h");
                lines.line(&format!("{text} = NULL;"));
            }
        }
    }

    /// Operations of the tape: the functions of the runtime.
    fn tape(&self, lines: &mut Lines, call: &InlinableCall, stmt: &Stmt) {
        self.needs("oxad_tape.h");
        let arg = |index: usize| match call.args.get(index).map(|arg| arg.value) {
            Some(ArgValue::Expr(expr)) => Some(expr),
            Some(ArgValue::AlternateReturn(_)) | None => None,
        };
        let Some(first) = arg(0) else {
            self.refuse(stmt.place, "an operation of the tape without arguments");
            return;
        };
        let reference = self.doc.exprs[first].reference();
        let text = |expr| self.at(expr, Level::Prefix, None);
        match (&*call.name, reference) {
            ("push", Some(reference)) => {
                let name = self.reference(reference, None);
                lines.line(&format!(
                    "oxad_push_bytes({}, sizeof {name});",
                    crate::reference::address(&name)
                ));
            }
            ("push", None) => {
                let ty = self.type_name(self.doc.exprs[first].ty.base);
                let value = self.at(first, Level::Conditional, None);
                lines.line(&format!("oxad_push_bytes(&({ty}){{{value}}}, sizeof({ty}));"));
            }
            ("pop", Some(reference)) => {
                let name = self.reference(reference, None);
                lines.line(&format!(
                    "oxad_pop_bytes({}, sizeof {name});",
                    crate::reference::address(&name)
                ));
            }
            ("block_alloc", Some(reference)) => {
                let name = self.reference(reference, None);
                let count = arg(1).map_or_else(|| "0".to_owned(), text);
                lines.line(&format!(
                    "{name}_size = {count} > 0 ? (size_t){count} * sizeof *{name} : 0;"
                ));
                lines.line(&format!("{name} = oxad_block_alloc({name}_size);"));
            }
            ("block_push", Some(reference)) => {
                let name = self.reference(reference, None);
                lines.line(&format!("oxad_block_push({name}, {name}_size);"));
            }
            ("block_pop", Some(reference)) => {
                let name = self.reference(reference, None);
                lines.line(&format!("{name} = oxad_block_pop(&{name}_size);"));
            }
            ("block_free", Some(reference)) => {
                let name = self.reference(reference, None);
                lines.line(&format!("oxad_block_free({name});"));
            }
            ("push_array" | "pop_array", Some(reference)) => {
                self.tape_array(lines, &call.name, reference, stmt)
            }
            _ => {
                self.refuse(stmt.place, format!("the operation `{}` of the tape", call.name));
            }
        }
    }

    /// An array whose elements are contiguous goes to the tape in one piece.
    fn tape_array(&self, lines: &mut Lines, name: &str, reference: RefId, stmt: &Stmt) {
        let data = &self.doc.refs[reference];
        let word = if name == "push_array" { "oxad_push_memory" } else { "oxad_pop_memory" };
        if data.ty.rank == 0 {
            let text = self.reference(reference, None);
            lines.line(&format!("{word}({}, sizeof {text});", crate::reference::address(&text)));
            return;
        }
        let Some(extents) = self.extents(reference) else {
            self.refuse(stmt.place, "an array on the tape whose number of elements is not known");
            return;
        };
        let names: Vec<String> = (1..=extents.len()).map(|dim| format!("k{dim}")).collect();
        let sections = match data.parts.last() {
            Some(Part::Elements(subscripts)) => {
                subscripts.iter().filter(|one| matches!(one, Subscript::Section { .. })).count()
            }
            _ => 0,
        };
        let contiguous = sections == 0
            || matches!(data.parts.last(), Some(Part::Elements(subscripts))
            if subscripts.iter().take(sections).all(|one| matches!(one, Subscript::Section { .. })) && sections == 1);
        if !contiguous {
            // Rows one by one; backwards in the same order reversed.
            self.refuse(stmt.place, "a part of an array with several subscripts on the tape");
            return;
        }
        let first = self.reference(reference, Some(&vec!["0".to_owned(); names.len()]));
        let count: Vec<String> = extents.iter().map(|one| format!("(size_t)({one})")).collect();
        lines.line(&format!(
            "{word}({}, {} * sizeof {first});",
            crate::reference::address(&first),
            count.join(" * ")
        ));
    }
}
