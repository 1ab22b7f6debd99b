//! From syntax trees to a document: names are resolved, expressions typed, control flow made a graph.
//!
//! - `names/`: scopes and symbols: declarations, USE and host association, implicit typing,
//!   COMMON and EQUIVALENCE, generic interfaces. Fills scopes, symbols and specification items.
//! - `expr/`: expressions and references: call or array reference is decided, intrinsics are
//!   recognised, every node gets its type, integer constants are folded.
//! - `body/`: execution parts: statements, basic blocks, edges.
//! - `assumed`: dummy arrays that are larger than they say, `a(1)`;
//! - `tape`: calls of the tape of adjoints;
//! - `agreement`: whether calls pass what the dummy arguments take.
//!
//! All of them are methods of one [`Lowering`], each in its file. The lowering never fails: what it
//! cannot understand is carried opaquely, with a warning. What `names` offers to the others:
//!
//! - `lookup`, `lookup_or_declare`, `procedure_for_call`: a name in a scope; `lookup_own`;
//! - `type_of`, `signature`, `component`, `specifics`: what a symbol is;
//! - `open_scope`, `declare_index`, `declare_associate`, `block_spec`: constructs with own names;
//! - `type_spec`: types as written in expressions and statements;
//! - `late_spec`, `entries`: specification statements among executable ones.
//!
//! What `expr` and `body` offer: `expr(scope, &ast::Expr) -> ExprId`,
//! `reference(scope, &ast::Designator) -> RefId`, `fold_integer(ExprId) -> Option<i64>`,
//! `body(ProcId, ScopeId, &[ast::ExecItem]) -> Cfg`.

mod agreement;
mod assumed;
mod body;
mod expr;
mod names;
mod tape;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};
use xaif_schema::model::{
    Comment, CommentKind, Document, EntityRef, EntryPoint, FileId, Language, Place, ProcId,
    ScopeId, SecondaryMap, SourceFile, SymbolId,
};

use crate::syntax::ast;
pub(crate) use names::{Actual, Signature};
use names::{Pending, ScopeNames};

/// The document that `files` describe together, and what there is to say about them.
pub(crate) fn lower(files: &[ast::File]) -> (Document, Diagnostics) {
    let mut lowering = Lowering::new(files);
    lowering.run(files);
    lowering.tape_operations();
    lowering.assume_sizes();
    lowering.check_calls();
    lowering.check_definitions();
    lowering.check_interface_bodies();
    (lowering.doc, lowering.diagnostics)
}

/// The state of a lowering: the document under construction and what there is to say about it.
#[derive(Debug)]
pub(crate) struct Lowering<'a> {
    /// The document so far.
    pub(crate) doc: Document,
    /// What was found on the way.
    pub(crate) diagnostics: Diagnostics,
    /// The scope of program units and COMMON blocks.
    pub(crate) global: ScopeId,
    /// For each parsed file: the document's ids of the files that its places point into.
    files: Vec<Vec<FileId>>,
    /// The parsed file that places belong to at the moment.
    file: usize,
    /// Names by scope.
    names: SecondaryMap<ScopeId, ScopeNames<'a>>,
    /// What the source says about a symbol and has not been looked at yet.
    pending: SecondaryMap<SymbolId, Option<Box<Pending<'a>>>>,
    /// Arguments and results of ENTRY points.
    pub(crate) entries: HashMap<SymbolId, EntryPoint>,
    /// Modules, submodules and block data, in the order of the files.
    modules: Vec<(ScopeId, &'a ast::Unit)>,
    /// Procedures, hosts before what they contain; interface bodies are not among them.
    work: Vec<(&'a ast::Unit, ProcId)>,
    /// Intrinsic modules that are used.
    intrinsic_modules: HashMap<&'static str, (SymbolId, Option<ScopeId>)>,
    /// The specification parts of BLOCK constructs, by parsed file and place.
    blocks: HashMap<(usize, ast::Place), &'a [ast::SpecItem]>,
    /// Specification statements among executable ones that are done: parsed file and place.
    done: HashSet<(usize, ast::Place)>,
    /// AD directives that are not recorded yet: scope, parsed file, directive.
    directives: Vec<(ScopeId, usize, &'a ast::Directive)>,
    /// Separate module procedures by name.
    separate: HashMap<String, Vec<ProcId>>,
    /// How many pending symbols are being looked at, one for the sake of another.
    depth: u32,
}

impl<'a> Lowering<'a> {
    /// A lowering of `files`, before anything is lowered.
    pub(crate) fn new(files: &'a [ast::File]) -> Self {
        let doc = Document::new();
        let global = doc.global_scope().unwrap_or_else(|| ScopeId::new(0));
        let mut lowering = Lowering {
            doc,
            diagnostics: Diagnostics::new(),
            global,
            files: Vec::new(),
            file: 0,
            names: SecondaryMap::new(),
            pending: SecondaryMap::new(),
            entries: HashMap::new(),
            modules: Vec::new(),
            work: Vec::new(),
            intrinsic_modules: HashMap::new(),
            blocks: HashMap::new(),
            done: HashSet::new(),
            directives: Vec::new(),
            separate: HashMap::new(),
            depth: 0,
        };
        lowering.register_files(files);
        lowering
    }

    fn register_files(&mut self, files: &[ast::File]) {
        let mut known: HashMap<Arc<str>, FileId> = HashMap::new();
        for file in files {
            let language = if file.fixed { Language::FixedFortran } else { Language::FreeFortran };
            let mut ids = Vec::new();
            for path in &file.sources {
                let id = *known.entry(path.clone()).or_insert_with(|| {
                    self.doc.files.push(SourceFile { path: path.to_string(), language })
                });
                ids.push(id);
            }
            self.files.push(ids);
        }
    }

    /// A place of the syntax tree as the document has it.
    pub(crate) fn place(&self, place: ast::Place) -> Place {
        let file = self.files.get(self.file).and_then(|ids| ids.get(place.file as usize)).copied();
        Place { file, line: place.line, column: place.column }
    }

    /// A place of the syntax tree as messages have it.
    pub(crate) fn spot(&self, place: ast::Place) -> Option<Spot> {
        self.doc.spot(self.place(place))
    }

    /// Reports an error.
    pub(crate) fn error(
        &mut self,
        code: Code,
        place: ast::Place,
        message: impl Into<String>,
        help: &str,
    ) {
        let spot = self.spot(place);
        self.diagnostics.push(Diagnostic::error(code, spot, message).with_help(help));
    }

    /// Reports a warning.
    pub(crate) fn warn(
        &mut self,
        code: Code,
        place: ast::Place,
        message: impl Into<String>,
        help: &str,
    ) {
        let spot = self.spot(place);
        self.diagnostics.push(Diagnostic::warning(code, spot, message).with_help(help));
    }

    /// A comment line, directive or run of blank lines as the document has it.
    pub(crate) fn trivia(&self, trivia: &ast::Trivia) -> Comment {
        let place = self.place(trivia.place());
        let (text, kind) = match trivia {
            ast::Trivia::Comment(comment) => (comment.text.clone(), CommentKind::Text),
            ast::Trivia::Blank { .. } => ("".into(), CommentKind::Blank),
            ast::Trivia::Directive(directive) => {
                (directive_text(&directive.line).into(), CommentKind::Directive)
            }
        };
        Comment { text, trailing: false, kind, place }
    }

    /// A comment behind a statement.
    pub(crate) fn trailing(&self, comment: &ast::Comment) -> Comment {
        let place = self.place(comment.place);
        Comment { text: comment.text.clone(), trailing: true, kind: CommentKind::Text, place }
    }
}

/// A directive line without the character that makes it a comment.
fn directive_text(line: &str) -> &str {
    let mut characters = line.chars();
    characters.next();
    characters.as_str().trim_end()
}
