//! An I/O statement, taken apart: its word, its control list and its items.

use xaif_schema::model::{ExprId, Marker, Piece};

/// An I/O statement.
#[derive(Debug)]
pub(crate) struct Statement {
    /// `read`, `write`, `open`, …
    pub(crate) word: String,
    /// Keyword and value of each control; those without a keyword have the one of their position.
    controls: Vec<(String, Control)>,
    /// The items.
    pub(crate) items: Vec<ExprId>,
    /// Operands that the text does not show: the members of a namelist group.
    pub(crate) hidden: Vec<ExprId>,
}

/// The value of a control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// `*`
    Star,
    /// An expression or variable.
    Expr(ExprId),
    /// A label that is jumped to: the condition value of the edge.
    Label(i64),
    /// The label of a FORMAT.
    Format(u32),
    /// A name: that of a namelist group.
    Name(String),
}

impl Statement {
    /// The value of `keyword`.
    pub(crate) fn control(&self, keyword: &str) -> Option<&Control> {
        self.controls.iter().find(|(key, _)| key == keyword).map(|(_, control)| control)
    }

    /// The expression that is the value of `keyword`.
    pub(crate) fn expr(&self, keyword: &str) -> Option<ExprId> {
        match self.control(keyword) {
            Some(Control::Expr(expr)) => Some(*expr),
            Some(Control::Star | Control::Label(_) | Control::Format(_) | Control::Name(_))
            | None => None,
        }
    }

    /// The edge for `keyword`: `end=`, `err=`, `eor=`.
    pub(crate) fn label(&self, keyword: &str) -> Option<i64> {
        match self.control(keyword) {
            Some(Control::Label(edge)) => Some(*edge),
            Some(Control::Star | Control::Expr(_) | Control::Format(_) | Control::Name(_))
            | None => None,
        }
    }

    /// All keywords with expressions.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = (&str, ExprId)> {
        self.controls.iter().filter_map(|(key, control)| match control {
            Control::Expr(expr) => Some((key.as_str(), *expr)),
            Control::Star | Control::Label(_) | Control::Format(_) | Control::Name(_) => None,
        })
    }

    /// Takes a marker apart.
    pub(crate) fn of(marker: &Marker) -> Self {
        let mut tokens = tokens(marker).into_iter().peekable();
        let mut word = String::new();
        while let Some(Token::Char(c)) =
            tokens.next_if(|t| matches!(t, Token::Char(c) if c.is_ascii_alphabetic()))
        {
            word.push(c.to_ascii_lowercase());
        }
        while tokens.next_if(|t| matches!(t, Token::Char(' '))).is_some() {}
        let parentheses = tokens.next_if(|t| matches!(t, Token::Char('('))).is_some();
        let shown: Vec<usize> = marker.text.iter().filter_map(operand).collect();
        let hidden = marker.operands.iter().enumerate().filter(|(index, _)| !shown.contains(index));
        let hidden = hidden.map(|(_, operand)| operand.expr).collect();
        let mut statement = Statement { word, controls: Vec::new(), items: Vec::new(), hidden };
        let (mut text, mut hole, mut depth) = (String::new(), None, 0);
        let mut closed = false;
        for token in tokens.by_ref() {
            let c = match token {
                Token::Hole(control) => {
                    hole = Some(control);
                    continue;
                }
                Token::Char(c) => c,
            };
            match c {
                '(' => depth += 1,
                ')' if depth > 0 => depth -= 1,
                ')' if parentheses => closed = true,
                ',' if depth == 0 => {}
                _ => {
                    text.push(c);
                    continue;
                }
            }
            if matches!(c, '(' | ')') && !closed {
                text.push(c);
                continue;
            }
            statement.add(&text, hole.take(), parentheses);
            text.clear();
            if closed || !parentheses {
                break;
            }
        }
        if !text.trim().is_empty() || hole.is_some() {
            statement.add(&text, hole, parentheses);
        }
        for token in tokens {
            if let Token::Hole(Control::Expr(expr)) = token {
                statement.items.push(expr);
            }
        }
        statement
    }

    fn add(&mut self, text: &str, hole: Option<Control>, parentheses: bool) {
        let (keyword, value) = match text.split_once('=') {
            Some((keyword, value)) => (keyword.trim().to_ascii_lowercase(), value),
            None => {
                let data = matches!(self.word.as_str(), "print" | "read");
                let keyword = match (self.controls.len(), parentheses) {
                    (0, true) => "unit",
                    (0, false) if !data => "unit",
                    _ => "fmt",
                };
                (keyword.to_string(), text)
            }
        };
        let value = value.trim();
        let control = match hole {
            Some(hole) => hole,
            None if value == "*" => Control::Star,
            None => Control::Name(value.to_ascii_lowercase()),
        };
        self.controls.push((keyword, control));
    }
}

fn operand(piece: &Piece) -> Option<usize> {
    match piece {
        Piece::Operand(index) => Some(*index),
        Piece::Text(_) | Piece::Label(_) | Piece::StatementLabel(_) => None,
    }
}

/// One token of a marker's text: a character, or a hole.
enum Token {
    Char(char),
    Hole(Control),
}

fn tokens(marker: &Marker) -> Vec<Token> {
    let mut tokens = Vec::new();
    for piece in &marker.text {
        match piece {
            Piece::Text(text) => tokens.extend(text.chars().map(Token::Char)),
            Piece::Operand(index) => {
                if let Some(operand) = marker.operands.get(*index) {
                    tokens.push(Token::Hole(Control::Expr(operand.expr)));
                }
            }
            Piece::Label(edge) => tokens.push(Token::Hole(Control::Label(*edge))),
            Piece::StatementLabel(label) => tokens.push(Token::Hole(Control::Format(*label))),
        }
    }
    tokens
}
