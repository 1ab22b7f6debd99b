//! Intrinsic subroutines.
//!
//! `random_number` is a generator of its own, the same on every run, not gfortran's; the clock
//! stands still at zero. What would tell executions apart is so left out.

use xaif_schema::diag::Code;
use xaif_schema::intrinsics;
use xaif_schema::model::{Arg, ArgValue, ExprId, ExprKind};

use super::Builtin;
use crate::arith::convert;
use crate::fault::{Halt, Located as _, Run, fault, refuse};
use crate::machine::{Handle, Machine};
use crate::num::Num;
use crate::reference::Located;
use crate::storage::Slot;
use crate::value::{Elem, Scalar};

impl Machine<'_> {
    /// CALL of an intrinsic subroutine.
    pub(crate) fn intrinsic_subroutine(&mut self, builtin: Builtin, args: &[Arg]) -> Run<()> {
        match builtin {
            Builtin::MoveAlloc => self.move_alloc(args),
            Builtin::RandomNumber => self.random_number(args),
            Builtin::RandomSeed => {
                if let Some(size) = argument(args, "random_seed", "size") {
                    self.put(size, Scalar::int(1))?;
                }
                if let Some(get) = argument(args, "random_seed", "get") {
                    self.put(get, Scalar::int(self.random as u32 as i32 as i64))?;
                }
                Ok(())
            }
            Builtin::RandomInit | Builtin::Flush => Ok(()),
            Builtin::CpuTime => match argument(args, "cpu_time", "time") {
                Some(time) => self.put(time, Scalar::Real(8, Num::default())),
                None => Ok(()),
            },
            Builtin::SystemClock => {
                for (name, value) in [("count", 0), ("count_rate", 1000), ("count_max", 0)] {
                    if let Some(to) = argument(args, "system_clock", name) {
                        self.put(to, Scalar::Int(8, value))?;
                    }
                }
                Ok(())
            }
            Builtin::Mvbits => self.mvbits(args),
            Builtin::Exit | Builtin::Abort => Err(Box::new(Halt::Stop(String::new()))),
            other => refuse(format!("the intrinsic subroutine {other:?}")),
        }
    }

    fn located_argument(&mut self, expr: ExprId) -> Run<Located> {
        match self.doc.exprs[expr].kind {
            ExprKind::Ref(r) => self.locate(r),
            _ => fault(Code::RUN_ARGUMENT, "a variable is needed here"),
        }
        .at(self.doc.exprs[expr].place)
    }

    fn put(&mut self, expr: ExprId, value: Scalar) -> Run<()> {
        let to = self.located_argument(expr)?;
        let value = convert(value, to.elem())?;
        self.store_at(&to, value.into())
    }

    fn handle_argument(&mut self, args: &[Arg], name: &str) -> Run<Handle> {
        let expr = argument(args, "move_alloc", name);
        if let Some(expr) = expr
            && let ExprKind::Ref(r) = self.doc.exprs[expr].kind
        {
            let reference = &self.doc.refs[r];
            if let Some(handle) = self.handle(reference.base, &reference.parts)? {
                return Ok(handle);
            }
        }
        fault(Code::RUN_ARGUMENT, "MOVE_ALLOC takes two allocatables")
    }

    fn move_alloc(&mut self, args: &[Arg]) -> Run<()> {
        let from = self.handle_argument(args, "from")?;
        let to = self.handle_argument(args, "to")?;
        if from.addr == to.addr {
            return Ok(());
        }
        if let Some(Slot::Owned(old)) = self.memory.slot(to.addr)?.cloned() {
            self.memory.release(old.addr.block);
        }
        let moved = self.memory.slot(from.addr)?.cloned().unwrap_or(Slot::Null);
        self.memory.set_slot(to.addr, moved)?;
        self.memory.set_slot(from.addr, Slot::Null)
    }

    fn random_number(&mut self, args: &[Arg]) -> Run<()> {
        let Some(harvest) = argument(args, "random_number", "harvest") else {
            return fault(Code::RUN_ARGUMENT, "RANDOM_NUMBER lacks its argument");
        };
        let to = self.located_argument(harvest)?;
        for (addr, elem) in to.addresses() {
            let Elem::Real(kind) = elem else {
                return fault(Code::RUN_TYPE, "RANDOM_NUMBER fills reals");
            };
            let bits = self.next_random() >> (if kind == 4 { 40 } else { 11 });
            let scale = if kind == 4 { 2f64.powi(-24) } else { 2f64.powi(-53) };
            self.memory.write(addr, &Scalar::Real(kind, Num::of(bits as f64 * scale)))?;
        }
        Ok(())
    }

    /// splitmix64
    fn next_random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn mvbits(&mut self, args: &[Arg]) -> Run<()> {
        let mut number = |name: &str| -> Run<i64> {
            match argument(args, "mvbits", name) {
                Some(expr) => self.int(expr),
                None => fault(Code::RUN_ARGUMENT, "MVBITS lacks an argument"),
            }
        };
        let (from, from_pos) = (number("from")? as u64, number("frompos")?);
        let (len, to_pos) = (number("len")?, number("topos")?);
        let old = number("to")? as u64;
        let valid = 0..64;
        if !valid.contains(&from_pos) || !valid.contains(&to_pos) || !(0..=64).contains(&len) {
            return fault(Code::RUN_ARGUMENT, "MVBITS moves bits that are not there");
        }
        let ones = if len == 64 { u64::MAX } else { (1u64 << len) - 1 };
        let moved = (from >> from_pos & ones) << to_pos;
        let value = old & !(ones << to_pos) | moved;
        match argument(args, "mvbits", "to") {
            Some(to) => self.put(to, Scalar::Int(8, value as i64)),
            None => Ok(()),
        }
    }
}

/// The actual argument for a dummy argument of an intrinsic subroutine.
fn argument(args: &[Arg], intrinsic: &str, name: &str) -> Option<ExprId> {
    let position = intrinsics::by_fortran(intrinsic)?.position_of(name)? as u32 + 1;
    let arg = args.iter().find(|arg| match &arg.keyword {
        Some(keyword) => keyword.eq_ignore_ascii_case(name),
        None => arg.position == position,
    })?;
    match arg.value {
        ArgValue::Expr(expr) => Some(expr),
        ArgValue::AlternateReturn(_) => None,
    }
}
