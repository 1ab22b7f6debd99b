//! A generated program as text that can be taken apart: units, declarations, a tree of statements.
//!
//! Declarations and the statements that give variables their first values are printed only where
//! the variable is used, so that a program from which statements were dropped is still one that a
//! compiler takes without a warning.

use std::fmt::Write as _;

/// A type of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `real(8)`
    Real,
    /// `real(4)`
    Single,
    /// `complex(8)`
    Complex,
    /// `integer`
    Int,
    /// `logical`
    Logical,
}

impl Ty {
    /// How a declaration writes it.
    pub fn spec(self) -> &'static str {
        match self {
            Ty::Real => "real(8)",
            Ty::Single => "real(4)",
            Ty::Complex => "complex(8)",
            Ty::Int => "integer",
            Ty::Logical => "logical",
        }
    }
}

/// A variable, or a component of one.
#[derive(Clone, Debug)]
pub struct Var {
    /// How it is referred to: `x`, `o%v`.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Its extents.
    pub shape: Vec<i64>,
    /// The lower bound of its first dimension.
    pub lower: i64,
    /// Its declaration; empty where it stands elsewhere.
    pub decl: String,
    /// Statements that give it its first value.
    pub init: Vec<String>,
    /// Whether it may be assigned.
    pub writable: bool,
    /// Whether other procedures see it, too: it is not passed to what may define it.
    pub shared: bool,
    /// Whether it may stand as a whole (an assumed-size array may not).
    pub whole: bool,
    /// Whether an element, as an actual argument, stands for those behind it (not in an assumed-shape array).
    pub sequence: bool,
}

impl Var {
    /// The name of the variable that it is, or is a part of.
    pub fn base(&self) -> &str {
        self.name.split(['%', '(']).next().unwrap_or(&self.name)
    }
}

/// A statement or construct.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A statement.
    Line(String),
    /// A construct: before each body its header, at the end what closes it.
    Block {
        /// Headers and bodies.
        arms: Vec<(String, Vec<Node>)>,
        /// The last line; empty where there is none.
        close: String,
    },
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// Its first line.
    pub open: String,
    /// USE, IMPLICIT and the declarations of dummy arguments.
    pub spec: Vec<String>,
    /// Local variables.
    pub vars: Vec<Var>,
    /// Further declarations, each with the names that make it needed.
    pub extra: Vec<(Vec<String>, String)>,
    /// Statements that always stand first.
    pub first: Vec<String>,
    /// The statements.
    pub body: Vec<Node>,
    /// Internal procedures.
    pub inner: Vec<Unit>,
    /// Its last line.
    pub close: String,
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The seed that it was made from.
    pub seed: u64,
    /// Whether its procedures stand in the module.
    pub modular: bool,
    /// The module's own text: types and variables.
    pub module: Vec<String>,
    /// The procedures; the last is the one to differentiate.
    pub units: Vec<Unit>,
    /// The arguments of that one: name, type, extents.
    pub args: Vec<(String, Ty, Vec<i64>)>,
    /// Whether it computes in single precision, too.
    pub mixed: bool,
    /// Whether stages may refuse whatever is in it, as long as they say where.
    pub may_be_refused: bool,
    /// How often the head is called in a row: each call finds what the one before has left.
    pub calls: u32,
}

impl Unit {
    /// Drops the statements and constructs for which `drop` says so of a line of theirs.
    fn retain(&mut self, drop: &impl Fn(&str) -> bool) {
        retain(&mut self.body, drop);
        self.inner.iter_mut().for_each(|unit| unit.retain(drop));
    }

    /// Drops what stands in the line, and the variables that it gives a value or declares.
    fn without(&mut self, line: &str) {
        self.retain(&|own| own == line);
        let gives = |var: &&Var| var.decl.trim() == line || var.init.iter().any(|own| own == line);
        let gone: Vec<String> =
            self.vars.iter().filter(gives).map(|var| var.base().to_string()).collect();
        self.retain(&|own| gone.iter().any(|name| has_word(own, name)));
        self.inner.iter_mut().for_each(|unit| unit.without(line));
    }
}

fn retain(nodes: &mut Vec<Node>, drop: &impl Fn(&str) -> bool) {
    nodes.retain(|node| match node {
        Node::Line(line) => !drop(line.trim()),
        Node::Block { arms, close } => {
            let header = |(header, _): &(String, _)| header.lines().any(|line| drop(line.trim()));
            !arms.iter().any(header) && !close.lines().any(|line| drop(line.trim()))
        }
    });
    for node in nodes {
        if let Node::Block { arms, .. } = node {
            arms.iter_mut().for_each(|(_, body)| retain(body, drop));
        }
    }
}

/// What is differentiated, and what decides choices that are left open.
#[derive(Clone, Debug)]
pub struct Task {
    /// Decides what is drawn.
    pub seed: u64,
    /// The procedure to differentiate.
    pub head: String,
    /// Its independent and dependent variables; none means all arguments that are numbers.
    pub variables: Vec<String>,
    /// The procedures among which those are drawn whose calls are split.
    pub procedures: Vec<String>,
    /// Whether stages may refuse any of it, as long as they say where.
    pub may_be_refused: bool,
}

/// The module of a program.
pub const MODULE: &str = "globals";

/// The procedure to differentiate.
pub const HEAD: &str = "p";

impl Program {
    /// What is differentiated of it.
    pub(crate) fn task(&self) -> Task {
        let names = self.args.iter().filter(|(_, ty, _)| *ty != Ty::Int);
        let inner = self.units.iter().flat_map(|unit| &unit.inner);
        Task {
            seed: self.seed,
            head: HEAD.into(),
            variables: names.map(|(name, ..)| name.clone()).collect(),
            procedures: self.units.iter().chain(inner).map(|unit| unit.name.clone()).collect(),
            may_be_refused: self.may_be_refused,
        }
    }

    /// The program without what stands in a line of its source text; `None` where that cannot be
    /// dropped.
    pub fn without_line(&self, number: usize) -> Option<Program> {
        let source = self.source();
        let line = source.lines().nth(number.checked_sub(1)?)?.trim();
        let mut program = self.clone();
        program.units.iter_mut().for_each(|unit| unit.without(line));
        (program.source() != source).then_some(program)
    }

    /// Its source text.
    pub fn source(&self) -> String {
        let mut text = String::new();
        if self.modular || self.needs_module() {
            let _ = writeln!(text, "module {MODULE}\n  implicit none");
            for line in &self.module {
                let _ = writeln!(text, "  {line}");
            }
            if self.modular {
                text.push_str("contains\n");
                self.print_units(&mut text);
            }
            let _ = writeln!(text, "end module {MODULE}");
        }
        if !self.modular {
            self.print_units(&mut text);
        }
        text
    }

    fn needs_module(&self) -> bool {
        self.units.iter().any(|unit| unit.spec.iter().any(|line| line.starts_with("use ")))
    }

    fn print_units(&self, text: &mut String) {
        for unit in &self.units {
            if unit.names().any(|name| self.is_used(name)) {
                unit.print(text, 1);
            }
        }
    }

    /// Whether a procedure is the head, or mentioned in another one or by a type.
    fn is_used(&self, name: &str) -> bool {
        name == HEAD
            || self.modular && self.module.iter().any(|line| has_word(line, name))
            || self
                .units
                .iter()
                .any(|unit| !unit.names().any(|own| own == name) && unit.mentions(name))
    }
}

impl Unit {
    /// Its own name, and those of its entries.
    fn names(&self) -> impl Iterator<Item = &str> {
        let entries = self.body.iter().filter_map(|node| match node {
            Node::Line(line) => line.strip_prefix("entry ")?.split('(').next(),
            Node::Block { .. } => None,
        });
        std::iter::once(self.name.as_str()).chain(entries)
    }

    fn mentions(&self, name: &str) -> bool {
        let mut text = String::new();
        self.print(&mut text, 0);
        has_word(&text, name)
    }

    /// Prints it, `depth` levels deep.
    pub fn print(&self, text: &mut String, depth: usize) {
        let mut body = String::new();
        print_nodes(&self.body, depth + 1, &mut body);
        let mut inner = String::new();
        for unit in self.called(&body) {
            unit.print(&mut inner, depth + 1);
        }
        let used = self.used(&format!("{body}{inner}{}", self.first.join("\n")));
        let pad = "  ".repeat(depth);
        let _ = writeln!(text, "{pad}{}", self.open);
        for line in &self.spec {
            let _ = writeln!(text, "{pad}  {line}");
        }
        let mut seen: Vec<&str> = Vec::new();
        for var in used.iter().filter(|var| !var.decl.is_empty()) {
            if !seen.contains(&var.decl.as_str()) {
                seen.push(&var.decl);
                let _ = writeln!(text, "{pad}  {}", var.decl);
            }
        }
        let inits = used.iter().flat_map(|v| &v.init).cloned().collect::<Vec<_>>().join("\n");
        let own = format!("{body}{inits}");
        for (names, line) in &self.extra {
            // An internal procedure may have a variable of this name itself.
            let inside = self.inner.iter().any(|unit| {
                let declares = unit.extra.iter().any(|(own, _)| own == names);
                !declares && names.iter().any(|name| unit.mentions(name) && has_word(&inner, name))
            });
            if inside || names.iter().any(|name| has_word(&own, name)) {
                let _ = writeln!(text, "{pad}  {line}");
            }
        }
        for line in &self.first {
            let _ = writeln!(text, "{pad}  {line}");
        }
        let mut seen: Vec<&str> = Vec::new();
        for line in used.iter().flat_map(|var| &var.init) {
            if !seen.contains(&line.as_str()) {
                seen.push(line);
                let _ = writeln!(text, "{pad}  {line}");
            }
        }
        text.push_str(&body);
        if !inner.is_empty() {
            let _ = writeln!(text, "{pad}contains\n{inner}");
        }
        let _ = writeln!(text, "{pad}{}", self.close);
    }

    /// The internal procedures that its statements call, or that one of these calls.
    fn called(&self, body: &str) -> Vec<&Unit> {
        let mut called: Vec<bool> =
            self.inner.iter().map(|unit| has_word(body, &unit.name)).collect();
        loop {
            let before = called.clone();
            for (unit, _) in self.inner.iter().zip(&before).filter(|(_, called)| **called) {
                for (at, other) in self.inner.iter().enumerate() {
                    called[at] |= unit.mentions(&other.name);
                }
            }
            if called == before {
                return self.inner.iter().zip(called).filter(|(_, c)| *c).map(|(u, _)| u).collect();
            }
        }
    }

    /// The variables that are used, in the order of their declarations, which is that of first
    /// values, too.
    fn used(&self, text: &str) -> Vec<&Var> {
        let mut used: Vec<bool> = self.vars.iter().map(|var| has_word(text, var.base())).collect();
        // First values may need other variables.
        loop {
            let before = used.clone();
            for index in 0..self.vars.len() {
                if used[index] {
                    let needed = self.vars[index].init.join("\n") + "\n" + &self.vars[index].decl;
                    for (other, var) in self.vars.iter().enumerate() {
                        used[other] |= has_word(&needed, var.base());
                    }
                }
            }
            if used == before {
                break;
            }
        }
        self.vars.iter().zip(used).filter(|(_, used)| *used).map(|(var, _)| var).collect()
    }
}

fn print_nodes(nodes: &[Node], depth: usize, text: &mut String) {
    let pad = "  ".repeat(depth);
    for node in nodes {
        match node {
            Node::Line(line) => {
                let _ = writeln!(text, "{pad}{line}");
            }
            Node::Block { arms, close } => {
                for (header, body) in arms {
                    for line in header.lines() {
                        let _ = writeln!(text, "{pad}{line}");
                    }
                    print_nodes(body, depth + 1, text);
                }
                for line in close.lines() {
                    let _ = writeln!(text, "{pad}{line}");
                }
            }
        }
    }
}

/// Whether `word` stands in `text` as a name of its own.
pub fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(|c| is_part(c) || c == '%') && !after.is_some_and(is_part)
    })
}
