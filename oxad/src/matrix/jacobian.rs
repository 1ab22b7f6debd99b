//! `oxad jacobian`: whole Jacobians, by columns with tangents or by rows with adjoints.
//!
//! A generated module has `p_columns` and `p_rows` for products with given directions or weights, `p_j` for the dense
//! Jacobian, which takes the cheaper of both, and `p_sparse` for the elements of a pattern, which the runtime colours.

use xaif_booster::stages::TangentArgs;
use xaif_schema::cli::{self, Console};
use xaif_schema::diag::{Diagnostic, Diagnostics};
use xaif_schema::model::{Document, Intent};

use super::routine::{Actual, Argument, Routine, Text, offsets};
use super::{Head, heads, obstacle};
use crate::config::Line;
use crate::differentiate::{OF_ADJOINT, OF_TANGENT, SPARSE, derive};
use crate::files;
use crate::open::Program;
use crate::pipeline::{ADJOINT, AdjointArgs, Options, Run, TANGENT};

/// The arguments of `oxad jacobian`.
#[derive(clap::Args)]
pub(crate) struct Jacobian {
    #[command(flatten)]
    pub(crate) args: files::Args,
    #[command(flatten)]
    adjoint: AdjointArgs,
    #[command(flatten)]
    runtime: files::RuntimeArgs,
}

impl Jacobian {
    /// Reads, differentiates in both modes, writes.
    pub(crate) fn run(&self, console: &mut Console, line: &Line) -> Result<(), Diagnostics> {
        let derivatives = [OF_TANGENT, OF_ADJOINT];
        let rows = files::rows_of(&derivatives);
        if let Some(table) = self.args.passes.listed(&rows) {
            return cli::write_output(None, &table.into());
        }
        let options = Options {
            stages: self.args.stages.clone(),
            adjoint: self.adjoint.clone(),
            tangent: TangentArgs::default(),
            selection: self.args.passes.selection(&rows)?,
        };
        let mut run = Run::new(console, &self.args.keep);
        let Some(doc) = run.read(&self.args.files, &self.args.source)? else { return Ok(()) };
        let (program, _) = Program::prepare(&mut run, doc, &options)?;
        let heads = heads(&program.prepared)?;
        let mut both = Vec::new();
        for stages in [TANGENT, ADJOINT] {
            let doc = program.prepared.clone();
            both.push(program.derive(&mut run, doc, stages, &options)?.doc);
        }
        let mut runtime = self.runtime.texts();
        if !runtime.is_empty() {
            runtime.push((SPARSE.0.to_owned(), SPARSE.1.to_owned()));
        }
        let origin = self.args.origin();
        let mut made = derive(&mut run, program, &derivatives, (&options, runtime), origin)?;
        let suffixes = [&options.tangent.suffix_procedure, &self.adjoint.reverse.adjoint_procedure];
        for head in &heads {
            let found = |at: usize, suffix: &str| {
                let original = Routine::find(&both[at], &head.name, head.module.as_deref())?;
                let module = head.module.as_ref().map(|module| format!("{module}{suffix}"));
                let name = format!("{}{suffix}", head.name);
                let routine = Routine::find(&both[at], &name, module.as_deref())?;
                Some((routine.derivative_of(&original), original))
            };
            let (Some((tangent, original)), Some((adjoint, _))) =
                (found(0, suffixes[0]), found(1, suffixes[1]))
            else {
                continue;
            };
            let whole = Whole {
                head,
                original,
                tangent: (&both[0], tangent),
                adjoint: (&both[1], adjoint),
            };
            match whole.file()? {
                Ok(file) => made.files.push(file),
                Err(warning) => made.note.push(warning),
            }
        }
        self.args.write(&mut run, made, line)
    }
}

/// The module of a head's Jacobian.
struct Whole<'h> {
    head: &'h Head,
    original: Routine,
    tangent: (&'h Document, Routine),
    adjoint: (&'h Document, Routine),
}

/// One of the two ways.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Columns,
    Rows,
}

impl Whole<'_> {
    /// The file, or why there is none.
    fn file(&self) -> Result<Result<(String, String), Diagnostic>, Diagnostics> {
        for (doc, routine) in [&self.tangent, &self.adjoint] {
            if let Some(found) = obstacle(doc, routine) {
                return Ok(Err(found));
            }
        }
        let name = format!("{}_j.f90", self.head.name.to_ascii_lowercase());
        Ok(Ok((name, self.text()?)))
    }

    fn names(&self) -> [String; 4] {
        ["columns", "rows", "j", "sparse"].map(|word| format!("{}_{word}", self.head.name))
    }

    fn text(&self) -> Result<String, Diagnostics> {
        let head = self.head;
        let [columns, rows, dense, sparse] = self.names();
        let module = format!("jacobian_of_{}", head.name);
        let mut text = Text::default();
        let (tangent, adjoint) = (&self.tangent.1, &self.adjoint.1);
        text.take(tangent.names());
        text.take(adjoint.names());
        text.take([module.as_str(), &columns, &rows, &dense, &sparse, &self.original.name]);
        text.take([
            tangent.name.as_str(),
            adjoint.name.as_str(),
            "pattern",
            "seeds_of",
            "unpacked",
        ]);
        text.line(&format!("! The Jacobian of {}.", head.name));
        text.open(&format!("module {module}"));
        text.line("use oxad_jacobian, only: pattern, coloured, seeds_of, unpacked");
        text.lines(head.module.as_ref().map(|module| format!("use {module}")));
        for routine in [tangent, adjoint] {
            let module = routine.module.as_ref();
            text.lines(module.map(|module| format!("use {module}, only: {}", routine.name)));
        }
        text.lines(["implicit none", "private"]);
        text.line(&format!("public :: {columns}, {rows}, {dense}, {sparse}"));
        text.close("");
        text.open("contains");
        text.line("");
        let outside = text.taken();
        self.products(Way::Columns, &mut text)?;
        text.line("");
        text.only(&outside);
        self.products(Way::Rows, &mut text)?;
        text.line("");
        text.only(&outside);
        self.dense(&mut text)?;
        text.line("");
        text.only(&outside);
        self.sparse(&mut text)?;
        text.close(&format!("end module {module}"));
        Ok(text.finish())
    }

    /// The arguments of the head with these names.
    fn chosen(&self, names: &[String]) -> Vec<&Argument> {
        let found = names.iter().filter_map(|name| self.original.position(name));
        found.map(|position| &self.original.arguments[position]).collect()
    }

    /// The numbers of rows and columns as text.
    fn extents(&self) -> [String; 2] {
        [&self.head.dependent, &self.head.independent]
            .map(|names| offsets(&self.chosen(names)).pop().unwrap_or_default())
    }

    fn products(&self, way: Way, text: &mut Text) -> Result<(), Diagnostics> {
        let [columns, rows, ..] = self.names();
        let [m, n] = self.extents();
        let ((doc, routine), name) = match way {
            Way::Columns => (&self.tangent, columns),
            Way::Rows => (&self.adjoint, rows),
        };
        let [seeds, products, number] = ["seeds", "products", "number"].map(|wish| text.name(wish));
        let arguments = [self.original.names(), vec![&seeds, &products]].concat().join(", ");
        text.open(&format!("subroutine {name}({arguments})"));
        let shape = match way {
            Way::Columns => {
                text.line(&format!("! {products}: the Jacobian times the directions that are the columns of {seeds}."));
                [m, format!("size({seeds}, 2)")]
            }
            Way::Rows => {
                text.line(&format!(
                    "! {products}: the weights that are the rows of {seeds} times the Jacobian."
                ));
                [format!("size({seeds}, 1)"), n]
            }
        };
        text.line("! Arguments of the procedure keep their values.");
        text.lines(self.declarations()?);
        text.line(&format!("real(8), intent(in) :: {seeds}(:, :)"));
        text.line(&format!("real(8), intent(out) :: {products}({})", shape.join(", ")));
        let calls: Vec<Actual<'_>> =
            routine.arguments.iter().map(|argument| self.actual(argument, text)).collect();
        for actual in &calls {
            text.lines(actual.copied().map(|local| actual.argument.local(local)));
        }
        text.line(&format!("integer :: {number}"));
        text.lines(routine.interface(doc)?);
        text.line("");
        for actual in calls.iter().filter(|actual| actual.argument.is_array()) {
            text.lines(
                actual.copied().map(|local| format!("allocate({local}, mold={})", actual.model)),
            );
        }
        let dimension = if way == Way::Columns { 2 } else { 1 };
        text.open(&format!("do {number} = 1, size({seeds}, {dimension})"));
        for actual in &calls {
            text.lines(actual.start.as_ref().map(|value| format!("{} = {value}", actual.name)));
        }
        let derivative = |name: &str| {
            let position = self.original.position(name)?;
            calls.iter().find(|actual| actual.argument.derivative_of == Some(position))
        };
        let slice = |of: &str, rows: &str| match way {
            Way::Columns => format!("{of}({rows}, {number})"),
            Way::Rows => format!("{of}({number}, {rows})"),
        };
        let (from, to) = match way {
            Way::Columns => (&self.head.independent, &self.head.dependent),
            Way::Rows => (&self.head.dependent, &self.head.independent),
        };
        let (inputs, outputs) = (self.chosen(from), self.chosen(to));
        for (&argument, first) in inputs.iter().zip(offsets(&inputs)) {
            if let Some(actual) = derivative(&argument.name) {
                let seed = slice(&seeds, &argument.rows(&first));
                text.line(&format!("{} = {}", actual.name, argument.shaped(&actual.name, &seed)));
            }
        }
        let actuals: Vec<&str> = calls.iter().map(|actual| actual.name.as_str()).collect();
        text.line(&format!("call {}({})", routine.name, actuals.join(", ")));
        for (&argument, first) in outputs.iter().zip(offsets(&outputs)) {
            let target = slice(&products, &argument.rows(&first));
            let value = derivative(&argument.name)
                .map_or("0".to_owned(), |actual| argument.vector(&actual.name));
            text.line(&format!("{target} = {value}"));
        }
        text.close("end do");
        text.close(&format!("end subroutine {name}"));
        Ok(())
    }

    fn dense(&self, text: &mut Text) -> Result<(), Diagnostics> {
        let [columns, rows, name, _] = self.names();
        let [m, n] = self.extents();
        let [jacobian, by_rows, unit, turned, k] =
            ["jacobian", "by_rows", "unit", "turned", "k"].map(|wish| text.name(wish));
        let own = self.original.names().join(", ");
        text.open(&format!("subroutine {name}({own}, {jacobian}, {by_rows})"));
        text.lines([
            format!("! {jacobian}: the derivatives of {} by {}.", self.head.dependent.join(", "), self.head.independent.join(", ")),
            format!("! {by_rows}: an adjoint for each row, not a tangent for each column; else what is cheaper."),
            "! Arguments of the procedure keep their values.".to_owned(),
        ]);
        text.lines(self.declarations()?);
        text.line(&format!("real(8), intent(out) :: {jacobian}({m}, {n})"));
        text.line(&format!("logical, intent(in), optional :: {by_rows}"));
        text.line(&format!("real(8), allocatable :: {unit}(:, :)"));
        text.lines([format!("logical :: {turned}"), format!("integer :: {k}"), String::new()]);
        // An adjoint costs about two tangents.
        text.line(&format!("{turned} = 2*size({jacobian}, 1) < size({jacobian}, 2)"));
        text.line(&format!("if (present({by_rows})) {turned} = {by_rows}"));
        let size = format!("merge(size({jacobian}, 1), size({jacobian}, 2), {turned})");
        text.line(&format!("allocate({unit}({size}, {size}), source=0d0)"));
        text.open(&format!("do {k} = 1, size({unit}, 1)"));
        text.line(&format!("{unit}({k}, {k}) = 1"));
        text.close("end do");
        text.open(&format!("if ({turned}) then"));
        text.line(&format!("call {rows}({own}, {unit}, {jacobian})"));
        text.between("else");
        text.line(&format!("call {columns}({own}, {unit}, {jacobian})"));
        text.close("end if");
        text.close(&format!("end subroutine {name}"));
        Ok(())
    }

    fn sparse(&self, text: &mut Text) -> Result<(), Diagnostics> {
        let [columns, rows, _, name] = self.names();
        let [m, n] = self.extents();
        let [own, values, products, test, probe, sums, sizes, i, k] =
            ["elements", "values", "compressed", "test", "probe", "sums", "sizes", "i", "k"]
                .map(|wish| text.name(wish));
        let arguments = self.original.names().join(", ");
        text.open(&format!("subroutine {name}({arguments}, {own}, {values})"));
        text.lines([
            format!("! {values}: the elements of the Jacobian in the order of the pattern {own}."),
            "! One more direction tests the pattern: where it lacks an element, the program stops."
                .to_owned(),
        ]);
        text.lines(self.declarations()?);
        text.line(&format!("type(pattern), intent(inout) :: {own}"));
        text.line(&format!("real(8), allocatable, intent(out) :: {values}(:)"));
        text.line(&format!("real(8), allocatable :: {products}(:, :)"));
        text.line(&format!(
            "real(8) :: {probe}({n}, 1), {test}({m}, 1), {sums}({m}), {sizes}({m})"
        ));
        text.lines([format!("integer :: {i}, {k}"), String::new()]);
        text.line(&format!("if ({own}%rows /= {m} .or. {own}%columns /= {n}) &"));
        text.line(&format!("    error stop '{name}: the pattern has another shape'"));
        text.line(&format!("if ({own}%colours == 0) call coloured({own})"));
        text.open(&format!("if ({own}%by_rows) then"));
        text.line(&format!("allocate({products}({own}%colours, {own}%columns))"));
        text.line(&format!("call {rows}({arguments}, seeds_of({own}), {products})"));
        text.between("else");
        text.line(&format!("allocate({products}({own}%rows, {own}%colours))"));
        text.line(&format!("call {columns}({arguments}, seeds_of({own}), {products})"));
        text.close("end if");
        text.line(&format!("{values} = unpacked({own}, {products})"));
        text.line(&format!("{probe}(:, 1) = [(1 + 0.5d0*sin(7d0*{k}), {k} = 1, {n})]"));
        text.line(&format!("call {columns}({arguments}, {probe}, {test})"));
        text.open(&format!("do {i} = 1, {own}%rows"));
        text.line(&format!("{sums}({i}) = 0"));
        text.line(&format!("{sizes}({i}) = 0"));
        text.open(&format!("do {k} = {own}%first({i}), {own}%first({i} + 1) - 1"));
        text.line(&format!(
            "{sums}({i}) = {sums}({i}) + {values}({k})*{probe}({own}%column({k}), 1)"
        ));
        text.line(&format!("{sizes}({i}) = {sizes}({i}) + abs({values}({k}))*2"));
        text.close("end do");
        text.close("end do");
        let chosen =
            self.head.independent.iter().chain(&self.head.dependent).cloned().collect::<Vec<_>>();
        let single = self.chosen(&chosen).into_iter().any(Argument::is_single);
        let tolerance = if single { "1d-3" } else { "1d-6" };
        text.line(&format!(
            "if (.not. all(abs({sums} - {test}(:, 1)) <= {tolerance}*({sizes} + maxval({sizes})*1d-6))) &"
        ));
        text.line(&format!("    error stop '{name}: the pattern lacks an element'"));
        text.close(&format!("end subroutine {name}"));
        Ok(())
    }

    fn declarations(&self) -> Result<Vec<String>, Diagnostics> {
        let lines = self.original.declarations(self.tangent.0)?;
        // The procedures for matrices overwrite none of these.
        let to_in = |line: String| {
            line.replace("intent(out)", "intent(in)").replace("intent(inout)", "intent(in)")
        };
        Ok(lines.into_iter().map(to_in).collect())
    }

    /// What is passed for an argument of a derivative.
    fn actual<'r>(&self, argument: &'r Argument, text: &mut Text) -> Actual<'r> {
        if let Some(position) = argument.derivative_of {
            let model = self.original.arguments.get(position).map_or("", |one| one.name.as_str());
            let start = Some("0".to_owned());
            return Actual { model: model.to_owned(), start, ..Actual::own(argument) };
        }
        if argument.intent == Some(Intent::In) {
            return Actual::own(argument);
        }
        let intent = self
            .original
            .position(&argument.name)
            .and_then(|at| self.original.arguments[at].intent);
        let start = (intent != Some(Intent::Out)).then(|| argument.name.clone());
        let name = text.name(&format!("{}_k", argument.name));
        Actual { argument, name, model: argument.name.clone(), start }
    }
}
