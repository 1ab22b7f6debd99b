//! The way in and out: picks the procedure, makes its arguments from what is given, runs it, and
//! collects what it has left behind.

use smallvec::SmallVec;
use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};
use xaif_schema::model::{
    Attr, Body, Dim, Document, DummyArg, Place, ProcId, ProcKind, Role, ScopeKind, SymbolId,
    VertexId,
};

use crate::arith::convert;
use crate::call::{Actual, Returned, Target};
use crate::counts::Counts;
use crate::fault::{Halt, Located as _, Run, fault};
use crate::input::{Given, parse_word};
use crate::io::Unit;
use crate::layout::SLOT_SIZE;
use crate::machine::{Binding, FIRST_RANDOM, Handle, Limits, Machine};
use crate::num::{Mode, Num};
use crate::objects::Parts;
use crate::program::{Home, Program};
use crate::storage::{Addr, Slot};
use crate::value::{Elem, Scalar, Value, size_of_shape};
use crate::view::{Extent, View};

/// The size of a complex step.
const STEP: f64 = 1e-20;

/// What is to be executed, on what.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The procedure; the main program, or else the only procedure, where it is not named.
    pub procedure: Option<String>,
    /// Values of dummy arguments, module variables and members of COMMON, by name; `v%x` is a component.
    pub values: Vec<(String, Given)>,
    /// The direction of the tangents, by name.
    pub direction: Vec<(String, Given)>,
    /// How often the procedure is executed before that, on the same values without a direction: it
    /// finds what it has left in variables that outlive it.
    pub before: u32,
    /// Variables besides the arguments whose values are wanted after the call.
    pub show: Vec<String>,
    /// Whether the components of objects are outputs of their own, `v%x`; else all of an object is one.
    pub parts: bool,
    /// Text for READ.
    pub stdin: String,
    /// How values are carried.
    pub mode: Mode,
    /// What the execution may use.
    pub limits: Limits,
}

/// One element of an output.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// It has no value.
    Undefined,
    /// An integer.
    Int(i64),
    /// A logical.
    Logical(bool),
    /// A character.
    Text(String),
    /// A real: its value and its tangent.
    Real(f64, f64),
    /// A complex number: real and imaginary part, and their tangents.
    Complex([f64; 2], [f64; 2]),
}

/// A variable after the execution.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// Its extents; none for a scalar.
    pub shape: Vec<i64>,
    /// Its elements in array element order.
    pub elements: Vec<Element>,
}

/// What an execution has given.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Arguments in order, the function's result, and the other variables that were asked for.
    pub outputs: Vec<Output>,
    /// What was written to the terminal.
    pub stdout: String,
    /// The text of a STOP, if the program has ended by one.
    pub stopped: Option<String>,
    /// Whether random numbers were drawn, which are others than a compiled program draws.
    pub random: bool,
    /// What was counted.
    pub counts: Counts,
    /// The most iterations that loops have gone, by their places; of loops that were reached.
    pub loops: Vec<(Spot, u64)>,
    /// Where a number was no finite one first.
    pub first_infinite: Option<Spot>,
    /// The largest absolute value of a finite number that a statement has assigned, or of its tangent.
    pub largest: f64,
    /// Warnings.
    pub warnings: Diagnostics,
}

/// Executes a procedure of `doc`.
pub fn run(doc: &Document, request: &Request) -> Result<Outcome, Diagnostics> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("xaif-run".to_string())
            .stack_size(request.limits.stack)
            .spawn_scoped(scope, || execute(doc, request));
        match worker {
            Ok(worker) => worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => {
                let message =
                    format!("no thread with {} bytes of stack: {error}", request.limits.stack);
                Err([Diagnostic::error(Code::RUN_LIMIT, None, message)].into_iter().collect())
            }
        }
    })
}

fn execute(doc: &Document, request: &Request) -> Result<Outcome, Diagnostics> {
    let program = Program::new(doc);
    let mut machine = Machine::new(&program, request.mode, request.limits.clone());
    machine.units.open.insert(5, Unit::of_text(&request.stdin));
    match machine.drive_all(request) {
        Ok((outputs, stopped)) => {
            let left = machine.tape.len();
            if left > 0 {
                let message = format!("{left} values are left on the tape");
                machine.warnings.push(Diagnostic::warning(Code::RUN_TAPE, None, message));
            }
            Ok(Outcome {
                outputs,
                stdout: machine.terminal(),
                stopped,
                random: machine.random != FIRST_RANDOM,
                counts: machine.arith.counts,
                loops: machine.observed.loops(doc),
                first_infinite: machine.observed.first_infinite(doc),
                largest: machine.observed.largest(),
                warnings: machine.warnings,
            })
        }
        Err(halt) => Err(match *halt {
            Halt::Fault(fault) => {
                let mut found = machine.warnings;
                found.push(fault.into_diagnostic(doc));
                found
            }
            // STOP while a first value is made: there is nothing to run any more.
            Halt::Stop(_) => Diagnostics::new(),
        }),
    }
}

impl<'d> Machine<'d> {
    fn drive_all(&mut self, request: &Request) -> Run<(Vec<Output>, Option<String>)> {
        self.initialise_blocks()?;
        let plain = Request { direction: Vec::new(), ..request.clone() };
        for _ in 0..request.before {
            let (outputs, stopped) = self.drive(&plain)?;
            if stopped.is_some() {
                return Ok((outputs, stopped));
            }
        }
        self.drive(request)
    }

    fn drive(&mut self, request: &Request) -> Run<(Vec<Output>, Option<String>)> {
        let (proc, entry) = self.choose(request.procedure.as_deref())?;
        let doc = self.doc;
        let frame = self.activation(proc, None);
        self.frames.push(frame);
        let dummies = self.dummies(proc, entry);
        let made = self.make_arguments(dummies, request).at(doc.procs[proc].place)?;
        let globals = self.set_globals(proc, dummies, request)?;
        self.leave();
        let actuals: SmallVec<[Actual; 4]> = made.iter().cloned().collect();
        let target = Target::User { proc, entry, host: None };
        let mark = self.temps.len();
        let (returned, stopped) = match self.invoke(&target, actuals, Place::default()) {
            Ok((_, returned)) => (returned, None),
            Err(halt) => match *halt {
                Halt::Stop(text) => (Returned::Nothing, Some(text)),
                other => return Err(Box::new(other)),
            },
        };
        let mut outputs = Vec::new();
        for (dummy, actual) in dummies.iter().zip(&made) {
            if let Some(symbol) = dummy.symbol {
                self.output_argument(symbol, actual, request.parts, &mut outputs)?;
            }
        }
        let name = doc.name(doc.procs[proc].symbol).to_string();
        match returned {
            Returned::Value(Value::Object(view)) => {
                self.output_view(&name, &view, request.parts, &mut outputs)?;
            }
            Returned::Value(value) => outputs.push(self.output(&name, value)?),
            Returned::Pointer(Slot::Data(view) | Slot::Owned(view)) => {
                self.output_view(&name, &view, request.parts, &mut outputs)?;
            }
            Returned::Pointer(_) | Returned::Nothing => {}
        }
        for (name, view) in globals {
            if self.memory.is_live(view.addr.block) {
                self.output_view(&name, &view, request.parts, &mut outputs)?;
            }
        }
        self.drop_temps(mark);
        Ok((outputs, stopped))
    }

    fn choose(&self, name: Option<&str>) -> Run<(ProcId, Option<VertexId>)> {
        let doc = self.doc;
        let flow = |id: &ProcId| matches!(doc.procs[*id].body, Body::Flow(_));
        if doc.procs.values().any(|proc| matches!(proc.body, Body::Replacements { .. })) {
            return crate::fault::refuse(
                "replacement lists, which a back-end puts into a template",
            );
        }
        if let Some(name) = name {
            let mut named: Vec<_> = self
                .program
                .bodies
                .iter()
                .filter(|(symbol, _)| called(doc, **symbol, name))
                .map(|(_, &body)| body)
                .collect();
            named.sort_unstable();
            return match named.first() {
                Some(&body) => Ok(body),
                None => fault(
                    Code::RUN_NO_PROCEDURE,
                    format!("the document has no procedure `{name}` with a body"),
                )
                .help(&self.offer()),
            };
        }
        let all: Vec<ProcId> = doc.procs.keys().filter(flow).collect();
        if let Some(&main) = all.iter().find(|&&id| doc.procs[id].kind == ProcKind::Program) {
            return Ok((main, None));
        }
        match all.as_slice() {
            [only] => Ok((*only, None)),
            [] => fault(Code::RUN_NO_PROCEDURE, "the document has no procedure to run"),
            [_, _, ..] => fault(
                Code::RUN_NO_PROCEDURE,
                "the document has no main program and many procedures",
            )
            .help(&self.offer()),
        }
    }

    fn offer(&self) -> String {
        let doc = self.doc;
        let mut names: Vec<&str> =
            self.program.bodies.keys().map(|&symbol| doc.name(symbol)).collect();
        names.sort_unstable();
        names.truncate(12);
        format!("name one with --proc: {}", names.join(", "))
    }

    /// BLOCK DATA, and DATA anywhere that initialises COMMON.
    fn initialise_blocks(&mut self) -> Run<()> {
        let doc = self.doc;
        let mut symbols: Vec<SymbolId> = doc
            .symbols
            .iter()
            .filter(|(id, symbol)| {
                let Some(decl) = &symbol.decl else { return false };
                let set = self.program.data.contains_key(id) || decl.init.is_some();
                decl.common.is_some() && set
            })
            .map(|(id, _)| id)
            .collect();
        // An EQUIVALENCE can carry DATA of another variable into a block.
        for scope in doc.scopes.values() {
            if matches!(scope.kind, ScopeKind::BlockData(_)) {
                symbols.extend(
                    scope.symbols.iter().copied().filter(|s| self.program.data.contains_key(s)),
                );
            }
        }
        symbols.sort_unstable();
        symbols.dedup();
        for symbol in symbols {
            let frame = match self.program.homes[symbol] {
                Home::Local(proc, _) => Some(self.activation(proc, None)),
                Home::Global => None,
            };
            let local = frame.is_some();
            self.frames.extend(frame);
            self.binding(symbol)?;
            if local {
                self.leave();
            }
        }
        Ok(())
    }

    /// Actual arguments: scalars first, because extents may need them.
    fn make_arguments(&mut self, dummies: &'d [DummyArg], request: &Request) -> Run<Vec<Actual>> {
        let doc = self.doc;
        let mut made = vec![Actual::Absent; dummies.len()];
        let stages = dummies.iter().filter_map(|dummy| Some(self.program.stages[dummy.symbol?]));
        for stage in 0..=stages.max().unwrap_or(0) {
            for (index, dummy) in dummies.iter().enumerate() {
                let Some(symbol) = dummy.symbol else {
                    made[index] = Actual::Label;
                    continue;
                };
                if self.program.stages[symbol] != stage {
                    continue;
                }
                let name = doc.name(symbol);
                let given = find(&request.values, doc, symbol);
                let direction = find(&request.direction, doc, symbol);
                let made_one = self.make_argument(symbol, given, direction, request);
                let actual = made_one.map_err(|mut halt| {
                    if let Halt::Fault(fault) = &mut *halt {
                        fault.about(name);
                    }
                    halt
                })?;
                if let Actual::Data { view, .. } = &actual {
                    match view.elem {
                        Elem::Derived(_) => {
                            self.fill_object(name, view, &mut Parts::new(request))?;
                        }
                        _ => self.fill(view, given, direction)?,
                    }
                    self.bind(symbol, Binding::Data(view.clone()))?;
                }
                made[index] = actual;
            }
        }
        Ok(made)
    }

    fn make_argument(
        &mut self,
        symbol: SymbolId,
        given: Option<&Given>,
        direction: Option<&Given>,
        request: &Request,
    ) -> Run<Actual> {
        let doc = self.doc;
        let decl = doc.symbols[symbol].decl.as_deref();
        if let Some(Role::Procedure(_)) = decl.map(|decl| &decl.role) {
            return self.procedure_argument_by_name(symbol, given);
        }
        let has = |attr| decl.is_some_and(|decl| decl.has(attr));
        if has(Attr::Optional) && given.is_none() {
            return Ok(Actual::Absent);
        }
        let mut elem = self.elem_of_symbol(symbol)?;
        if let Some(dynamic) = given.and_then(|given| self.type_named(given)) {
            elem = Elem::Derived(self.layout(dynamic)?);
        }
        if let (Elem::Char(0), Some(given)) = (elem, given) {
            let longest = given.words.iter().map(|word| word.trim_matches(['\'', '"']).len()).max();
            elem = Elem::Char(longest.unwrap_or(0));
        }
        if has(Attr::Pointer) || has(Attr::Allocatable) {
            let block = self.memory.allocate(SLOT_SIZE)?;
            let addr = Addr { block, offset: 0 };
            let allocatable = has(Attr::Allocatable);
            let slot = match given {
                Some(given) => {
                    let view = self.allocate_like(elem, &given.shape)?;
                    if allocatable { Slot::Owned(view) } else { Slot::Data(view) }
                }
                None => Slot::Null,
            };
            if let (Slot::Owned(view) | Slot::Data(view), Some(_)) = (&slot, given) {
                let (view, name) = (view.clone(), doc.name(symbol));
                match elem {
                    Elem::Derived(_) => {
                        self.fill_object(name, &view, &mut Parts::new(request))?;
                    }
                    _ => self.fill(&view, given, direction)?,
                }
            }
            self.memory.set_slot(addr, slot)?;
            let rank = decl.map_or(0, |decl| decl.dims.len() as u8);
            return Ok(Actual::Handle(Handle { addr, elem: Some(elem), rank, allocatable }));
        }
        let mut bounds = self.bounds_of_symbol(symbol)?;
        let assumed_shape =
            decl.is_some_and(|decl| matches!(decl.dims.first(), Some(Dim::AssumedShape { .. })));
        if assumed_shape || bounds.iter().any(|&(_, count)| count == Extent::UNKNOWN) {
            let Some(given) = given else {
                return fault(Code::RUN_BAD_INPUT, "the shape of this argument is not known")
                    .help("give its value with --set, for example --set x=[1,2,3]");
            };
            settle(&mut bounds, given, assumed_shape)?;
        }
        let shape: Vec<i64> = bounds.iter().map(|&(_, count)| count).collect();
        let size = (size_of_shape(&shape)? as i64).saturating_mul(self.size_of(elem));
        let block = self.memory.allocate(size)?;
        let addr = Addr { block, offset: 0 };
        let view = View::contiguous(elem, self.size_of(elem), addr, &bounds);
        self.default_initialise(&view)?;
        Ok(Actual::Data { view, copied: false })
    }

    fn procedure_argument_by_name(&self, symbol: SymbolId, given: Option<&Given>) -> Run<Actual> {
        let name = given.and_then(|given| given.words.first());
        let Some(name) = name else {
            return fault(Code::RUN_BAD_INPUT, "this argument is a procedure, and none is given")
                .help(&format!("name one: --set {}=f", self.doc.name(symbol)));
        };
        let (proc, entry) = self.choose(Some(name))?;
        Ok(Actual::Procedure(Target::User { proc, entry, host: None }))
    }

    /// Stores given values and directions.
    pub(crate) fn fill(
        &mut self,
        view: &View,
        value: Option<&Given>,
        direction: Option<&Given>,
    ) -> Run<()> {
        let addresses: Vec<Addr> = view.elements().collect();
        if let Some(given) = value {
            fits(given, addresses.len())?;
            for (index, &addr) in addresses.iter().enumerate() {
                let scalar = parse_word(word(given, index), view.elem)?;
                self.memory.write(addr, &convert(scalar, view.elem)?)?;
            }
        }
        let Some(given) = direction else { return Ok(()) };
        fits(given, addresses.len())?;
        let scale = if self.arith.mode == Mode::ComplexStep { STEP } else { 1.0 };
        for (index, &addr) in addresses.iter().enumerate() {
            let value = self.memory.read(addr, view.elem)?;
            let with = match (value, parse_word(word(given, index), as_double(view.elem))?) {
                (Scalar::Real(kind, x), Scalar::Real(_, t)) => {
                    Scalar::Real(kind, Num { v: x.v, t: t.v * scale })
                }
                (Scalar::Complex(kind, [re, im]), Scalar::Complex(_, [a, b])) => Scalar::Complex(
                    kind,
                    [Num { v: re.v, t: a.v * scale }, Num { v: im.v, t: b.v * scale }],
                ),
                _ => {
                    return fault(
                        Code::RUN_BAD_INPUT,
                        "a direction is given for what is no real with a value",
                    );
                }
            };
            self.memory.write(addr, &with)?;
        }
        Ok(())
    }

    /// Sets and finds variables that are no arguments.
    fn set_globals(
        &mut self,
        proc: ProcId,
        dummies: &[DummyArg],
        request: &Request,
    ) -> Run<Vec<(String, View)>> {
        let doc = self.doc;
        let is_dummy = |name: &str| {
            dummies.iter().filter_map(|dummy| dummy.symbol).any(|symbol| called(doc, symbol, name))
        };
        let mut names: Vec<&str> = Vec::new();
        let given = request.values.iter().chain(&request.direction).map(|(name, _)| name.as_str());
        for name in given.chain(request.show.iter().map(String::as_str)) {
            // A component is given with its variable.
            let name = name.split('%').next().unwrap_or(name);
            if !is_dummy(name) && !names.contains(&name) {
                names.push(name);
            }
        }
        let mut found = Vec::new();
        for name in names {
            let Some(symbol) = self.find_variable(proc, name)? else {
                return fault(
                    Code::RUN_BAD_INPUT,
                    format!("`{name}` is no argument, module variable or member of COMMON here"),
                );
            };
            let value = setting(&request.values, name);
            // What another procedure calls its own only while it is active is there in COMMON.
            let foreign = doc.symbols[symbol].scope != doc.procs[proc].scope
                && self.program.homes[symbol] != Home::Global;
            let shared = if foreign { self.associated(symbol)? } else { None };
            let binding = match shared {
                Some(view) => Binding::Data(view),
                None => self.binding(symbol)?.clone(),
            };
            let view = match binding {
                Binding::Data(view) => view,
                Binding::Handle(handle) => {
                    if let Some(given) = value {
                        let elem = handle.elem.unwrap_or(Elem::Real(8));
                        let view = self.allocate_like(elem, &given.shape)?;
                        self.memory.set_slot(handle.addr, Slot::Owned(view))?;
                    }
                    self.target_view(handle)?
                }
                Binding::Unbound | Binding::Absent | Binding::Procedure(_) => continue,
            };
            match view.elem {
                Elem::Derived(_) => self.fill_object(name, &view, &mut Parts::new(request))?,
                _ => self.fill(&view, value, setting(&request.direction, name))?,
            }
            found.push((name.to_string(), view));
        }
        Ok(found)
    }

    /// `module::name`, `/block/name`, a name of the procedure's scope, of any module, or of any COMMON
    /// block. Of several members of a block with one name that one counts whose scope declares most of it.
    fn find_variable(&mut self, proc: ProcId, name: &str) -> Run<Option<SymbolId>> {
        let doc = self.doc;
        let (block, name) = match name.strip_prefix('/').and_then(|name| name.split_once('/')) {
            Some((block, name)) => (Some(format!("/{block}/")), name),
            None => (None, name),
        };
        let (module, name) = match name.split_once("::") {
            Some((module, name)) => (Some(module), name),
            None => (None, name),
        };
        let ours = doc.procs[proc].scope;
        let rank = |symbol: SymbolId| {
            let data = &doc.symbols[symbol];
            if !called(doc, symbol, name)
                || !matches!(doc.role(symbol), Some(Role::Variable) | None)
            {
                return None;
            }
            let in_module = match doc.scopes[data.scope].kind {
                ScopeKind::Module(m) => Some(doc.name(m)),
                _ => None,
            };
            let common = data.decl.as_ref().and_then(|decl| decl.common);
            if let Some(block) = &block {
                let (own, _) = common?;
                let there = doc.symbols[own].id.eq_ignore_ascii_case(block);
                return there.then_some(if data.scope == ours { 0 } else { 2 });
            }
            match (module, in_module) {
                (Some(module), Some(found)) if module.eq_ignore_ascii_case(found) => Some(0),
                (Some(_), _) => None,
                (None, _) if data.scope == ours => Some(0),
                (None, Some(_)) => Some(1),
                (None, None) if common.is_some() => Some(2),
                (None, None) => None,
            }
        };
        let candidates: Vec<(u8, SymbolId)> =
            doc.symbols.keys().filter_map(|symbol| Some((rank(symbol)?, symbol))).collect();
        let Some(&(best, first)) = candidates.iter().min() else { return Ok(None) };
        if best < 2 {
            return Ok(Some(first));
        }
        let mut found = (0, first);
        for (_, symbol) in candidates {
            let size = self.size_of_block(symbol)?;
            if size > found.0 {
                found = (size, symbol);
            }
        }
        Ok(Some(found.1))
    }

    fn output_argument(
        &mut self,
        symbol: SymbolId,
        actual: &Actual,
        parts: bool,
        outputs: &mut Vec<Output>,
    ) -> Run<()> {
        let name = self.doc.name(symbol).to_string();
        let view = match actual {
            Actual::Data { view, .. } => view.clone(),
            Actual::Handle(handle) => match self.target_view(*handle) {
                Ok(view) => view,
                Err(_) => return Ok(()),
            },
            Actual::Absent | Actual::Procedure(_) | Actual::Label => return Ok(()),
        };
        self.output_view(&name, &view, parts, outputs)
    }

    fn output_view(
        &mut self,
        name: &str,
        view: &View,
        parts: bool,
        outputs: &mut Vec<Output>,
    ) -> Run<()> {
        if parts && matches!(view.elem, Elem::Derived(_)) {
            outputs.extend(self.parts_of_object(name, view)?);
            return Ok(());
        }
        let value = self.load_view(view)?;
        outputs.push(self.output(name, value)?);
        Ok(())
    }

    pub(crate) fn output(&mut self, name: &str, value: Value) -> Run<Output> {
        let scale = if self.arith.mode == Mode::ComplexStep { STEP } else { 1.0 };
        let element = |scalar: &Scalar| match scalar {
            Scalar::Int(_, value) => Element::Int(*value),
            Scalar::Logical(_, value) => Element::Logical(*value),
            Scalar::Char(bytes) => Element::Text(String::from_utf8_lossy(bytes).into_owned()),
            Scalar::Real(_, x) => Element::Real(x.v, x.t / scale),
            Scalar::Complex(_, [re, im]) => {
                Element::Complex([re.v, im.v], [re.t / scale, im.t / scale])
            }
            Scalar::Undefined(_) => Element::Undefined,
        };
        Ok(match value {
            Value::Scalar(scalar) => Output {
                name: name.to_string(),
                shape: Vec::new(),
                elements: vec![element(&scalar)],
            },
            Value::Array(array) => Output {
                name: name.to_string(),
                shape: array.shape.to_vec(),
                elements: array.data.iter().map(element).collect(),
            },
            Value::Object(view) => self.output_object(name, &view)?,
        })
    }

    /// The scalar components of an object, one after the other.
    fn output_object(&mut self, name: &str, view: &View) -> Run<Output> {
        let Elem::Derived(layout) = view.elem else {
            return fault(Code::RUN_TYPE, "an object is of no derived type");
        };
        self.check_stack()?;
        let components = self.layouts[layout as usize].components.clone();
        let mut elements = Vec::new();
        for object in view.elements() {
            for component in &components {
                let addr = object.plus(component.offset);
                let part = match (component.slot, component.elem) {
                    (None, Some(elem)) => {
                        View::contiguous(elem, self.size_of(elem), addr, &component.bounds)
                    }
                    _ => match self.memory.slot(addr)? {
                        Some(Slot::Owned(view)) => view.clone(),
                        Some(Slot::Data(_) | Slot::Null | Slot::Procedure(_)) | None => continue,
                    },
                };
                let value = self.load_view(&part)?;
                elements.extend(self.output(name, value)?.elements);
            }
        }
        Ok(Output { name: name.to_string(), shape: vec![elements.len() as i64], elements })
    }
}

/// What was given last under a name.
pub(crate) fn setting<'r>(list: &'r [(String, Given)], name: &str) -> Option<&'r Given> {
    list.iter().rev().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, given)| given)
}

/// What was given last for a symbol.
fn find<'r>(list: &'r [(String, Given)], doc: &Document, symbol: SymbolId) -> Option<&'r Given> {
    list.iter().rev().find(|(name, _)| called(doc, symbol, name)).map(|(_, given)| given)
}

/// Whether a person would call a symbol so. XAIF 1.0 documents number their symbols and keep the
/// underscore of the object file: `x` is called `X_3`, `head` is `head__24`.
fn called(doc: &Document, symbol: SymbolId, name: &str) -> bool {
    let full = doc.name(symbol);
    if full.eq_ignore_ascii_case(name) {
        return true;
    }
    let plain = full.trim_end_matches(|c: char| c.is_ascii_digit());
    doc.symbols[symbol].decl.is_none()
        && plain.ends_with('_')
        && plain.trim_end_matches('_').eq_ignore_ascii_case(name)
}

fn word(given: &Given, index: usize) -> &str {
    let word = if given.shape.is_empty() { given.words.first() } else { given.words.get(index) };
    word.map_or("", String::as_str)
}

fn fits(given: &Given, count: usize) -> Run<()> {
    if given.shape.is_empty() || given.words.len() == count {
        return Ok(());
    }
    fault(
        Code::RUN_BAD_INPUT,
        format!("{} values are given for {count} elements", given.words.len()),
    )
}

/// The type whose words directions are written in.
fn as_double(elem: Elem) -> Elem {
    match elem {
        Elem::Real(_) => Elem::Real(8),
        Elem::Complex(_) => Elem::Complex(8),
        other => other,
    }
}

/// Finds extents that the declaration leaves open.
fn settle(bounds: &mut [(i64, i64)], given: &Given, assumed_shape: bool) -> Run<()> {
    if assumed_shape {
        if given.shape.len() != bounds.len() {
            return fault(
                Code::RUN_BAD_INPUT,
                format!(
                    "a value of rank {} is given, but the rank is {}",
                    given.shape.len(),
                    bounds.len()
                ),
            )
            .help("nest the lists: --set a=[[1,2],[3,4]] is a matrix, column by column");
        }
        for (bound, &count) in bounds.iter_mut().zip(&given.shape) {
            bound.1 = count;
        }
        return Ok(());
    }
    let Some(((_, last), before)) = bounds.split_last_mut() else { return Ok(()) };
    let shape: Vec<i64> = before.iter().map(|&(_, count)| count).collect();
    let inner = size_of_shape(&shape)?.max(1);
    *last = given.words.len().div_ceil(inner) as i64;
    Ok(())
}

impl Output {
    /// The values as `name = value`, with full precision; undefined elements are `?`.
    pub fn values(&self) -> String {
        self.line(&self.name, |element| match element {
            Element::Undefined => "?".to_string(),
            Element::Int(value) => value.to_string(),
            Element::Logical(value) => if *value { ".true." } else { ".false." }.to_string(),
            Element::Text(text) => format!("'{text}'"),
            Element::Real(value, _) => format!("{value:?}"),
            Element::Complex([re, im], _) => format!("({re:?},{im:?})"),
        })
    }

    /// The tangents as `d(name) = value`; `None` for what has none.
    pub fn tangents(&self) -> Option<String> {
        let continuous = self
            .elements
            .iter()
            .any(|element| matches!(element, Element::Real(..) | Element::Complex(..)));
        continuous.then(|| {
            self.line(&format!("d({})", self.name), |element| match element {
                Element::Real(_, tangent) => format!("{tangent:?}"),
                Element::Complex(_, [re, im]) => format!("({re:?},{im:?})"),
                Element::Undefined | Element::Int(_) | Element::Logical(_) | Element::Text(_) => {
                    "?".to_string()
                }
            })
        })
    }

    fn line(&self, name: &str, show: impl Fn(&Element) -> String) -> String {
        let words: Vec<String> = self.elements.iter().map(show).collect();
        if self.shape.is_empty() {
            format!("{name} = {}", words.first().map_or("?", String::as_str))
        } else {
            format!("{name} = [{}]", words.join(", "))
        }
    }
}
