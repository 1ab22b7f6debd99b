//! `xaif-show`: a document as annotated pseudo-code.
//!
//! The text is what people and snapshot tests read. It is stable and compact, and it is no
//! programming language: what a language writes in several ways is written in one.
//!
//! ```text
//! subroutine head(x, y)
//!   x: real8[n], in
//!   y: real8[n], out
//!   v1     y(1)~ = x(1)~*2.0        # a comment of the source
//!   v2     do i = 2, n
//!   v3       y(i)~ = y(i - 1)~ + x(i)~
//!   v4     end do
//! ```
//!
//! - Each scope has its declarations (`name: type[dimensions], attributes, = value`), then the
//!   flow graph of its procedure, then the scopes within it.
//! - Vertices stand in the order of the layout, each with its id (`v2`) at the left. What a
//!   construct implies is not told: fall-through, the ways into arms and bodies and back, empty
//!   blocks, the entry and the exit. Every other edge is: `-> v7`, `-> v7 on 1`, or the label.
//! - `x~` is an active reference, `d(x)` the derivative of `x`, `generic:specific(…)` a call
//!   through a generic name, `@3=` the position of an argument out of order.
//! - Comments of the source follow a `#`, facts of the document a `!`.
//!
//! [`ShowOptions`] adds types, places, ids, keys and spellings.

mod body;
mod decl;
pub(crate) mod expr;
mod spec;
mod stmt;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::{HashMap, HashSet};

pub(crate) use expr::Text;

use crate::model::{Document, Place, ProcId, ScopeId, SecondaryMap, SymbolId, VertexId};

/// Where facts stand, unless the line is longer.
const FACTS_COLUMN: usize = 52;

/// Deeper nesting is no longer indented.
const DEEPEST: usize = 40;

/// What [`show_with`] writes besides the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShowOptions {
    /// The id of every vertex at the left. Without it only the targets of jumps are named, so that
    /// a new vertex does not change the lines of all that follow; this is what `xaif-diff` wants.
    pub vertices: bool,
    /// Types of references, calls and intrinsic functions: `x:real8[1]`.
    pub types: bool,
    /// Places in the source.
    pub places: bool,
    /// Ids of symbols, statements and references; every vertex, also where it says nothing.
    pub ids: bool,
    /// Keys into alias sets and chains, and the sets themselves.
    pub keys: bool,
    /// How kinds are spelt where that does not follow from the type (`real*8`), blank lines.
    pub spellings: bool,
    /// Comments of the source.
    pub comments: bool,
    /// Side effects of procedures, as far as they are known.
    pub effects: bool,
}

impl Default for ShowOptions {
    fn default() -> Self {
        ShowOptions {
            vertices: true,
            types: false,
            places: false,
            ids: false,
            keys: false,
            spellings: false,
            comments: true,
            effects: true,
        }
    }
}

impl ShowOptions {
    /// Everything that a document says.
    pub fn full() -> Self {
        ShowOptions {
            vertices: true,
            types: true,
            places: true,
            ids: true,
            keys: true,
            spellings: true,
            comments: true,
            effects: true,
        }
    }

    /// What does not change where the program does not: for comparisons.
    pub fn comparable() -> Self {
        ShowOptions { vertices: false, ..Self::default() }
    }
}

/// `doc` as annotated pseudo-code.
///
/// ```
/// use xaif_schema::{inspect::show::show, model::Document};
///
/// let mut doc = Document::new();
/// doc.program_name = Some("ocean".to_owned());
/// assert!(show(&doc).starts_with("document \"ocean\"\n"));
/// ```
pub fn show(doc: &Document) -> String {
    show_with(doc, &ShowOptions::default())
}

/// `doc` as annotated pseudo-code with more or less detail.
pub fn show_with(doc: &Document, options: &ShowOptions) -> String {
    let mut show = Show::new(doc, options);
    show.document();
    show.out
}

/// The text under way.
pub(crate) struct Show<'a> {
    doc: &'a Document,
    options: &'a ShowOptions,
    text: Text<'a>,
    out: String,
    /// Scopes that have been written, or need not be.
    done: SecondaryMap<ScopeId, bool>,
    /// Symbols that name a procedure of the document.
    given: HashSet<SymbolId>,
    /// The procedures of each scope.
    procs: HashMap<ScopeId, Vec<ProcId>>,
    /// The scopes within each scope, in the order of the document.
    inner: SecondaryMap<ScopeId, Vec<ScopeId>>,
}

/// One line to be written.
#[derive(Default)]
struct Line {
    indent: usize,
    /// Within a body, the vertex at the left.
    gutter: Gutter,
    text: String,
    /// What the source says at the right.
    comment: Option<String>,
    /// What the document knows, at the right.
    facts: Vec<String>,
    place: Place,
}

/// The left of a line.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Gutter {
    /// The line belongs to no flow graph.
    #[default]
    None,
    /// Within a flow graph, but not the first line of a vertex.
    Blank,
    /// The first line of a vertex.
    Vertex(VertexId),
}

impl<'a> Show<'a> {
    fn new(doc: &'a Document, options: &'a ShowOptions) -> Self {
        let given = doc.procs.values().map(|proc| proc.symbol).collect();
        let mut procs: HashMap<ScopeId, Vec<ProcId>> = HashMap::new();
        for (id, proc) in &doc.procs {
            procs.entry(proc.scope).or_default().push(id);
        }
        let mut inner: SecondaryMap<ScopeId, Vec<ScopeId>> = SecondaryMap::new();
        for (id, scope) in &doc.scopes {
            if let Some(parent) = scope.parent {
                inner[parent].push(id);
            }
        }
        let text = Text { doc, options };
        let done = SecondaryMap::with_default(false);
        Show { doc, options, text, out: String::new(), done, given, procs, inner }
    }

    /// The whole document.
    fn document(&mut self) {
        if let Some(name) = &self.doc.program_name {
            self.plain(0, format!("document {name:?}"));
        }
        if let Some(prefix) = &self.doc.prefix {
            self.plain(0, format!("prefix {prefix:?}"));
        }
        for stage in &self.doc.history {
            let text = format!("stage {} {} {}", stage.stage, stage.version, stage.options);
            self.plain(0, text.trim_end().to_owned());
        }
        if self.options.places {
            for (id, file) in &self.doc.files {
                self.plain(0, format!("{id} {}", file.path));
            }
        }
        if let Some(global) = self.doc.global_scope() {
            self.scope(global, 0, 0);
        }
        // What is not reached from the global scope, or lies too deep for one descent.
        for scope in self.doc.scopes.keys() {
            if !self.done[scope] && !self.told_by_construct(scope) {
                self.scope(scope, 0, 0);
            }
        }
        if self.options.keys {
            self.sets();
        }
    }

    /// The alias sets and chains.
    fn sets(&mut self) {
        let mut lines = Vec::new();
        for (key, ranges) in &self.doc.aliases.sets {
            let ranges: Vec<_> = ranges
                .iter()
                .map(|range| {
                    let partial = if range.partial == Some(false) { "" } else { "?" };
                    match range.from == range.to {
                        true => format!("{}{partial}", range.from),
                        false => format!("{}..{}{partial}", range.from, range.to),
                    }
                })
                .collect();
            lines.push(format!("alias {key} = {{{}}}", ranges.join(", ")));
        }
        for (name, sets) in [("du/ud", &self.doc.du_ud), ("do", &self.doc.overwrites)] {
            for set in &sets.sets {
                let all_of = set.includes.iter().map(|key| format!("all of {key}"));
                let stmt = |id: &str| if id.is_empty() { "outside" } else { id }.to_owned();
                let stmts = set.stmts.iter().map(|id| stmt(id));
                let members: Vec<String> = all_of.chain(stmts).collect();
                lines.push(format!("{name} {} = {{{}}}", set.key, members.join(", ")));
            }
        }
        self.gap();
        for line in lines {
            self.plain(0, line);
        }
    }

    /// An empty line, unless there is one already.
    fn gap(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// A line outside of flow graphs.
    fn plain(&mut self, indent: usize, text: impl Into<String>) {
        self.line(Line { indent, text: text.into(), ..Line::default() });
    }

    /// Writes `line`.
    fn line(&mut self, line: Line) {
        let mut text = " ".repeat(2 * line.indent.min(DEEPEST));
        if self.options.vertices && line.gutter != Gutter::None {
            let name = match line.gutter {
                Gutter::Vertex(vertex) => vertex.to_string(),
                Gutter::None | Gutter::Blank => String::new(),
            };
            // The ids stand left of the whole body, whatever the depth within it.
            text = format!("{name:<6} {text}");
        }
        text.push_str(&line.text);
        if let Some(comment) = &line.comment {
            text.push_str("  # ");
            text.push_str(comment.trim());
        }
        let mut facts = line.facts;
        if self.options.places
            && let Some(place) = self.place(line.place)
        {
            facts.push(place);
        }
        if !facts.is_empty() {
            let width = text.chars().count();
            let blanks = FACTS_COLUMN.saturating_sub(width).max(2);
            text.push_str(&" ".repeat(blanks));
            text.push_str("! ");
            text.push_str(&facts.join(", "));
        }
        push_line(&mut self.out, &text);
    }

    fn place(&self, place: Place) -> Option<String> {
        if place.is_unknown() {
            return None;
        }
        let column = if place.column > 0 { format!(":{}", place.column) } else { String::new() };
        Some(match place.file {
            Some(file) => format!("{file}:{}{column}", place.line),
            None => format!("line {}{column}", place.line),
        })
    }
}

/// Adds a line to `out`; control characters of the document cannot break it.
fn push_line(out: &mut String, line: &str) {
    for c in line.trim_end().chars() {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out.push('\n');
}
