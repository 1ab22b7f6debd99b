//! Intrinsic subroutines.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{Arg, ArgValue, Document, ExprKind, RefId, StmtId, SubroutineCall};

use super::body::Tangent;
use booster_build::Emitter;

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
}

pub(super) fn variable(doc: &Document, arg: &Arg) -> Option<RefId> {
    match arg.value {
        ArgValue::Expr(expr) => match doc.exprs[expr].kind {
            ExprKind::Ref(reference) => Some(reference),
            _ => None,
        },
        ArgValue::AlternateReturn(_) => None,
    }
}
