//! The text of a driver: a Fortran program that calls the head or its derivative (tangent or
//! adjoint) at one point and writes what they compute.
//!
//! The numbers of a variable are those that belong to its name and the seed, so that the drivers of
//! tangent and adjoint have the same point and direction, whatever else takes part.
//!
//! It is read by people, too: it shows how the derivative is called. It runs one evaluation in a
//! process of its own, so that SAVE variables, module state and allocated memory are as they are
//! at the first call, each time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use xaif_schema::model::{Base, CharLen, Document, SymbolId, TypeSpec};

use super::allocated;
use crate::check::point::globals::{self, Layout};
use crate::check::point::node::{C_MODULE, Node, Storage};
use crate::check::point::plan::{Argument, Chosen, Home, Kind, Object, Plan};
use crate::check::point::settings::{Setting, Settings};
use crate::check::verdict::judge::DERIVATIVE;

/// Longer lines are folded.
const WIDTH: usize = 96;

/// The variable that counts directions, where there are several.
const TURN: &str = "oxad_direction";

/// Arrays have no more dimensions.
const MAX_RANK: usize = 15;

/// What a driver is made for.
pub(crate) struct Request<'r> {
    /// Head, derivative and variables.
    pub(crate) plan: &'r Plan,
    /// The document that they come from.
    pub(crate) doc: &'r Document,
    /// The seed of all random numbers.
    pub(crate) seed: u32,
    /// The number of directions at once, where derivatives have a dimension for it.
    pub(crate) directions: Option<u32>,
    /// The direction, where it is given: of variables that are not named it is zero.
    pub(crate) given: &'r Settings,
    /// Whether the tangent computes the interval in which no condition changes sides.
    pub(crate) validity: bool,
    /// The module of interfaces that the driver uses.
    pub(crate) interfaces: Option<&'r str>,
}

/// The name of the driver.
pub(crate) fn program_name(plan: &Plan) -> String {
    let head = plan.head.name.to_ascii_lowercase();
    match plan.kind {
        Kind::Tangent => format!("check_{head}"),
        Kind::Adjoint => format!("check_{head}_adjoint"),
    }
}

/// The text of the driver.
pub(crate) fn text(request: &Request<'_>) -> String {
    let mut writer = Writer { request, code: Code::default() };
    writer.program();
    writer.code.text
}

#[derive(Default)]
pub(super) struct Code {
    text: String,
    pub(super) depth: usize,
    /// The largest number of nested loops.
    loops: usize,
}

impl Code {
    pub(super) fn line(&mut self, line: &str) {
        let indent = "  ".repeat(self.depth);
        let mut rest = line;
        let mut lead = String::new();
        while indent.len() + lead.len() + rest.len() > WIDTH {
            let room = WIDTH.saturating_sub(indent.len() + lead.len() + 2);
            let cut = rest.char_indices().take(room).filter(|(_, c)| *c == ',').last();
            let Some((at, _)) = cut else { break };
            self.text.push_str(&format!("{indent}{lead}{}, &\n", &rest[..at]));
            rest = rest[at + 1..].trim_start();
            lead = "  ".into();
        }
        self.text.push_str(format!("{indent}{lead}{rest}").trim_end());
        self.text.push('\n');
    }

    fn comment(&mut self, text: &str) {
        // A folded comment would be none.
        let indent = "  ".repeat(self.depth);
        self.text.push_str(&format!("{indent}! {text}\n"));
    }

    fn blank(&mut self) {
        if !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }
}

/// A variable or component as the driver names it, and its derivative.
#[derive(Clone)]
pub(super) struct At {
    pub(super) primal: String,
    pub(super) shadow: Option<String>,
    /// The index of the direction, which the outermost part of the derivative still has to get.
    lead: bool,
}

impl At {
    fn of(object: &Object, lead: bool) -> At {
        At { primal: object.name.clone(), shadow: object.shadow.clone(), lead }
    }

    /// The derivative of a whole variable of `rank` dimensions in one direction.
    fn shadow(&self, rank: usize) -> Option<String> {
        let name = self.shadow.as_ref()?;
        Some(if self.lead { format!("{name}({TURN}{})", ", :".repeat(rank)) } else { name.clone() })
    }

    fn element(&self, indices: &str) -> At {
        let lead = if self.lead { format!("{TURN}, ") } else { String::new() };
        At {
            primal: format!("{}({indices})", self.primal),
            shadow: self.shadow.as_ref().map(|name| format!("{name}({lead}{indices})")),
            lead: false,
        }
    }

    pub(super) fn part(&self, name: &str) -> At {
        At {
            primal: format!("{}%{name}", self.primal),
            shadow: self.shadow(0).map(|shadow| format!("{shadow}%{name}")),
            lead: false,
        }
    }
}

/// What is to be written of a variable.
#[derive(Clone, Copy)]
struct Put<'p> {
    /// The label before it.
    label: &'p str,
    /// Whether it is the derivative.
    shadow: bool,
    /// Which parts.
    of: &'p Chosen,
}

pub(super) struct Writer<'r> {
    request: &'r Request<'r>,
    pub(super) code: Code,
}

impl<'r> Writer<'r> {
    fn program(&mut self) {
        let plan = self.request.plan;
        let name = program_name(plan);
        self.header(&name);
        self.code.line(&format!("program {name}"));
        self.code.depth = 1;
        self.uses();
        self.code.line("implicit none");
        let declarations = self.code.text.len();
        self.body();
        let body = self.code.text.split_off(declarations);
        self.declarations();
        self.code.blank();
        self.code.text.push_str(&body);
        self.code.depth = 0;
        self.code.line(&format!("end program {name}"));
    }

    fn header(&mut self, name: &str) {
        let plan = self.request.plan;
        let (head, derivative) = (&plan.head.name, &plan.derivative.name);
        let kind = plan.kind.word();
        let several = plan.kind == Kind::Adjoint || self.request.directions.is_some();
        let direction = if several { " K" } else { "" };
        let pad = " ".repeat(direction.len());
        self.code.comment(&format!(
            "Calls {head} or its {kind} {derivative} at a point, and writes what they compute."
        ));
        self.code.line("!");
        self.code.comment(&format!(
            "  {name} primal  H FILE{direction}  {head} at the point moved by H along the direction"
        ));
        match plan.kind {
            Kind::Tangent => self.code.comment(&format!(
                "  {name} tangent 0 FILE{pad}  {derivative} at the point, in the direction"
            )),
            Kind::Adjoint => {
                self.code.comment(&format!(
                    "  {name} adjoint 0 FILE{pad}  {derivative} with weights of its outputs"
                ));
                self.code.comment(&format!(
                    "  {name} accumulate 0 FILE{pad}  the same, added to adjoints of inputs"
                ));
            }
        }
        self.code.comment(&format!("  {name} point   0 FILE{pad}  the point and the direction"));
        if plan.kind == Kind::Adjoint {
            self.code.line("!");
            self.code.comment("With K only the K-th independent variable moves, with 0 all do.");
            if plan.objects.iter().any(is_allocated_by_head) {
                self.code.comment(
                    "The head allocates outputs: all but `primal` take 0 and the FILE that",
                );
                self.code.comment(
                    "`primal 0` has written as fourth and fifth argument, for their shapes.",
                );
            }
        }
        self.code.line("!");
        self.code.comment("Made by `oxad check`.");
    }

    fn uses(&mut self) {
        let plan = self.request.plan;
        self.code.line("use oxad_tools");
        if self.request.validity {
            self.code
                .line("use oxad_validity, only: validity_interval, validity_begin, validity_end");
        }
        if let Some(module) = self.request.interfaces {
            self.code.line(&format!("use {module}"));
        }
        let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut add = |module: &str, name: &str| {
            uses.entry(module.to_ascii_lowercase()).or_default().insert(name.to_ascii_lowercase());
        };
        for routine in [&plan.head, &plan.derivative] {
            if let Some(module) = &routine.module {
                add(module, &routine.name);
            }
        }
        for object in &plan.objects {
            if let Home::Module { module, derivative } = &object.home {
                // A name that the driver has itself becomes another one.
                match object.name == object.own_name {
                    true => add(module, &object.name),
                    false => add(module, &format!("{} => {}", object.name, object.own_name)),
                }
                if let (Some(derivative), Some(shadow)) = (derivative, &object.shadow) {
                    add(derivative, shadow);
                }
            } else if let Some((module, name)) = &object.node.defined {
                add(module, name);
            }
            object.node.types.iter().for_each(|ty| add(&ty.module, &ty.name));
            nulls(&object.node, &mut |null| add(C_MODULE, null));
        }
        for (module, names) in uses {
            let names: Vec<String> = names.into_iter().collect();
            self.code.line(&format!("use {module}, only: {}", names.join(", ")));
        }
    }

    fn declarations(&mut self) {
        let plan = self.request.plan;
        self.externals();
        for object in plan.objects.iter().filter(|object| object.home == Home::Driver) {
            self.declare(object);
        }
        let mut blocks: Vec<SymbolId> = Vec::new();
        for object in &plan.objects {
            if let Home::Common { block, .. } = object.home
                && !blocks.contains(&block)
            {
                blocks.push(block);
            }
        }
        let doc = self.request.doc;
        if !blocks.is_empty() {
            let procs = [plan.head.proc, plan.derivative.proc];
            let [layouts, derivatives] = globals::layouts(doc, procs);
            blocks.into_iter().for_each(|block| self.common(block, &layouts, &derivatives));
        }
        if self.request.directions.is_some() {
            self.code.line(&format!("integer :: {TURN}"));
        }
        if self.request.validity {
            self.code.line("type(validity_interval) :: oxad_interval");
            self.code.line("character(len=4096) :: oxad_file");
            self.code.line("integer :: oxad_unit");
        }
        if plan.kind == Kind::Adjoint && plan.objects.iter().any(is_allocated_by_head) {
            self.code.line(&format!("integer :: oxad_bounds({})", 2 * MAX_RANK + 1));
        }
        if self.code.loops > 0 {
            let names: Vec<String> = (1..=self.code.loops).map(|i| format!("oxad_i{i}")).collect();
            self.code.line(&format!("integer :: {}", names.join(", ")));
        }
    }

    fn externals(&mut self) {
        let plan = self.request.plan;
        if plan.head.module.is_none() && self.request.interfaces.is_none() {
            let name = &plan.head.name;
            match plan.head.result {
                Some(result) => {
                    let spec = &plan.objects[result].node.spec;
                    self.code.line(&format!("{spec}, external :: {name}"));
                    self.code.line(&format!("external :: {}", plan.derivative.name));
                }
                None => self.code.line(&format!("external :: {name}, {}", plan.derivative.name)),
            }
        }
        let mut passed: Vec<&str> = Vec::new();
        for argument in plan.head.arguments.iter().chain(&plan.derivative.arguments) {
            if let Argument::Procedure(name) = argument
                && !passed.contains(&name.as_str())
            {
                passed.push(name);
            }
        }
        if !passed.is_empty() {
            self.code.line(&format!("external :: {}", passed.join(", ")));
        }
    }

    /// A variable of the driver and its derivative.
    fn declare(&mut self, object: &Object) {
        let node = &object.node;
        let dims = |rank: usize| match rank {
            0 => String::new(),
            _ => format!("({})", vec![":"; rank].join(", ")),
        };
        let attribute = |rank: usize| match node.storage {
            Storage::Pointer => ", pointer",
            Storage::Allocatable => ", allocatable",
            Storage::Plain if rank > 0 => ", allocatable",
            Storage::Plain => "",
        };
        let rank = node.rank;
        let wide = rank + usize::from(self.request.directions.is_some());
        let name = format!("{}{}", object.name, dims(rank));
        match &object.shadow {
            Some(shadow) if wide == rank => self.code.line(&format!(
                "{}{} :: {name}, {shadow}{}",
                node.spec,
                attribute(rank),
                dims(rank)
            )),
            Some(shadow) => {
                self.code.line(&format!("{}{} :: {name}", node.spec, attribute(rank)));
                let shadow = format!("{shadow}{}", dims(wide));
                self.code.line(&format!("{}{} :: {shadow}", node.spec, attribute(wide)));
            }
            None => self.code.line(&format!("{}{} :: {name}", node.spec, attribute(rank))),
        }
    }

    /// A COMMON block and that of its derivatives, as the program declares them.
    fn common(&mut self, block: SymbolId, layouts: &[Layout], derivatives: &[Layout]) {
        let (doc, plan) = (self.request.doc, self.request.plan);
        let mut names: HashMap<&str, &str> = HashMap::new();
        let mut shadows: HashMap<&str, &str> = HashMap::new();
        for object in &plan.objects {
            if let Home::Common { block: own, derivative, .. } = &object.home
                && *own == block
            {
                names.insert(&doc.symbols[object.symbol].id, &object.name);
                if let (Some(own), Some(shadow)) = (derivative, &object.shadow) {
                    shadows.insert(own, shadow);
                }
            }
        }
        if let Some((_, members)) = layouts.iter().find(|(known, _)| *known == block) {
            self.block(&globals::block_name(doc, block), members, &names);
        }
        if let Some((name, members)) =
            globals::derivative_block(doc, block, derivatives, &plan.suffix)
        {
            self.block(&name, members, &shadows);
        }
    }

    /// A block whose members have these names, where the driver uses them.
    fn block(&mut self, name: &str, members: &[SymbolId], names: &HashMap<&str, &str>) {
        let doc = self.request.doc;
        let called = |member: SymbolId| {
            let id = doc.symbols[member].id.as_str();
            // What nobody uses here must not be in the way of what has its name.
            names.get(id).map_or_else(|| format!("{id}_{name}_"), |name| name.to_string())
        };
        let known = crate::check::point::bounds::Known::default();
        for &member in members {
            let Some(decl) = doc.symbols[member].decl.as_deref() else { continue };
            let extents: Option<Vec<String>> = decl
                .dims
                .iter()
                .map(|&dim| known.extent(doc, dim).ok().map(|extent| extent.to_string()))
                .collect();
            let spec = match decl.spec.base() {
                Base::Integer(kind) => format!("integer({kind})"),
                Base::Complex(kind) => format!("complex({kind})"),
                Base::Logical(kind) => format!("logical({kind})"),
                Base::Character(_) => {
                    let len = match (&decl.spec, decl.char_len) {
                        (_, Some(len)) => len,
                        (TypeSpec::Character { len, .. }, None) => *len,
                        _ => CharLen::One,
                    };
                    let len = match len {
                        CharLen::Expr(len) => known.integer(doc, len).unwrap_or(1),
                        CharLen::One | CharLen::Assumed | CharLen::Deferred => 1,
                    };
                    format!("character(len={len})")
                }
                Base::Real(kind) => format!("real({kind})"),
                _ => "real".to_string(),
            };
            let dims = match extents {
                Some(extents) if !extents.is_empty() => format!("({})", extents.join(", ")),
                Some(_) | None => String::new(),
            };
            self.code.line(&format!("{spec} :: {}{dims}", called(member)));
        }
        let names: Vec<String> = members.iter().map(|&member| called(member)).collect();
        self.code.line(&format!("common /{name}/ {}", names.join(", ")));
    }

    fn body(&mut self) {
        self.code.line(&format!("call oxad_begin(seed={})", self.request.seed));
        self.point();
        self.direction();
        self.show_point();
        if self.request.plan.kind == Kind::Adjoint {
            self.weights();
        }
        self.calls();
        self.results();
        self.code.line("call oxad_end()");
    }

    /// Memory and values.
    fn point(&mut self) {
        let plan = self.request.plan;
        self.code.blank();
        self.code
            .comment("The point: reals lie between 0.5 and 1.5 unless something is set for them.");
        // Integers first: they are the extents of arrays.
        let is_size = |object: &&Object| object.node.rank == 0 && !object.node.is_continuous();
        let first = plan.objects.iter().filter(is_size);
        let then = plan.objects.iter().filter(|object| !is_size(object));
        for object in first.chain(then) {
            let at = At::of(object, false);
            self.allocate(object);
            if object.input {
                if object.node.is_drawn() {
                    self.about(&object.name);
                }
                self.fill(&object.node, &at, 0);
            }
        }
    }

    /// The random numbers that follow belong to `what`.
    fn about(&mut self, what: &str) {
        self.code.line(&format!("call oxad_about('{what}')"));
    }

    fn allocate(&mut self, object: &Object) {
        let node = &object.node;
        let dynamic = node.storage != Storage::Plain;
        let local = object.home == Home::Driver && node.rank > 0;
        let shape = |lead: Option<u32>| -> Option<String> {
            let mut all: Vec<String> = lead.iter().map(u32::to_string).collect();
            all.extend(node.extents.clone()?);
            Some(if all.is_empty() { String::new() } else { format!("({})", all.join(", ")) })
        };
        let lead = self.request.directions;
        let mut names = Vec::new();
        if let Some(shape) = shape(None).filter(|_| dynamic || local) {
            names.push(format!("{}{shape}", object.name));
        }
        // With many directions also the derivative of a scalar is an array.
        let wide = object.home == Home::Driver && lead.is_some();
        if let (Some(shadow), Some(shape)) = (&object.shadow, shape(lead))
            && (dynamic || local || wide)
        {
            names.push(format!("{shadow}{shape}"));
        }
        if !names.is_empty() {
            let of = node.made().map_or(String::new(), |name| format!("{name} :: "));
            self.code.line(&format!("allocate ({of}{})", names.join(", ")));
        }
    }

    /// Values of a variable and its components; memory of components.
    fn fill(&mut self, node: &Node, at: &At, loops: usize) {
        if !node.parts.is_empty() {
            if node.storage != Storage::Plain && node.extents.is_none() {
                return;
            }
            let begun = self.begin_made(node, &[&at.primal]);
            self.each_element(node, at, &at.primal, loops, |writer, at, loops| {
                for (name, part) in &node.parts {
                    let at = at.part(name);
                    if let (Some(extents), true) = (&part.extents, part.storage != Storage::Plain) {
                        let shape = match extents.is_empty() {
                            true => String::new(),
                            false => format!("({})", extents.join(", ")),
                        };
                        writer.code.line(&format!("allocate ({}{shape})", at.primal));
                    }
                    writer.fill(part, &at, loops);
                }
            });
            self.end_types(begun);
            return;
        }
        if node.storage == Storage::Pointer && node.extents.is_none() {
            self.code.line(&format!("nullify ({})", at.primal));
            return;
        }
        if node.storage == Storage::Allocatable && node.extents.is_none() {
            return;
        }
        match &node.setting {
            Some(setting) => self.set(node, &at.primal, setting),
            None if node.initialised => {}
            None if !node.holes.is_empty() => {
                for (first, last) in &node.holes {
                    self.code.line(&format!("call oxad_draw({}({first}:{last}))", at.primal));
                }
            }
            None if node.is_continuous() => {
                self.code.line(&format!("call oxad_draw({})", at.primal))
            }
            None => {
                if let Some(default) = node.default_value() {
                    self.code.line(&format!("{} = {default}", at.primal));
                }
            }
        }
    }

    fn set(&mut self, node: &Node, name: &str, setting: &Setting) {
        match setting {
            Setting::Value { shape, words } if shape.is_empty() => {
                let word = words.first().map_or("", String::as_str);
                self.code.line(&format!("{name} = {}", literal(node.base, word)));
            }
            Setting::Value { words, .. } => {
                let words: Vec<String> = words.iter().map(|w| literal(node.base, w)).collect();
                let list = format!("[{} :: {}]", node.spec, words.join(", "));
                match node.rank {
                    0 | 1 => self.code.line(&format!("{name} = {list}")),
                    _ => self.code.line(&format!("{name} = reshape({list}, shape({name}))")),
                }
            }
            Setting::File(path) => {
                let path = path.display().to_string().replace('\'', "''");
                self.code.line(&format!("open (10, file='{path}', status='old', action='read')"));
                self.code.line(&format!("read (10, *) {name}"));
                self.code.line("close (10)");
            }
            Setting::None => {}
        }
    }

    /// Loops over the elements of an array of a derived type, which has the bounds of the variable `bounds`; a scalar
    /// as it is.
    pub(super) fn each_element(
        &mut self,
        node: &Node,
        at: &At,
        bounds: &str,
        loops: usize,
        body: impl FnOnce(&mut Self, &At, usize),
    ) {
        if node.rank == 0 {
            let at = At { shadow: at.shadow(0), lead: false, ..at.clone() };
            body(self, &at, loops);
            return;
        }
        let names: Vec<String> =
            (loops + 1..=loops + node.rank).map(|number| format!("oxad_i{number}")).collect();
        self.code.loops = self.code.loops.max(loops + node.rank);
        for (index, name) in names.iter().enumerate() {
            let dim = index + 1;
            self.code
                .line(&format!("do {name} = lbound({bounds}, {dim}), ubound({bounds}, {dim})"));
            self.code.depth += 1;
        }
        body(self, &at.element(&names.join(", ")), loops + node.rank);
        for _ in names {
            self.code.depth -= 1;
            self.code.line("end do");
        }
    }

    /// The direction, and derivatives that are zero before the call.
    fn direction(&mut self) {
        let plan = self.request.plan;
        self.code.blank();
        self.code.comment(
            "The direction: numbers between -1 and 1, in powers of ten next to the size of",
        );
        self.code.comment("the variable; the point moves along it by the step.");
        let lead = self.request.directions;
        if let Some(directions) = lead {
            self.code.line(&format!("do {TURN} = 1, {directions}"));
            self.code.depth += 1;
            self.code.line(&format!("call oxad_turn({TURN})"));
        }
        let mut number = 0;
        for object in plan.objects.iter().filter(|object| object.shadow.is_some() && object.input) {
            let at = At::of(object, lead.is_some());
            if object.independent != Chosen::None {
                number += 1;
                if plan.kind == Kind::Adjoint {
                    self.code.line(&format!("call oxad_turn({number})"));
                }
                match lead {
                    Some(_) => {
                        let name = &object.name;
                        self.code.line(&format!("call oxad_about('{name} direction', {TURN})"));
                    }
                    None => self.about(&format!("{} direction", object.name)),
                }
            }
            self.seed(&object.node, &at, &object.independent, 0);
        }
        if lead.is_some() {
            self.code.depth -= 1;
            self.code.line("end do");
        }
    }

    fn seed(&mut self, node: &Node, at: &At, independent: &Chosen, loops: usize) {
        let dynamic = node.storage != Storage::Plain;
        if dynamic && node.extents.is_none() {
            return;
        }
        if !node.parts.is_empty() {
            let names = [Some(&at.primal), at.shadow.as_ref()];
            let names: Vec<&str> = names.into_iter().flatten().map(String::as_str).collect();
            let begun = self.begin_made(node, &names);
            self.each_element(node, at, &at.primal, loops, |writer, at, loops| {
                for (name, part) in &node.parts {
                    let at = at.part(name);
                    let memory = (&part.extents, &at.shadow);
                    if let (true, (Some(extents), Some(shadow))) =
                        (part.storage != Storage::Plain, memory)
                    {
                        let shape = match extents.is_empty() {
                            true => String::new(),
                            false => format!("({})", extents.join(", ")),
                        };
                        writer.code.line(&format!("allocate ({shadow}{shape})"));
                    }
                    writer.seed(part, &at, independent, loops);
                }
            });
            self.end_types(begun);
            return;
        }
        let Some(shadow) = at.shadow(node.rank).filter(|_| node.is_continuous()) else { return };
        let given = self.request.given;
        match independent.has(&node.key) {
            true if given.names().next().is_some() => {
                match given.of(&node.key) {
                    Some(setting) => self.set(node, &shadow, setting),
                    None => self.code.line(&format!("{shadow} = 0")),
                }
                let of = &at.primal;
                let kind =
                    if matches!(node.base, Base::Real(4) | Base::Complex(4)) { 4 } else { 8 };
                self.code.line(&format!("{of} = {of} + real(oxad_moves(), {kind})*{shadow}"));
            }
            true => {
                let of = &at.primal;
                let size = match node.rank {
                    0 => format!("abs({of})"),
                    _ => format!("maxval(abs({of}))"),
                };
                self.code.line(&format!("call oxad_aim({of}, {shadow}, oxad_span({size}))"));
            }
            false => self.code.line(&format!("{shadow} = 0")),
        }
    }

    /// The adjoints before the call of an adjoint procedure.
    fn weights(&mut self) {
        let plan = self.request.plan;
        self.code.blank();
        self.code.comment("The adjoints before the call: weights of what is computed, else zero.");
        let dependent = |object: &Object| object.dependent != Chosen::None;
        for object in plan.objects.iter().filter(|object| object.shadow.is_some()) {
            if object.input || dependent(object) {
                self.about(&format!("{} weight", object.name));
                match is_allocated_by_head(object) {
                    true => self.weigh_as_shaped(object, &object.node, &At::of(object, false), 0),
                    false => self.weigh(object, &object.node, &At::of(object, false), 0),
                }
            }
        }
        self.code.line("if (oxad_mode == 'point') then");
        self.code.depth += 1;
        for object in plan.objects.iter().filter(|object| object.shadow.is_some()) {
            let (label, of) = match (dependent(object), begins_anywhere(object)) {
                (true, _) => ("weight", &object.dependent),
                (false, true) => ("start", &object.independent),
                (false, false) => continue,
            };
            let label = format!("{} {label}", object.name);
            let what = Put { label: &label, shadow: true, of };
            self.put(&object.node, &At::of(object, false), &what, 0);
        }
        self.code.depth -= 1;
        self.code.line("end if");
    }

    pub(super) fn weigh(&mut self, object: &Object, node: &Node, at: &At, loops: usize) {
        let dynamic = node.storage != Storage::Plain;
        // What the head allocates has no adjoint before the call.
        if dynamic && (node.extents.is_none() || (!object.input && loops > 0)) {
            return;
        }
        if !node.parts.is_empty() {
            let begun = self.begin_made(node, &[at.shadow.as_deref().unwrap_or_default()]);
            self.each_element(node, at, &at.primal, loops, |writer, at, loops| {
                for (name, part) in &node.parts {
                    writer.weigh(object, part, &at.part(name), loops);
                }
            });
            self.end_types(begun);
            return;
        }
        let Some(shadow) = at.shadow(node.rank).filter(|_| node.is_continuous()) else { return };
        if object.dependent.has(&node.key) {
            self.code.line(&format!("call oxad_weigh({shadow})"));
        } else if begins_anywhere(object) && object.independent.has(&node.key) {
            self.code.line(&format!("call oxad_start({shadow})"));
        } else {
            self.code.line(&format!("{shadow} = 0"));
        }
    }

    fn show_point(&mut self) {
        let plan = self.request.plan;
        self.code.blank();
        self.code.line("if (oxad_mode == 'point') then");
        self.code.depth += 1;
        for object in plan.objects.iter().filter(|object| object.input) {
            let at = At::of(object, false);
            self.put(
                &object.node,
                &at,
                &Put { label: &object.name, shadow: false, of: &Chosen::All },
                0,
            );
            if object.independent != Chosen::None && self.request.directions.is_none() {
                let label = format!("{} direction", object.name);
                self.put(
                    &object.node,
                    &at,
                    &Put { label: &label, shadow: true, of: &object.independent },
                    0,
                );
            }
        }
        self.code.depth -= 1;
        self.code.line("end if");
    }

    /// Writes the continuous parts of a variable, or of its derivative.
    fn put(&mut self, node: &Node, at: &At, what: &Put<'_>, loops: usize) {
        let there = match node.storage {
            Storage::Plain => None,
            Storage::Allocatable => Some("allocated"),
            Storage::Pointer => Some("associated"),
        };
        // The adjoint of what the head allocates has the shape that it has behind the call.
        let apart = what.shadow && self.request.plan.kind == Kind::Adjoint;
        if !node.parts.is_empty() || !node.types.is_empty() {
            let shadow = at.shadow.as_deref().unwrap_or(&at.primal);
            let (of, bounds) = if apart { (shadow, shadow) } else { (&*at.primal, &*at.primal) };
            if let Some(there) = there {
                self.code.line(&format!("if ({there}({of})) then"));
                self.code.depth += 1;
            }
            let name = if what.shadow { shadow } else { &at.primal };
            self.of_each_type(node, name, |writer, parts| {
                writer.each_element(node, at, bounds, loops, |writer, at, loops| {
                    for (name, part) in parts {
                        let label = format!("{}%{name}", what.label);
                        writer.put(part, &at.part(name), &Put { label: &label, ..*what }, loops);
                    }
                });
            });
            if there.is_some() {
                self.code.depth -= 1;
                self.code.line("end if");
            }
            return;
        }
        if !node.is_continuous() || !what.of.has(&node.key) {
            return;
        }
        let name = match what.shadow {
            true => at.shadow(node.rank),
            false => Some(at.primal.clone()),
        };
        let Some(name) = name else { return };
        self.code.line(&format!("call oxad_label('{}')", what.label));
        match there {
            Some(there) => {
                let of = if what.shadow && !at.lead { &name } else { &at.primal };
                self.code.line(&format!("if ({there}({of})) call oxad_put({name})"));
            }
            None => self.code.line(&format!("call oxad_put({name})")),
        }
    }

    fn calls(&mut self) {
        let plan = self.request.plan;
        self.code.blank();
        self.code.line("select case (oxad_mode)");
        self.code.line("case ('primal')");
        self.code.depth += 1;
        let head = format!("{}({})", plan.head.name, self.list(&plan.head.arguments));
        match plan.head.result {
            Some(result) => {
                let object = &plan.objects[result];
                let assign = if object.node.storage == Storage::Pointer { "=>" } else { "=" };
                self.code.line(&format!("{} {assign} {head}", object.name));
            }
            None => self.code.line(&format!("call {head}")),
        }
        self.code.depth -= 1;
        self.code.line(match plan.kind {
            Kind::Tangent => "case ('tangent')",
            Kind::Adjoint => "case ('adjoint', 'accumulate')",
        });
        self.code.depth += 1;
        let list = self.list(&plan.derivative.arguments);
        if self.request.validity {
            self.code.line("call validity_begin()");
        }
        self.code.line(&format!("call {}({list})", plan.derivative.name));
        if self.request.validity {
            self.interval();
        }
        self.code.depth -= 1;
        self.code.line("end select");
    }

    /// Writes the interval beside the results.
    fn interval(&mut self) {
        for line in [
            "call validity_end(oxad_interval)",
            "call get_command_argument(3, oxad_file)",
            "open (newunit=oxad_unit, file=trim(oxad_file)//'.validity', status='replace', action='write')",
            "write (oxad_unit, *) oxad_interval%gmin",
            "write (oxad_unit, *) oxad_interval%gmax",
            "write (oxad_unit, *) oxad_interval%tests",
            "write (oxad_unit, *) oxad_interval%moving",
            "write (oxad_unit, '(a)') trim(oxad_interval%at_min)",
            "write (oxad_unit, '(a)') trim(oxad_interval%at_max)",
            "close (oxad_unit)",
        ] {
            self.code.line(line);
        }
    }

    fn list(&self, arguments: &[Argument]) -> String {
        let objects = &self.request.plan.objects;
        let names: Vec<&str> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Object(index) => objects[*index].name.as_str(),
                Argument::Derivative(index) => objects[*index].shadow.as_deref().unwrap_or("?"),
                Argument::Procedure(name) => name.as_str(),
            })
            .collect();
        names.join(", ")
    }

    fn results(&mut self) {
        let plan = self.request.plan;
        self.code.blank();
        // An adjoint procedure need not leave what the head computes.
        self.code.line(match plan.kind {
            Kind::Tangent => "if (oxad_mode /= 'point') then",
            Kind::Adjoint => "if (oxad_mode == 'primal') then",
        });
        self.code.depth += 1;
        for object in plan.objects.iter().filter(|object| object.dependent != Chosen::None) {
            let what = Put { label: &object.name, shadow: false, of: &object.dependent };
            self.put(&object.node, &At::of(object, false), &what, 0);
            if plan.kind == Kind::Adjoint && is_allocated_by_head(object) {
                self.put_shape(&object.node, &object.name);
            }
        }
        self.code.depth -= 1;
        self.code.line("end if");
        self.code.line(match plan.kind {
            Kind::Tangent => "if (oxad_mode == 'tangent') then",
            Kind::Adjoint => "if (oxad_mode == 'adjoint' .or. oxad_mode == 'accumulate') then",
        });
        self.code.depth += 1;
        let lead = self.request.directions;
        if let Some(directions) = lead {
            self.code.line(&format!("do {TURN} = 1, {directions}"));
            self.code.depth += 1;
        }
        for object in &plan.objects {
            let of = match plan.kind {
                Kind::Tangent => &object.dependent,
                Kind::Adjoint => &object.independent,
            };
            if *of != Chosen::None {
                let at = At::of(object, lead.is_some());
                let label = format!("{}{DERIVATIVE}", object.name);
                self.put(&object.node, &at, &Put { label: &label, shadow: true, of }, 0);
            }
        }
        if lead.is_some() {
            self.code.depth -= 1;
            self.code.line("end do");
        }
        self.code.depth -= 1;
        self.code.line("end if");
    }
}

/// The null addresses that a variable and its components begin with.
fn nulls(node: &Node, add: &mut dyn FnMut(&str)) {
    if let Some(null) = node.null().filter(|_| node.is_chosen()) {
        add(null);
    }
    node.parts.iter().for_each(|(_, part)| nulls(part, add));
}

/// Whether the head may give an output other storage than it had before the call.
fn is_allocated_by_head(object: &Object) -> bool {
    let node = &object.node;
    let allocatable = node.storage == Storage::Allocatable;
    let is_new = match node.rank {
        0 => allocatable || allocated::has_allocatable(&node.parts),
        _ => allocatable && (node.parts.is_empty() || node.made().is_some()),
    };
    is_new && object.dependent != Chosen::None && object.shadow.is_some() && !object.only_read
}

/// Whether the adjoint of an object may begin at any number, to which the procedure adds.
fn begins_anywhere(object: &Object) -> bool {
    object.input && object.only_read && object.dependent == Chosen::None
}

/// `word` as a literal of type `base`.
fn literal(base: Base, word: &str) -> String {
    let real = |kind: u8, word: &str| {
        let word = word.trim().to_ascii_lowercase().replace('d', "e");
        let whole = !word.contains(['.', 'e']) && word.ends_with(|c: char| c.is_ascii_digit());
        format!("{word}{}_{kind}", if whole { ".0" } else { "" })
    };
    match base {
        Base::Real(kind) => real(kind, word),
        Base::Complex(kind) => {
            let inner = word.trim().strip_prefix('(').and_then(|word| word.strip_suffix(')'));
            match inner.and_then(|inner| inner.split_once(',')) {
                Some((re, im)) => format!("({}, {})", real(kind, re), real(kind, im)),
                None => format!("({}, {})", real(kind, word), real(kind, "0")),
            }
        }
        Base::Logical(_) => {
            let yes = word.trim_start_matches('.').to_ascii_lowercase().starts_with('t');
            if yes { ".true.".into() } else { ".false.".into() }
        }
        Base::Character(_) => {
            let text = word.trim_matches(['\'', '"']).replace('\'', "''");
            format!("'{text}'")
        }
        _ => word.trim().to_string(),
    }
}
