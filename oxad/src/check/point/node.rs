//! Types and shapes of the variables of a driver, components included.
//!
//! A [`Node`] is a variable or a component: what it is made of, how it is allocated, what the user
//! has set for it. Shapes come from declarations and `--set`; one that nobody tells is an error
//! at the declaration.

use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};
use xaif_schema::model::{
    Attr, Base, CharLen, Decl, Dim, Document, ExprKind, Place, Role, ScopeKind, SymbolId, TypeSpec,
};

use super::bounds::{Known, NoValue};
use super::extents::{self, Open};
use super::initial::{Given, Kept};
use super::plan::{Home, Object, users_name};
use super::settings::{Setting, Settings};
use super::types::{MAX_DEPTH, components, concrete_types, offer};

/// The module of the types that hold addresses of C.
pub(crate) const C_MODULE: &str = "iso_c_binding";

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
    /// How many of the extents the check has chosen.
    pub(crate) open: usize,
    /// What is set for it.
    pub(crate) setting: Option<Setting>,
    /// Whether the driver leaves the value that the program gives it before the call.
    pub(crate) initialised: bool,
    /// The elements (first and last) that have no such value, where others of the array have.
    pub(crate) holes: Vec<(i64, i64)>,
    /// The components of a derived type that the driver can reach, by name.
    pub(crate) parts: Vec<(String, Node)>,
    /// Of an allocatable or pointer object of CLASS: the types that it may have behind the call.
    pub(crate) types: Vec<DynamicType>,
}

/// A type that an object of CLASS may have.
#[derive(Clone, Debug)]
pub(crate) struct DynamicType {
    /// Its module.
    pub(crate) module: String,
    /// Its name.
    pub(crate) name: String,
    /// Its components.
    pub(crate) parts: Vec<(String, Node)>,
    /// Whether the driver makes the object of it.
    pub(crate) made: bool,
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

    /// The value of what is not continuous where nothing is set for it; none for objects.
    pub(crate) fn default_value(&self) -> Option<&'static str> {
        match self.base {
            Base::Logical(_) => Some(".false."),
            Base::Character(_) => Some("' '"),
            Base::Derived(_) | Base::Class(_) => self.null(),
            _ => Some("1"),
        }
    }

    /// The null address, for what holds the address of C.
    pub(crate) fn null(&self) -> Option<&'static str> {
        let (module, name) = self.defined.as_ref()?;
        match (module.as_str(), name.as_str()) {
            (C_MODULE, "c_ptr") => Some("c_null_ptr"),
            (C_MODULE, "c_funptr") => Some("c_null_funptr"),
            _ => None,
        }
    }

    /// Whether the check chooses a value that is no random number.
    pub(crate) fn is_chosen(&self) -> bool {
        let there = self.storage == Storage::Plain || self.extents.is_some();
        let free = self.parts.is_empty() && self.setting.is_none() && !self.initialised;
        there && free && !self.is_continuous() && self.default_value().is_some()
    }

    /// The type that the driver gives an object of CLASS.
    pub(crate) fn made(&self) -> Option<&str> {
        self.types.iter().find(|ty| ty.made).map(|ty| ty.name.as_str())
    }

    /// The precision of its continuous parts: that of the least precise.
    pub(crate) fn epsilon(&self) -> f64 {
        let own = match self.base {
            Base::Real(4) | Base::Complex(4) => f64::from(f32::EPSILON),
            _ => f64::EPSILON,
        };
        let types = self.types.iter().flat_map(|ty| &ty.parts);
        self.parts.iter().chain(types).map(|(_, part)| part.epsilon()).fold(own, f64::max)
    }
}

/// Where the integer with these components of a variable sizes something.
pub(crate) type SizedAt<'s> = dyn Fn(SymbolId, &[SymbolId]) -> Option<Place> + 's;

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
    /// The integers that nobody may guess.
    pub(crate) sizing: &'b SizedAt<'b>,
    /// Which of the extensions of abstract types arguments have.
    pub(crate) turn: usize,
    /// The most extensions that an argument of abstract type has.
    pub(crate) turns: &'b mut usize,
    /// The extent that the check chooses where none is told.
    pub(crate) extent: i64,
    /// The extents that are not told.
    pub(crate) open: &'b mut Open,
    /// What else is missing.
    pub(crate) problems: &'b mut Diagnostics,
}

/// A variable of the driver or a component of one, on the way to its node.
#[derive(Clone, Copy)]
struct Part<'p> {
    symbol: SymbolId,
    /// What `--set` calls it.
    key: &'p str,
    /// The variable.
    object: &'p Object,
    /// The components from the variable to this one.
    path: &'p [SymbolId],
    /// The number of open extents of the arrays around it.
    outer: usize,
    /// Whether the driver gives it a value.
    given: bool,
}

impl Part<'_> {
    /// Whether it is a component, or the driver declares it.
    fn is_local(&self) -> bool {
        self.is_component() || self.object.home == Home::Driver
    }

    fn is_component(&self) -> bool {
        !self.path.is_empty()
    }
}

impl Builder<'_> {
    /// The node of a variable of the driver.
    pub(crate) fn variable(&mut self, object: &Object) -> Node {
        let (symbol, key) = (object.symbol, object.name.as_str());
        let node =
            self.node(&Part { symbol, key, object, path: &[], outer: 0, given: object.input });
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

    fn node(&mut self, part: &Part<'_>) -> Node {
        let doc = self.doc;
        let Some(decl) = doc.symbols[part.symbol].decl.as_deref() else {
            let message = "a variable without a declaration cannot be given a value";
            self.refuse(part.symbol, message);
            return Node::default();
        };
        let setting = self.settings.of(part.key).cloned();
        let storage = if decl.has(Attr::Pointer) {
            Storage::Pointer
        } else if decl.has(Attr::Allocatable) || self.is_absent(part, decl, setting.as_ref()) {
            Storage::Allocatable
        } else {
            Storage::Plain
        };
        let kept = match part.is_local() {
            true => Kept::Nothing,
            false => self.given.of(part.symbol).clone(),
        };
        let holes = match &kept {
            Kept::Elements { holes } if decl.dims.len() == 1 => holes.clone(),
            Kept::Elements { .. } | Kept::Nothing | Kept::All => Vec::new(),
        };
        let kept = kept != Kept::Nothing && holes.is_empty();
        let mut node = Node {
            key: part.key.to_string(),
            base: decl.spec.base(),
            rank: decl.dims.len(),
            storage,
            setting,
            holes,
            ..Node::default()
        };
        node.initialised = kept
            || !part.is_local() && decl.has(Attr::Protected)
            || part.is_component() && !node.is_continuous() && self.has_value(part, decl);
        node.extents = self.extents(part, decl, &mut node);
        self.type_of(part, decl, &mut node);
        self.check_values(part.symbol, &node);
        self.ask(part, &node);
        node
    }

    /// Whether `none` makes an argument absent: what is not allocated is passed for it (Fortran 2018, 15.5.2.12). An
    /// error where the variable cannot be none.
    fn is_absent(&mut self, part: &Part<'_>, decl: &Decl, setting: Option<&Setting>) -> bool {
        if setting != Some(&Setting::None) {
            return false;
        }
        let optional = decl.has(Attr::Optional);
        if !optional {
            let message = format!(
                "`{}` is neither OPTIONAL nor ALLOCATABLE nor a POINTER, so it cannot be none",
                part.key
            );
            self.problem(part.symbol, Code::BAD_SETTING, &message, String::new());
        }
        optional
    }

    /// Whether a component has a value before the driver gives it one: by its type or with its variable.
    fn has_value(&self, part: &Part<'_>, decl: &Decl) -> bool {
        decl.init.is_some() || *self.given.of(part.object.symbol) != Kept::Nothing
    }

    /// An error where an integer that nobody may guess is not told.
    fn ask(&mut self, part: &Part<'_>, node: &Node) {
        if !part.given || !node.is_chosen() || !matches!(node.base, Base::Integer(_)) {
            return;
        }
        let Some(place) = (self.sizing)(part.object.symbol, part.path) else { return };
        let key = users_name(&node.key);
        let value = match node.rank {
            0 => "10",
            1 => "[1,2,3]",
            _ => "FILE",
        };
        let message = format!("`{key}` is not set, and it sizes an array or bounds a loop");
        let help = format!("give it a value: --set {key}={value}");
        let spot = self.doc.spot(place);
        self.problem_seen(part.symbol, Code::MISSING_SETTING, &message, help, spot);
    }

    /// An error where the values that are set are not of the variable's type, or too many or few.
    fn check_values(&mut self, symbol: SymbolId, node: &Node) {
        let Some(Setting::Value { shape, words }) = &node.setting else { return };
        // The word is a type.
        if matches!(node.base, Base::Class(_)) {
            return;
        }
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
    fn extents(&mut self, part: &Part<'_>, decl: &Decl, node: &mut Node) -> Option<Vec<String>> {
        let dynamic = node.storage != Storage::Plain;
        // A component of an abstract type nobody can make without knowing its type.
        let unknown = dynamic && part.is_component() && self.is_abstract(decl);
        if node.setting == Some(Setting::None) || unknown {
            return None;
        }
        let set = self.settings.shape_of(&node.key);
        if let Some(shape) = &set
            && !(self.has_rank(part.symbol, node, shape)
                && (dynamic || self.has_shape(part.symbol, decl, node, shape)))
        {
            return None;
        }
        if !dynamic && (!part.is_local() || part.is_component()) {
            // The program declares it; the shape is only shown.
            let extent = |&dim| self.known.extent(self.doc, dim).ok();
            return decl.dims.iter().map(|dim| extent(dim).map(|n| n.to_string())).collect();
        }
        if let Some(shape) = set {
            self.open.told.extend(&shape);
            return Some(shape.iter().map(i64::to_string).collect());
        }
        if dynamic {
            let own = part.is_local() && part.given;
            // What a procedure computes it allocates; a pointer may point to nothing.
            let needed = own && (!part.is_component() || node.storage == Storage::Allocatable);
            return match (needed, node.rank) {
                (true, 0) => Some(Vec::new()),
                (true, rank) => {
                    (0..rank).map(|_| self.open_extent(part, node, " or =none")).collect()
                }
                (false, _) => None,
            };
        }
        decl.dims.iter().map(|&dim| self.extent(part, node, dim)).collect()
    }

    /// Whether a shape that is set has as many dimensions as the variable; an error where not.
    fn has_rank(&mut self, symbol: SymbolId, node: &Node, shape: &[i64]) -> bool {
        let found = shape.len();
        if found != node.rank {
            let message =
                format!("`{}` has {} dimensions, and --set gives {found}", node.key, node.rank);
            self.problem(symbol, Code::BAD_SETTING, &message, String::new());
        }
        found == node.rank
    }

    /// Whether a shape that is set is the declared one, as far as that is known; an error where not. A last extent
    /// of 1 is how Fortran 66 declares an array of any size.
    fn has_shape(&mut self, symbol: SymbolId, decl: &Decl, node: &Node, shape: &[i64]) -> bool {
        let declared: Vec<Option<i64>> =
            decl.dims.iter().map(|&dim| self.known.extent(self.doc, dim).ok()).collect();
        let last = declared.len().saturating_sub(1);
        let differs = declared.iter().zip(shape).enumerate().any(|(at, (declared, set))| {
            declared.is_some_and(|declared| declared != *set && !(at == last && declared == 1))
        });
        if differs {
            let list =
                |extents: &mut dyn Iterator<Item = String>| extents.collect::<Vec<_>>().join(", ");
            let declared = list(&mut declared.iter().map(|extent| match extent {
                Some(extent) => extent.to_string(),
                None => "*".to_string(),
            }));
            let set = list(&mut shape.iter().map(i64::to_string));
            let message = format!(
                "`{}` has the shape ({declared}) by its declaration, and --set gives ({set})",
                node.key
            );
            self.problem(symbol, Code::BAD_SETTING, &message, String::new());
        }
        !differs
    }

    fn extent(&mut self, part: &Part<'_>, node: &mut Node, dim: Dim) -> Option<String> {
        let doc = self.doc;
        match dim {
            Dim::AssumedShape { .. } | Dim::Deferred | Dim::AssumedSize { .. } => {
                return self.open_extent(part, node, "");
            }
            Dim::Explicit { .. } | Dim::AssumedRank => {}
        }
        match self.known.extent(doc, dim) {
            Ok(extent) => {
                if self.known.is_by_integers(doc, dim) {
                    self.open.told.insert(extent);
                }
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
                let missing = self.missing_shape(part.symbol, node, "");
                self.add_problem(missing);
                None
            }
        }
    }

    /// An extent that the declaration leaves open, and no setting gives: the check chooses it. The number of values in
    /// a file is not known.
    fn open_extent(&mut self, part: &Part<'_>, node: &mut Node, or: &str) -> Option<String> {
        let missing = self.missing_shape(part.symbol, node, or);
        if matches!(node.setting, Some(Setting::File(_))) {
            self.add_problem(missing);
            return None;
        }
        node.open += 1;
        self.open.add(missing, part.outer + node.open);
        Some(self.extent.to_string())
    }

    fn missing_shape(&self, symbol: SymbolId, node: &Node, or: &str) -> Diagnostic {
        extents::missing(&node.key, node.rank, or, self.spot(symbol))
    }

    /// The place of the declaration.
    fn spot(&self, symbol: SymbolId) -> Option<Spot> {
        let place = self.doc.symbols[symbol].decl.as_ref().map(|decl| decl.place);
        place.and_then(|place| self.doc.spot(place))
    }

    fn type_of(&mut self, part: &Part<'_>, decl: &Decl, node: &mut Node) {
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
            Base::Derived(of) => {
                self.derived(part, of, node);
                return;
            }
            Base::Class(of) if node.storage != Storage::Plain && !part.is_component() => {
                self.polymorphic(part, of, node);
                return;
            }
            Base::Class(of) => {
                match self.dynamic_type(part, of, node) {
                    Some(of) => self.derived(part, of, node),
                    None => node.setting = Some(Setting::None),
                }
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
                self.refuse(part.symbol, &message);
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

    /// The type that the driver gives an object of CLASS(`of`): the one that is set, `of` itself, or where that is
    /// abstract one of its extensions; none where it is left unallocated.
    fn dynamic_type(&mut self, part: &Part<'_>, of: SymbolId, node: &Node) -> Option<SymbolId> {
        let doc = self.doc;
        let key = &node.key;
        if node.storage != Storage::Plain && node.setting != Some(Setting::None) {
            return None;
        }
        let known = concrete_types(doc, of);
        if let Some(Setting::Value { words, .. }) = &node.setting {
            return self.named_type(part, of, words, &known);
        }
        if !doc.has(of, Attr::Abstract) {
            return Some(of);
        }
        if known.is_empty() {
            self.no_extension(part, key, of);
            return None;
        }
        *self.turns = (*self.turns).max(known.len());
        known.get(self.turn % known.len()).copied()
    }

    fn no_extension(&mut self, part: &Part<'_>, key: &str, of: SymbolId) {
        let base = self.doc.name(of);
        let message = format!(
            "`{key}` is of the abstract type `{base}`, and no type that extends it is given"
        );
        let help = "give the source of a type that extends it";
        self.problem(part.symbol, Code::NO_DRIVER, &message, help.into());
    }

    /// The type that a setting names; an error where it does not extend `of`.
    fn named_type(
        &mut self,
        part: &Part<'_>,
        of: SymbolId,
        words: &[String],
        known: &[SymbolId],
    ) -> Option<SymbolId> {
        let (doc, key) = (self.doc, users_name(part.key));
        let word = words.first().map_or("", |word| word.trim());
        let named = known.iter().copied().find(|&of| doc.name(of).eq_ignore_ascii_case(word));
        if named.is_none() {
            let base = doc.name(of);
            let message = format!("`{word}` is no type that extends `{base}`, the type of `{key}`");
            self.problem(part.symbol, Code::BAD_SETTING, &message, offer(doc, &key, known));
        }
        named
    }

    /// An allocatable or pointer object of CLASS(`of`). The driver makes it of the type that is set, or of each known
    /// one in turn; one that only the head gives a value begins without. Behind the call it may have any of them.
    fn polymorphic(&mut self, part: &Part<'_>, of: SymbolId, node: &mut Node) {
        let doc = self.doc;
        let Some((module, name)) = self.module_and_name(part, of) else { return };
        node.spec = format!("class({name})");
        node.defined = Some((module, name.to_ascii_lowercase()));
        let known = concrete_types(doc, of);
        if known.is_empty() && node.setting != Some(Setting::None) {
            self.no_extension(part, part.key, of);
            return;
        }
        let made = match &node.setting {
            Some(Setting::Value { words, .. }) => {
                let words = words.clone();
                self.named_type(part, of, &words, &known)
            }
            Some(Setting::None | Setting::File(_)) => None,
            None if node.extents.is_some() => {
                *self.turns = (*self.turns).max(known.len());
                known.get(self.turn % known.len()).copied()
            }
            None => None,
        };
        if made.is_some() && node.extents.is_none() && node.rank == 0 {
            node.extents = Some(Vec::new());
        }
        for of in known {
            let Some((module, name)) = self.module_and_name(part, of) else { return };
            // The driver makes no object of another type.
            let given = part.given && Some(of) == made;
            let parts = self.parts(&Part { given, ..*part }, of, node);
            if Some(of) == made {
                node.parts = parts.clone();
            }
            let name = name.to_ascii_lowercase();
            node.types.push(DynamicType { module, name, parts, made: Some(of) == made });
        }
    }

    /// The module and the name of a derived type; an error where no driver can name it.
    fn module_and_name(&mut self, part: &Part<'_>, of: SymbolId) -> Option<(String, String)> {
        let doc = self.doc;
        let name = doc.name(of).to_string();
        let ScopeKind::Module(module) = doc.scopes[doc.symbols[of].scope].kind else {
            let key = part.key;
            let message = format!("the type `{name}` of `{key}` is not defined in a module");
            self.refuse(part.symbol, &message);
            return None;
        };
        Some((doc.name(module).to_ascii_lowercase(), name))
    }

    fn derived(&mut self, part: &Part<'_>, of: SymbolId, node: &mut Node) {
        let Some((module, name)) = self.module_and_name(part, of) else { return };
        node.spec = format!("type({name})");
        node.defined = Some((module, name.to_ascii_lowercase()));
        // What is not there has no components.
        if node.setting != Some(Setting::None) {
            node.parts = self.parts(part, of, node);
        }
    }

    /// The components of an object of type `of`.
    fn parts(&mut self, part: &Part<'_>, of: SymbolId, node: &Node) -> Vec<(String, Node)> {
        let doc = self.doc;
        let mut parts = Vec::new();
        if part.path.len() >= MAX_DEPTH {
            return parts;
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
            let path: Vec<SymbolId> = part.path.iter().copied().chain([component]).collect();
            let inner = self.node(&Part {
                symbol: component,
                key: &key,
                object: part.object,
                path: &path,
                outer: part.outer + node.open,
                given: part.given,
            });
            parts.push((name, inner));
        }
        parts
    }

    fn refuse(&mut self, symbol: SymbolId, message: &str) {
        let help = "write a subroutine with simple arguments around it, and check that one";
        self.problem(symbol, Code::NO_DRIVER, message, help.into());
    }

    /// An error at the declaration of `symbol`, once.
    fn problem(&mut self, symbol: SymbolId, code: Code, message: &str, help: String) {
        self.problem_seen(symbol, code, message, help, None);
    }

    /// The same with the place where the value is needed.
    fn problem_seen(
        &mut self,
        symbol: SymbolId,
        code: Code,
        message: &str,
        help: String,
        needed: Option<Spot>,
    ) {
        let mut diagnostic = Diagnostic::error(code, self.spot(symbol), message);
        if needed.is_some() {
            diagnostic = diagnostic.with_note(needed, "here");
        }
        diagnostic.help = Some(help).filter(|help| !help.is_empty());
        self.add_problem(diagnostic);
    }

    fn add_problem(&mut self, diagnostic: Diagnostic) {
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
