//! Intrinsic subroutines.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::intrinsics;
use xaif_schema::model::{
    Arg, ArgValue, Document, ExprKind, Part, Place, RefId, StmtId, StmtKind, SubroutineCall,
};

use super::body::Tangent;
use booster_build::exists;
use booster_build::{Copier, Emitter, value_of};

/// Intrinsic subroutines whose outputs depend on no input.
const WRITERS: &[&str] = &[
    "random_number",
    "cpu_time",
    "second",
    "etime",
    "dtime",
    "system_clock",
    "random_seed",
    "random_init",
];

/// Intrinsic subroutines that associate a pointer with memory that the document may name otherwise.
const ASSOCIATING: &[&str] = &["c_f_pointer"];

impl Tangent<'_> {
    /// Whether an intrinsic subroutine associates a pointer that has a derivative. The value is not active at that place, but
    /// may be later.
    pub fn associates_active(&self, doc: &Document, call: &SubroutineCall) -> bool {
        let name = doc.name(call.callee.symbol).to_ascii_lowercase();
        let mut passed = call.args.iter().filter_map(|arg| variable(doc, arg));
        ASSOCIATING.contains(&name.as_str())
            && passed.any(|reference| self.parts.is_active(doc, reference))
    }

    /// MOVE_ALLOC moves the derivatives, too. What others write (RANDOM_NUMBER, CPU_TIME) is no
    /// function of anything active: its derivative is zero.
    pub(super) fn intrinsic_subroutine(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &SubroutineCall,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        let name = e.doc.name(call.callee.symbol).to_ascii_lowercase();
        let active: Vec<RefId> = call
            .args
            .iter()
            .filter_map(|arg| variable(e.doc, arg))
            .filter(|&reference| self.parts.is_active(e.doc, reference))
            .collect();
        if active.is_empty() {
            e.push(stmt);
            return Ok(());
        }
        match name.as_str() {
            "move_alloc" => self.move_alloc(e, stmt, call, place),
            name if WRITERS.contains(&name) => {
                e.push(stmt);
                active.into_iter().try_for_each(|reference| self.zero_variable(e, reference))
            }
            _ => Err(self.error(
                e.doc,
                Code::DERIVATIVE_REFUSED,
                place,
                format!("no tangent of the intrinsic subroutine `{name}`"),
                "write what it does by assignments",
            )),
        }
    }

    /// Backward sweep: what was overwritten by no function of anything active gets a zero adjoint.
    pub fn adjoint_intrinsic(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &SubroutineCall,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        let name = e.doc.name(call.callee.symbol).to_ascii_lowercase();
        let passed: Vec<RefId> = call.args.iter().filter_map(|arg| variable(e.doc, arg)).collect();
        let any = passed.iter().any(|&reference| self.parts.is_active(e.doc, reference));
        if any && !WRITERS.contains(&name.as_str()) {
            return Err(self.error(
                e.doc,
                Code::ADJOINT_REFUSED,
                place,
                format!("no adjoint of the intrinsic subroutine `{name}`"),
                "write what it does by assignments",
            ));
        }
        for reference in passed {
            if self.is_active(e.doc, reference) {
                self.zero_variable(e, reference)?;
            }
        }
        Ok(())
    }

    fn move_alloc(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        call: &SubroutineCall,
        place: Place,
    ) -> Result<(), Diagnostic> {
        let row = intrinsics::by_fortran("move_alloc");
        let named = |position: u32, keyword: &str| {
            call.args.iter().find(|arg| {
                let own = arg.keyword.as_deref().and_then(|own| row?.position_of(own));
                let meant = row.and_then(|row| row.position_of(keyword));
                if own.is_some() { own == meant } else { arg.position == position }
            })
        };
        let pair =
            [named(1, "from"), named(2, "to")].map(|arg| arg.and_then(|arg| variable(e.doc, arg)));
        e.push(stmt);
        let [Some(from), Some(to)] = pair else { return Ok(()) };
        let component = |reference: RefId| {
            let parts = &e.doc.refs[reference].parts;
            parts.iter().any(|part| matches!(part, Part::Component { .. }))
        };
        let looped = self.parts.directions.is_some() && (component(from) || component(to));
        if looped && !(component(from) && component(to)) {
            return Err(self.error(
                e.doc,
                Code::SEVERAL_DIRECTIONS,
                place,
                "move_alloc between a variable and a component has no tangent in several \
                 directions at once",
                "compute one direction at a time",
            ));
        }
        let callee = call.callee.clone();
        self.each_direction(e, looped, place, |this, e, direction| {
            let derivatives =
                [from, to].map(|reference| this.parts.reference(e.doc, reference, direction));
            let [Some(from_d), Some(to_d)] = derivatives else {
                return this.half_moved(e, derivatives, to, place);
            };
            let mut args = Vec::new();
            for (reference, position) in [(from_d, 1), (to_d, 2)] {
                let value = ArgValue::Expr(value_of(e.doc, reference));
                args.push(Arg { position, keyword: None, value });
            }
            let mut copy = callee.clone();
            Copier::new().callee(e.doc, &mut copy);
            let made = SubroutineCall { callee: copy, args, formal_count: Some(2), active: None };
            e.stmt(StmtKind::Call(Box::new(made)), place);
            Ok(())
        })
    }

    /// Only one of the two has a derivative object.
    fn half_moved(
        &mut self,
        e: &mut Emitter<'_>,
        [from, to]: [Option<RefId>; 2],
        original: RefId,
        place: Place,
    ) -> Result<(), Diagnostic> {
        if let Some(from) = from {
            // Its original is gone: so that it can be allocated anew.
            let there = exists(e.doc, from, "allocated");
            e.open_if(there, place);
            let object = Copier::new().reference(e.doc, from);
            e.release(object, place);
            e.close_if();
        }
        let Some(to) = to else { return Ok(()) };
        if self.parts.directions.is_some() {
            return Err(self.error(
                e.doc,
                Code::SEVERAL_DIRECTIONS,
                place,
                "move_alloc from a variable without derivative to one with has no tangent in \
                 several directions at once",
                "compute one direction at a time",
            ));
        }
        // It takes its shape from the original, which has it by now.
        let target = Copier::new().reference(e.doc, to);
        let original = Copier::new().reference(e.doc, original);
        let original = value_of(e.doc, original);
        e.assign(target, original, place);
        self.zero(e, to)
    }
}

fn variable(doc: &Document, arg: &Arg) -> Option<RefId> {
    match arg.value {
        ArgValue::Expr(expr) => match doc.exprs[expr].kind {
            ExprKind::Ref(reference) => Some(reference),
            _ => None,
        },
        ArgValue::AlternateReturn(_) => None,
    }
}
