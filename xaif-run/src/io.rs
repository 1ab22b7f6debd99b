//! Markers: input and output, STOP, RETURN with a number, ASSIGN.
//!
//! Carried out are list-directed PRINT and WRITE to the terminal, byte for byte as gfortran 12
//! writes them, and list-directed READ from the terminal. Other output moves no numbers of the
//! program and is left out with a warning; other input is refused, since the program would go on
//! with values that it never got. `iostat=` is set to zero, at the end of the input to -1.

use xaif_schema::diag::Code;
use xaif_schema::model::{
    ExprId, ExprKind, GenericSpec, Marker, MarkerOperand, Piece, RefId, Role, ScopeKind, SymbolId,
    Verb,
};

use crate::arith::convert;
use crate::fault::{Halt, Located as _, Run, fault, refuse};
use crate::listing::Listing;
use crate::machine::Machine;
use crate::value::{Elem, Scalar, Value};
use crate::view::View;

/// A data transfer statement, taken apart.
struct Transfer {
    word: String,
    /// Keyword (empty where there is none) and value of each control.
    controls: Vec<(String, Control)>,
    items: Vec<ExprId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Control {
    Star,
    Expr(ExprId),
    /// A condition value of an edge.
    Label(i64),
    /// A format or anything else.
    Other,
}

impl Transfer {
    fn control(&self, keyword: &str) -> Option<Control> {
        self.controls.iter().find(|(key, _)| key == keyword).map(|&(_, control)| control)
    }

    fn expr(&self, keyword: &str) -> Option<ExprId> {
        match self.control(keyword) {
            Some(Control::Expr(expr)) => Some(expr),
            Some(Control::Star | Control::Label(_) | Control::Other) | None => None,
        }
    }
}

impl Machine<'_> {
    /// Executes a marker; the result is the condition value of the edge that it chooses.
    pub(crate) fn marker(&mut self, marker: &Marker) -> Run<Option<i64>> {
        match marker.verb {
            Verb::Genuine | Verb::Format | Verb::Continue | Verb::Pause => Ok(None),
            Verb::Io => self.io(marker),
            Verb::Stop => {
                let code = match marker.operands.first() {
                    Some(operand) => text_of(&self.eval_scalar(operand.expr)?),
                    None => String::new(),
                };
                Err(Box::new(Halt::Stop(code)))
            }
            Verb::Return => {
                let number = match marker.operands.first() {
                    Some(operand) => self.int(operand.expr)?,
                    None => 0,
                };
                if let Some(frame) = self.frames.last_mut() {
                    frame.alternate = number;
                }
                Ok(None)
            }
            Verb::AssignLabel => self.assign_label(marker),
            Verb::Opaque => {
                let text = marker.text.iter().filter_map(|piece| match piece {
                    Piece::Text(text) => Some(&**text),
                    Piece::Operand(_) | Piece::Label(_) | Piece::StatementLabel(_) => None,
                });
                refuse(format!("`{}`, which was carried as text", text.collect::<String>()))
            }
        }
    }

    fn assign_label(&mut self, marker: &Marker) -> Run<Option<i64>> {
        let label = marker.text.iter().find_map(|piece| match piece {
            Piece::StatementLabel(label) => Some(i64::from(*label)),
            Piece::Label(label) => Some(*label),
            Piece::Text(_) | Piece::Operand(_) => None,
        });
        let (Some(label), Some(to)) = (label, marker.operands.first()) else {
            return fault(Code::RUN_MALFORMED, "an ASSIGN lacks its label or variable");
        };
        self.put_scalar(to.expr, Scalar::int(label))?;
        Ok(None)
    }

    fn put_scalar(&mut self, expr: ExprId, value: Scalar) -> Run<()> {
        let Some(r) = self.reference_of(expr) else {
            return fault(Code::RUN_ARGUMENT, "a variable is needed here");
        };
        let to = self.locate(r)?;
        let value = convert(value, to.elem())?;
        self.store_at(&to, Value::Scalar(value))
    }

    fn reference_of(&self, expr: ExprId) -> Option<RefId> {
        match self.doc.exprs[expr].kind {
            ExprKind::Ref(r) => Some(r),
            _ => None,
        }
    }

    fn io(&mut self, marker: &Marker) -> Run<Option<i64>> {
        let transfer = take_apart(marker);
        let unit = transfer.control("unit").unwrap_or(Control::Star);
        let listed = transfer.control("fmt") == Some(Control::Star);
        let unit = match unit {
            Control::Star => None,
            Control::Expr(unit) if self.doc.exprs[unit].ty.rank == 0 => {
                match self.eval_scalar(unit) {
                    Ok(Scalar::Int(_, unit)) => Some(unit),
                    // An internal file, whose old content is of no interest.
                    Ok(_) | Err(_) => Some(-1),
                }
            }
            Control::Expr(_) | Control::Label(_) | Control::Other => Some(-1),
        };
        match transfer.word.as_str() {
            "print" | "write" if listed && matches!(unit, None | Some(6)) => {
                self.write_list(&transfer.items)?;
            }
            "write" if unit == Some(-1) => {
                return refuse("WRITE to a variable (an internal file)");
            }
            "read" if listed && matches!(unit, None | Some(5)) => {
                let (status, edge) = self.read_list(&transfer)?;
                if let Some(to) = transfer.expr("iostat") {
                    self.put_scalar(to, Scalar::int(status))?;
                }
                return Ok(edge);
            }
            "read" => return refuse("READ with a format, or from a file"),
            "inquire" => return refuse("INQUIRE"),
            "print" | "write" => {
                self.warn(Code::RUN_NO_OUTPUT, "output with a format, or to a file, is left out")
            }
            "open" if transfer.control("newunit").is_some() => {
                if let Some(unit) = transfer.expr("newunit") {
                    self.put_scalar(unit, Scalar::int(-10))?;
                }
            }
            _ => {}
        }
        if let Some(status) = transfer.expr("iostat") {
            self.put_scalar(status, Scalar::int(0))?;
        }
        Ok(None)
    }

    fn write_list(&mut self, items: &[ExprId]) -> Run<()> {
        let mut listing = Listing::new();
        for &item in items {
            self.write_item(item, &mut listing)?;
        }
        self.output.push_str(&listing.finish());
        Ok(())
    }

    fn write_item(&mut self, item: ExprId, listing: &mut Listing) -> Run<()> {
        self.check_stack()?;
        if let ExprKind::ImpliedDo(implied) = &self.doc.exprs[item].kind {
            return self
                .implied_do(implied, &mut |machine, item| machine.write_item(item, listing));
        }
        match self.eval(item)? {
            Value::Scalar(scalar) => listing.add(&scalar),
            Value::Array(array) => array.data.iter().try_for_each(|scalar| listing.add(scalar)),
            Value::Object(view) => self.write_object(&view, listing),
        }
        .at(self.doc.exprs[item].place)
    }

    /// The components of objects, in order.
    fn write_object(&mut self, view: &View, listing: &mut Listing) -> Run<()> {
        self.check_stack()?;
        let Elem::Derived(layout) = view.elem else {
            return fault(Code::RUN_TYPE, "an object is of no derived type");
        };
        if self.has_own_output(layout) {
            return refuse("user-defined output of a derived type");
        }
        let components = self.layouts[layout as usize].components.clone();
        for object in view.elements() {
            for component in &components {
                let (None, Some(elem)) = (component.slot, component.elem) else {
                    return refuse("output of a pointer or allocatable component");
                };
                let addr = object.plus(component.offset);
                let part = View::contiguous(elem, self.size_of(elem), addr, &component.bounds);
                match self.load_view(&part)? {
                    Value::Scalar(scalar) => listing.add(&scalar)?,
                    Value::Array(array) => {
                        array.data.iter().try_for_each(|scalar| listing.add(scalar))?;
                    }
                    Value::Object(inner) => self.write_object(&inner, listing)?,
                }
            }
        }
        Ok(())
    }

    /// Whether a generic `write(formatted)` is bound to the type or declared for any type.
    fn has_own_output(&self, layout: u32) -> bool {
        let doc = self.doc;
        let io = |symbol: SymbolId| {
            matches!(doc.role(symbol), Some(Role::Generic { spec: GenericSpec::Io(_), .. }))
        };
        let declared = doc.symbols.keys().any(|symbol| {
            io(symbol)
                && !matches!(doc.scopes[doc.symbols[symbol].scope].kind, ScopeKind::DerivedType(_))
        });
        let mut at = Some(layout);
        while let Some(id) = at {
            let layout = &self.layouts[id as usize];
            if let Some(Role::DerivedType { scope, .. }) = doc.role(layout.symbol)
                && doc.scopes[*scope].symbols.iter().any(|&symbol| io(symbol))
            {
                return true;
            }
            at = layout.parent;
        }
        declared
    }

    /// List-directed input; the result is the status, and the edge for `end=` if the input has
    /// ended.
    fn read_list(&mut self, transfer: &Transfer) -> Run<(i64, Option<i64>)> {
        let mut targets = Vec::new();
        for &item in &transfer.items {
            self.read_targets(item, &mut targets)?;
        }
        for (addr, elem) in targets {
            let Some(word) = self.input.pop_front() else {
                return match (transfer.control("end"), transfer.expr("iostat")) {
                    (Some(Control::Label(edge)), _) => Ok((-1, Some(edge))),
                    (_, Some(_)) => Ok((-1, None)),
                    _ => fault(Code::RUN_BAD_INPUT, "READ finds no more input")
                        .help("give the input with --stdin FILE"),
                };
            };
            let value = crate::input::parse_word(&word, elem)?;
            self.memory.write(addr, &convert(value, elem)?)?;
        }
        Ok((0, None))
    }

    fn read_targets(
        &mut self,
        item: ExprId,
        targets: &mut Vec<(crate::storage::Addr, Elem)>,
    ) -> Run<()> {
        self.check_stack()?;
        match &self.doc.exprs[item].kind {
            ExprKind::ImpliedDo(implied) => {
                self.implied_do(implied, &mut |machine, item| machine.read_targets(item, targets))
            }
            ExprKind::Ref(r) => {
                targets.extend(self.locate(*r)?.addresses());
                Ok(())
            }
            ExprKind::Constant(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => fault(Code::RUN_ARGUMENT, "READ needs variables"),
        }
    }
}

/// What STOP prints.
fn text_of(code: &Scalar) -> String {
    match code {
        Scalar::Char(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Scalar::Int(_, value) => value.to_string(),
        Scalar::Real(..) | Scalar::Complex(..) | Scalar::Logical(..) | Scalar::Undefined(_) => {
            String::new()
        }
    }
}

/// One token of a marker's text: a character, or a hole.
enum Token {
    Char(char),
    Hole(Control),
}

fn take_apart(marker: &Marker) -> Transfer {
    let operand = |index: usize| marker.operands.get(index).map(|o: &MarkerOperand| o.expr);
    let mut tokens = Vec::new();
    for piece in &marker.text {
        match piece {
            Piece::Text(text) => tokens.extend(text.chars().map(Token::Char)),
            Piece::Operand(index) => {
                tokens.push(Token::Hole(operand(*index).map_or(Control::Other, Control::Expr)))
            }
            Piece::Label(edge) => tokens.push(Token::Hole(Control::Label(*edge))),
            Piece::StatementLabel(_) => tokens.push(Token::Hole(Control::Other)),
        }
    }
    let mut tokens = tokens.into_iter().peekable();
    let mut word = String::new();
    while let Some(Token::Char(c)) =
        tokens.next_if(|t| matches!(t, Token::Char(c) if c.is_ascii_alphabetic()))
    {
        word.push(c.to_ascii_lowercase());
    }
    while tokens.next_if(|t| matches!(t, Token::Char(' '))).is_some() {}
    let parentheses = tokens.next_if(|t| matches!(t, Token::Char('('))).is_some();
    let mut transfer = Transfer { word, controls: Vec::new(), items: Vec::new() };
    let (mut text, mut hole) = (String::new(), None);
    for token in tokens.by_ref() {
        let end = match token {
            Token::Hole(control) => {
                hole = Some(control);
                continue;
            }
            Token::Char(c) if c == ',' || (parentheses && c == ')') => c,
            Token::Char(c) => {
                text.push(c);
                continue;
            }
        };
        control(&mut transfer, &text, hole.take(), parentheses);
        text.clear();
        if end == ')' || !parentheses {
            break;
        }
    }
    if !text.trim().is_empty() || hole.is_some() {
        control(&mut transfer, &text, hole, parentheses);
    }
    for token in tokens {
        if let Token::Hole(Control::Expr(expr)) = token {
            transfer.items.push(expr);
        }
    }
    transfer
}

fn control(transfer: &mut Transfer, text: &str, hole: Option<Control>, parentheses: bool) {
    let (keyword, value) = match text.split_once('=') {
        Some((keyword, value)) => (keyword.trim().to_ascii_lowercase(), value),
        None => {
            let keyword = match (transfer.controls.len(), parentheses) {
                (0, true) => "unit",
                _ => "fmt",
            };
            (keyword.to_string(), text)
        }
    };
    let star = value.trim() == "*" && hole.is_none();
    let value = if star { Control::Star } else { hole.unwrap_or(Control::Other) };
    transfer.controls.push((keyword, value));
}
