//! Formats: the text of a FORMAT statement or character expression, taken apart, and the walk
//! through it (repeat counts, groups, reversion).
//!
//! Fortran 2018, section 13. Decimal commas and rounding modes other than the processor's are
//! refused; Hollerith descriptors and `$` are known because old programs have them.

use xaif_schema::diag::Code;

use crate::fault::{Run, fault, refuse};

/// Groups nest no deeper than this.
const DEEPEST: usize = 100;

/// Nobody skips more records at once.
const MOST_SLASHES: usize = 10_000;

/// A format, ready to be walked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Format {
    items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq)]
enum Item {
    /// A data edit descriptor and how often it is repeated.
    Data(u64, Edit),
    Control(Control),
    /// A group and how often it is repeated.
    Group(u64, Vec<Item>),
}

/// Data edit descriptors. A width of 0 is "as many as are needed".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// `Iw.m`
    Integer { width: usize, least: Option<usize> },
    /// `Bw.m`, `Ow.m`, `Zw.m`: bits of a digit.
    Bits { bits: u32, width: usize, least: Option<usize> },
    /// `Fw.d`
    Fixed { width: usize, decimals: usize },
    /// `Ew.dEe`, `Dw.d`, `ENw.dEe`, `ESw.dEe`.
    Exponent { style: Style, width: usize, decimals: usize, exponent: Option<usize> },
    /// `Gw.dEe`
    General { width: usize, decimals: Option<usize>, exponent: Option<usize> },
    /// `Lw`
    Logical { width: usize },
    /// `Aw`
    Text { width: Option<usize> },
    /// `DT"type"(list)`
    Derived { name: String, list: Vec<i64> },
}

/// How a number with an exponent is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `E`
    E,
    /// `D`
    D,
    /// `EN`: the exponent is a multiple of three.
    Engineering,
    /// `ES`: one digit before the point.
    Scientific,
}

/// Descriptors that need no data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// A literal.
    Text(Vec<u8>),
    /// `nX`, `TRn`, `TLn`
    Skip(i64),
    /// `Tn`
    Tab(usize),
    /// `/`
    Slash,
    /// `:`
    Colon,
    /// `kP`
    Scale(i32),
    /// `SP`; `S` and `SS` are false.
    Plus(bool),
    /// `BZ`; `BN` is false.
    BlankIsZero(bool),
    /// `$`: the record goes on.
    Stay,
}

/// What comes next in a format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step<'f> {
    Data(&'f Edit),
    Control(&'f Control),
    /// The last parenthesis.
    End,
}

/// Where a walk through a format stands.
#[derive(Debug)]
pub(crate) struct Cursor<'f> {
    top: &'f [Item],
    levels: Vec<Level<'f>>,
    again: Option<(&'f Edit, u64)>,
}

#[derive(Debug)]
struct Level<'f> {
    items: &'f [Item],
    at: usize,
    left: u64,
}

impl<'f> Cursor<'f> {
    pub(crate) fn new(format: &'f Format) -> Self {
        let top = Level { items: &format.items, at: 0, left: 1 };
        Cursor { top: &format.items, levels: vec![top], again: None }
    }

    /// The next descriptor.
    pub(crate) fn step(&mut self) -> Step<'f> {
        if let Some((edit, left)) = self.again.take() {
            self.again = (left > 1).then_some((edit, left - 1));
            return Step::Data(edit);
        }
        let mut outermost = self.levels.len() <= 1;
        while let Some(level) = self.levels.last_mut() {
            match level.items.get(level.at) {
                Some(Item::Data(count, edit)) => {
                    level.at += 1;
                    self.again = (*count > 1).then_some((edit, count - 1));
                    return Step::Data(edit);
                }
                Some(Item::Control(control)) => {
                    level.at += 1;
                    return Step::Control(control);
                }
                Some(Item::Group(count, items)) => {
                    level.at += 1;
                    self.levels.push(Level { items, at: 0, left: *count });
                    outermost = false;
                }
                None if level.left > 1 => {
                    level.left -= 1;
                    level.at = 0;
                }
                None if outermost => return Step::End,
                None => {
                    self.levels.pop();
                    outermost = self.levels.len() <= 1;
                }
            }
        }
        Step::End
    }

    /// Goes back to the last group of the top level, or to the beginning, for further items. False
    /// if nothing there takes an item.
    pub(crate) fn revert(&mut self) -> bool {
        let group = self.top.iter().rposition(|item| matches!(item, Item::Group(..)));
        let at = group.unwrap_or(0);
        self.levels = vec![Level { items: self.top, at, left: 1 }];
        self.again = None;
        self.top.get(at..).is_some_and(takes_data)
    }
}

fn takes_data(items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Data(..) => true,
        Item::Control(_) => false,
        Item::Group(_, items) => takes_data(items),
    })
}

/// Takes a format apart: `(…)`, with anything behind the last parenthesis.
pub(crate) fn parse(text: &[u8]) -> Run<Format> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    parser.blanks();
    if !parser.eat(b'(') {
        return parser.bad("a format begins with a parenthesis");
    }
    Ok(Format { items: parser.list()? })
}

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn bad<T>(&self, what: &str) -> Run<T> {
        let text = String::from_utf8_lossy(self.text);
        fault(Code::RUN_FORMAT, format!("the format `{}` is not understood: {what}", text.trim()))
    }

    fn blanks(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// The next character that is no blank, in lower case, without taking it.
    fn peek(&mut self) -> Option<u8> {
        self.blanks();
        self.text.get(self.at).map(u8::to_ascii_lowercase)
    }

    fn eat(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn number(&mut self) -> Option<u64> {
        let mut value: Option<u64> = None;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            self.at += 1;
            let digit = u64::from(digit - b'0');
            value = Some(value.unwrap_or(0).saturating_mul(10).saturating_add(digit));
        }
        // Nobody writes wider fields; a record of them could not be held.
        value.map(|value| value.min(1 << 20))
    }

    fn width(&mut self) -> Option<usize> {
        self.number().map(|width| width as usize)
    }

    /// `.n`
    fn fraction(&mut self) -> Option<usize> {
        if self.eat(b'.') { self.width() } else { None }
    }

    fn exponent(&mut self) -> Option<usize> {
        if self.eat(b'e') { self.width() } else { None }
    }

    /// The items up to the closing parenthesis.
    fn list(&mut self) -> Run<Vec<Item>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.bad("its groups are nested too deep");
        }
        let mut items = Vec::new();
        loop {
            match self.peek() {
                None => return self.bad("its end is missing"),
                Some(b')') => break,
                Some(b',') => self.at += 1,
                Some(_) => self.item(&mut items)?,
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(items)
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Run<()> {
        let minus = self.eat(b'-');
        let plus = !minus && self.eat(b'+');
        let count = if self.eat(b'*') { Some(u64::MAX) } else { self.number() };
        if minus || plus || (count.is_some() && self.peek() == Some(b'p')) {
            if !self.eat(b'p') {
                return self.bad("a sign belongs to a scale factor");
            }
            let scale = count.unwrap_or(0).min(1000) as i32;
            items.push(Item::Control(Control::Scale(if minus { -scale } else { scale })));
            return Ok(());
        }
        let Some(letter) = self.peek() else { return self.bad("its end is missing") };
        self.at += 1;
        let many = count.unwrap_or(1);
        match letter {
            b'(' => {
                let group = self.list()?;
                if count == Some(u64::MAX) && !takes_data(&group) {
                    return self.bad("a group without data is repeated without end");
                }
                if many > 0 {
                    items.push(Item::Group(many, group));
                }
            }
            b'/' => {
                // No group: reversion does not go back to it.
                let slashes = std::iter::repeat_n(Item::Control(Control::Slash), many as usize);
                items.extend(slashes.take(MOST_SLASHES));
            }
            b'\'' | b'"' => {
                let text = Control::Text(self.literal(letter)?);
                items.push(Item::Control(text));
            }
            b'h' => {
                let end = self.at.saturating_add(many as usize);
                let Some(text) = self.text.get(self.at..end) else {
                    return self.bad("a Hollerith descriptor goes on behind the end");
                };
                items.push(Item::Control(Control::Text(text.to_vec())));
                self.at = end;
            }
            b'x' => items.push(Item::Control(Control::Skip(many as i64))),
            b':' => items.push(Item::Control(Control::Colon)),
            b'$' | b'\\' => items.push(Item::Control(Control::Stay)),
            b't' => items.push(Item::Control(self.tab()?)),
            b's' => {
                let plus = self.eat(b'p');
                if !plus {
                    self.eat(b's');
                }
                items.push(Item::Control(Control::Plus(plus)));
            }
            b'b' if matches!(self.peek(), Some(b'n' | b'z')) => {
                let zero = self.peek() == Some(b'z');
                self.at += 1;
                items.push(Item::Control(Control::BlankIsZero(zero)));
            }
            b'r' => match self.peek() {
                Some(b'n' | b'c' | b'p') => self.at += 1,
                _ => return refuse("a format with a rounding mode"),
            },
            b'd' if matches!(self.peek(), Some(b'c' | b'p')) => {
                if self.peek() == Some(b'c') {
                    return refuse("a format with decimal commas");
                }
                self.at += 1;
            }
            _ => {
                let edit = self.edit(letter)?;
                items.push(Item::Data(many, edit));
            }
        }
        Ok(())
    }

    /// The rest of a literal; doubled quotes are one.
    fn literal(&mut self, quote: u8) -> Run<Vec<u8>> {
        let mut literal = Vec::new();
        loop {
            match self.text.get(self.at) {
                Some(&c) if c == quote && self.text.get(self.at + 1) == Some(&quote) => {
                    literal.push(quote);
                    self.at += 2;
                }
                Some(&c) if c == quote => {
                    self.at += 1;
                    return Ok(literal);
                }
                Some(&c) => {
                    literal.push(c);
                    self.at += 1;
                }
                None => return self.bad("a literal has no end"),
            }
        }
    }

    fn tab(&mut self) -> Run<Control> {
        let (left, right) = (self.eat(b'l'), self.eat(b'r'));
        let Some(count) = self.number() else { return self.bad("a T lacks its column") };
        Ok(match (left, right) {
            (true, _) => Control::Skip(-(count as i64)),
            (_, true) => Control::Skip(count as i64),
            _ => Control::Tab(count as usize),
        })
    }

    fn edit(&mut self, letter: u8) -> Run<Edit> {
        let style = match (letter, self.peek()) {
            (b'e', Some(b'n')) => Some(Style::Engineering),
            (b'e', Some(b's')) => Some(Style::Scientific),
            (b'e', _) => Some(Style::E),
            (b'd', Some(b't')) => {
                self.at += 1;
                return self.derived();
            }
            (b'd', _) => Some(Style::D),
            _ => None,
        };
        if matches!(style, Some(Style::Engineering | Style::Scientific)) {
            self.at += 1;
        }
        let width = self.width();
        let fraction = self.fraction();
        let needed = width.unwrap_or(0);
        Ok(match letter {
            b'i' => Edit::Integer { width: needed, least: fraction },
            b'b' => Edit::Bits { bits: 1, width: needed, least: fraction },
            b'o' => Edit::Bits { bits: 3, width: needed, least: fraction },
            b'z' => Edit::Bits { bits: 4, width: needed, least: fraction },
            b'l' => Edit::Logical { width: width.unwrap_or(1) },
            b'a' => Edit::Text { width },
            b'g' => {
                let exponent = self.exponent();
                Edit::General { width: needed, decimals: fraction, exponent }
            }
            b'f' => match fraction {
                Some(decimals) => Edit::Fixed { width: needed, decimals },
                None => return self.bad("F lacks its number of decimals"),
            },
            b'e' | b'd' => match (style, fraction) {
                (Some(style), Some(decimals)) => {
                    let exponent = self.exponent();
                    Edit::Exponent { style, width: needed, decimals, exponent }
                }
                _ => return self.bad("E lacks its number of decimals"),
            },
            other => {
                return self.bad(&format!("`{}` is no edit descriptor", char::from(other)));
            }
        })
    }

    fn derived(&mut self) -> Run<Edit> {
        let mut name = "DT".to_string();
        if let Some(quote @ (b'\'' | b'"')) = self.peek() {
            self.at += 1;
            name.push_str(&String::from_utf8_lossy(&self.literal(quote)?));
        }
        let mut list = Vec::new();
        if self.eat(b'(') {
            while !self.eat(b')') {
                let minus = self.eat(b'-');
                let Some(value) = self.number() else {
                    return self.bad("the list of DT holds something else than numbers");
                };
                list.push(if minus { -(value as i64) } else { value as i64 });
                self.eat(b',');
            }
        }
        Ok(Edit::Derived { name, list })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widths(text: &str, count: usize) -> Vec<usize> {
        let format = parse(text.as_bytes()).expect("a format");
        let mut cursor = Cursor::new(&format);
        let mut found = Vec::new();
        while found.len() < count {
            match cursor.step() {
                Step::Data(Edit::Integer { width, .. }) => found.push(*width),
                Step::Data(_) | Step::Control(_) => {}
                Step::End => assert!(cursor.revert(), "nothing takes an item"),
            }
        }
        found
    }

    #[test]
    fn groups_are_repeated_and_reversion_goes_to_the_last_one() {
        assert_eq!(widths("(i1,2(i2,i3),i4)", 9), [1, 2, 3, 2, 3, 4, 2, 3, 2]);
        assert_eq!(widths("(2i1,i2)", 5), [1, 1, 2, 1, 1]);
        assert_eq!(widths("(i1,*(i2))", 4), [1, 2, 2, 2]);
        assert_eq!(widths("(1Pi1,2(2(i2),i3))", 7), [1, 2, 2, 3, 2, 2, 3]);
    }

    #[test]
    fn what_is_no_format_is_refused() {
        for text in ["", "i3", "(i3", "(q3)", "(f8)", "('x)", "(5habc)", "(*(1x))", "(t)"] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn reversion_into_a_format_without_data_is_noticed() {
        let format = parse(b"(1x,'a')").expect("a format");
        let mut cursor = Cursor::new(&format);
        while cursor.step() != Step::End {}
        assert!(!cursor.revert());
    }
}
