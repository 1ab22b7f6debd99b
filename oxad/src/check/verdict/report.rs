//! The table of a check: the point, each dependent variable of a tangent or independent variable of
//! an adjoint against each method, for a tangent the sweep of steps, and the verdict.

use std::fmt::Write as _;
use std::path::Path;

use xaif_schema::diag::{Diagnostics, Spot};

use super::adjoint;
use super::complex_step::{Exact, Obstacle, Seen};
use super::judge::{Judgement, Row, Verdict};
use super::numerics::{Orders, SweepRow};
use crate::check::Args;
use crate::check::point::extents::{self, Chosen as Extents};
use crate::check::point::node::{Node, Storage};
use crate::check::point::plan::{Chosen, Kind, Object, Plan, users_name};
use crate::check::point::settings::Setting;
use crate::check::program::driver::program_name;

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
    /// Why there can be no verdict: the program itself is at fault.
    cause: Option<String>,
    /// What an execution of the program has shown.
    seen: Seen,
    /// The extents that the check has chosen and compared with.
    extents: Vec<i64>,
    /// Whether differences tell something else than complex step, which decides.
    doubtful: bool,
    /// The switch that is next.
    switch: Option<String>,
}

/// So many loops are named.
const NAMED_LOOPS: usize = 5;

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
        if let Some(chosen) = &plan.chosen {
            let (names, extent) = (extents::listed(plan), chosen.extent);
            let _ = writeln!(text, "the check has chosen the extent {extent}: {names}");
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
            cause: None,
            seen: Seen::default(),
            extents: plan.chosen.iter().map(|chosen| chosen.extent).collect(),
            doubtful: false,
            switch: None,
        }
    }

    /// Of which derivative it is.
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// Begins a comparison at the second size.
    pub(crate) fn begin_second(&mut self, plan: &Plan) {
        let _ = writeln!(self.text, "\nagain with {}", extents::listed(plan));
        self.extents.extend(plan.chosen.iter().map(|chosen| chosen.extent));
    }

    /// Says why there is no comparison at the second size.
    pub(crate) fn no_second(&mut self, reason: &str) {
        let _ = writeln!(self.text, "\nno second size: {reason}");
    }

    /// The derivative does not come to its end at the second size, where the program does.
    pub(crate) fn stopped(&mut self, names: &str, chosen: Option<&Extents>, found: &Diagnostics) {
        let _ = writeln!(self.text, "\nagain with {names}");
        for found in found.iter() {
            let _ = writeln!(self.text, "{}", found.message);
            for note in &found.notes {
                let _ = writeln!(self.text, "  {}", note.1);
            }
        }
        self.extents.extend(chosen.map(|chosen| chosen.extent));
        self.verdict = Verdict::Wrong;
    }

    /// What it comes to.
    pub(crate) fn verdict(&self) -> Verdict {
        if self.cause.is_some() { Verdict::Unsure } else { self.verdict }
    }

    /// Takes note of an execution of the program: it may be at fault itself.
    pub(crate) fn saw(&mut self, exact: &Result<Exact, Obstacle>) {
        match exact {
            Ok(exact) => self.seen = exact.seen.clone(),
            Err(obstacle) => {
                if let Some(fault) = &obstacle.fault {
                    let head = &self.head;
                    self.cause.get_or_insert(format!("{head} itself is at fault here: {fault}"));
                }
            }
        }
    }

    /// Takes note of what the program computes as no finite number.
    fn is_undefined(&mut self, names: &[String]) {
        if names.is_empty() {
            return;
        }
        let mut cause = format!("{} itself computes no finite number", self.head);
        let _ = write!(cause, " for {}", names.join(", "));
        if let Some(spot) = &self.seen.infinite {
            let _ = write!(cause, "; the first one arises at {spot}");
        }
        self.cause.get_or_insert(cause);
    }

    /// The loops that go no more than one iteration.
    pub(crate) fn short_loops(&self) -> Vec<(Spot, u64)> {
        self.seen.loops.iter().filter(|(_, rounds)| *rounds <= 1).cloned().collect()
    }

    /// Names the loops of which the check shows little.
    fn warn_of_short_loops(&mut self) {
        let short = self.short_loops();
        let mut named: Vec<String> =
            short.iter().map(|(spot, rounds)| format!("{spot} ({rounds})")).collect();
        let more = named.len().saturating_sub(NAMED_LOOPS);
        named.truncate(NAMED_LOOPS);
        if !named.is_empty() {
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let _ = writeln!(
                self.text,
                "warning: loops went no more than one round here, so faults of later rounds stay hidden: {}{more}",
                named.join(", ")
            );
        }
    }

    /// It in a few words.
    pub(crate) fn remark(&self) -> String {
        if let Some(cause) = &self.cause {
            return format!("{}: {cause}", self.kind.word());
        }
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
        self.overruled(&judgement.rows);
        self.is_undefined(&judgement.undefined);
        self.join(judgement.verdict());
    }

    /// Takes note of one of several verdicts.
    fn join(&mut self, verdict: Verdict) {
        self.verdict = match (self.verdict, verdict) {
            (Verdict::Wrong, _) | (_, Verdict::Wrong) => Verdict::Wrong,
            (Verdict::Unsure, _) | (_, Verdict::Unsure) => Verdict::Unsure,
            (Verdict::Good, Verdict::Good) => Verdict::Good,
        };
    }

    /// One direction.
    pub(crate) fn add(&mut self, direction: u32, judgement: &Judgement, why_not: Option<&str>) {
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
        self.is_undefined(&judgement.undefined);
        self.overruled(&judgement.rows);
        self.sweep(&judgement.sweep, judgement.orders);
        self.join(judgement.verdict());
    }

    /// Whether differences have not confirmed the derivative.
    pub(crate) fn is_doubtful(&self) -> bool {
        self.verdict() != Verdict::Good || self.doubtful
    }

    /// Names the switches that are near.
    pub(crate) fn switches(&mut self, switches: &[String], inside: bool) {
        for switch in switches {
            let _ = writeln!(self.text, "{switch} along the direction");
        }
        if inside {
            let _ = writeln!(self.text, "the steps above stay on this side");
        }
        self.switch = switches.first().cloned();
    }

    /// Says where complex step decides alone.
    fn overruled(&mut self, rows: &[Row]) {
        for row in rows.iter().filter(|row| row.overruled) {
            self.doubtful = true;
            let _ = writeln!(
                self.text,
                "{}: complex step decides: a kink is near, the values jump, or no step is small enough",
                users_name(&row.name)
            );
        }
    }

    fn row(&mut self, row: &Row) {
        let verdict = match row.verdict {
            _ if row.overruled => "overruled",
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
        if let (Verdict::Wrong, false, Some((index, own, other))) =
            (row.verdict, row.overruled, row.worst)
        {
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
                "remainders fall with order {order:.2}, not 2: the values are too rough to tell"
            ),
            Orders::Unknown => writeln!(self.text, "remainders cannot tell: rounding hides them"),
        };
    }

    /// The whole text with the verdict. `keep` is the folder that is kept; `apart`: it has a folder
    /// for each kind of derivative.
    pub(crate) fn finish(mut self, apart: bool, keep: Option<&Path>) -> (String, Verdict) {
        self.warn_of_short_loops();
        let (own, head, seed) = (&self.derivative, &self.head, self.seed);
        let kind = self.kind.word();
        let verdict = self.verdict();
        let at = match self.extents.as_slice() {
            [] => String::new(),
            [extent] => format!(" with the extent {extent}"),
            extents => {
                let extents: Vec<String> = extents.iter().map(i64::to_string).collect();
                format!(" with the extents {}", extents.join(" and "))
            }
        };
        let _ = match verdict {
            Verdict::Unsure if let Some(cause) = &self.cause => {
                self.text.insert_str(0, &format!("no verdict: {cause}\n\n"));
                writeln!(self.text, "\nno verdict: {cause} (seed {seed})")
            }
            Verdict::Good => {
                writeln!(self.text, "\ngood: {own} is the {kind} of {head} here{at} (seed {seed})")
            }
            Verdict::Wrong => {
                writeln!(
                    self.text,
                    "\nWRONG: {own} is not the {kind} of {head} here{at} (seed {seed})"
                )
            }
            Verdict::Unsure if let Some(switch) = &self.switch => {
                writeln!(self.text, "\nno verdict: {switch} (seed {seed}); try another --seed")
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
        (self.text, verdict)
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
            let made = part.storage != Storage::Plain && part.extents.is_some();
            if part.setting.is_some() || made || input && part.is_chosen() {
                line(text, &part.key, part, input, "");
            }
            parts(text, part, input);
        }
    }
    parts(text, &object.node, object.input);
}

fn line(text: &mut String, name: &str, node: &Node, input: bool, role: &str) {
    let mut spec = node.spec.clone();
    if let Some(made) = node.made() {
        let _ = write!(spec, " {made}");
    }
    if let Some(extents) = node.extents.as_ref().filter(|extents| !extents.is_empty()) {
        let _ = write!(spec, " ({})", extents.join(", "));
    }
    let value = match &node.setting {
        Some(Setting::Value { .. }) if !node.types.is_empty() && input => "its components".into(),
        Some(Setting::Value { .. }) if !node.types.is_empty() => "computed".into(),
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
        None => format!("default: {}", node.default_value().unwrap_or("none")),
    };
    let _ = writeln!(text, "{}", format!("{name:<14}{spec:<22}{value:<26}{role}").trim_end());
}
