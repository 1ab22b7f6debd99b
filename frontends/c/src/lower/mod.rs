//! From syntax trees to a document: declarations, then bodies.
//!
//! - `types`: types of C, as declarations write them;
//! - `declare`: file scope: typedefs, structures, variables, functions;
//! - `pointers`: how each function uses its pointers, before bodies are lowered;
//! - `expr`, `place`, `operator`, `call`: values and objects; `math`: functions of `math.h`;
//! - `effects`: assignments and increments within expressions, as statements at sequence points;
//! - `body`, `stmt`, `loops`: statements and flow graphs; `library`: functions of other headers;
//! - `init`: initialisers.
//!
//! All files of a program become one module: functions and variables of external linkage share one name space in C.

mod body;
mod call;
mod declare;
mod effects;
mod expr;
mod init;
mod library;
mod loops;
mod math;
mod nodes;
mod operator;
mod place;
mod pointers;
mod stmt;
mod types;

use std::collections::{BTreeMap, HashMap, HashSet};

use lang_c::span::{Node, Span};
use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Document, EntityRef, FileId, Language, Place, ProcId, ScopeId, SourceFile, SymbolId,
};

use crate::Unit;
use pointers::Usage;
use types::CType;

/// A construct was refused; the message has been reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refused;

/// The result of lowering something.
pub(crate) type Lowered<T> = Result<T, Refused>;

/// How a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// By value.
    Value,
    /// A pointer to the first of several elements.
    Array,
    /// A pointer to one object.
    Reference,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) ty: CType,
    pub(crate) passing: Passing,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) symbol: SymbolId,
    pub(crate) result: CType,
    pub(crate) params: Vec<Param>,
}

/// A pointer variable: an offset into an array.
#[derive(Clone, Debug)]
pub(crate) struct Walker {
    /// The name of the array that it points into.
    pub(crate) root: String,
    /// The variable of the offset.
    pub(crate) offset: SymbolId,
    /// The type of its target.
    pub(crate) target: CType,
}

/// What an identifier means.
#[derive(Clone, Debug)]
pub(crate) enum Entity {
    Typedef(CType),
    Enumerator(i64),
    /// A variable. A parameter that is passed by reference has the type of its target.
    Variable {
        symbol: SymbolId,
        ty: CType,
        passing: Option<Passing>,
    },
    /// An array that `malloc` allocates.
    Allocated {
        symbol: SymbolId,
        target: CType,
    },
    Walker(Walker),
    Function(Box<Function>),
    /// A function that a header of the system declares.
    System,
}

/// The state of a lowering.
pub(crate) struct Lowering<'a> {
    pub(crate) doc: Document,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) global: ScopeId,
    pub(crate) module: ScopeId,
    units: &'a [Unit],
    /// The unit that spans belong to.
    unit: usize,
    files: Vec<HashMap<usize, FileId>>,
    /// Names, the innermost scope last.
    pub(crate) scopes: Vec<HashMap<String, Entity>>,
    /// Tags of structures and their symbols, the innermost scope last.
    pub(crate) tags: Vec<HashMap<String, CType>>,
    /// Functions that a prototype makes static.
    pub(crate) private: HashSet<String>,
    /// How each defined function uses its parameters.
    pub(crate) usage: BTreeMap<String, Usage>,
    /// Names of a scope of the document that are taken.
    taken: HashMap<ScopeId, HashSet<String>>,
    /// The function whose body is lowered.
    pub(crate) flow: body::Flow,
}

/// The document of `units`, and what there is to say about them.
pub(crate) fn lower(units: &[Unit]) -> (Document, Diagnostics) {
    let mut lowering = Lowering::new(units);
    lowering.run();
    (lowering.doc, lowering.diagnostics)
}

impl<'a> Lowering<'a> {
    fn new(units: &'a [Unit]) -> Self {
        let mut doc = Document::new();
        let global = doc.global_scope().unwrap_or_else(|| ScopeId::new(0));
        let name = units.iter().find_map(|unit| unit.map.files.first()).map_or("", String::as_str);
        let stem = name.rsplit('/').next().unwrap_or(name);
        let stem = xaif_schema::names::legal(stem.trim_end_matches(".c"));
        let module = declare::module(&mut doc, global, &stem);
        Lowering {
            doc,
            diagnostics: Diagnostics::new(),
            global,
            module,
            units,
            unit: 0,
            files: vec![HashMap::new(); units.len()],
            scopes: vec![HashMap::new()],
            tags: vec![HashMap::new()],
            private: HashSet::new(),
            usage: BTreeMap::new(),
            taken: HashMap::new(),
            flow: body::Flow::new(module),
        }
    }

    fn run(&mut self) {
        self.usage = pointers::usage(self.units);
        let mut bodies = Vec::new();
        for index in 0..self.units.len() {
            self.unit = index;
            self.file_scope(&mut bodies);
        }
        for body in bodies {
            self.unit = body.unit;
            self.function_body(&body);
        }
        self.call_graph();
    }

    /// Where a span begins.
    pub(crate) fn place(&mut self, span: Span) -> Place {
        let units = self.units;
        let map = &units[self.unit].map;
        let origin = map.origin(span.start);
        let doc = &mut self.doc;
        let file = *self.files[self.unit].entry(origin.file).or_insert_with(|| {
            let path = map.files.get(origin.file).cloned().unwrap_or_default();
            let known = doc.files.iter().find(|(_, file)| file.path == path).map(|(id, _)| id);
            known.unwrap_or_else(|| doc.files.push(SourceFile { path, language: Language::C }))
        });
        Place { file: Some(file), line: origin.line, column: origin.column }
    }

    /// Whether a span stands in a header of the system.
    pub(crate) fn in_system(&self, span: Span) -> bool {
        self.units[self.unit].map.origin(span.start).system
    }

    /// Reports what is not supported.
    pub(crate) fn refuse<T>(&mut self, span: Span, message: &str, help: &str) -> Lowered<T> {
        self.refuse_by(Code::C_UNSUPPORTED, span, message, help)
    }

    /// Reports an error.
    pub(crate) fn refuse_by<T>(
        &mut self,
        code: Code,
        span: Span,
        message: &str,
        help: &str,
    ) -> Lowered<T> {
        let place = self.place(span);
        let spot = self.doc.spot(place);
        self.diagnostics.push(Diagnostic::error(code, spot, message).with_help(help));
        Err(Refused)
    }

    /// What a name means here.
    pub(crate) fn entity(&self, name: &str) -> Option<&Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Gives a name a meaning in the innermost scope.
    pub(crate) fn bind(&mut self, name: &str, entity: Entity) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), entity);
        }
    }

    /// A name that no other symbol of `scope` or of the module has.
    pub(crate) fn free_name(&mut self, scope: ScopeId, name: &str) -> String {
        let name = if name.starts_with('_') { format!("v{name}") } else { name.to_owned() };
        if scope != self.module {
            let module = self.taken.entry(self.module).or_default().clone();
            let own = self.taken.entry(scope).or_default();
            own.extend(module);
        }
        xaif_schema::names::unique(&name, self.taken.entry(scope).or_default())
    }
}

/// A function whose body waits.
pub(crate) struct Pending<'a> {
    unit: usize,
    definition: &'a Node<lang_c::ast::FunctionDefinition>,
    proc: ProcId,
    scope: ScopeId,
    result: CType,
    /// Parameters by name.
    names: HashMap<String, Entity>,
    usage: Usage,
}
