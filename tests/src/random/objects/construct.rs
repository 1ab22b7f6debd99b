//! Constructs, and the choice among statements.

use super::super::program::Node;
use super::Generator;
use super::scope::{Datum, Object, Scope};
use super::types::TypeId;

/// How a statement is made: in a scope, with constructs nested at most so deep. None if there is
/// nothing to make it of.
type Form = fn(&mut Generator, &Scope, u32) -> Option<Vec<Node>>;

/// What statements there are, and how often.
const FORMS: &[(Form, f64)] = &[
    (Generator::scalar_assignment, 10.0),
    (Generator::array_assignment, 6.0),
    (Generator::integer_assignment, 3.0),
    (Generator::counted_loop, 5.0),
    (Generator::branches, 4.0),
    (Generator::cases, 1.0),
    (Generator::types, 6.0),
    (Generator::associate, 4.0),
    (Generator::bound_call, 10.0),
    (Generator::change, 5.0),
    (Generator::free_call, 7.0),
    (Generator::recursion, 6.0),
    (Generator::reallocation, 3.0),
    (Generator::polymorphic_assignment, 1.5),
    (Generator::object_assignment, 4.0),
    (Generator::swap, 2.0),
    (Generator::move_alloc, 3.0),
    (Generator::array_reallocation, 2.0),
    (Generator::association, 4.0),
    (Generator::array_association, 2.0),
    (Generator::components_assignment, 2.0),
    (Generator::while_loop, 1.0),
    (Generator::block, 0.6),
];

/// How often a statement is tried that is not there.
const TRIES: u32 = 40;

/// Longer lines are not taken.
const LONGEST: usize = 125;

/// A part of a SELECT TYPE construct.
#[derive(Clone, Copy)]
enum Guard {
    TypeIs(TypeId),
    ClassIs(TypeId),
    ClassDefault,
}

/// What an associate name stands for.
enum Selected {
    Real(Datum),
    Array(Datum),
    Object(Object),
}

fn too_long(node: &Node) -> bool {
    match node {
        Node::Line(line) => line.len() > LONGEST,
        Node::Block { arms, close } => {
            let headers = arms.iter().flat_map(|(header, _)| header.lines());
            headers.chain([close.as_str()]).any(|line| line.len() > LONGEST)
        }
    }
}

fn construct(header: String, body: Vec<Node>, close: impl Into<String>) -> Node {
    Node::Block { arms: vec![(header, body)], close: close.into() }
}

/// The construct whose first line stands before the header of the first part.
fn select(first: &str, mut arms: Vec<(String, Vec<Node>)>) -> Node {
    if let Some((header, _)) = arms.first_mut() {
        *header = format!("{first}\n{header}");
    }
    Node::Block { arms, close: "end select".into() }
}

impl Generator {
    /// How often each form is taken in this program.
    pub(super) fn tilt(&mut self) {
        self.weights =
            FORMS.iter().map(|(_, weight)| weight * self.dice.one([0.3, 1.0, 1.0, 2.5])).collect();
    }

    /// From `low` to `high` statements with what is nested in them.
    pub(super) fn body(&mut self, scope: &Scope, low: u32, high: u32, depth: u32) -> Vec<Node> {
        let count = self.dice.number(low, high);
        self.statements(scope, count, depth)
    }

    /// So many statements, nested at most `depth` deep; fewer once the procedure has enough.
    pub(super) fn statements(&mut self, scope: &Scope, count: u32, depth: u32) -> Vec<Node> {
        let (mut nodes, mut left): (Vec<Node>, u32) = (Vec::new(), count);
        for _ in 0..TRIES {
            if left == 0 {
                break;
            }
            let mut form = FORMS[self.dice.weighted(&self.weights)].0;
            if self.draft.budget == 0 {
                form = Generator::scalar_assignment;
                left = 1;
            }
            let scope = self.with_integer(scope);
            match form(self, &scope, depth) {
                Some(made) if !made.iter().any(too_long) => nodes.extend(made),
                Some(_) | None => continue,
            }
            left -= 1;
            self.draft.budget = self.draft.budget.saturating_sub(1);
        }
        if nodes.is_empty() {
            nodes.push(Node::Line("continue".into()));
        }
        nodes
    }

    /// Chooses an integer that may be a subscript.
    fn with_integer(&mut self, scope: &Scope) -> Scope {
        let mut scope = scope.clone();
        let integers = self.integers(&scope);
        if self.dice.chance(0.6) {
            scope.integers.extend(self.dice.any(&integers));
        }
        scope
    }

    /// A counted loop, perhaps with a name, CYCLE or EXIT.
    fn counted_loop(&mut self, scope: &Scope, depth: u32) -> Option<Vec<Node>> {
        if scope.counters.len() >= 2 || depth == 0 {
            return None;
        }
        let counter = format!("i{}", scope.counters.len() + 1);
        let name = self.dice.chance(0.3).then(|| self.draft.name("lp"));
        let mut inner = scope.clone();
        inner.counters.push(counter.clone());
        inner.repeated = true;
        let mut body = self.body(&inner, 1, 4, depth - 1);
        if self.dice.chance(0.35)
            && let Some(condition) = self.condition(&inner)
        {
            let word = self.dice.one(["cycle", "exit"]);
            let named = name.as_deref().filter(|_| self.dice.chance(0.6));
            let target = named.map(|name| format!(" {name}")).unwrap_or_default();
            let at = self.dice.number(0, body.len() as u32) as usize;
            body.insert(at, Node::Line(format!("if ({condition}) {word}{target}")));
        }
        let range = self.range(scope);
        let (before, behind) = match name {
            Some(name) => (format!("{name}: "), format!(" {name}")),
            None => (String::new(), String::new()),
        };
        let header = format!("{before}do {counter} = {range}");
        Some(vec![construct(header, body, format!("end do{behind}"))])
    }

    /// Values of a counter.
    fn range(&mut self, scope: &Scope) -> String {
        let integers = self.integers(scope);
        match self.dice.any(&integers) {
            Some(integer) if self.dice.chance(0.15) => format!("1, {}", integer.text),
            Some(_) | None => self.dice.one(["1, 3", "1, 3", "1, 2", "3, 1, -1", "2, 3"]).into(),
        }
    }

    /// DO WHILE with a counter of its own.
    fn while_loop(&mut self, scope: &Scope, depth: u32) -> Option<Vec<Node>> {
        if depth == 0 {
            return None;
        }
        let n = self.draft.name("n");
        self.draft.local(&n, format!("integer :: {n}"), Vec::new());
        let inner = Scope { repeated: true, ..scope.clone() };
        let mut body = vec![Node::Line(format!("{n} = {n} + 1"))];
        body.extend(self.body(&inner, 1, 3, depth - 1));
        let header = format!("do while ({n} < {})", self.dice.number(1, 3));
        Some(vec![Node::Line(format!("{n} = 0")), construct(header, body, "end do")])
    }

    fn branches(&mut self, scope: &Scope, depth: u32) -> Option<Vec<Node>> {
        if depth == 0 {
            return None;
        }
        let condition = self.condition(scope)?;
        let mut arms = vec![(format!("if ({condition}) then"), self.body(scope, 1, 3, depth - 1))];
        if self.dice.chance(0.2)
            && let Some(condition) = self.condition(scope)
        {
            let body = self.body(scope, 1, 2, depth - 1);
            arms.push((format!("else if ({condition}) then"), body));
        }
        if self.dice.chance(0.6) {
            arms.push(("else".into(), self.body(scope, 1, 3, depth - 1)));
        }
        Some(vec![Node::Block { arms, close: "end if".into() }])
    }

    /// SELECT CASE
    fn cases(&mut self, scope: &Scope, depth: u32) -> Option<Vec<Node>> {
        let mut integers: Vec<String> =
            self.integers(scope).into_iter().map(|datum| datum.text).collect();
        integers.extend(scope.counters.iter().cloned());
        let selector = self.dice.any(&integers).filter(|_| depth > 0)?;
        let mut values = ["(1)", "(2)", "(3)", "default"];
        self.dice.shuffle(&mut values);
        let mut arms = Vec::new();
        for value in values.iter().take(self.dice.number(1, 3) as usize) {
            arms.push((format!("case {value}"), self.body(scope, 1, 2, depth - 1)));
        }
        Some(vec![select(&format!("select case ({selector})"), arms)])
    }

    /// A name for something: some are names of components, too.
    fn associate_name(&mut self) -> String {
        if self.dice.chance(0.4) {
            self.dice.one(["a", "q", "z", "l"]).into()
        } else {
            self.draft.name("z")
        }
    }

    /// SELECT TYPE. What else denotes the object stays visible.
    fn types(&mut self, scope: &Scope, depth: u32) -> Option<Vec<Node>> {
        let objects = self.objects(scope, |object| object.polymorphic);
        let object = self.dice.any(&objects).filter(|_| depth > 0)?;
        let text = &object.text;
        let is_name = !text.contains(['%', '(']);
        let name =
            if is_name && self.dice.chance(0.5) { text.clone() } else { self.associate_name() };
        let selector = if name == *text { name.clone() } else { format!("{name} => {text}") };
        let mut arms = Vec::new();
        for guard in self.guards(object.ty) {
            let inner = guarded(scope, &name, &object, guard);
            let header = match guard {
                Guard::TypeIs(ty) => format!("type is ({})", self.types.name(ty)),
                Guard::ClassIs(ty) => format!("class is ({})", self.types.name(ty)),
                Guard::ClassDefault => "class default".into(),
            };
            arms.push((header, self.body(&inner, 1, 3, depth - 1)));
        }
        Some(vec![select(&format!("select type ({selector})"), arms)])
    }

    /// Some of the types that an object of this declared type can have.
    fn guards(&mut self, declared: TypeId) -> Vec<Guard> {
        let mut guards = Vec::new();
        let extensions = self.types.extensions(declared);
        for ty in &extensions {
            if !self.types.get(*ty).is_abstract && self.dice.chance(0.55) {
                guards.push(Guard::TypeIs(*ty));
            }
            if *ty != declared && self.dice.chance(0.3) {
                guards.push(Guard::ClassIs(*ty));
            }
        }
        if guards.is_empty() {
            let concrete = extensions.iter().filter(|ty| !self.types.get(**ty).is_abstract);
            let concrete: Vec<TypeId> = concrete.copied().collect();
            guards.extend(self.dice.any(&concrete).map(Guard::TypeIs));
        }
        self.dice.shuffle(&mut guards);
        guards.truncate(3);
        if self.dice.chance(0.5) || guards.is_empty() {
            guards.push(Guard::ClassDefault);
        }
        guards
    }

    /// ASSOCIATE
    fn associate(&mut self, scope: &Scope, depth: u32) -> Option<Vec<Node>> {
        if depth == 0 {
            return None;
        }
        let mut items: Vec<(String, String, Selected)> = Vec::new();
        for _ in 0..self.dice.number(1, 2) {
            let name = self.associate_name();
            if items.iter().all(|(own, ..)| *own != name)
                && let Some((text, selected)) = self.selected(scope, &name)
            {
                items.push((name, text, selected));
            }
        }
        let list: Vec<String> =
            items.iter().map(|(name, text, _)| format!("{name} => {text}")).collect();
        if list.is_empty() {
            return None;
        }
        let mut inner = Scope { fixed: true, ..scope.clone() };
        items.iter().for_each(|(name, ..)| inner.hide(name));
        for (_, _, selected) in items {
            match selected {
                Selected::Real(datum) => inner.reals.extend([datum.clone(), datum]),
                Selected::Array(datum) => inner.arrays.extend([datum.clone(), datum]),
                Selected::Object(object) => inner.objects.extend([object.clone(), object]),
            }
        }
        let body = self.body(&inner, 2, 4, depth - 1);
        let header = format!("associate ({})", list.join(", "));
        Some(vec![construct(header, body, "end associate")])
    }

    /// What a name may stand for, and how that is denoted.
    fn selected(&mut self, scope: &Scope, name: &str) -> Option<(String, Selected)> {
        let view = self.view(scope);
        let named = |datum: Datum| Datum { text: name.into(), allocatable: false, ..datum };
        match self.dice.number(0, 4) {
            0 if !view.reals.is_empty() => {
                let real = self.dice.any(&view.reals)?;
                Some((real.text.clone(), Selected::Real(named(real))))
            }
            1 if !view.arrays.is_empty() => {
                let array = self.dice.any(&view.arrays)?;
                if self.dice.chance(0.5) {
                    return Some((array.text.clone(), Selected::Array(named(array))));
                }
                let text = format!("{}({})", array.text, self.subscript(scope));
                Some((text, Selected::Real(named(array))))
            }
            2 => {
                let text = format!("{} + 0.1d0", self.expr_of(scope, &view, 2));
                Some((text, Selected::Real(Datum::own(name).read_only())))
            }
            _ => {
                let object = self.dice.any(&view.objects)?;
                let text = object.text.clone();
                let object = Object { text: name.into(), allocatable: false, ..object };
                Some((text, Selected::Object(object)))
            }
        }
    }

    /// BLOCK with an object of its own.
    fn block(&mut self, scope: &Scope, depth: u32) -> Option<Vec<Node>> {
        let plain = self.types.plain();
        let ty = self.dice.any(&plain).filter(|_| depth > 0)?;
        let name = self.draft.name("b");
        let mut body = Vec::new();
        let sources = self.objects(scope, |object| object.ty == ty);
        if let Some(source) = self.dice.any(&sources)
            && self.dice.chance(0.6)
        {
            body.push(Node::Line(format!("{name} = {}", source.text)));
        }
        let mut inner = scope.clone();
        inner.objects.push(Object::own(&name, ty));
        body.extend(self.body(&inner, 2, 3, depth - 1));
        // Whatever becomes of the rest, the object is used.
        let scalar = self.update(scope, &format!("{name}%v"));
        body.push(Node::Line(format!("{name}%v = {scalar}")));
        let header = format!("block\n  type({}) :: {name}", self.types.name(ty));
        Some(vec![construct(header, body, "end block")])
    }
}

/// The scope of a part of SELECT TYPE, in which `name` is the object with another type.
fn guarded(scope: &Scope, name: &str, object: &Object, guard: Guard) -> Scope {
    let mut inner = Scope { fixed: true, ..scope.clone() };
    inner.hide(name);
    let (ty, polymorphic) = match guard {
        Guard::TypeIs(ty) => (ty, false),
        Guard::ClassIs(ty) => (ty, true),
        Guard::ClassDefault => (object.ty, true),
    };
    let named = Object { text: name.into(), ty, polymorphic, allocatable: false, ..object.clone() };
    inner.objects.extend([named.clone(), named.clone(), named]);
    inner
}
