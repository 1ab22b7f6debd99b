//! The interval along the direction of a check in which no test of the program changes sides.
//!
//! Where differences cannot confirm a tangent, a switch may be near. A tangent with tests of validity is built and executed
//! beside it; differences are then taken with steps within the interval, and the report names the switches.

use std::fmt::Write as _;
use std::path::Path;

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::ProcId;

use super::point::plan::Kind;
use super::verdict::report::Report;
use super::{Ready, Session};

/// The interval, as the runtime tells it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Interval {
    pub(crate) gmin: f64,
    pub(crate) gmax: f64,
    /// How many tests were executed that depend on the independents.
    pub(crate) tests: u64,
    /// How many of these move along the direction.
    pub(crate) moving: u64,
    /// The tests at the bounds; empty where there are none.
    pub(crate) at_min: String,
    pub(crate) at_max: String,
}

impl Interval {
    /// What a driver has written, a value a line.
    pub(crate) fn parse(text: &str) -> Option<Interval> {
        let mut lines = text.lines().map(str::trim);
        Some(Interval {
            gmin: lines.next()?.parse().ok()?,
            gmax: lines.next()?.parse().ok()?,
            tests: lines.next()?.parse().ok()?,
            moving: lines.next()?.parse().ok()?,
            at_min: lines.next()?.to_owned(),
            at_max: lines.next()?.to_owned(),
        })
    }

    /// The largest step that stays inside on both sides.
    fn reach(&self) -> f64 {
        self.gmax.min(-self.gmin)
    }

    /// The switches at the bounds, in words.
    fn switches(&self) -> Vec<String> {
        let bounds = [(self.gmin, &self.at_min), (self.gmax, &self.at_max)];
        let named = bounds.iter().filter(|(_, at)| !at.is_empty());
        let mut found: Vec<String> = named
            .map(|(beta, at)| match *beta == 0.0 {
                true => format!("{at} switches at the point itself"),
                false => format!("{at} switches at β = {beta:.1e}"),
            })
            .collect();
        found.dedup();
        found
    }

    /// A table for `oxad validity`.
    fn table(&self, head: &str) -> String {
        let bound = |beta: f64| match beta.is_finite() {
            true => format!("{beta:.6e}"),
            false => if beta > 0.0 { "inf" } else { "-inf" }.to_owned(),
        };
        let mut text = format!("{head} along the direction\n{:<8}{:>16}  test\n", "", "bound");
        for (name, beta, at) in
            [("gmin", self.gmin, &self.at_min), ("gmax", self.gmax, &self.at_max)]
        {
            let line = format!("{name:<8}{:>16}  {at}", bound(beta));
            let _ = writeln!(text, "{}", line.trim_end());
        }
        let _ = writeln!(
            text,
            "{} tests depend on the independents, {} of them move along the direction",
            self.tests, self.moving
        );
        text
    }
}

/// Differences reach so far where nothing is in the way.
pub(super) const LARGEST_STEP: f64 = 0.1;

impl Session<'_> {
    /// The interval at the point of the check; `None` where it cannot be told.
    pub(super) fn interval(
        &mut self,
        head: ProcId,
        folder: &Path,
    ) -> Result<Option<Interval>, Diagnostics> {
        let before = std::mem::replace(&mut self.validity, true);
        let ready =
            self.prepared(head).and_then(|source| self.ready(head, Kind::Tangent, &source, folder));
        self.validity = before;
        let Ready { built, .. } = ready?;
        Ok(built.run("tangent", 0.0, 1, None).ok().and_then(|_| built.interval()))
    }

    /// The report of a tangent that differences do not confirm, with steps within the interval; else the same report.
    pub(super) fn within_interval(
        &mut self,
        head: ProcId,
        ready: &Ready,
        folder: &Path,
        report: Report,
    ) -> Result<Report, Diagnostics> {
        let asked = self.args.derivative.is_empty()
            && self.args.tangent.directions.is_none()
            && report.is_doubtful();
        if !asked {
            return Ok(report);
        }
        // Where no interval can be computed the report stands as it is.
        let Ok(Some(interval)) = self.interval(head, &folder.join("validity")) else {
            return Ok(report);
        };
        let reach = interval.reach();
        if reach > LARGEST_STEP {
            return Ok(report);
        }
        // At a switch there is no step inside.
        let largest = if reach > 0.0 { reach / 2.0 } else { LARGEST_STEP };
        let mut report = self.check_tangent(ready, largest)?;
        report.switches(&interval.switches(), reach > 0.0);
        Ok(report)
    }
}

/// `oxad validity`: the intervals of all heads.
pub(super) fn tables(session: &mut Session<'_>, folder: &Path) -> Result<String, Diagnostics> {
    let mut text = String::new();
    for head in session.heads.clone() {
        let inner = session.inner(head, folder);
        let name = session.name_of(head);
        match session.interval(head, &inner)? {
            Some(interval) => text.push_str(&interval.table(&name)),
            None => {
                let _ = writeln!(text, "{name}: the program does not come to its end");
            }
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_driver_writes_is_read() {
        let text = " -0.27941000000000000\n        Infinity\n 3\n 2\n p.f90:4\n\n";
        let found = Interval::parse(text).expect("an interval");
        assert_eq!((found.gmin, found.gmax), (-0.27941, f64::INFINITY));
        assert_eq!((found.tests, found.moving), (3, 2));
        assert_eq!(found.switches(), ["p.f90:4 switches at β = -2.8e-1"]);
        assert_eq!(found.reach(), 0.27941);
        assert_eq!(Interval::parse("1\n2\n"), None);
    }
}
