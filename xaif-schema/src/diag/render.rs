//! Diagnostics as text for people and as JSON for programs.

use std::collections::HashMap;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::{Code, Diagnostic, Diagnostics, Severity, Spot};

/// What `--message-format` chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MessageFormat {
    /// `file:line:col: error[OX0123]: message`, the source line with a caret, and a way out.
    #[default]
    Human,
    /// One JSON object a line.
    Json,
}

/// The texts that diagnostics point into, by the file name that spots carry.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: HashMap<String, String>,
}

impl Sources {
    /// No texts yet: diagnostics are then printed without source lines.
    pub fn new() -> Self {
        Self::default()
    }

    /// Remembers the text of `file`.
    pub fn insert(&mut self, file: impl Into<String>, text: impl Into<String>) {
        self.texts.insert(file.into(), text.into());
    }

    fn line(&self, spot: &Spot) -> Option<&str> {
        let index = spot.line.checked_sub(1)? as usize;
        self.texts.get(&*spot.file)?.lines().nth(index)
    }
}

/// The styles of the parts of a message.
#[derive(Clone, Copy, Debug, Default)]
struct Colors {
    error: Style,
    warning: Style,
    note: Style,
    message: Style,
    gutter: Style,
    help: Style,
}

impl Colors {
    /// Colours of a terminal.
    const TERMINAL: Colors = Colors {
        error: AnsiColor::Red.on_default().bold(),
        warning: AnsiColor::Yellow.on_default().bold(),
        note: AnsiColor::Cyan.on_default().bold(),
        message: Style::new().bold(),
        gutter: AnsiColor::Blue.on_default().bold(),
        help: AnsiColor::Green.on_default().bold(),
    };

    fn of(&self, severity: Severity) -> Style {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.warning,
            Severity::Note => self.note,
        }
    }
}

/// The text that a binary prints for `diagnostic`, ending in a newline.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, format: MessageFormat) -> String {
    match format {
        MessageFormat::Human => human(diagnostic, sources, &Colors::default()),
        MessageFormat::Json => json(diagnostic),
    }
}

/// So many messages with the same code people are shown in full.
const SHOWN_OF_A_CODE: usize = 20;

/// The text that a binary prints for `diagnostics`, each as [`render`] has it. What one cause says a
/// hundred times (a module's file that was left out) would hide what else there is, so people are shown
/// the first of each code, and how many there are more; JSON has them all.
pub fn render_all(diagnostics: &Diagnostics, sources: &Sources, format: MessageFormat) -> String {
    all(diagnostics, sources, format, &Colors::default())
}

/// The same text with the colours of a terminal; JSON has none.
pub fn render_colored(
    diagnostics: &Diagnostics,
    sources: &Sources,
    format: MessageFormat,
) -> String {
    all(diagnostics, sources, format, &Colors::TERMINAL)
}

fn all(
    diagnostics: &Diagnostics,
    sources: &Sources,
    format: MessageFormat,
    colors: &Colors,
) -> String {
    let mut text = String::new();
    let mut counts: Vec<((Severity, Code), usize)> = Vec::new();
    for diagnostic in diagnostics.iter() {
        let key = (diagnostic.severity, diagnostic.code);
        let at = counts.iter().position(|(known, _)| *known == key).unwrap_or(counts.len());
        if at == counts.len() {
            counts.push((key, 0));
        }
        counts[at].1 += 1;
        if format == MessageFormat::Json || counts[at].1 <= SHOWN_OF_A_CODE {
            text.push_str(&match format {
                MessageFormat::Human => human(diagnostic, sources, colors),
                MessageFormat::Json => json(diagnostic),
            });
        }
    }
    let more = |(key, count): ((Severity, Code), usize)| {
        let hidden = count.checked_sub(SHOWN_OF_A_CODE).filter(|&hidden| hidden > 0)?;
        (format == MessageFormat::Human).then_some((key, hidden))
    };
    for ((severity, code), hidden) in counts.into_iter().filter_map(more) {
        let _ = writeln!(
            text,
            "{hidden} more of {severity}[{code}] not shown: `--message-format json` prints all"
        );
    }
    text
}

fn human(diagnostic: &Diagnostic, sources: &Sources, colors: &Colors) -> String {
    let Diagnostic { severity, code, message, spot, .. } = diagnostic;
    let (color, bold) = (colors.of(*severity), colors.message);
    let spot_text = spot.as_ref().map(|spot| format!("{bold}{spot}: {bold:#}"));
    let mut text = spot_text.unwrap_or_default();
    // Writing to a string does not fail.
    let _ = writeln!(text, "{color}{severity}[{code}]{color:#}{bold}: {message}{bold:#}");
    if let Some(spot) = spot {
        excerpt(&mut text, spot, sources, (colors, color));
    }
    let (note, help) = (colors.note, colors.help);
    for (spot, told) in &diagnostic.notes {
        match spot {
            Some(spot) => {
                let _ = writeln!(text, "  {note}note{note:#}: {spot}: {told}");
                excerpt(&mut text, spot, sources, (colors, note));
            }
            None => {
                let _ = writeln!(text, "  {note}note{note:#}: {told}");
            }
        }
    }
    if let Some(told) = &diagnostic.help {
        let _ = writeln!(text, "  {help}help{help:#}: {told}");
    }
    text
}

/// Longest source line that is shown whole; of a longer one (machine-written XML) only the part
/// around the caret is.
const WIDEST_LINE: usize = 160;

fn excerpt(text: &mut String, spot: &Spot, sources: &Sources, (colors, color): (&Colors, Style)) {
    let gutter = colors.gutter;
    let Some(line) = sources.line(spot) else { return };
    let characters: Vec<char> = line.chars().map(|c| if c == '\t' { ' ' } else { c }).collect();
    let caret = (spot.column.max(1) - 1) as usize;
    let start =
        if characters.len() > WIDEST_LINE { caret.saturating_sub(WIDEST_LINE / 2) } else { 0 };
    let shown: String = characters.iter().skip(start).take(WIDEST_LINE).collect();
    let number = spot.line.to_string();
    let _ = writeln!(text, "  {gutter}{number} |{gutter:#} {}", shown.trim_end());
    if spot.column > 0 {
        let room = characters.len().saturating_sub(caret).max(1);
        let width = (spot.width.max(1) as usize).min(room);
        let _ = writeln!(
            text,
            "  {gutter}{} |{gutter:#} {}{color}{}{color:#}",
            " ".repeat(number.len()),
            " ".repeat(caret - start),
            "^".repeat(width)
        );
    }
}

fn json(diagnostic: &Diagnostic) -> String {
    let spot = |spot: &Spot| {
        serde_json::json!({
            "file": &*spot.file, "line": spot.line, "column": spot.column, "width": spot.width,
        })
    };
    let value = serde_json::json!({
        "code": diagnostic.code.to_string(),
        "severity": diagnostic.severity.to_string(),
        "message": diagnostic.message,
        "spot": diagnostic.spot.as_ref().map(spot),
        "notes": diagnostic.notes.iter().map(|(at, note)| serde_json::json!({
            "spot": at.as_ref().map(spot), "message": note,
        })).collect::<Vec<_>>(),
        "help": diagnostic.help,
    });
    format!("{value}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Diagnostic {
        Diagnostic::error(Code::CANNOT_READ, Some(Spot::new("a.f90", 2, 3)), "no such thing")
            .with_help("try another")
    }

    #[test]
    fn human_form_shows_the_line_with_a_caret() {
        let mut sources = Sources::new();
        sources.insert("a.f90", "first\n  x = y\n");
        assert_eq!(
            render(&example(), &sources, MessageFormat::Human),
            "a.f90:2:3: error[OX0001]: no such thing\n  2 |   x = y\n    |   ^\n  help: try another\n"
        );
    }

    #[test]
    fn colors_change_no_character() {
        let mut sources = Sources::new();
        sources.insert("a.f90", "first\n  x = y\n");
        let all: Diagnostics =
            [example().with_note(Some(Spot::new("a.f90", 1, 1)), "a note")].into_iter().collect();
        let colored = render_colored(&all, &sources, MessageFormat::Human);
        assert!(colored.contains("\u{1b}["), "{colored}");
        let plain = anstream::adapter::strip_str(&colored).to_string();
        assert_eq!(plain, render_all(&all, &sources, MessageFormat::Human));
        let json = render_colored(&all, &sources, MessageFormat::Json);
        assert_eq!(json, render_all(&all, &sources, MessageFormat::Json));
    }

    #[test]
    fn people_are_shown_the_first_of_many_and_programs_all() {
        let mut many = Diagnostics::new();
        for line in 1..=23 {
            let spot = Some(Spot::new("a.f90", line, 1));
            many.push(Diagnostic::error(Code::CANNOT_READ, spot, "no such thing"));
        }
        many.push(Diagnostic::warning(Code::CANNOT_READ, None, "another"));
        let text = render_all(&many, &Sources::new(), MessageFormat::Human);
        assert_eq!(text.lines().count(), 20 + 1 + 1, "{text}");
        let last = "3 more of error[OX0001] not shown: `--message-format json` prints all";
        assert_eq!(text.lines().last(), Some(last));
        let json = render_all(&many, &Sources::new(), MessageFormat::Json);
        assert_eq!(json.lines().count(), 24);
    }

    #[test]
    fn json_form_is_one_line() {
        let text = render(&example(), &Sources::new(), MessageFormat::Json);
        assert_eq!(text.lines().count(), 1);
        assert!(text.contains("\"code\":\"OX0001\""));
    }
}
