//! The table of a check: the point, each dependent variable of a tangent or independent variable of
//! an adjoint against each method, for a tangent the sweep of steps, and the verdict.

use std::fmt::Write as _;
use std::path::Path;

use super::Args;
use super::adjoint;
use super::driver::program_name;
use super::judge::{Judgement, Row, Verdict};
use super::node::{Node, Storage};
use super::numerics::{Orders, SweepRow};
use super::plan::{Chosen, Kind, Object, Plan, users_name};
use super::settings::Setting;

/// The text, as it grows.
pub(crate) struct Report {
    text: String,
    verdict: Verdict,
    head: String,
    derivative: String,
    kind: Kind,
    /// The name of the driver.
    driver: String,
    seed: u32,
    several: bool,
    /// The largest difference that was seen, relative to what it is a difference of.
    largest: f64,
}

impl Report {
    /// The head of the table: what is checked, and where.
    pub(crate) fn new(args: &Args, plan: &Plan) -> Report {
        let (head, derivative) = (plan.head.name.clone(), plan.derivative.name.clone());
        let mut text = format!("check of {derivative}, the {} of {head}\n\n", plan.kind.word());
        let _ = writeln!(text, "{:<14}{:<22}{:<26}role", "variable", "type", "value");
        for object in &plan.objects {
            point(&mut text, object);
        }
        for name in &plan.hidden {
            let _ = writeln!(text, "{name} is PRIVATE: it is as the program has it");
        }
        let several = args.tangent.directions.is_some();
        Report {
            text,
            verdict: Verdict::Good,
            head,
            derivative,
            kind: plan.kind,
            driver: program_name(plan),
            seed: args.seed,
            several,
            largest: 0.0,
        }
    }

    /// What it comes to.
    pub(crate) fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// It in a few words.
    pub(crate) fn remark(&self) -> String {
        format!("{}: rel. diff. {}", self.kind.word(), short(self.largest, 1))
    }

    /// An adjoint.
    pub(crate) fn add_adjoint(&mut self, judgement: &adjoint::Judgement) {
        let _ = writeln!(
            self.text,
            "\n{:<14}{:>9}  {:<14}{:>12}{:>12}   verdict",
            "adjoint of", "elements", "against", "direction", "rel. diff."
        );
        for row in &judgement.rows {
            self.row(row);
        }
        for reason in &judgement.missing {
            let _ = writeln!(self.text, "{reason}");
        }
        for (name, apart) in &judgement.accumulation {
            let _ = writeln!(
                self.text,
                "{name}: {} does not add to an adjoint that is there already (rel. diff. {apart:.1e})",
                self.derivative
            );
        }
        self.rough(&judgement.rough);
        if !judgement.defined {
            let _ = writeln!(self.text, "{} itself computes no finite number", self.head);
        }
        self.verdict = judgement.verdict();
    }

    /// One direction.
    pub(crate) fn add(&mut self, direction: u32, judgement: &Judgement, why_not: Option<String>) {
        if self.several {
            let _ = writeln!(self.text, "\ndirection {direction}");
        }
        let _ = writeln!(
            self.text,
            "\n{:<14}{:>9}  {:<14}{:>12}{:>12}   verdict",
            "derivative", "elements", "against", "largest", "rel. diff."
        );
        for row in &judgement.rows {
            self.row(row);
        }
        if let Some(reason) = why_not.filter(|_| !self.several) {
            let _ = writeln!(self.text, "no complex step: {reason}");
        }
        for (name, apart) in &judgement.values {
            let _ = writeln!(
                self.text,
                "{name}: the tangent procedure computes another value than {} (rel. diff. {apart:.1e})",
                self.head
            );
        }
        for name in &judgement.undefined {
            let _ = writeln!(self.text, "{name}: {} itself computes no finite number", self.head);
        }
        self.rough(&judgement.rough);
        self.sweep(&judgement.sweep, judgement.orders);
        let verdict = judgement.verdict();
        self.verdict = match (self.verdict, verdict) {
            (Verdict::Wrong, _) | (_, Verdict::Wrong) => Verdict::Wrong,
            (Verdict::Unsure, _) | (_, Verdict::Unsure) => Verdict::Unsure,
            (Verdict::Good, Verdict::Good) => Verdict::Good,
        };
    }

    /// Variables whose derivatives differences and complex step tell differently.
    fn rough(&mut self, names: &[String]) {
        for name in names {
            let _ = writeln!(
                self.text,
                "{name}: complex step agrees and differences do not, so a kink is near or the values jump"
            );
        }
    }

    fn row(&mut self, row: &Row) {
        let verdict = match row.verdict {
            Verdict::Good => "good",
            Verdict::Wrong => "WRONG",
            Verdict::Unsure => "cannot tell",
        };
        let _ = writeln!(
            self.text,
            "{:<14}{:>9}  {:<14}{:>12}{:>12}   {verdict}",
            users_name(&row.name),
            row.elements,
            row.method,
            short(row.largest, 4),
            short(row.apart, 1)
        );
        self.largest = if row.apart.is_nan() { row.apart } else { self.largest.max(row.apart) };
        if let (Verdict::Wrong, Some((index, own, other))) = (row.verdict, row.worst) {
            let element = match self.kind {
                Kind::Tangent if row.elements > 1 => format!(" of element {index}"),
                Kind::Tangent => String::new(),
                Kind::Adjoint => " along the direction".to_string(),
            };
            let _ = writeln!(
                self.text,
                "{:<14}the {}{element} is {own:.10e}; by {}: {other:.10e}",
                "",
                self.kind.word(),
                row.method
            );
        }
    }

    fn sweep(&mut self, rows: &[SweepRow], orders: Orders) {
        let _ = writeln!(
            self.text,
            "\n{:<10}{:>18}{:>8}{:>22}",
            "step h", "Taylor remainder", "order", "central diff. error"
        );
        for row in rows {
            let number =
                |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.2e}"));
            let order = row.order.map_or("-".into(), |order| format!("{order:.2}"));
            let _ = writeln!(
                self.text,
                "{:<10.0e}{:>18}{order:>8}{:>22}",
                row.step,
                number(row.remainder),
                number(row.quotient)
            );
        }
        let _ = match orders {
            Orders::Second(order) => {
                writeln!(self.text, "remainders fall with order {order:.2}: good")
            }
            Orders::Linear => writeln!(self.text, "remainders are rounding errors: good"),
            Orders::TooSlow(order) => {
                writeln!(self.text, "remainders fall with order {order:.2}, not 2: WRONG")
            }
            Orders::Rough(order) => writeln!(
                self.text,
                "remainders fall with order {order:.2}, not 2, though complex step agrees: cannot tell"
            ),
            Orders::Unknown => writeln!(self.text, "remainders cannot tell: rounding hides them"),
        };
    }

    /// The whole text with the verdict. `keep` is the folder that is kept; `apart`: it has a folder
    /// for each kind of derivative.
    pub(crate) fn finish(mut self, apart: bool, keep: Option<&Path>) -> (String, Verdict) {
        let (own, head, seed) = (&self.derivative, &self.head, self.seed);
        let kind = self.kind.word();
        let _ = match self.verdict {
            Verdict::Good => {
                writeln!(self.text, "\ngood: {own} is the {kind} of {head} here (seed {seed})")
            }
            Verdict::Wrong => {
                writeln!(self.text, "\nWRONG: {own} is not the {kind} of {head} here (seed {seed})")
            }
            Verdict::Unsure => writeln!(
                self.text,
                "\nno verdict: the program is too rough or too coarse here (seed {seed}); \
                 try other values (--set) or another --seed"
            ),
        };
        let folder =
            keep.map(|folder| if apart { folder.join(kind) } else { folder.to_path_buf() });
        if let Some(folder) = folder {
            let _ = writeln!(
                self.text,
                "kept in {0}: the driver {1}.f90; build it with sh {0}/build.sh",
                folder.display(),
                self.driver
            );
        }
        (self.text, self.verdict)
    }
}

/// `value` with so many digits behind the point.
fn short(value: f64, digits: usize) -> String {
    if value == 0.0 { "0".into() } else { format!("{value:.digits$e}") }
}

/// The line of a variable, and of its components that are set.
fn point(text: &mut String, object: &Object) {
    let [independent, dependent] =
        [&object.independent, &object.dependent].map(|chosen| *chosen != Chosen::None);
    let role = match (independent, dependent, object.input) {
        (true, true, _) => "independent, dependent",
        (true, false, _) => "independent",
        (false, true, _) => "dependent",
        (false, false, true) if object.shadow.is_some() => "zero derivative",
        (false, false, _) => "",
    };
    line(text, &users_name(&object.name), &object.node, object.input, role);
    fn parts(text: &mut String, node: &Node, input: bool) {
        for (_, part) in &node.parts {
            if part.setting.is_some() || (part.storage != Storage::Plain && part.extents.is_some())
            {
                line(text, &part.key, part, input, "");
            }
            parts(text, part, input);
        }
    }
    parts(text, &object.node, object.input);
}

fn line(text: &mut String, name: &str, node: &Node, input: bool, role: &str) {
    let mut spec = node.spec.clone();
    if let Some(extents) = node.extents.as_ref().filter(|extents| !extents.is_empty()) {
        let _ = write!(spec, " ({})", extents.join(", "));
    }
    let value = match &node.setting {
        Some(Setting::Value { words, .. }) if words.len() <= 3 => {
            format!("set: {}", words.join(", "))
        }
        Some(Setting::Value { words, .. }) => format!("set: {} values", words.len()),
        Some(Setting::File(path)) => {
            format!("from {}", path.file_name().map_or("".into(), |name| name.to_string_lossy()))
        }
        Some(Setting::None) => "none".into(),
        None if !input => "computed".into(),
        None if node.initialised => "as the program has it".into(),
        None if !node.holes.is_empty() => "random where not given".into(),
        None if !node.parts.is_empty() => "its components".into(),
        None if node.is_continuous() => "random in 0.5..1.5".into(),
        None => format!("default: {}", node.default_value()),
    };
    let _ = writeln!(text, "{}", format!("{name:<14}{spec:<22}{value:<26}{role}").trim_end());
}
