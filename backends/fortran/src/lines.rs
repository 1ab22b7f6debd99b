//! Lines of free-form Fortran: indentation, labels, comments, and where long statements are broken.
//!
//! A line is kept to [`SOFT`] columns where the statement has a place to break it, and never has
//! more than [`HARD`], comments excepted, which compilers may cut.

use crate::code::Code;
use crate::directive::scan;

/// Columns that a line has at most where it can be broken well.
const SOFT: usize = 100;
/// Columns that standard Fortran allows.
const HARD: usize = 132;
/// Columns of one level of indentation.
const STEP: usize = 2;
/// Deepest indentation; what is nested deeper stays there.
const DEEPEST: usize = 60;

/// The output of one file.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    text: String,
    depth: usize,
    /// Whether the last line can take a comment behind it.
    open: bool,
    /// Whether the last line is blank (or there is none yet).
    blank: bool,
    /// The last directive of a compiler, as long as nothing but comments follows it.
    directive: Option<Directive>,
}

/// A directive that the next line may continue.
#[derive(Debug)]
struct Directive {
    /// Its sentinel, in lower case.
    sentinel: String,
    /// Where its line ends in the text, before a comment.
    end: usize,
    /// The quote that is open there.
    quote: Option<char>,
}

/// A line, and how far what follows it is indented.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// A byte of the line in the text; comments may still be added behind it.
    at: usize,
    depth: usize,
}

impl Lines {
    /// No lines yet.
    pub(crate) fn new() -> Self {
        Lines { text: String::new(), depth: 0, open: false, blank: true, directive: None }
    }

    /// Indents what follows by one more level.
    pub(crate) fn indent(&mut self) {
        self.depth += 1;
    }

    /// Takes back one level.
    pub(crate) fn dedent(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// The text so far.
    pub(crate) fn finish(mut self) -> String {
        while self.text.ends_with("\n\n") {
            self.text.pop();
        }
        self.text
    }

    /// A blank line; several in a row are one.
    pub(crate) fn blank(&mut self) {
        if !self.blank {
            self.text.push('\n');
        }
        self.blank = true;
        self.open = false;
    }

    /// Whether the last line is a statement.
    pub(crate) fn ends_in_statement(&self) -> bool {
        self.open
    }

    /// A statement.
    pub(crate) fn code(&mut self, label: Option<u32>, code: &Code) {
        let indent = (self.depth * STEP).min(DEEPEST);
        let mut line = match label {
            Some(label) => format!("{label} "),
            None => String::new(),
        };
        while line.len() < indent {
            line.push(' ');
        }
        self.directive = None;
        self.wrap(line, indent + 2 * STEP, code);
        self.open = true;
        self.blank = false;
    }

    /// The last line so far, for [`insert`](Lines::insert).
    pub(crate) fn here(&self) -> Spot {
        Spot { at: self.text.len().saturating_sub(1), depth: self.depth }
    }

    /// What `print` prints, behind the line that was the last at `spot`, a blank line between them.
    pub(crate) fn insert(&mut self, spot: Spot, print: impl FnOnce(&mut Lines)) {
        let mut inserted = Lines { depth: spot.depth, blank: false, ..Lines::new() };
        inserted.blank();
        print(&mut inserted);
        let at = self.text[spot.at..].find('\n').map_or(self.text.len(), |end| spot.at + end + 1);
        self.text.insert_str(at, &inserted.text);
    }

    /// A statement that is known to be short.
    pub(crate) fn plain(&mut self, text: &str) {
        self.code(None, &Code::from(text));
    }

    /// A comment or directive on a line of its own; the text begins behind the `!`.
    pub(crate) fn comment(&mut self, text: &str) {
        let indent = (self.depth * STEP).min(DEEPEST);
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.text.push('!');
        self.text.push_str(text.trim_end());
        self.text.push('\n');
        self.open = false;
        self.blank = false;
    }

    /// A directive of a compiler: its sentinel and what it says. It is never cut, but indented
    /// less where it would not fit.
    pub(crate) fn directive(&mut self, sentinel: &str, text: &str) {
        let line = format!("!{sentinel} {text}");
        let line = line.trim_end();
        let (quote, note) = scan(text);
        let said = note.map_or(text, |at| &text[..at]).trim_end();
        // Two columns are for the `&` of a line that turns out to go on.
        let indent = (self.depth * STEP).min(DEEPEST).min(HARD.saturating_sub(width(line) + 2));
        self.text.extend(std::iter::repeat_n(' ', indent));
        let end = self.text.len() + "!".len() + sentinel.len() + " ".len() + said.len();
        self.text.push_str(line);
        self.text.push('\n');
        self.open = false;
        self.blank = false;
        let sentinel = sentinel.to_ascii_lowercase();
        self.directive = (!said.is_empty()).then_some(Directive { sentinel, end, quote });
    }

    /// Whether the last directive has this sentinel, and nothing but comments has followed it.
    pub(crate) fn continues_directive(&self, sentinel: &str) -> bool {
        let last = self.directive.as_ref();
        last.is_some_and(|last| last.sentinel.eq_ignore_ascii_case(sentinel))
    }

    /// The quote that is open at the end of the last directive.
    pub(crate) fn quote_of_directive(&self) -> Option<char> {
        self.directive.as_ref().and_then(|last| last.quote)
    }

    /// A further line of the last directive.
    pub(crate) fn continue_directive(&mut self, sentinel: &str, text: &str) {
        let said = scan(text).1.map_or(text, |at| &text[..at]);
        if said.trim().is_empty() {
            return self.comment(&format!(" {text}"));
        }
        if let Some(last) = &self.directive {
            self.text.insert_str(last.end, " &");
        }
        self.directive(sentinel, text);
    }

    /// A comment behind the last statement, or on its own line where that cannot be.
    pub(crate) fn trailing(&mut self, text: &str) {
        if !self.open {
            return self.comment(text);
        }
        self.text.pop();
        self.text.push_str("  !");
        self.text.push_str(text.trim_end());
        self.text.push('\n');
        self.open = false;
    }

    fn wrap(&mut self, head: String, indent: usize, code: &Code) {
        let mut line = head;
        let mut start = 0;
        let mut first_break = 0;
        loop {
            let rest = &code.text[start..];
            if width_up_to(rest, SOFT) + width(&line) <= SOFT {
                break;
            }
            while code.breaks.get(first_break).is_some_and(|b| b.at <= start) {
                first_break += 1;
            }
            let candidates = &code.breaks[first_break..];
            let fits = |limit: usize, at: usize| {
                width(&line) + width(code.text[start..at].trim_end()) + 2 <= limit
            };
            let soft = candidates.iter().take_while(|b| fits(SOFT, b.at)).count();
            let at = best(&candidates[..soft], start).or_else(|| {
                if width_up_to(rest, HARD) + width(&line) <= HARD {
                    return Some(code.text.len());
                }
                let hard = candidates.iter().take_while(|b| fits(HARD, b.at)).count();
                candidates[..hard].first().map(|b| b.at)
            });
            match at {
                Some(at) if at == code.text.len() => break,
                Some(at) => {
                    line.push_str(code.text[start..at].trim_end());
                    line.push_str(" &");
                    self.put(&line);
                    line = " ".repeat(indent);
                    start = at + (code.text[at..].len() - code.text[at..].trim_start().len());
                }
                None => {
                    let at = cut(&code.text, start, HARD - 1 - width(&line));
                    line.push_str(&code.text[start..at]);
                    line.push('&');
                    self.put(&line);
                    line = format!("{}&", " ".repeat(indent.min(DEEPEST)));
                    start = at;
                }
            }
        }
        line.push_str(&code.text[start..]);
        self.put(&line);
    }

    fn put(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }
}

/// Columns of `text`.
fn width(text: &str) -> usize {
    text.chars().count()
}

/// Columns of `text`, where more than `limit` are not counted: the rest of a long statement is
/// asked for at every line of it.
fn width_up_to(text: &str, limit: usize) -> usize {
    text.chars().take(limit + 1).count()
}

/// The best of the breaks that fit: the best level, and of those the last; a break that leaves a
/// very short line counts only if there is no other.
fn best(fitting: &[crate::code::Break], start: usize) -> Option<usize> {
    let furthest = fitting.last()?.at;
    let enough = start + (furthest - start) / 3;
    fitting.iter().filter(|b| b.at >= enough).rev().min_by_key(|b| b.level).map(|b| b.at)
}

/// The end of a piece of at most `room` characters from `start` that may be cut off within a
/// token: not between two quotes, which would be read as the end of a string.
fn cut(text: &str, start: usize, room: usize) -> usize {
    let mut at = text[start..].char_indices().nth(room).map_or(text.len(), |(i, _)| start + i);
    let bytes = text.as_bytes();
    let awkward = |at: usize| {
        at < bytes.len() && matches!(bytes[at - 1], b'\'' | b'"' | b'&' | b' ')
            || at < bytes.len() && matches!(bytes[at], b'\'' | b'"' | b'&' | b'!')
    };
    let lowest = start + room / 2;
    while at > lowest && (!text.is_char_boundary(at) || awkward(at)) {
        at -= 1;
    }
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Level;

    #[test]
    fn breaks_at_the_best_level_and_within_the_columns() {
        let mut code = Code::from("call something(");
        for i in 0..30 {
            if i > 0 {
                code.push(",");
                code.allow_break(Level(1));
                code.push(" ");
            }
            code.push("argument");
        }
        code.push(")");
        let mut lines = Lines::new();
        lines.code(None, &code);
        let text = lines.finish();
        assert!(text.lines().count() > 2);
        assert!(text.lines().all(|line| line.len() <= SOFT), "{text}");
        let joined: String = text.lines().map(|l| l.trim_start().trim_end_matches('&')).collect();
        assert_eq!(joined.trim(), code.text);
    }

    #[test]
    fn a_long_string_is_cut_inside() {
        let code = Code::from(format!("s = '{}'", "it''s ".repeat(60)));
        let mut lines = Lines::new();
        lines.code(None, &code);
        let text = lines.finish();
        assert!(text.lines().all(|line| line.len() <= HARD), "{text}");
        let joined: String = text
            .lines()
            .enumerate()
            .map(|(i, l)| {
                let l = if i > 0 { l.trim_start().strip_prefix('&').unwrap_or(l) } else { l };
                l.strip_suffix('&').unwrap_or(l)
            })
            .collect();
        assert_eq!(joined, code.text);
    }

    #[test]
    fn blank_lines_collapse_and_trailing_comments_attach() {
        let mut lines = Lines::new();
        lines.blank();
        lines.plain("x = 1");
        lines.trailing(" one");
        lines.blank();
        lines.blank();
        lines.code(Some(10), &Code::from("continue"));
        lines.blank();
        assert_eq!(lines.finish(), "x = 1  ! one\n\n10 continue\n");
    }
}
