//! A procedure and its derivatives as the text of a generated procedure calls them: arguments in pairs, declarations,
//! copies.

use std::collections::HashSet;
use std::fmt::Write as _;

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{Attr, Base, Body, Decl, Dim, Document, Intent, ProcId, Role, ScopeKind};
use xaif_schema::names::unique;

use crate::check::program::interfaces;

/// A procedure that generated text calls.
pub(crate) struct Routine {
    pub(crate) proc: ProcId,
    pub(crate) name: String,
    /// The module that has it.
    pub(crate) module: Option<String>,
    pub(crate) arguments: Vec<Argument>,
}

/// A dummy argument.
pub(crate) struct Argument {
    pub(crate) name: String,
    /// The position of the argument of the original whose derivative it is.
    pub(crate) derivative_of: Option<usize>,
    base: Base,
    rank: u8,
    pub(crate) intent: Option<Intent>,
    /// Why no local variable can have its type and shape.
    obstacle: Option<&'static str>,
}

impl Routine {
    /// The procedure called `name` in the module `module`.
    pub(crate) fn find(doc: &Document, name: &str, module: Option<&str>) -> Option<Routine> {
        let alike = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
        let module_of =
            |proc: ProcId| match doc.scopes[doc.scopes[doc.procs[proc].scope].parent?].kind {
                ScopeKind::Module(symbol) => Some(doc.name(symbol)),
                _ => None,
            };
        let found = doc.procs.iter().find(|&(id, proc)| {
            let same_module = match (module_of(id), module) {
                (Some(own), Some(wanted)) => alike(own, wanted),
                (own, wanted) => own.is_none() && wanted.is_none(),
            };
            matches!(proc.body, Body::Flow(_)) && same_module && alike(doc.name(proc.symbol), name)
        });
        let (proc, data) = found?;
        let arguments = data.args.iter().map(|dummy| {
            let symbol = dummy.symbol?;
            let decl = doc.symbols[symbol].decl.as_deref()?;
            Some(Argument {
                name: doc.name(symbol).to_owned(),
                derivative_of: None,
                base: decl.spec.base(),
                rank: u8::try_from(decl.dims.len()).ok()?,
                intent: decl.intent,
                obstacle: obstacle(decl),
            })
        });
        Some(Routine {
            proc,
            name: doc.name(data.symbol).to_owned(),
            module: module_of(proc).map(str::to_owned),
            arguments: arguments.collect::<Option<_>>()?,
        })
    }

    /// The same as the derivative of `original`: each argument is one of the original's, or stands behind that whose
    /// derivative it is.
    pub(crate) fn derivative_of(mut self, original: &Routine) -> Routine {
        let mut next = 0;
        for argument in &mut self.arguments {
            let is_next = original
                .arguments
                .get(next)
                .is_some_and(|one| one.name.eq_ignore_ascii_case(&argument.name));
            if is_next {
                next += 1;
            } else {
                argument.derivative_of = next.checked_sub(1);
            }
        }
        self
    }

    /// The derivative of the argument of the original at `position`.
    pub(crate) fn derivative(&self, position: usize) -> Option<&Argument> {
        self.arguments.iter().find(|argument| argument.derivative_of == Some(position))
    }

    /// The position of the argument `name`.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.arguments.iter().position(|argument| argument.name.eq_ignore_ascii_case(name))
    }

    /// The names of the arguments.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.arguments.iter().map(|argument| argument.name.as_str()).collect()
    }

    /// The lines that declare the arguments, without indentation.
    pub(crate) fn declarations(&self, doc: &Document) -> Result<Vec<String>, Diagnostics> {
        let text = interfaces::text(doc, &[self.proc])?.unwrap_or_default();
        let mut lines = text.lines().map(str::trim).skip_while(|line| !is_head(line));
        // The head may have several lines.
        while lines.next().is_some_and(|line| line.ends_with('&')) {}
        let inside = lines.take_while(|line| !line.starts_with("end subroutine"));
        Ok(inside.map(str::to_owned).collect())
    }

    /// The interface block by which a caller knows it; none where a module has it.
    pub(crate) fn interface(&self, doc: &Document) -> Result<Vec<String>, Diagnostics> {
        if self.module.is_some() {
            return Ok(Vec::new());
        }
        let text = interfaces::text(doc, &[self.proc])?.unwrap_or_default();
        let lines = text.lines().skip_while(|line| line.trim() != "interface");
        let mut block: Vec<String> = Vec::new();
        for line in lines {
            block.push(line.strip_prefix("  ").unwrap_or(line).to_owned());
            if line.trim().starts_with("end interface") {
                break;
            }
        }
        Ok(block)
    }
}

fn is_head(line: &str) -> bool {
    line.starts_with("subroutine ") || line.starts_with("recursive subroutine ")
}

fn obstacle(decl: &Decl) -> Option<&'static str> {
    let number = matches!(decl.spec.base(), Base::Real(_) | Base::Integer(_) | Base::Logical(_));
    if matches!(decl.role, Role::Procedure(_)) {
        return Some("is a procedure");
    }
    if decl.has(Attr::Optional) {
        return Some("is optional");
    }
    if decl.intent == Some(Intent::In) && !number {
        return None;
    }
    if !number {
        return Some("is no real, integer or logical variable");
    }
    if decl.has(Attr::Pointer) || decl.has(Attr::Allocatable) {
        return Some("is allocatable or a pointer");
    }
    let sized = decl.dims.iter().all(|dim| match dim {
        Dim::Explicit { .. } | Dim::AssumedShape { .. } => true,
        Dim::Deferred | Dim::AssumedSize { .. } | Dim::AssumedRank => false,
    });
    (!sized).then_some("has no known size")
}

impl Argument {
    /// Whether it has reals of single precision.
    pub(crate) fn is_single(&self) -> bool {
        matches!(self.base, Base::Real(4))
    }

    /// Why a generated procedure cannot have it.
    pub(crate) fn obstacle(&self) -> Option<&'static str> {
        self.obstacle
    }

    pub(crate) fn is_array(&self) -> bool {
        self.rank > 0
    }

    /// The type as text.
    pub(crate) fn type_text(&self) -> String {
        match self.base {
            Base::Integer(bytes) => format!("integer({bytes})"),
            Base::Logical(bytes) => format!("logical({bytes})"),
            Base::Real(bytes) => format!("real({bytes})"),
            _ => "real(8)".to_owned(),
        }
    }

    /// The number of elements as text.
    pub(crate) fn size(&self) -> String {
        if self.is_array() { format!("size({})", self.name) } else { "1".to_owned() }
    }

    /// The declaration of a local variable of the same type and shape.
    pub(crate) fn local(&self, name: &str) -> String {
        match self.rank {
            0 => format!("{} :: {name}", self.type_text()),
            rank => {
                let dims = vec![":"; usize::from(rank)].join(", ");
                format!("{}, allocatable :: {name}({dims})", self.type_text())
            }
        }
    }

    /// Sets the element with the number `at` of all variables, of which those of this one come behind `first`, to 1.
    pub(crate) fn seed(&self, name: &str, at: &str, first: &str) -> Vec<String> {
        let within = match first {
            "0" => at.to_owned(),
            one if one.contains(' ') => format!("{at} - ({one})"),
            one => format!("{at} - {one}"),
        };
        let test = match first {
            "0" => format!("if ({at} <= size({name})) &"),
            _ => format!("if ({at} > {first} .and. {at} <= {first} + size({name})) &"),
        };
        match self.rank {
            0 => vec![format!("if ({at} == {}) {name} = 1", sum(first, "1"))],
            1 => vec![test, format!("    {name}(lbound({name}, 1) - 1 + {within}) = 1")],
            _ => vec![
                test,
                format!("    {name} = reshape(unit(size({name}), {within}), shape({name}))"),
            ],
        }
    }

    /// The elements of a vector, text behind which the index stands, in the shape of the variable `name`.
    pub(crate) fn shaped(&self, name: &str, vector: &str) -> String {
        match self.rank {
            0 | 1 => vector.to_owned(),
            _ => format!("reshape({vector}, shape({name}))"),
        }
    }

    /// Whether [`seed`](Self::seed) calls the function `unit`.
    pub(crate) fn needs_unit(&self) -> bool {
        self.rank > 1
    }

    /// The rows of a matrix that belong to its elements, which come behind `first`.
    pub(crate) fn rows(&self, first: &str) -> String {
        match self.rank {
            0 => sum(first, "1"),
            _ => format!("{}:{}", sum(first, "1"), sum(first, &self.size())),
        }
    }

    /// The elements of the variable `name` as a vector.
    pub(crate) fn vector(&self, name: &str) -> String {
        match self.rank {
            0 | 1 => name.to_owned(),
            _ => format!("reshape({name}, [size({name})])"),
        }
    }
}

/// Where the elements of variables begin in the vector of all: texts, the last of which is the number of all.
pub(crate) fn offsets(variables: &[&Argument]) -> Vec<String> {
    let mut found = vec!["0".to_owned()];
    for variable in variables {
        let last = found.last().map_or("0", String::as_str);
        found.push(sum(last, &variable.size()));
    }
    found
}

/// `left + right`
fn sum(left: &str, right: &str) -> String {
    match left {
        "0" => right.to_owned(),
        _ => format!("{left} + {right}"),
    }
}

/// An actual argument of a generated call.
pub(crate) struct Actual<'r> {
    pub(crate) argument: &'r Argument,
    pub(crate) name: String,
    /// The variable whose shape it has, where it is a local variable.
    pub(crate) model: String,
    /// Its value before the call.
    pub(crate) start: Option<String>,
}

impl<'r> Actual<'r> {
    /// A variable of the caller.
    pub(crate) fn own(argument: &'r Argument) -> Actual<'r> {
        Actual { argument, name: argument.name.clone(), model: String::new(), start: None }
    }

    /// Its name, where it is a local variable.
    pub(crate) fn copied(&self) -> Option<&str> {
        (!self.model.is_empty()).then_some(self.name.as_str())
    }
}

/// The function that makes unit vectors.
pub(crate) fn unit(text: &mut Text) {
    text.open("pure function unit(n, k) result(values)");
    text.lines(["integer, intent(in) :: n, k", "real(8) :: values(n)", ""]);
    text.lines(["values = 0", "values(k) = 1"]);
    text.close("end function unit");
}

/// Generated text.
#[derive(Default)]
pub(crate) struct Text {
    text: String,
    depth: usize,
    taken: HashSet<String>,
}

/// Longer lines are folded behind a comma.
const WIDTH: usize = 100;

impl Text {
    /// A line.
    pub(crate) fn line(&mut self, line: &str) {
        if line.is_empty() {
            self.text.push('\n');
            return;
        }
        let indent = "  ".repeat(self.depth);
        let (mut rest, mut lead) = (line, "");
        while indent.len() + lead.len() + rest.len() > WIDTH && !rest.starts_with('!') {
            let room = WIDTH - indent.len() - lead.len() - 2;
            let cut = rest.char_indices().take(room).filter(|(_, c)| *c == ',').last();
            let Some((at, _)) = cut else { break };
            let _ = writeln!(self.text, "{indent}{lead}{}, &", &rest[..at]);
            rest = rest[at + 1..].trim_start();
            lead = "    ";
        }
        let _ = writeln!(self.text, "{indent}{lead}{rest}");
    }

    pub(crate) fn lines<S: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = S>) {
        lines.into_iter().for_each(|line| self.line(line.as_ref()));
    }

    /// A line behind which others are indented.
    pub(crate) fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    /// The line that ends that.
    pub(crate) fn close(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
    }

    /// A line between two blocks of lines.
    pub(crate) fn between(&mut self, line: &str) {
        self.close(line);
        self.depth += 1;
    }

    /// The names that are taken.
    pub(crate) fn taken(&self) -> HashSet<String> {
        self.taken.clone()
    }

    /// Leaves only these names taken.
    pub(crate) fn only(&mut self, taken: &HashSet<String>) {
        self.taken.clone_from(taken);
    }

    /// A name that nothing else has.
    pub(crate) fn name(&mut self, wish: &str) -> String {
        unique(wish, &mut self.taken)
    }

    /// Takes names.
    pub(crate) fn take<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        self.taken.extend(names.into_iter().map(str::to_ascii_lowercase));
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}
