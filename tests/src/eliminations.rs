//! Whether every elimination technique with every heuristic gives a program the same Jacobian.
//!
//! A program is a Fortran file with one procedure in which directives say what is independent and dependent,
//! as the regression cases of OpenAD are, and the other files that stand beside it with modules. Where arguments
//! have no declared extents, `params.conf` beside it says how many numbers x and y have. The Jacobian comes from
//! dual numbers on the document without local Jacobians, at a point where it is finite. Behind
//! the stage, which does not ask whether it pays, each configuration has a document; those that differ are
//! executed: with dual numbers, and as tangent and adjoint by the stages behind. So it takes little more
//! time than there are programs to be told apart.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

use elimination::{Chain, Choice, TECHNIQUES};
use fortran_frontend::source;
use fortran_frontend::translate_texts;
use xaif_booster::analysis::{activity, tbr};
use xaif_booster::externals::Externals;
use xaif_booster::stages::ActivityArgs;
use xaif_booster::transform::adjoint;
use xaif_booster::transform::adjoint::prepare::prepare;
use xaif_booster::transform::preaccumulate::{Options, Store, preaccumulate};
use xaif_booster::transform::tangent;
use xaif_run::{Element, Given, Mode, Output, Request};
use xaif_schema::diag::{Diagnostics, Severity};
use xaif_schema::model::{Base, Dim, Document, ExprId, ExprKind, ScopeId, StmtKind, TypeClass};
use xaif_schema::verify::verify;
use xaif_schema::xml;

use crate::random::check::told;

/// Coordinates of points: number i of the independent variables is the first plus i times the second.
const POINTS: [(f64, f64); 3] = [(0.0, 0.5), (1.0, 0.1), (0.2, 0.03)];

/// What is left of terms that cancel is small beside this.
const ROUNDING: f64 = 1e-4;

/// What integer arguments get about which nobody says anything.
const INTEGER: &str = "2";

/// What was found of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// It cannot be asked this way: why.
    Left(String),
    /// It was looked at.
    Same(Same),
    /// Some configuration has another Jacobian, or none: which, and what was seen.
    Differs(String),
}

/// A program that has the same Jacobian in all configurations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Same {
    /// How many configurations there were.
    pub configurations: usize,
    /// How many documents they have made, without one in which nothing is accumulated.
    pub documents: usize,
    /// How many were executed by dual numbers, as tangents and as adjoints.
    pub executed: [usize; 3],
}

/// Every technique with every chain of the portfolio, and what else makes other documents.
pub fn configurations() -> Vec<(String, Options)> {
    let chains = Chain::portfolio();
    let mut all = Vec::new();
    for technique in TECHNIQUES {
        for chain in &chains {
            let choice = Choice {
                technique: Some(technique),
                heuristic: Some(chain.clone()),
                ..Choice::default()
            };
            all.push((
                format!("{} by {chain}", technique.name()),
                Options { choice, always: true, ..Options::default() },
            ));
        }
    }
    let usual = || Options { always: true, ..Options::default() };
    let scarce = Choice { scarce: true, ..Choice::default() };
    all.push(("scarce".into(), Options { choice: scarce, ..usual() }));
    all.push(("per statement".into(), Options { per_statement: true, ..usual() }));
    all.push(("named partials".into(), Options { named: true, ..usual() }));
    all.push(("operands".into(), Options { store: Store::Operands, ..usual() }));
    all
}

/// Looks at the program of a file. `set` has values for integer arguments.
pub fn check(path: &Path, set: &[(String, String)], configurations: &[(String, Options)]) -> Found {
    let mut program = match Program::read(path, set) {
        Ok(program) => program,
        Err(why) => return Found::Left(why),
    };
    let expected = match program.expected() {
        Ok(expected) => expected,
        Err(why) => return Found::Left(why),
    };
    // What the stages refuse without local Jacobians says nothing about them.
    let ways: Vec<(usize, Way)> =
        [(0, Program::by_dual_numbers as Way), (1, Program::by_tangent), (2, Program::by_adjoint)]
            .into_iter()
            .filter(|(_, way)| {
                way(&program, &program.doc).is_ok_and(|own| program.agree(&expected, &own).is_ok())
            })
            .collect();
    let mut known: HashSet<String> = HashSet::new();
    let mut same = Same { configurations: configurations.len(), ..Same::default() };
    for (name, options) in configurations {
        let doc = match program.accumulated(options) {
            Ok(doc) => doc,
            Err(why) => return Found::Differs(format!("{name}: {why}")),
        };
        let propagators = doc.stmts.values().any(|one| matches!(one.kind, StmtKind::Propagate(_)));
        let text = match xml::to_string(&doc) {
            Ok(text) => text,
            Err(error) => return Found::Differs(format!("{name}: {error}")),
        };
        if !propagators || !known.insert(text) {
            continue;
        }
        same.documents += 1;
        for (number, way) in &ways {
            let found = way(&program, &doc).and_then(|own| program.agree(&expected, &own));
            if let Err(why) = found {
                let way = ["dual numbers", "tangent", "adjoint"][*number];
                return Found::Differs(format!("{name}, {way}: {why}"));
            }
            same.executed[*number] += 1;
        }
    }
    Found::Same(same)
}

/// A Jacobian: for each x a column of y.
type Jacobian = Vec<Vec<f64>>;

/// A way to a Jacobian.
type Way = fn(&Program, &Document) -> Result<Jacobian, String>;

/// A name and extents.
type Variable = (String, Vec<i64>);

/// A program with what is asked of it.
struct Program {
    doc: Document,
    /// The procedure that is differentiated.
    head: String,
    x: Vec<Variable>,
    y: Vec<Variable>,
    /// The values of other arguments.
    others: Vec<(String, Given)>,
    point: (f64, f64),
    tolerance: f64,
}

impl Program {
    /// The program of a file, with facts of activity.
    fn read(path: &Path, set: &[(String, String)]) -> Result<Program, String> {
        let text = std::fs::read(path).map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&text).to_lowercase();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let mut texts = modules(path, &text);
        texts.push((name.unwrap_or_default(), text.clone()));
        let texts: Vec<(&str, &str)> =
            texts.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let read = translate_texts(&texts, &source::Options::default());
        if read.diagnostics.iter().any(|found| found.severity == Severity::Error) {
            return Err(told(&read.diagnostics));
        }
        let mut doc = read.document;
        let (head, [independent, dependent]) = asked(&text).ok_or("no directives")?;
        let facts = ActivityArgs::default().options();
        activity::activity(&mut doc, &facts, &Externals::new()).map_err(|found| errors(&found))?;
        let proc = doc.procs.values().find(|proc| doc.symbols[proc.symbol].id == head);
        let proc = proc.ok_or_else(|| format!("no procedure {head}"))?;
        let sizes = std::fs::read_to_string(path.with_file_name("params.conf")).unwrap_or_default();
        let mut sizes = sizes.split_whitespace().map_while(|word| word.parse::<i64>().ok());
        let variables = |names: &[String], size: Option<i64>| -> Result<Vec<Variable>, String> {
            names.iter().map(|name| variable(&doc, proc.scope, name, size)).collect()
        };
        let (x, y) = (variables(&independent, sizes.next())?, variables(&dependent, sizes.next())?);
        let mut others = Vec::new();
        for symbol in proc.args.iter().filter_map(|arg| arg.symbol) {
            let name = doc.symbols[symbol].id.clone();
            if x.iter().chain(&y).all(|(known, _)| *known != name) {
                let (_, shape) = variable(&doc, proc.scope, &name, None)?;
                let own = set.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str());
                let word = match doc.symbols[symbol].class {
                    TypeClass::Integer => own.unwrap_or(INTEGER),
                    _ => own.unwrap_or("0.5"),
                };
                let words = vec![word.to_owned(); count(&shape)];
                others.push((name, Given { shape, words }));
            }
        }
        let single = doc.refs.values().any(|one| one.ty.base == Base::Real(4));
        let tolerance = if single { 2e-4 } else { 1e-10 };
        Ok(Program { head, x, y, others, point: POINTS[0], tolerance, doc })
    }

    /// The Jacobian of the program as it stands, at the first point where it is finite and not 0.
    fn expected(&mut self) -> Result<Jacobian, String> {
        let mut why = String::new();
        for point in POINTS {
            self.point = point;
            match self.by_dual_numbers(&self.doc) {
                Ok(found) if found.iter().flatten().all(|entry| entry.is_finite()) => {
                    return Ok(found);
                }
                Ok(_) => why = "no point with a finite Jacobian".into(),
                Err(error) => why = error,
            }
        }
        Err(why)
    }

    /// The document with local Jacobians.
    fn accumulated(&self, options: &Options) -> Result<Document, String> {
        let mut doc = self.doc.clone();
        preaccumulate(&mut doc, options).map_err(|found| errors(&found))?;
        let found = verify(&doc);
        if found.is_empty() { Ok(doc) } else { Err(told(&found)) }
    }

    /// Executes a document with dual numbers.
    fn by_dual_numbers(&self, doc: &Document) -> Result<Jacobian, String> {
        let column = |input| {
            let direction = units(&self.x, input);
            let found = run(doc, &self.head, (self.values(), direction), &self.y, Mode::Tangent)?;
            numbers(&found, &self.y, |element| match element {
                Element::Real(_, tangent) => Some(*tangent),
                _ => None,
            })
        };
        (0..total(&self.x)).map(column).collect()
    }

    /// Executes the tangent of a document.
    fn by_tangent(&self, doc: &Document) -> Result<Jacobian, String> {
        let mut doc = doc.clone();
        tangent::tangent(&mut doc, &tangent::Options::default()).map_err(|found| errors(&found))?;
        let (x, y) = (derivatives(&self.x, "d"), derivatives(&self.y, "d"));
        let column = |input| {
            let mut values = self.values();
            values.extend(units(&x, input));
            values.extend(zeros(&y, &x));
            let found = run(&doc, &format!("{}_d", self.head), (values, vec![]), &y, Mode::Value)?;
            numbers(&found, &y, value)
        };
        (0..total(&x)).map(column).collect()
    }

    /// Executes the adjoint of a document, row by row.
    fn by_adjoint(&self, doc: &Document) -> Result<Jacobian, String> {
        let mut doc = doc.clone();
        let options = adjoint::Options::default();
        prepare(&mut doc).map_err(|found| errors(&found))?;
        tbr::tbr(&mut doc, &options.externals, &options.catalogue, &options.modes);
        adjoint::adjoint(&mut doc, &options).map_err(|found| errors(&found))?;
        let (x, y) = (derivatives(&self.x, "b"), derivatives(&self.y, "b"));
        let mut columns = vec![Vec::new(); total(&x)];
        for output in 0..total(&y) {
            let mut values = self.values();
            values.extend(units(&y, output));
            values.extend(zeros(&x, &y));
            let found = run(&doc, &format!("{}_b", self.head), (values, vec![]), &x, Mode::Value)?;
            let row = numbers(&found, &x, value)?;
            columns.iter_mut().zip(row).for_each(|(column, entry)| column.push(entry));
        }
        Ok(columns)
    }

    /// The values of all arguments.
    fn values(&self) -> Vec<(String, Given)> {
        let (first, step) = self.point;
        let mut number = 0.0;
        let mut all = self.others.clone();
        for (name, shape) in &self.x {
            let word = |_| {
                number += 1.0;
                (first + step * number).to_string()
            };
            let words = (0..count(shape)).map(word).collect();
            all.push((name.clone(), Given { shape: shape.clone(), words }));
        }
        all.extend(zeros(&self.y, &self.x));
        all
    }

    /// Whether two Jacobians are the same, but for rounding.
    fn agree(&self, a: &Jacobian, b: &Jacobian) -> Result<(), String> {
        let entries = a.iter().flatten().filter(|entry| entry.is_finite());
        let largest = entries.fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
        if a.iter().map(Vec::len).ne(b.iter().map(Vec::len)) {
            return Err("Jacobians of different shapes".into());
        }
        let mut all = String::new();
        for (input, (a, b)) in a.iter().zip(b).enumerate() {
            for (output, (x, y)) in a.iter().zip(b).enumerate() {
                // Where terms cancel to 0 rounding is left, of the size of the terms.
                let size = x.abs() + y.abs() + largest.max(ROUNDING);
                let close = (x - y).abs() <= self.tolerance * size;
                if !(close || x == y || x.is_nan() && y.is_nan()) {
                    // Writing to a string does not fail.
                    let _ = write!(all, "d{}/d{}: {x:e}, {y:e}; ", output + 1, input + 1);
                }
            }
        }
        if all.is_empty() { Ok(()) } else { Err(all) }
    }
}

/// The files beside `path` whose modules a text uses: those that are called like a module.
fn modules(path: &Path, text: &str) -> Vec<(String, String)> {
    let beside = path.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    let mut found = Vec::new();
    for file in beside.into_iter().flatten().flatten().map(|entry| entry.path()) {
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
        let used = stem.is_some_and(|stem| {
            let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            text.lines().map(words).any(|words| {
                words.first().is_some_and(|word| word == "use")
                    && words.get(1).is_some_and(|word| word.trim_end_matches(',') == stem)
            })
        });
        if used && let (Some(name), Ok(text)) = (file.file_name(), std::fs::read_to_string(&file)) {
            found.push((name.to_string_lossy().into_owned(), text.to_lowercase()));
        }
    }
    found.sort();
    found
}

/// The procedure in which directives stand, and what they name: independent and dependent variables.
fn asked(text: &str) -> Option<(String, [Vec<String>; 2])> {
    let mut last = None;
    let mut head = None;
    let mut named = [Vec::new(), Vec::new()];
    for line in text.lines() {
        let mut words =
            line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty());
        let is_comment = line.starts_with(['c', '*', '!']) || line.trim_start().starts_with('!');
        match words.next() {
            Some("subroutine") if !is_comment => last = words.next().map(str::to_owned),
            Some("openad" | "oxad" | "c") if is_comment => {
                let mut words = words.skip_while(|word| matches!(*word, "openad" | "oxad"));
                let list = match words.next() {
                    Some("independent") => &mut named[0],
                    Some("dependent") => &mut named[1],
                    _ => continue,
                };
                // Several procedures may have the same directives.
                let name = words.next().filter(|&name| list.iter().all(|known| known != name));
                list.extend(name.map(str::to_owned));
                head = last.clone();
            }
            _ => {}
        }
    }
    // An interface in it may stand before its directives.
    let usual = |text: &str| text.lines().any(|line| line.trim().starts_with("subroutine head"));
    let head = if usual(text) { head.map(|_| "head".to_owned()) } else { head };
    head.map(|head| (head, named))
}

/// The extents of a variable that is known in `scope`: of an array of unknown shape `size` numbers.
fn variable(
    doc: &Document,
    scope: ScopeId,
    name: &str,
    size: Option<i64>,
) -> Result<Variable, String> {
    let named = || doc.symbols.values().filter(|data| data.id == name && data.decl.is_some());
    let data = named().find(|data| data.scope == scope).or_else(|| named().next());
    let decl = data
        .and_then(|data| data.decl.as_ref())
        .ok_or_else(|| format!("{name} is not declared"))?;
    let extent = |dim: &Dim| match dim {
        Dim::Explicit { lower, upper } => {
            let first = lower.map_or(Some(1), |lower| literal(doc, lower))?;
            Some(literal(doc, *upper)? - first + 1)
        }
        Dim::AssumedShape { .. } | Dim::AssumedSize { .. } | Dim::Deferred | Dim::AssumedRank => {
            None
        }
    };
    let shape: Option<Vec<i64>> = decl.dims.iter().map(extent).collect();
    match (shape, size) {
        (Some(shape), _) => Ok((name.into(), shape)),
        (None, Some(size)) if decl.dims.len() == 1 => Ok((name.into(), vec![size])),
        (None, _) => Err(format!("nobody says how large {name} is")),
    }
}

/// An integer that is written, or that a named constant has.
fn literal(doc: &Document, expr: ExprId) -> Option<i64> {
    if let ExprKind::Ref(reference) = doc.exprs[expr].kind {
        let symbol = &doc.symbols[doc.refs[reference].base];
        return symbol.decl.as_ref().and_then(|decl| decl.value);
    }
    let ExprKind::Constant(constant) = &doc.exprs[expr].kind else { return None };
    constant.text.parse().ok()
}

fn count(shape: &[i64]) -> usize {
    usize::try_from(shape.iter().product::<i64>()).unwrap_or(0)
}

/// How many numbers there are.
fn total(variables: &[Variable]) -> usize {
    variables.iter().map(|(_, shape)| count(shape)).sum()
}

/// Zeros for all that is not among `others`.
fn zeros<'a>(
    variables: &'a [Variable],
    others: &'a [Variable],
) -> impl Iterator<Item = (String, Given)> + 'a {
    let new = variables.iter().filter(|(name, _)| others.iter().all(|(other, _)| other != name));
    new.map(|(name, shape)| {
        let words = vec!["0.0".into(); count(shape)];
        (name.clone(), Given { shape: shape.clone(), words })
    })
}

/// 1 for the number `at` of all, 0 for the others.
fn units(variables: &[Variable], at: usize) -> Vec<(String, Given)> {
    let mut all: Vec<_> = zeros(variables, &[]).collect();
    if let Some(word) = all.iter_mut().flat_map(|(_, given)| &mut given.words).nth(at) {
        *word = "1.0".into();
    }
    all
}

fn derivatives(variables: &[Variable], suffix: &str) -> Vec<Variable> {
    variables.iter().map(|(name, shape)| (format!("{name}{suffix}"), shape.clone())).collect()
}

fn value(element: &Element) -> Option<f64> {
    match element {
        Element::Real(value, _) => Some(*value),
        _ => None,
    }
}

/// The numbers of variables, one after another.
fn numbers(
    found: &[Output],
    variables: &[Variable],
    number: impl Fn(&Element) -> Option<f64>,
) -> Result<Vec<f64>, String> {
    let mut all = Vec::new();
    for (name, _) in variables {
        let output = found.iter().find(|output| output.name.eq_ignore_ascii_case(name));
        let output = output.ok_or_else(|| format!("{name} is missing"))?;
        for element in &output.elements {
            all.push(
                number(element)
                    .ok_or_else(|| format!("{name} has elements that are no real numbers"))?,
            );
        }
    }
    Ok(all)
}

/// Values and directions.
type Inputs = (Vec<(String, Given)>, Vec<(String, Given)>);

/// Executes `head`; what is wanted may be arguments or not.
fn run(
    doc: &Document,
    head: &str,
    (values, direction): Inputs,
    wanted: &[Variable],
    mode: Mode,
) -> Result<Vec<Output>, String> {
    let request = Request {
        procedure: Some(head.to_owned()),
        values,
        direction,
        show: wanted.iter().map(|(name, _)| name.clone()).collect(),
        mode,
        ..Request::default()
    };
    match xaif_run::run(doc, &request) {
        Ok(outcome) if outcome.warnings.is_empty() => Ok(outcome.outputs),
        Ok(outcome) => Err(told(&outcome.warnings)),
        Err(found) => Err(told(&found)),
    }
}

fn errors(found: &Diagnostics) -> String {
    found
        .iter()
        .filter(|found| found.severity == Severity::Error)
        .map(|found| format!("{} {}; ", found.code, found.message))
        .collect()
}
