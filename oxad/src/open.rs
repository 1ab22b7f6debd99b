//! Derivatives of modules that hide their state: the sources that stand in the place of the user's.
//!
//! A derivative is tried with the modules as they are. Where it needs hidden entities the stage `xaif-expose` opens the
//! program first. The units of the finished derivative tell which entities they really name; these alone become
//! PUBLIC, in the text of the user's sources.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fortran_backend::{Layout, unparse};
use fortran_frontend::args::SourceArgs;
use fortran_frontend::expose::{ModuleRequest, UseRequest, exposed};
use xaif_booster::passes::End;
use xaif_booster::stages::OpenArgs;
use xaif_booster::transform::open::{Exposed, Needed, everything, expose, hide, needed};
use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Severity};
use xaif_schema::model::{Document, FileId, Place, Role, ScopeId, ScopeKind, SpecItem, SymbolId};
use xaif_schema::names::unique;

use crate::pipeline::{Options, PREPARE, Run, Stage, is_document};

/// A program that is differentiated.
pub(crate) struct Program {
    /// The program as it was read, where its modules hide something that a derivative could need.
    closed: Option<Document>,
    /// The program with the facts that all derivatives begin with.
    pub(crate) prepared: Document,
}

/// A finished derivative.
pub(crate) struct Derived {
    /// The program and its derivative.
    pub(crate) doc: Document,
    /// The hidden entities that it names.
    pub(crate) needed: Needed,
    /// Whether a pass behind which the run stops comes before its end.
    pub(crate) end: End,
}

/// A source that stands in the place of the user's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Opened {
    /// The user's file.
    pub(crate) source: PathBuf,
    /// The name of the file that takes its place.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Opened {
    /// Whether it includes files, which stand beside the user's source.
    fn includes(&self) -> bool {
        let text = String::from_utf8_lossy(&self.bytes);
        text.lines().any(|line| {
            let line = line.trim_start().trim_start_matches('#').trim_start();
            line.get(.."include".len()).is_some_and(|word| word.eq_ignore_ascii_case("include"))
        })
    }
}

impl Program {
    /// Applies the stages that all derivatives begin with to `doc`, as it was read.
    pub(crate) fn prepare(
        run: &mut Run<'_>,
        mut doc: Document,
        options: &Options,
    ) -> Result<(Program, End), Diagnostics> {
        let closed = (!everything(&doc).is_empty()).then(|| doc.clone());
        let end = run.apply(PREPARE, &mut doc, options)?;
        Ok((Program { closed, prepared: doc }, end))
    }

    /// Applies `stages` to `doc`, the prepared program; where its modules hide what they need, to the opened one.
    pub(crate) fn derive(
        &self,
        run: &mut Run<'_>,
        mut doc: Document,
        stages: &[Stage],
        options: &Options,
    ) -> Result<Derived, Diagnostics> {
        let outcome = run.apply(stages, &mut doc, options);
        let Some(closed) = &self.closed else {
            return outcome.map(|end| Derived { doc, needed: Needed::default(), end });
        };
        let (doc, end) = match outcome {
            Ok(end) => (doc, end),
            Err(found) if options.stages.closed || !is_about_hiding(&found) => return Err(found),
            Err(_) => opened_first(run, closed, stages, options)?,
        };
        let needed = match end {
            End::Finished => needed(&doc, closed),
            End::Stopped => Needed::default(),
        };
        // A part of a type that must stay hidden.
        let stuck = expose(&mut closed.clone(), &needed).warnings;
        if !stuck.is_empty() {
            let error = |found: Diagnostic| Diagnostic { severity: Severity::Error, ..found };
            return Err(stuck.into_iter().map(error).collect());
        }
        if options.stages.closed && !needed.is_empty() {
            return Err(refused(closed, &needed));
        }
        Ok(Derived { doc, needed, end })
    }

    /// Lets a derivative see those of `needed` and no other hidden entities.
    pub(crate) fn settle(&self, derived: &mut Derived, needed: &Needed) {
        let Some(closed) = self.closed.as_ref().filter(|_| !needed.is_empty()) else { return };
        hide(&mut derived.doc, &everything(closed).without(needed));
        expose(&mut derived.doc, needed);
    }

    /// The program with `needed` exposed; `None` where that is nothing.
    pub(crate) fn opened(&self, needed: &Needed) -> Option<Document> {
        let closed = self.closed.as_ref().filter(|_| !needed.is_empty())?;
        let mut opened = closed.clone();
        expose(&mut opened, needed);
        Some(opened)
    }

    /// The sources with `needed` exposed.
    pub(crate) fn sources(
        &self,
        needed: &Needed,
        files: &[PathBuf],
        args: &SourceArgs,
    ) -> Result<Vec<Opened>, Diagnostics> {
        let Some(closed) = self.closed.as_ref().filter(|_| !needed.is_empty()) else {
            return Ok(Vec::new());
        };
        let mut opened = closed.clone();
        let changes = expose(&mut opened, needed);
        let edited = if files.iter().any(|file| is_document(file)) {
            None
        } else {
            texts(&opened, &changes, files, args)
        };
        match edited {
            Some(sources) => Ok(sources),
            None => printed(&opened, &changes, files),
        }
    }

    /// The note about opened sources. `folder` is where they stand.
    pub(crate) fn note(&self, needed: &Needed, sources: &[Opened], folder: &Path) -> Diagnostics {
        let Some(closed) = self.closed.as_ref().filter(|_| !sources.is_empty()) else {
            return Diagnostics::new();
        };
        let stand_for = |opened: &Opened| {
            let path = folder.join(&opened.name);
            let path = path.strip_prefix(".").unwrap_or(&path);
            let place =
                format!("compile {} in the place of {}", path.display(), opened.source.display());
            match opened.source.parent().filter(|_| opened.includes()) {
                Some(folder) if folder.as_os_str().is_empty() => place + ", with -I.",
                Some(folder) => format!("{place}, with -I{}", folder.display()),
                None => place,
            }
        };
        let help: Vec<String> = sources.iter().map(stand_for).collect();
        let message =
            "the derivative needs what a module hides; a copy of its source has it PUBLIC";
        let mut note = Diagnostic::note(Code::MODULE_OPENED, None, message);
        for (symbol, what) in entities(closed, needed) {
            note = note.with_note(closed.spot(place_of(closed, symbol)), what);
        }
        [note.with_help(help.join("; "))].into_iter().collect()
    }
}

/// Whether an error says that a module hides something.
fn is_about_hiding(found: &Diagnostics) -> bool {
    let codes = [Code::HIDDEN_FROM_DERIVATIVE, Code::UNNAMED_VALUE];
    found.iter().any(|one| codes.contains(&one.code))
}

/// The derivative of the program behind `xaif-expose`.
fn opened_first(
    run: &mut Run<'_>,
    closed: &Document,
    stages: &[Stage],
    options: &Options,
) -> Result<(Document, End), Diagnostics> {
    let mut doc = closed.clone();
    let warnings = run.timed_on("xaif-expose", &mut doc, |doc| OpenArgs {}.apply(doc))?;
    let done =
        run.apply(PREPARE, &mut doc, options).and_then(|_| run.apply(stages, &mut doc, options));
    match done {
        Ok(end) => Ok((doc, end)),
        // The reasons why something stays hidden are of use now.
        Err(found) => {
            let mut all = warnings;
            all.extend(found);
            Err(all)
        }
    }
}

/// The entities with words for messages, in the order of their places.
fn entities(doc: &Document, needed: &Needed) -> Vec<(SymbolId, String)> {
    let Needed { names, parts, assigned } = needed;
    let mut all: Vec<(SymbolId, String)> = Vec::new();
    for &symbol in names.iter().chain(parts).chain(assigned.difference(names)) {
        let sort = match doc.role(symbol) {
            Some(Role::DerivedType { .. }) => "type",
            Some(Role::Binding { .. }) => "type-bound procedure",
            Some(Role::Procedure(_)) => "procedure",
            Some(Role::Constant) => "constant",
            Some(Role::Generic { .. }) => "generic name",
            Some(_) | None => "variable",
        };
        let name = doc.name(symbol);
        all.push((
            symbol,
            match owner(doc, symbol) {
                Owner::Type(ty) => format!("`{}%{name}`", doc.name(ty)),
                Owner::Module(module) => {
                    format!("{sort} `{name}` of module `{}`", doc.name(module))
                }
                Owner::Other => format!("{sort} `{name}`"),
            },
        ));
    }
    all.sort_by_key(|&(symbol, _)| {
        let place = place_of(doc, symbol);
        (place.file, place.line, place.column)
    });
    all
}

enum Owner {
    Type(SymbolId),
    Module(SymbolId),
    Other,
}

fn owner(doc: &Document, symbol: SymbolId) -> Owner {
    match doc.scopes[doc.symbols[symbol].scope].kind {
        ScopeKind::DerivedType(owner) => Owner::Type(owner),
        ScopeKind::Module(module) => Owner::Module(module),
        _ => Owner::Other,
    }
}

fn place_of(doc: &Document, symbol: SymbolId) -> Place {
    doc.symbols[symbol].decl.as_deref().map_or_else(Place::default, |decl| decl.place)
}

/// The refusal of a derivative that compiles only beside an opened module.
fn refused(closed: &Document, needed: &Needed) -> Diagnostics {
    let refusal = |(symbol, what): (SymbolId, String)| {
        let spot = closed.spot(place_of(closed, symbol));
        let message = format!("the derivative needs {what}, which the module hides");
        Diagnostic::error(Code::HIDDEN_FROM_DERIVATIVE, spot, message)
            .with_help("declare it PUBLIC, or leave out --closed")
    };
    entities(closed, needed).into_iter().map(refusal).collect()
}

/// The changes of one file.
#[derive(Default)]
struct Changes {
    modules: BTreeMap<ScopeId, ModuleRequest>,
    uses: Vec<UseRequest>,
}

/// Changes file by file; `None` where the file of one is not known.
fn by_file(doc: &Document, exposed: &Exposed) -> Option<BTreeMap<FileId, Changes>> {
    let mut files: BTreeMap<FileId, Changes> = BTreeMap::new();
    for &symbol in exposed.names.iter().chain(&exposed.assigned) {
        let request = module_request(doc, doc.symbols[symbol].scope, &mut files)?;
        let name = doc.name(symbol).to_owned();
        if exposed.names.contains(&symbol) {
            request.names.push(name.clone());
        }
        if exposed.assigned.contains(&symbol) && !request.assigned.contains(&name) {
            request.assigned.push(name);
        }
    }
    for &part in &exposed.parts {
        let ScopeKind::DerivedType(ty) = doc.scopes[doc.symbols[part].scope].kind else { continue };
        let request = module_request(doc, doc.symbols[ty].scope, &mut files)?;
        let (ty, name) = (doc.name(ty), doc.name(part).to_owned());
        match request.parts.iter_mut().find(|(known, _)| known == ty) {
            Some((_, names)) => names.push(name),
            None => request.parts.push((ty.to_owned(), vec![name])),
        }
    }
    for renaming in &exposed.renamings {
        let Place { file, line, column, .. } = renaming.place;
        let names = (renaming.local.clone(), renaming.remote.clone());
        let uses = &mut files.entry(file?).or_default().uses;
        match uses.iter_mut().find(|known| (known.line, known.column) == (line, column)) {
            Some(known) => known.names.push(names),
            None => {
                let module = doc.name(renaming.module).to_owned();
                uses.push(UseRequest { line, column, module, names: vec![names] });
            }
        }
    }
    Some(files)
}

fn module_request<'f>(
    doc: &Document,
    scope: ScopeId,
    files: &'f mut BTreeMap<FileId, Changes>,
) -> Option<&'f mut ModuleRequest> {
    let ScopeKind::Module(module) = doc.scopes[scope].kind else { return None };
    let file = doc.scopes[scope].place.file?;
    let modules = &mut files.entry(file).or_default().modules;
    let name = || ModuleRequest { module: doc.name(module).to_owned(), ..Default::default() };
    Some(modules.entry(scope).or_insert_with(name))
}

/// The user's texts with the changes; `None` where one cannot be changed so.
fn texts(
    doc: &Document,
    exposed_there: &Exposed,
    files: &[PathBuf],
    args: &SourceArgs,
) -> Option<Vec<Opened>> {
    let mut sources = Vec::new();
    for (file, changes) in by_file(doc, exposed_there)? {
        let path = Path::new(&doc.files[file].path);
        let source = files.iter().find(|one| one.as_path() == path)?;
        let modules: Vec<ModuleRequest> = changes.modules.into_values().collect();
        let bytes = exposed(source, &args.options(), &modules, &changes.uses).ok()?;
        let name = source.file_name()?.to_string_lossy().into_owned();
        sources.push(Opened { source: source.clone(), name, bytes });
    }
    Some(distinct(sources))
}

/// The changed files as the back end prints them.
fn printed(
    doc: &Document,
    exposed: &Exposed,
    files: &[PathBuf],
) -> Result<Vec<Opened>, Diagnostics> {
    let changed: Vec<FileId> =
        by_file(doc, exposed).map_or_else(Vec::new, |changes| changes.into_keys().collect());
    let mut sources = Vec::new();
    for (file, data) in doc.files.iter().filter(|(file, _)| changed.contains(file)) {
        let mut alone = doc.clone();
        let Some(global) = alone.global_scope() else { continue };
        for item in alone.scopes[global].items.clone() {
            if let SpecItem::Unit(unit) = item {
                alone.scopes[unit].provided |= alone.scopes[unit].place.file != Some(file);
            }
        }
        let path = Path::new(&data.path);
        let source = files.iter().find(|one| one.as_path() == path);
        let source = source.cloned().unwrap_or_else(|| path.to_path_buf());
        for (name, text) in unparse(&alone, Layout::PerFile)? {
            sources.push(Opened { source: source.clone(), name, bytes: text.into_bytes() });
        }
    }
    Ok(distinct(sources))
}

/// The same sources with a file name for each.
fn distinct(mut sources: Vec<Opened>) -> Vec<Opened> {
    let mut taken = std::collections::HashSet::new();
    for source in &mut sources {
        let path = Path::new(&source.name);
        let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let stem = unique(&stem, &mut taken);
        source.name = match path.extension() {
            Some(extension) => format!("{stem}.{}", extension.to_string_lossy()),
            None => stem,
        };
    }
    sources
}

/// Another name for each source whose name in `folder` is that of a source of the user.
pub(crate) fn beside(sources: &mut [Opened], folder: &Path) {
    for opened in sources {
        let there = folder.join(&opened.name).canonicalize().ok();
        if there.is_none() || there != opened.source.canonicalize().ok() {
            continue;
        }
        let path = PathBuf::from(&opened.name);
        let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
        opened.name = format!("{stem}_open.{}", extension.as_deref().unwrap_or("f90"));
    }
}
