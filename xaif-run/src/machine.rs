//! The machine: everything that one execution has, and the activations of its procedures.
//!
//! The other files extend it by one subject each: `variables.rs` (storage of declared names),
//! `common.rs` (COMMON and EQUIVALENCE), `reference.rs`, `expr.rs`, `assign.rs`, `exec.rs`,
//! `call.rs`, `io.rs`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Document, Place, ProcId, ScopeId, SymbolId, VertexId};

use crate::arith::Arith;
use crate::call::Target;
use crate::common::Plan;
use crate::fault::{Run, fault};
use crate::io::{Line, Units};
use crate::layout::Layout;
use crate::num::Mode;
use crate::observed::Observed;
use crate::program::{Home, Program};
use crate::storage::{Addr, BlockId, Memory};
use crate::tape::Tape;
use crate::value::Elem;
use crate::view::View;

/// What an execution may use, and how it treats what the language leaves open.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Vertices that may be executed.
    pub steps: u64,
    /// Bytes of storage that the program may have at once.
    pub memory: usize,
    /// Bytes of stack for nested calls and expressions.
    pub stack: usize,
    /// Whether storage that was never written reads as zero instead of being an error.
    pub zero_undefined: bool,
    /// Whether the copy of a variable without a value has none either, instead of being an error. Derivatives copy
    /// variables of their callers to give them back, whatever those hold.
    pub copies_undefined: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: u64::MAX,
            memory: 2 << 30,
            stack: 512 << 20,
            zero_undefined: false,
            copies_undefined: false,
        }
    }
}

/// What a name stands for in an activation.
#[derive(Clone, Debug, Default)]
pub(crate) enum Binding {
    /// Storage is not made yet.
    #[default]
    Unbound,
    /// An optional argument that is not present.
    Absent,
    /// Data at a known place.
    Data(View),
    /// A pointer or allocatable.
    Handle(Handle),
    /// A dummy procedure.
    Procedure(Target),
}

/// A variable whose slot says what it refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handle {
    /// Where the slot is.
    pub(crate) addr: Addr,
    /// The declared type; `None` for unlimited polymorphic ones and procedure pointers.
    pub(crate) elem: Option<Elem>,
    /// The declared rank.
    pub(crate) rank: u8,
    /// Whether it owns its target.
    pub(crate) allocatable: bool,
}

/// Where the iterations of a loop stand.
#[derive(Debug)]
pub(crate) enum LoopState {
    /// Iterations that are left, and the step.
    Counted { left: u64, step: crate::value::Scalar },
    /// Iterations that have begun, of a loop that ends by a condition.
    Conditional { rounds: u64 },
    /// Index values of the iterations that are left, last iteration first; the variables that are local to a
    /// round.
    Concurrent { rounds: Vec<Vec<i64>>, locals: Vec<Local> },
}

/// A variable that is local to the iterations of a DO CONCURRENT.
#[derive(Debug)]
pub(crate) struct Local {
    /// Where the variable outside is, which iterations use.
    pub(crate) view: crate::view::View,
    /// Its value outside.
    pub(crate) value: crate::value::Value,
    /// Whether each iteration begins with that.
    pub(crate) copied: bool,
}

/// One activation of a procedure.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) proc: ProcId,
    /// Tells this activation from others that had the same place on the stack.
    pub(crate) serial: u64,
    /// The activation of the host.
    pub(crate) host: Option<usize>,
    pub(crate) bindings: Vec<Binding>,
    /// Storage that ends with the activation.
    pub(crate) owned: Vec<BlockId>,
    pub(crate) loops: HashMap<VertexId, LoopState>,
    /// What `return n` has said.
    pub(crate) alternate: i64,
}

/// The state of the generator of random numbers as an execution begins.
pub(crate) const FIRST_RANDOM: u64 = 0x9e37_79b9_7f4a_7c15;

/// An execution.
pub(crate) struct Machine<'d> {
    pub(crate) doc: &'d Document,
    pub(crate) program: &'d Program<'d>,
    pub(crate) arith: Arith,
    pub(crate) memory: Memory,
    pub(crate) frames: Vec<Frame>,
    pub(crate) globals: HashMap<SymbolId, Binding>,
    pub(crate) statics: HashMap<SymbolId, Binding>,
    pub(crate) commons: HashMap<String, BlockId>,
    pub(crate) plans: HashMap<ScopeId, Rc<Plan>>,
    pub(crate) data_done: HashSet<ScopeId>,
    pub(crate) layouts: Vec<Layout>,
    pub(crate) layout_of: HashMap<SymbolId, u32>,
    /// Storage of values that live until the end of the statement.
    pub(crate) temps: Vec<BlockId>,
    /// The length that the caller declares for a function of assumed length.
    pub(crate) result_length: Option<usize>,
    /// The mask under which a WHERE evaluates.
    pub(crate) mask: Option<Rc<[bool]>>,
    pub(crate) tape: Tape,
    pub(crate) random: u64,
    /// What was written to the terminal.
    pub(crate) output: Vec<u8>,
    /// The record of the terminal that goes on.
    pub(crate) partial: Vec<u8>,
    /// The records that user-defined output writes into, innermost last.
    pub(crate) children: Vec<Line>,
    pub(crate) units: Units,
    pub(crate) warnings: Diagnostics,
    pub(crate) warned: HashSet<Place>,
    pub(crate) observed: Observed,
    /// The statement that is executed.
    pub(crate) place: Place,
    pub(crate) limits: Limits,
    steps: u64,
    serial: u64,
    stack_base: usize,
    /// Values of named constants.
    pub(crate) constants: BTreeMap<SymbolId, Binding>,
}

impl<'d> Machine<'d> {
    /// A machine before its first step. It must be used on the thread that makes it.
    pub(crate) fn new(program: &'d Program<'d>, mode: Mode, limits: Limits) -> Self {
        Machine {
            doc: program.doc,
            program,
            arith: Arith { mode, ..Arith::default() },
            memory: Memory::new(limits.memory, mode != Mode::Value, limits.zero_undefined),
            frames: Vec::new(),
            globals: HashMap::new(),
            statics: HashMap::new(),
            commons: HashMap::new(),
            plans: HashMap::new(),
            data_done: HashSet::new(),
            layouts: Vec::new(),
            layout_of: HashMap::new(),
            temps: Vec::new(),
            result_length: None,
            mask: None,
            tape: Tape::default(),
            random: FIRST_RANDOM,
            output: Vec::new(),
            partial: Vec::new(),
            children: Vec::new(),
            units: Units::default(),
            warnings: Diagnostics::new(),
            warned: HashSet::new(),
            observed: Observed::default(),
            place: Place::default(),
            limits,
            steps: 0,
            serial: 0,
            stack_base: stack_pointer(),
            constants: BTreeMap::new(),
        }
    }

    /// A fault if nested calls and expressions have used up the stack.
    pub(crate) fn check_stack(&self) -> Run<()> {
        // A quarter is left for what does not ask.
        if self.stack_base.abs_diff(stack_pointer()) < self.limits.stack / 4 * 3 {
            return Ok(());
        }
        fault(
            Code::RUN_STACK_DEPTH,
            format!(
                "calls or expressions are nested too deep for {} bytes of stack",
                self.limits.stack
            ),
        )
    }

    /// Counts a step of the program.
    pub(crate) fn step(&mut self) -> Run<()> {
        self.steps += 1;
        if self.steps > self.limits.steps {
            let message = format!("the program has not ended after {} steps", self.limits.steps);
            return fault(Code::RUN_LIMIT, message);
        }
        Ok(())
    }

    /// Says once for each place that something is not carried out.
    pub(crate) fn warn(&mut self, code: Code, message: impl Into<String>) {
        if self.warned.insert(self.place) {
            let spot = self.doc.spot(self.place);
            self.warnings.push(Diagnostic::warning(code, spot, message));
        }
    }

    /// A new activation; it is not on the stack yet.
    pub(crate) fn activation(&mut self, proc: ProcId, host: Option<usize>) -> Frame {
        self.serial += 1;
        Frame {
            proc,
            serial: self.serial,
            host,
            bindings: vec![Binding::Unbound; self.program.slots[proc] as usize],
            owned: Vec::new(),
            loops: HashMap::new(),
            alternate: 0,
        }
    }

    /// Ends the youngest activation.
    pub(crate) fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            for block in frame.owned {
                self.memory.release(block);
            }
        }
    }

    /// The activation of `proc` that the running one sees.
    pub(crate) fn frame_of(&self, proc: ProcId) -> Option<usize> {
        let mut at = self.frames.len().checked_sub(1);
        while let Some(index) = at {
            let frame = self.frames.get(index)?;
            if frame.proc == proc {
                return Some(index);
            }
            // A host is older than what it hosts, so this ends.
            at = frame.host.filter(|&host| host < index);
        }
        None
    }

    /// What `symbol` stands for, as far as it has been bound.
    pub(crate) fn bound(&self, symbol: SymbolId) -> Option<&Binding> {
        let binding = match self.program.homes[symbol] {
            Home::Local(proc, slot) => {
                let frame = self.frame_of(proc)?;
                self.frames.get(frame)?.bindings.get(slot as usize)?
            }
            Home::Global => self.globals.get(&symbol)?,
        };
        (!matches!(binding, Binding::Unbound)).then_some(binding)
    }

    /// What `symbol` stands for.
    pub(crate) fn binding(&mut self, symbol: SymbolId) -> Run<&Binding> {
        if self.bound(symbol).is_none() {
            let binding = self.instantiate(symbol)?;
            self.bind(symbol, binding)?;
        }
        match self.bound(symbol) {
            Some(binding) => Ok(binding),
            None => self.out_of_reach(symbol),
        }
    }

    /// Makes `symbol` stand for something.
    pub(crate) fn bind(&mut self, symbol: SymbolId, binding: Binding) -> Run<()> {
        match self.program.homes[symbol] {
            Home::Global => {
                self.globals.insert(symbol, binding);
            }
            Home::Local(proc, slot) => {
                let place = self
                    .frame_of(proc)
                    .and_then(|frame| self.frames.get_mut(frame))
                    .and_then(|frame| frame.bindings.get_mut(slot as usize));
                match place {
                    Some(place) => *place = binding,
                    None => return self.out_of_reach(symbol),
                }
            }
        }
        Ok(())
    }

    fn out_of_reach<T>(&self, symbol: SymbolId) -> Run<T> {
        let name = self.doc.name(symbol);
        fault(
            Code::RUN_MALFORMED,
            format!("`{name}` belongs to a procedure that is not active here"),
        )
    }

    /// Storage that ends with the statement.
    pub(crate) fn temporary(&mut self, size: i64) -> Run<Addr> {
        let block = self.memory.allocate(size)?;
        self.temps.push(block);
        Ok(Addr { block, offset: 0 })
    }

    /// Ends the life of temporaries made since there were `mark` of them.
    pub(crate) fn drop_temps(&mut self, mark: usize) {
        while self.temps.len() > mark {
            if let Some(block) = self.temps.pop() {
                self.memory.release(block);
            }
        }
    }

    /// Storage that ends with the running activation (or with the program).
    pub(crate) fn local_block(&mut self, size: i64, symbol: SymbolId) -> Run<Addr> {
        let block = self.memory.allocate(size)?;
        if let Home::Local(proc, _) = self.program.homes[symbol]
            && let Some(frame) = self.frame_of(proc)
            && let Some(frame) = self.frames.get_mut(frame)
        {
            frame.owned.push(block);
        }
        Ok(Addr { block, offset: 0 })
    }
}

/// How far the stack has grown, as an address.
fn stack_pointer() -> usize {
    let here = 0u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}
