//! Types and shapes of the variables of a driver, components included.
//!
//! A [`Node`] is a variable or a component: what it is made of, how it is allocated, what the user
//! has set for it. Shapes come from declarations and `--set`; one that nobody tells is an error
//! at the declaration.

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Attr, Base, CharLen, Decl, Dim, Document, ExprKind, Role, ScopeKind, SymbolId, TypeSpec,
};

use super::bounds::{Known, NoValue};
use super::initial::{Given, Kept};
use super::plan::{Home, Object, users_name};
use super::settings::{Setting, Settings};

/// Types within types go no deeper in any program that a person wrote.
const MAX_DEPTH: usize = 16;

/// How a variable comes to its storage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Storage {
    /// By its declaration.
    #[default]
    Plain,
    /// ALLOCATABLE.
    Allocatable,
    /// POINTER.
    Pointer,
}

/// A variable or component.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// What `--set` calls it: `x`, `v%x`.
    pub(crate) key: String,
    /// The type of an element.
    pub(crate) base: Base,
    /// The same as a declaration writes it: `real(8)`, `type(t)`.
    pub(crate) spec: String,
    /// The module and name of a derived type.
    pub(crate) defined: Option<(String, String)>,
    /// Number of dimensions.
    pub(crate) rank: usize,
    /// How it comes to its storage.
    pub(crate) storage: Storage,
    /// The extents as text; `None` where nobody tells. What is not [`Storage::Plain`], and arrays
    /// that the driver declares, are allocated with them.
    pub(crate) extents: Option<Vec<String>>,
    /// What is set for it.
    pub(crate) setting: Option<Setting>,
    /// Whether the driver leaves the value that the program gives it before the call.
    pub(crate) initialised: bool,
    /// The elements (first and last) that have no such value, where others of the array have.
    pub(crate) holes: Vec<(i64, i64)>,
    /// The components of a derived type that the driver can reach, by name.
    pub(crate) parts: Vec<(String, Node)>,
}

impl Node {
    /// Whether it has derivatives itself (components aside).
    pub(crate) fn is_continuous(&self) -> bool {
        self.base.is_continuous()
    }

    /// Whether it, or a component of it, gets random numbers.
    pub(crate) fn is_drawn(&self) -> bool {
        match self.parts.as_slice() {
            [] => self.is_continuous() && self.setting.is_none() && !self.initialised,
            parts => parts.iter().any(|(_, part)| part.is_drawn()),
        }
    }

    /// The names by which `--set` may call it and its parts.
    pub(crate) fn keys(&self, keys: &mut Vec<String>) {
        keys.push(users_name(&self.key));
        self.parts.iter().for_each(|(_, part)| part.keys(keys));
    }

    /// The value of what is not continuous where nothing is set for it.
    pub(crate) fn default_value(&self) -> &'static str {
        match self.base {
            Base::Logical(_) => ".false.",
            Base::Character(_) => "' '",
            _ => "1",
        }
    }

    /// The precision of its continuous parts: that of the least precise.
    pub(crate) fn epsilon(&self) -> f64 {
        let own = match self.base {
            Base::Real(4) | Base::Complex(4) => f64::from(f32::EPSILON),
            _ => f64::EPSILON,
        };
        self.parts.iter().map(|(_, part)| part.epsilon()).fold(own, f64::max)
    }
}

/// Makes nodes.
pub(crate) struct Builder<'b> {
    /// Where the declarations are.
    pub(crate) doc: &'b Document,
    /// What is set.
    pub(crate) settings: &'b Settings,
    /// Values of integers; shapes are added.
    pub(crate) known: &'b mut Known,
    /// What the program itself gives a value.
    pub(crate) given: &'b Given,
    /// What is missing.
    pub(crate) problems: &'b mut Diagnostics,
}

impl Builder<'_> {
    /// The node of a variable of the driver.
    pub(crate) fn variable(&mut self, object: &Object) -> Node {
        let local = object.home == Home::Driver;
        let node = self.node(object.symbol, &object.name, local, object.input, 0);
        let shape: Option<Vec<i64>> = node
            .extents
            .as_ref()
            .and_then(|extents| extents.iter().map(|text| self.extent_value(text)).collect());
        if let Some(shape) = shape {
            self.known.shapes.insert(object.symbol, shape);
        }
        node
    }

    /// The value of an extent's text: a number, or the name of an integer that is set.
    fn extent_value(&self, text: &str) -> Option<i64> {
        text.parse().ok().or_else(|| self.settings.integer(text))
    }

    fn node(
        &mut self,
        symbol: SymbolId,
        key: &str,
        local: bool,
        input: bool,
        depth: usize,
    ) -> Node {
        let doc = self.doc;
        let Some(decl) = doc.symbols[symbol].decl.as_deref() else {
            self.refuse(symbol, "a variable without a declaration cannot be given a value");
            return Node::default();
        };
        let setting = self.settings.of(key).cloned();
        let storage = if decl.has(Attr::Pointer) {
            Storage::Pointer
        } else if decl.has(Attr::Allocatable) {
            Storage::Allocatable
        } else {
            Storage::Plain
        };
        let kept = if local { Kept::Nothing } else { self.given.of(symbol).clone() };
        let holes = match &kept {
            Kept::Elements { holes } if decl.dims.len() == 1 => holes.clone(),
            Kept::Elements { .. } | Kept::Nothing | Kept::All => Vec::new(),
        };
        let kept = kept != Kept::Nothing && holes.is_empty();
        let mut node = Node {
            key: key.to_string(),
            base: decl.spec.base(),
            rank: decl.dims.len(),
            storage,
            setting,
            initialised: !local
                && (kept || decl.has(Attr::Protected) || !decl.spec.base().is_continuous()),
            holes,
            ..Node::default()
        };
        node.extents = self.extents(symbol, decl, &node, local, input, depth);
        self.type_of(symbol, decl, &mut node, input, depth);
        self.check_values(symbol, &node);
        node
    }

    /// An error where the values that are set are not of the variable's type, or too many or few.
    fn check_values(&mut self, symbol: SymbolId, node: &Node) {
        let Some(Setting::Value { shape, words }) = &node.setting else { return };
        if let Some(word) = words.iter().find(|word| !is_value(node.base, word)) {
            let message =
                format!("`{word}` is no value for `{}`, which is {}", node.key, node.spec);
            self.problem(symbol, Code::BAD_SETTING, &message, String::new());
        }
        let extents: Option<Vec<i64>> = node
            .extents
            .as_ref()
            .and_then(|all| all.iter().map(|e| self.extent_value(e)).collect());
        let wanted = extents.map(|extents| extents.iter().product::<i64>());
        if let Some(wanted) =
            wanted.filter(|&wanted| !shape.is_empty() && wanted != words.len() as i64)
        {
            let message =
                format!("`{}` has {wanted} elements, and {} are set", node.key, words.len());
            self.problem(symbol, Code::BAD_SETTING, &message, String::new());
        }
    }

    fn is_abstract(&self, decl: &Decl) -> bool {
        let Base::Class(owner) = decl.spec.base() else { return false };
        self.doc.has(owner, Attr::Abstract)
    }

    /// The extents that the driver must give.
    fn extents(
        &mut self,
        symbol: SymbolId,
        decl: &Decl,
        node: &Node,
        local: bool,
        input: bool,
        depth: usize,
    ) -> Option<Vec<String>> {
        let dynamic = node.storage != Storage::Plain;
        // An object of an abstract type nobody can make without knowing its type.
        if node.setting == Some(Setting::None) || dynamic && self.is_abstract(decl) {
            return None;
        }
        if !dynamic && (!local || depth > 0) {
            // The program declares it; the shape is only shown.
            let extent = |&dim| self.known.extent(self.doc, dim).ok();
            return decl.dims.iter().map(|dim| extent(dim).map(|n| n.to_string())).collect();
        }
        if let Some(shape) = self.settings.shape_of(&node.key) {
            if shape.len() != node.rank {
                let found = shape.len();
                let message =
                    format!("`{}` has {} dimensions, and --set gives {found}", node.key, node.rank);
                self.problem(symbol, Code::BAD_SETTING, &message, String::new());
                return None;
            }
            return Some(shape.iter().map(i64::to_string).collect());
        }
        if dynamic {
            let own = local && input;
            // What a procedure computes it allocates; a pointer may point to nothing.
            let needed = own && (depth == 0 || node.storage == Storage::Allocatable);
            return match (needed, node.rank) {
                (true, 0) => Some(Vec::new()),
                (true, _) => {
                    self.missing_shape(symbol, node, " or =none");
                    None
                }
                (false, _) => None,
            };
        }
        decl.dims.iter().map(|&dim| self.extent(symbol, node, dim)).collect()
    }

    fn extent(&mut self, array: SymbolId, node: &Node, dim: Dim) -> Option<String> {
        let doc = self.doc;
        match self.known.extent(doc, dim) {
            Ok(extent) => {
                let name = named_extent(doc, dim).filter(|&s| self.known.integers.contains_key(&s));
                let name = name.map(|symbol| doc.name(symbol).to_ascii_lowercase());
                Some(name.unwrap_or_else(|| extent.to_string()))
            }
            Err(NoValue::Needs(symbol)) if is_scalar_integer(doc, symbol) => {
                let name = doc.name(symbol).to_ascii_lowercase();
                let message =
                    format!("`{name}` is part of the shape of `{}` and is not set", node.key);
                let help = format!("give it a value: --set {name}=10");
                self.problem(symbol, Code::MISSING_SETTING, &message, help);
                None
            }
            Err(NoValue::Needs(_) | NoValue::TooComplex) => {
                self.missing_shape(array, node, "");
                None
            }
        }
    }

    fn missing_shape(&mut self, symbol: SymbolId, node: &Node, or: &str) {
        let message = format!("the shape of `{}` is not told", node.key);
        let extents = vec!["10"; node.rank.max(1)].join(",");
        let help = format!("give it: --set {}:{extents}{or}", node.key);
        self.problem(symbol, Code::MISSING_SETTING, &message, help);
    }

    fn type_of(
        &mut self,
        symbol: SymbolId,
        decl: &Decl,
        node: &mut Node,
        input: bool,
        depth: usize,
    ) {
        node.spec = match node.base {
            Base::Integer(4) => "integer".into(),
            Base::Integer(kind) => format!("integer({kind})"),
            Base::Real(4) => "real".into(),
            Base::Real(8) => "real(8)".into(),
            Base::Complex(4) => "complex".into(),
            Base::Complex(8) => "complex(8)".into(),
            Base::Logical(4) => "logical".into(),
            Base::Logical(kind) => format!("logical({kind})"),
            Base::Character(1) => self.character(decl, node),
            Base::Derived(of) | Base::Class(of) => {
                self.derived(symbol, of, node, input, depth);
                return;
            }
            Base::Real(_)
            | Base::Complex(_)
            | Base::Unknown
            | Base::Void
            | Base::Unsigned(_)
            | Base::Character(_)
            | Base::ClassStar
            | Base::TypeStar
            | Base::Procedure
            | Base::Pointer(_) => {
                let message = format!("a driver cannot give `{}` a value of its type", node.key);
                self.refuse(symbol, &message);
                return;
            }
        };
    }

    fn character(&mut self, decl: &Decl, node: &Node) -> String {
        let len = match (&decl.spec, decl.char_len) {
            (_, Some(len)) => len,
            (TypeSpec::Character { len, .. }, None) => *len,
            _ => CharLen::One,
        };
        let longest = match &node.setting {
            Some(Setting::Value { words, .. }) => {
                words.iter().map(|word| word.trim_matches(['\'', '"']).len()).max()
            }
            Some(_) | None => None,
        };
        match len {
            CharLen::One => "character".into(),
            CharLen::Expr(expr) => {
                let len = self.known.integer(self.doc, expr).unwrap_or(1);
                format!("character(len={len})")
            }
            CharLen::Assumed => format!("character(len={})", longest.unwrap_or(1)),
            CharLen::Deferred => "character(len=:)".into(),
        }
    }

    fn derived(
        &mut self,
        symbol: SymbolId,
        of: SymbolId,
        node: &mut Node,
        input: bool,
        depth: usize,
    ) {
        let doc = self.doc;
        let name = doc.name(of).to_string();
        let ScopeKind::Module(module) = doc.scopes[doc.symbols[of].scope].kind else {
            let message = format!("the type `{name}` of `{}` is not defined in a module", node.key);
            self.refuse(symbol, &message);
            return;
        };
        node.spec = format!("type({name})");
        node.defined = Some((doc.name(module).to_string(), name));
        if depth >= MAX_DEPTH {
            return;
        }
        for component in components(doc, of) {
            let name = doc.name(component).to_ascii_lowercase();
            let key = format!("{}%{name}", node.key);
            let points = |symbol: SymbolId| doc.symbols[symbol].has(Attr::Pointer);
            // What a pointer to a type points to would have no end in a list.
            let derived = matches!(base_of(doc, component), Base::Derived(_) | Base::Class(_));
            if derived && points(component) {
                continue;
            }
            let part = self.node(component, &key, true, input, depth + 1);
            node.parts.push((name, part));
        }
    }

    fn refuse(&mut self, symbol: SymbolId, message: &str) {
        let help = "write a subroutine with simple arguments around it, and check that one";
        self.problem(symbol, Code::NO_DRIVER, message, help.into());
    }

    /// An error at the declaration of `symbol`, once.
    fn problem(&mut self, symbol: SymbolId, code: Code, message: &str, help: String) {
        let place = self.doc.symbols[symbol].decl.as_ref().map(|decl| decl.place);
        let spot = place.and_then(|place| self.doc.spot(place));
        let mut diagnostic = Diagnostic::error(code, spot, message);
        diagnostic.help = Some(help).filter(|help| !help.is_empty());
        let known = self.problems.iter().any(|known| match &known.help {
            Some(help) => Some(help) == diagnostic.help.as_ref(),
            None => known.message == diagnostic.message,
        });
        if !known {
            self.problems.push(diagnostic);
        }
    }
}

/// Whether `word` can be given to a variable of this type.
fn is_value(base: Base, word: &str) -> bool {
    let real =
        |word: &str| word.trim().to_ascii_lowercase().replace('d', "e").parse::<f64>().is_ok();
    match base {
        Base::Integer(_) => word.trim().parse::<i64>().is_ok(),
        Base::Real(_) => real(word),
        Base::Complex(_) => {
            let inner = word.trim().strip_prefix('(').and_then(|word| word.strip_suffix(')'));
            let pair = inner.and_then(|inner| inner.split_once(','));
            pair.map_or_else(|| real(word), |(re, im)| real(re) && real(im))
        }
        Base::Logical(_) => {
            let first = word.trim_start_matches('.').chars().next();
            first.is_some_and(|first| "tfTF".contains(first))
        }
        Base::Character(_) => true,
        _ => false,
    }
}

/// The integer variable that alone is the upper bound of a dimension which begins at 1.
fn named_extent(doc: &Document, dim: Dim) -> Option<SymbolId> {
    let Dim::Explicit { lower: None, upper } = dim else { return None };
    match &doc.exprs[upper].kind {
        ExprKind::Ref(reference) if doc.refs[*reference].parts.is_empty() => {
            Some(doc.refs[*reference].base)
        }
        _ => None,
    }
}

fn is_scalar_integer(doc: &Document, symbol: SymbolId) -> bool {
    doc.symbols[symbol].decl.as_ref().is_some_and(|decl| {
        matches!(decl.role, Role::Variable)
            && decl.dims.is_empty()
            && matches!(decl.spec.base(), Base::Integer(_))
    })
}

fn base_of(doc: &Document, symbol: SymbolId) -> Base {
    doc.symbols[symbol].decl.as_ref().map_or(Base::Unknown, |decl| decl.spec.base())
}

/// The components of a type that are not private, inherited ones first.
fn components(doc: &Document, of: SymbolId) -> Vec<SymbolId> {
    let mut types = vec![of];
    while let Some(&last) = types.last()
        && let Some(Role::DerivedType { extends: Some(parent), .. }) = doc.role(last)
        && types.len() < MAX_DEPTH
    {
        types.push(*parent);
    }
    let mut found = Vec::new();
    for of in types.into_iter().rev() {
        let Some(Role::DerivedType { scope, .. }) = doc.role(of) else { continue };
        let attrs = |symbol: SymbolId| doc.symbols[symbol].decl.as_ref().map(|decl| &decl.attrs);
        let private = attrs(of).is_some_and(|attrs| attrs.contains(&Attr::PrivateComponents));
        for &symbol in &doc.scopes[*scope].symbols {
            let Some(attrs) = attrs(symbol) else { continue };
            let hidden =
                attrs.contains(&Attr::Private) || private && !attrs.contains(&Attr::Public);
            if matches!(doc.role(symbol), Some(Role::Variable)) && !hidden {
                found.push(symbol);
            }
        }
    }
    found
}
