//! The linearised computational graph of a run: one graph for all its assignments.
//!
//! An assignment makes a vertex of its left-hand side, each active operation inside its right-hand side
//! one more, and what the run reads before it writes it is an input. A value that lives behind the run
//! and is the last one of its place is an output; all others are intermediates. Without better facts
//! every value that may be read later has to be an output (paper 2, section 3.3).

use std::collections::{BTreeSet, HashMap, HashSet};

use elimination::{Draft, Graph, GraphError, Partial, Role};
use xaif_schema::model::{Base, Document, ExprId, ExprKind, Part, RefId, Subscript, Ty};

use super::places::PlaceId;
use super::runs::{Assignment, Run};
use super::shape::Form;
use booster_build::{Named, is_narrower, named_constant, nodes_of, promote, same_expr};
use booster_facts::{LocationId, Storage};
use booster_linearize::{Linearised, Node, Partial as Factor};

/// The graph of a run, with what its parts are in the program.
#[derive(Clone, Debug)]
pub(super) struct Local {
    /// The graph.
    pub(super) graph: Graph,
    /// What its vertices are.
    pub(super) vertices: Vec<Vertex>,
    /// What variables for the derivatives of its vertices would be.
    pub(super) forms: Vec<Form>,
    /// What its variables are.
    pub(super) coefficients: Vec<Coefficient>,
}

/// What a vertex is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vertex {
    /// The value of a place before the run.
    Input(PlaceId),
    /// A value inside an expression, or one that is no output.
    Inner,
    /// The value of a place behind the run.
    Output(PlaceId),
}

/// Among how many partial derivatives before it one is looked for that is the same.
const ALIKE: usize = 64;

/// A partial derivative that is known when the program runs.
#[derive(Clone, Debug)]
pub(super) struct Coefficient {
    /// What computes it.
    pub(super) value: ExprId,
    /// What a variable for it is.
    pub(super) form: Form,
    /// Where.
    pub(super) place: Computed,
    /// What a variable for it is called.
    pub(super) name: String,
    /// Whether it is 1 where an operand is chosen, and 0 elsewhere.
    pub(super) chooses: bool,
}

/// Where a partial derivative is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Computed {
    /// Before the statement of the run with this number: that or a later one overwrites what it reads.
    Before(usize),
    /// Behind the run.
    Behind,
    /// Nowhere: it is the value of a variable that stays what it is.
    Itself,
}

/// Makes the graph of `run`; `live` are the locations that live behind it. With `named`, a partial
/// derivative that is the value of a variable gets a variable of its own.
pub(super) fn graph(
    doc: &mut Document,
    storage: &Storage,
    run: &Run<'_>,
    live: &BTreeSet<LocationId>,
    named: bool,
) -> Result<Local, GraphError> {
    let mut maker = Maker {
        storage,
        run,
        writes: writes(run),
        inner: inner_name(doc, run),
        named,
        draft: Draft::new(),
        vertices: Vec::new(),
        forms: Vec::new(),
        called: Vec::new(),
        coefficients: Vec::new(),
        current: HashMap::new(),
        names: HashSet::new(),
        numbers: HashMap::new(),
    };
    maker.inputs(doc);
    for (number, item) in run.items.iter().enumerate() {
        if let Some(assignment) = &item.assignment {
            maker.assignment(doc, number, assignment);
        }
    }
    maker.outputs(live);
    let Maker { draft, vertices, forms, coefficients, .. } = maker;
    Ok(Local { graph: draft.finish()?, vertices, forms, coefficients })
}

/// What a variable for a part of an assignment is: all arrays in it have one shape.
fn form_of(ty: Ty, assignment: &Assignment<'_>) -> Form {
    Form { base: ty.base, shape: assignment.shape.filter(|_| ty.rank > 0) }
}

/// For each location the statements of a run that may overwrite it, in order.
fn writes(run: &Run<'_>) -> HashMap<LocationId, Vec<usize>> {
    let mut found: HashMap<LocationId, Vec<usize>> = HashMap::new();
    for (number, item) in run.items.iter().enumerate() {
        for &location in &item.writes {
            found.entry(location).or_default().push(number);
        }
    }
    found
}

/// What operations within expressions are called: `t`, as in the paper, unless a variable of the run is.
fn inner_name(doc: &Document, run: &Run<'_>) -> &'static str {
    let places = run.places.list.iter();
    let taken: HashSet<String> = places.map(|place| place_name(doc, place.reference)).collect();
    let free = |name: &&str| !taken.iter().any(|taken| taken.eq_ignore_ascii_case(name));
    ["t", "u", "v", "w"].into_iter().find(free).unwrap_or("inner")
}

/// `a_1` for `a(1)`, `b` for `v%b`.
fn place_name(doc: &Document, reference: RefId) -> String {
    let data = &doc.refs[reference];
    let mut name = doc.name(data.base).to_owned();
    for part in &data.parts {
        match part {
            Part::Component { name: component, .. } => name = component.to_string(),
            Part::Elements(list) => {
                let literals: Option<Vec<&str>> =
                    list.iter().map(|&one| literal(doc, one)).collect();
                for number in literals.into_iter().flatten() {
                    name.push('_');
                    name.push_str(number);
                }
            }
            Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => {}
        }
    }
    name
}

struct Maker<'a, 'c> {
    storage: &'a Storage,
    run: &'a Run<'c>,
    /// For each location the statements that may overwrite it.
    writes: HashMap<LocationId, Vec<usize>>,
    /// What operations within expressions are called.
    inner: &'static str,
    named: bool,
    draft: Draft,
    vertices: Vec<Vertex>,
    forms: Vec<Form>,
    /// The names of the vertices.
    called: Vec<String>,
    coefficients: Vec<Coefficient>,
    /// The vertex of the value that a place has.
    current: HashMap<PlaceId, u32>,
    /// Names of vertices and of variables.
    names: HashSet<String>,
    /// The last number that stands behind a name.
    numbers: HashMap<String, u32>,
}

impl<'c> Maker<'_, 'c> {
    /// A vertex for each place that is read before it is written.
    fn inputs(&mut self, doc: &Document) {
        let mut written: HashSet<PlaceId> = HashSet::new();
        for assignment in self.run.items.iter().filter_map(|item| item.assignment.as_ref()) {
            for &place in assignment.sources.iter().flatten() {
                if !written.contains(&place) && !self.current.contains_key(&place) {
                    let reference = self.run.places.list[place.0].reference;
                    let name = self.vertex_name(doc, reference);
                    let form = form_of(doc.refs[reference].ty, assignment);
                    let vertex = self.vertex(Role::Input, Vertex::Input(place), form, name);
                    self.current.insert(place, vertex);
                }
            }
            written.insert(assignment.target);
        }
    }

    fn vertex(&mut self, role: Role, vertex: Vertex, form: Form, name: String) -> u32 {
        self.vertices.push(vertex);
        self.forms.push(form);
        self.called.push(name.clone());
        self.draft.vertex(role, name)
    }

    fn assignment(&mut self, doc: &mut Document, number: usize, assignment: &Assignment<'c>) {
        let Linearised { nodes } = &assignment.graph;
        let mut of_node: Vec<u32> = Vec::with_capacity(nodes.len());
        let mut value = None;
        let whole = form_of(doc.refs[assignment.lhs].ty, assignment);
        for (index, node) in nodes.iter().enumerate() {
            if let Some(place) = assignment.sources[index] {
                let vertex = self.current.get(&place).copied();
                of_node.push(vertex.unwrap_or_default());
                continue;
            }
            let is_root = index + 1 == nodes.len();
            // What is spread over an array by the assignment is a number before.
            let form = form_of(doc.exprs[node.expr].ty, assignment);
            let is_value = is_root && form.shape == whole.shape;
            let name = match is_value {
                true => self.vertex_name(doc, assignment.lhs),
                false => self.fresh(self.inner),
            };
            let vertex = self.vertex(Role::Intermediate, Vertex::Inner, form, name);
            of_node.push(vertex);
            if is_value {
                value = Some(vertex);
            }
            self.edges(doc, (number, assignment, node), &of_node, vertex);
        }
        let vertex = value.unwrap_or_else(|| {
            // A copy of another variable or of a number, or a passive value.
            let name = self.vertex_name(doc, assignment.lhs);
            let vertex = self.vertex(Role::Intermediate, Vertex::Inner, whole, name);
            if let Some(&source) = of_node.last() {
                self.draft.edge_with(source, vertex, Partial::Constant(1.0));
            }
            vertex
        });
        self.current.insert(assignment.target, vertex);
    }

    /// The edges to the vertex of an operation.
    fn edges(
        &mut self,
        doc: &mut Document,
        (number, assignment, node): (usize, &Assignment<'c>, &Node<'c>),
        of_node: &[u32],
        target: u32,
    ) {
        let chooses = assignment.graph.chooses(doc, node);
        for &edge in &node.edges {
            let source = of_node[edge.source];
            let partial = match assignment.graph.factor(doc, node, edge) {
                // Maps and constructors are no part of a run.
                Factor::Zero | Factor::Map(_) | Factor::Item => continue,
                Factor::One => Partial::Constant(1.0),
                Factor::MinusOne => Partial::Constant(-1.0),
                Factor::Expr(value) => match constant(doc, value) {
                    Some(known) => Partial::Constant(known),
                    None => {
                        let base = doc.exprs[node.expr].ty.base;
                        let at = (number, assignment);
                        self.coefficient(doc, at, (value, base, chooses), (source, target))
                    }
                },
            };
            if partial != Partial::Constant(0.0) {
                self.draft.edge_with(source, target, partial);
            }
        }
    }

    fn coefficient(
        &mut self,
        doc: &Document,
        (number, assignment): (usize, &Assignment<'c>),
        (value, base, chooses): (ExprId, Base, bool),
        (source, target): (u32, u32),
    ) -> Partial {
        let own = doc.exprs[value].ty.base;
        let reads = nodes_of(doc, [value])
            .into_iter()
            .filter_map(|node| doc.exprs[node].reference())
            .flat_map(|reference| self.storage.locations_of(doc, reference));
        let writes: Vec<&[usize]> =
            reads.filter_map(|location| self.writes.get(&location)).map(|list| &list[..]).collect();
        let between = |from: usize, to: usize| {
            let first = |list: &&[usize]| list.get(list.partition_point(|&at| at < from)).copied();
            writes.iter().filter_map(first).any(|at| at < to)
        };
        let place = if between(number, usize::MAX) {
            Computed::Before(number)
        } else if matches!(own, Base::Real(_) | Base::Complex(_))
            // Two factors of a smaller kind would have a rounded product.
            && !is_narrower(own, base)
            && doc.exprs[value].reference().is_some()
            && !self.named
        {
            Computed::Itself
        } else {
            Computed::Behind
        };
        let ty = Ty { base: promote(own, base), rank: doc.exprs[value].ty.rank };
        let form = form_of(ty, assignment);
        // The same expression of the same operands is one value.
        let still = |known: Computed| match (known, place) {
            (Computed::Before(first), Computed::Before(_)) => !between(first, number),
            (_, _) => known == place,
        };
        let same = |known: &&Coefficient| {
            still(known.place)
                && known.form == form
                && known.chooses == chooses
                && same_expr(doc, known.value, value)
        };
        if place != Computed::Itself
            && !self.named
            && let Some(known) = self.coefficients.iter().rev().take(ALIKE).find(same)
        {
            return self.draft.variable(&known.name);
        }
        let name = |vertex: u32| &self.called[vertex as usize];
        let name = format!("c_{}_{}", name(target), name(source));
        let name = self.fresh(&name);
        let variable = self.draft.variable(&name);
        self.coefficients.push(Coefficient { value, form, place, name, chooses });
        variable
    }

    /// The last value of a place is an output, where it may be read behind the run.
    fn outputs(&mut self, live: &BTreeSet<LocationId>) {
        for (&place, &vertex) in &self.current {
            let lives = self.run.places.list[place.0]
                .locations
                .iter()
                .any(|location| live.contains(location));
            if self.vertices[vertex as usize] == Vertex::Inner && lives {
                self.vertices[vertex as usize] = Vertex::Output(place);
                self.draft.set_role(vertex, Role::Output);
            }
        }
    }

    /// A name for the value of a reference.
    fn vertex_name(&mut self, doc: &Document, reference: RefId) -> String {
        self.fresh(&place_name(doc, reference))
    }

    /// `wish`, or `wish_2` and so on where that is taken.
    fn fresh(&mut self, wish: &str) -> String {
        let mut name = wish.to_owned();
        while !self.names.insert(name.clone()) {
            let number = self.numbers.entry(wish.to_owned()).or_insert(1);
            *number += 1;
            name = format!("{wish}_{number}");
        }
        name
    }
}

/// A subscript that is a number which may stand in a name.
fn literal(doc: &Document, subscript: Subscript) -> Option<&str> {
    let Subscript::Index(index) = subscript else { return None };
    let ExprKind::Constant(constant) = &doc.exprs[index].kind else { return None };
    Some(&constant.text)
}

/// How deep constant expressions are looked into.
const DEEPEST: u32 = 16;

/// The value of an expression of literals and named constants, as the program computes it, where that is a
/// double or single precision number.
fn constant(doc: &Document, expr: ExprId) -> Option<f64> {
    evaluate(doc, expr, DEEPEST).filter(|value| value.is_finite())
}

fn evaluate(doc: &Document, expr: ExprId, depth: u32) -> Option<f64> {
    let depth = depth.checked_sub(1)?;
    let node = &doc.exprs[expr];
    let rounded = |value: f64| match node.ty.base {
        Base::Real(4) => Some(f64::from(value as f32)),
        Base::Real(8) => Some(value),
        // Only what has no rounding.
        Base::Integer(4) => (value.fract() == 0.0 && value.abs() < 1e6).then_some(value),
        _ => None,
    };
    if let ExprKind::Constant(constant) = &node.kind {
        let text = constant.text.to_lowercase().replace(['d', 'q'], "e");
        return text.parse().ok().and_then(rounded);
    }
    if let ExprKind::Ref(reference) = node.kind {
        let value = match named_constant(doc, reference)? {
            Named::Whole(number) => number as f64,
            Named::Init(init) => evaluate(doc, init, depth)?,
        };
        return rounded(value);
    }
    let ExprKind::Intrinsic { name, operands, .. } = &node.kind else { return None };
    let at = |position: u16| {
        let found = operands.iter().find(|operand| operand.position == position)?;
        evaluate(doc, found.expr, depth)
    };
    let value = match &**name {
        "minus_scal" => -at(1)?,
        "plus_scal" => at(1)?,
        "add_scal_scal" => at(1)? + at(2)?,
        "sub_scal_scal" => at(1)? - at(2)?,
        "mul_scal_scal" => at(1)? * at(2)?,
        "div_scal_scal" if matches!(node.ty.base, Base::Real(_)) => at(1)? / at(2)?,
        _ => return None,
    };
    rounded(value)
}
