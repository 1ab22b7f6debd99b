//! `oxad hessian`: second derivatives by forward over reverse.
//!
//! The adjoint is written, read again and differentiated in forward mode: `p_b_d` computes the product of the Hessian
//! and a direction with the gradient. A generated procedure `p_h` calls it for each direction.

use xaif_booster::passes::Selection;
use xaif_booster::stages::{ActivityArgs, TangentArgs};
use xaif_schema::cli::{self, Console};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{Document, Intent};

use super::routine::{Actual, Argument, Routine, Text, offsets, unit};
use super::{Head, heads, obstacle};
use crate::config::Line;
use crate::differentiate::{Made, OF_ADJOINT, OF_TANGENT, Origin, Texts, derive};
use crate::files;
use crate::open::{Opened, Program};
use crate::pipeline::{AdjointArgs, Options, Run, StageArgs};

/// The arguments of `oxad hessian`.
#[derive(clap::Args)]
pub(crate) struct Hessian {
    #[command(flatten)]
    pub(crate) args: files::Args,
    #[command(flatten)]
    adjoint: AdjointArgs,
    #[command(flatten)]
    runtime: files::RuntimeArgs,
}

impl Hessian {
    /// Reads, differentiates twice, writes.
    pub(crate) fn run(&self, console: &mut Console, line: &Line) -> Result<(), Diagnostics> {
        let options = Options {
            stages: self.args.stages.clone(),
            adjoint: self.adjoint.clone(),
            ..Options::default()
        };
        let rows = files::rows_of(&[OF_ADJOINT, OF_TANGENT]);
        if let Some(table) = self.args.passes.listed(&rows) {
            return cli::write_output(None, &table.into());
        }
        let options = Options { selection: self.args.passes.selection(&rows)?, ..options };
        let mut run = Run::new(console, &self.args.keep);
        let Some(doc) = run.read(&self.args.files, &self.args.source)? else { return Ok(()) };
        let origin = self.args.origin();
        let Some(made) = self.made(&mut run, doc, &options, origin)? else { return Ok(()) };
        self.args.write(&mut run, made, line)
    }

    fn made(
        &self,
        run: &mut Run<'_>,
        doc: Document,
        options: &Options,
        origin: Origin<'_>,
    ) -> Result<Option<Made>, Diagnostics> {
        let (program, _) = Program::prepare(run, doc, options)?;
        let heads = heads(&program.prepared)?;
        let first = derive(run, program, &[OF_ADJOINT], (options, self.runtime.texts()), origin)?;
        let Some(doc) = self.read_again(run, &first)? else { return Ok(None) };
        let suffix = &self.adjoint.reverse.adjoint_procedure;
        let adjoints: Vec<Adjoint> =
            heads.iter().filter_map(|head| Adjoint::of(&doc, head, suffix)).collect();
        let options = Options {
            stages: StageArgs { activity: second(&adjoints), ..options.stages.clone() },
            tangent: TangentArgs::default(),
            selection: Selection::default(),
            ..Options::default()
        };
        let (program, _) = Program::prepare(run, doc, &options)?;
        let mut prepared = program.prepared.clone();
        let again = derive(run, program, &[OF_TANGENT], (&options, Texts::new()), origin)?;
        run.apply(crate::pipeline::TANGENT, &mut prepared, &options)?;
        let mut warnings = Diagnostics::new();
        let mut files = first.files;
        files.extend(again.files);
        for adjoint in &adjoints {
            match adjoint.whole(&prepared)? {
                Ok(file) => files.extend(file),
                Err(warning) => warnings.push(warning),
            }
        }
        warnings.extend(first.note);
        warnings.extend(again.note);
        let replaced = |one: &Opened| again.opened.iter().any(|other| other.name == one.name);
        let kept = first.opened.into_iter().filter(|one| !replaced(one)).collect::<Vec<_>>();
        let opened = kept.into_iter().chain(again.opened).collect();
        Ok(Some(Made { files, opened, note: warnings }))
    }

    /// The program with its adjoint.
    fn read_again(&self, run: &mut Run<'_>, first: &Made) -> Result<Option<Document>, Diagnostics> {
        let mut texts: Vec<(String, String)> = Vec::new();
        for file in &self.args.files {
            let name = file.to_string_lossy().into_owned();
            let text = match first.opened.iter().find(|opened| opened.source == *file) {
                Some(opened) => String::from_utf8_lossy(&opened.bytes).into_owned(),
                None => cli::read_text(&name)?,
            };
            texts.push((name, text));
        }
        let adjoints =
            first.files.iter().filter(|(name, _)| !crate::differentiate::is_runtime(name));
        texts.extend(adjoints.cloned());
        let texts: Vec<(&str, &str)> =
            texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        run.read_texts(&texts, &self.args.source)
    }
}

/// The adjoint of a head.
struct Adjoint<'h> {
    head: &'h Head,
    original: Routine,
    routine: Routine,
}

impl<'h> Adjoint<'h> {
    fn of(doc: &Document, head: &'h Head, suffix: &str) -> Option<Adjoint<'h>> {
        let original = Routine::find(doc, &head.name, head.module.as_deref())?;
        let module = head.module.as_ref().map(|module| format!("{module}{suffix}"));
        let name = format!("{}{suffix}", head.name);
        let routine = Routine::find(doc, &name, module.as_deref())?.derivative_of(&original);
        Some(Adjoint { head, original, routine })
    }

    /// The adjoint of an argument of the head.
    fn adjoint(&self, name: &str) -> Option<&Argument> {
        self.routine.derivative(self.original.position(name)?)
    }

    /// The name as options give it.
    fn name(&self) -> String {
        match &self.routine.module {
            Some(module) => format!("{module}%{}", self.routine.name),
            None => self.routine.name.clone(),
        }
    }

    /// The file with the procedure for the whole Hessian, or why there is none.
    fn whole(
        &self,
        doc: &Document,
    ) -> Result<Result<Option<(String, String)>, xaif_schema::diag::Diagnostic>, Diagnostics> {
        let name = format!("{}_d", self.routine.name);
        let module = self.routine.module.as_ref().map(|module| format!("{module}_d"));
        let Some(second) = Routine::find(doc, &name, module.as_deref()) else {
            return Ok(Ok(None));
        };
        let second = second.derivative_of(&self.routine);
        if let Some(found) = obstacle(doc, &second) {
            return Ok(Err(found));
        }
        let text = Whole { adjoint: self, second: &second }.text(doc)?;
        Ok(Ok(Some((format!("{}_h.f90", self.head.name.to_ascii_lowercase()), text))))
    }
}

/// The choices of the second derivative.
fn second(adjoints: &[Adjoint<'_>]) -> ActivityArgs {
    let mut choice = ActivityArgs::default();
    for adjoint in adjoints {
        let of = |name: &str| format!("{}:{name}", adjoint.routine.name);
        choice.head.push(adjoint.name());
        for name in &adjoint.head.independent {
            choice.independent.push(of(name));
            choice.dependent.extend(adjoint.adjoint(name).map(|found| of(&found.name)));
        }
    }
    choice
}

/// The procedure that computes a whole Hessian.
struct Whole<'a, 'h> {
    adjoint: &'a Adjoint<'h>,
    /// The tangent of the adjoint.
    second: &'a Routine,
}

impl Whole<'_, '_> {
    fn text(&self, doc: &Document) -> Result<String, Diagnostics> {
        let Whole { adjoint: Adjoint { head, routine, .. }, second } = *self;
        let mut text = Text::default();
        text.take(second.names());
        text.take(["unit"]);
        let name = format!("{}_h", head.name);
        let module = format!("hessian_of_{}", head.name);
        text.take([name.as_str(), module.as_str(), routine.name.as_str(), second.name.as_str()]);
        text.line(&format!("! The Hessian of {}.", head.name));
        text.open(&format!("module {module}"));
        if let Some(module) = &head.module {
            text.line(&format!("use {module}"));
        }
        if let Some(module) = &second.module {
            text.line(&format!("use {module}, only: {}", second.name));
        }
        text.lines(["implicit none", "private"]);
        text.line(&format!("public :: {name}"));
        text.close("");
        text.open("contains");
        text.line("");
        self.procedure(doc, &name, &mut text)?;
        let mut independent =
            head.independent.iter().filter_map(|name| adjoint_argument(routine, name));
        if independent.any(Argument::needs_unit) {
            text.line("");
            unit(&mut text);
        }
        text.close(&format!("end module {module}"));
        Ok(text.finish())
    }

    fn procedure(&self, doc: &Document, name: &str, text: &mut Text) -> Result<(), Diagnostics> {
        let Whole { adjoint, second } = *self;
        let Adjoint { head, routine, .. } = adjoint;
        let hessian = text.name("hessian");
        let independent: Vec<&Argument> =
            head.independent.iter().filter_map(|name| adjoint_argument(routine, name)).collect();
        let offsets = offsets(&independent);
        let all = offsets.last().cloned().unwrap_or_default();
        let arguments = [routine.names(), vec![&hessian]].concat().join(", ");
        text.open(&format!("subroutine {name}({arguments})"));
        self.describe(text, &hessian);
        text.lines(routine.declarations(doc)?);
        let kind = independent.first().map_or("real(8)".to_owned(), |one| one.type_text());
        text.line(&format!("{kind}, intent(out) :: {hessian}({all}, {all})"));
        let calls: Vec<Actual<'_>> =
            second.arguments.iter().map(|argument| self.actual(argument, text)).collect();
        let direction = text.name("direction");
        for actual in &calls {
            text.lines(actual.copied().map(|local| actual.argument.local(local)));
        }
        text.line(&format!("integer :: {direction}"));
        text.lines(second.interface(doc)?);
        text.line("");
        for actual in calls.iter().filter(|actual| actual.argument.is_array()) {
            if let Some(local) = actual.copied() {
                text.line(&format!("allocate({local}, mold={})", actual.model));
            }
        }
        text.open(&format!("do {direction} = 1, {all}"));
        for actual in &calls {
            text.lines(actual.start.as_ref().map(|value| format!("{} = {value}", actual.name)));
        }
        for (&argument, first) in independent.iter().zip(&offsets) {
            if let Some(actual) = self.derivative(&calls, &argument.name) {
                text.lines(argument.seed(&actual.name, &direction, first));
            }
        }
        let actuals: Vec<&str> = calls.iter().map(|actual| actual.name.as_str()).collect();
        text.line(&format!("call {}({})", second.name, actuals.join(", ")));
        for (&argument, first) in independent.iter().zip(&offsets) {
            let gradient = adjoint.adjoint(&argument.name);
            let product = gradient.and_then(|found| self.derivative(&calls, &found.name));
            if let Some(product) = product {
                let rows = argument.rows(first);
                let vector = product.argument.vector(&product.name);
                text.line(&format!("{hessian}({rows}, {direction}) = {vector}"));
            }
        }
        text.open(&format!("if ({direction} == {all}) then"));
        for argument in &independent {
            if let Some(gradient) = adjoint.adjoint(&argument.name)
                && let Some(actual) = calls.iter().find(|one| one.argument.name == gradient.name)
            {
                text.line(&format!("{} = {}", gradient.name, actual.name));
            }
        }
        text.close("end if");
        text.close("end do");
        text.close(&format!("end subroutine {name}"));
        Ok(())
    }

    fn describe(&self, text: &mut Text, hessian: &str) {
        let Adjoint { head, .. } = self.adjoint;
        let names = |list: &[String]| -> String {
            let all = list.iter().filter_map(|name| self.adjoint.adjoint(name));
            all.map(|found| found.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let [by, of] = [&head.independent, &head.dependent].map(|list| list.join(", "));
        text.lines([
            format!("! {hessian}: the second derivatives by {by} of the sum of {of}, which has the weights"),
            format!("! {}. {}: the gradient of that sum.", names(&head.dependent), names(&head.independent)),
            "! Other arguments keep their values.".to_owned(),
        ]);
    }

    fn derivative<'c, 'r>(&self, calls: &'c [Actual<'r>], name: &str) -> Option<&'c Actual<'r>> {
        let position = self.adjoint.routine.position(name)?;
        calls.iter().find(|actual| actual.argument.derivative_of == Some(position))
    }

    /// What is passed for an argument.
    fn actual<'r>(&'r self, argument: &'r Argument, text: &mut Text) -> Actual<'r> {
        let Adjoint { head, original, routine } = self.adjoint;
        let own = |name: &str| Actual {
            argument,
            name: name.to_owned(),
            model: String::new(),
            start: None,
        };
        if let Some(position) = argument.derivative_of {
            let model = routine.arguments.get(position).map_or("", |one| one.name.as_str());
            // It has the name already that it has here.
            return Actual {
                model: model.to_owned(),
                start: Some("0".to_owned()),
                ..own(&argument.name)
            };
        }
        if argument.intent == Some(Intent::In) {
            return own(&argument.name);
        }
        let is_gradient = |name: &&String| {
            let adjoint = self.adjoint.adjoint(name);
            adjoint.is_some_and(|adjoint| adjoint.name == argument.name)
                && !head.dependent.contains(name)
        };
        let output = original.position(&argument.name).and_then(|at| original.arguments[at].intent)
            == Some(Intent::Out);
        let start = match (head.independent.iter().any(|name| is_gradient(&name)), output) {
            (true, _) => Some("0".to_owned()),
            (false, true) => None,
            (false, false) => Some(argument.name.clone()),
        };
        let name = text.name(&format!("{}_k", argument.name));
        Actual { argument, name, model: argument.name.clone(), start }
    }
}

/// The argument of an adjoint that is an argument of the head.
fn adjoint_argument<'r>(routine: &'r Routine, name: &str) -> Option<&'r Argument> {
    routine.arguments.get(routine.position(name)?)
}
