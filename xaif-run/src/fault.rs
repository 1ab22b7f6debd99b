//! What stops an execution: a fault with its place, or a STOP of the program itself.
//!
//! Inside the interpreter a fault is made without a place by whoever finds it and gets the place
//! of the expression or statement on its way out; only at the top does it become a diagnostic.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{Document, Place};

/// The result of everything that executes.
pub(crate) type Run<T> = Result<T, Box<Halt>>;

/// Whether a fault with this code is one of the program or of the values that it is given: no processor need execute
/// it. Others are limits of the interpreter, or of the document.
pub fn is_of_program(code: Code) -> bool {
    [
        Code::RUN_OUT_OF_BOUNDS,
        Code::RUN_UNDEFINED,
        Code::RUN_NOT_ALLOCATED,
        Code::RUN_ZERO_STEP,
        Code::RUN_SHAPE,
        Code::RUN_ARITHMETIC,
        Code::RUN_CONSTANT,
        Code::RUN_DANGLING,
        Code::RUN_ALLOCATED,
    ]
    .contains(&code)
}

/// Why execution does not go on.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The document or its inputs are at fault, or cannot be executed.
    Fault(Fault),
    /// The program has executed STOP; its text.
    Stop(String),
}

/// A problem on its way to the top.
#[derive(Debug)]
pub(crate) struct Fault {
    code: Code,
    message: String,
    place: Option<Place>,
    callers: Vec<(Place, String)>,
    help: Option<String>,
}

/// How many callers a message names.
const NAMED_CALLERS: usize = 8;

/// A fault as an error result.
pub(crate) fn fault<T>(code: Code, message: impl Into<String>) -> Run<T> {
    Err(raise(code, message))
}

/// A fault as an error.
pub(crate) fn raise(code: Code, message: impl Into<String>) -> Box<Halt> {
    Box::new(Halt::Fault(Fault {
        code,
        message: message.into(),
        place: None,
        callers: Vec::new(),
        help: None,
    }))
}

/// A refusal by name of what cannot be executed.
pub(crate) fn refuse<T>(what: impl AsRef<str>) -> Run<T> {
    fault(Code::RUN_UNSUPPORTED, format!("cannot execute {}", what.as_ref()))
}

/// What a fault learns on its way out.
pub(crate) trait Located<T> {
    /// Gives the fault its place, where it has none and `place` is known.
    fn at(self, place: Place) -> Run<T>;
    /// Notes that it came out of `procedure`, called at `place`.
    fn called(self, place: Place, procedure: &str) -> Run<T>;
    /// Adds a way out.
    fn help(self, help: &str) -> Run<T>;
}

impl<T> Located<T> for Run<T> {
    fn at(self, place: Place) -> Run<T> {
        self.map_err(|mut halt| {
            if let Halt::Fault(fault) = &mut *halt
                && fault.place.is_none()
                && !place.is_unknown()
            {
                fault.place = Some(place);
            }
            halt
        })
    }

    fn called(self, place: Place, procedure: &str) -> Run<T> {
        self.map_err(|mut halt| {
            if let Halt::Fault(fault) = &mut *halt
                && fault.callers.len() < NAMED_CALLERS
            {
                fault.callers.push((place, procedure.to_string()));
            }
            halt
        })
    }

    fn help(self, help: &str) -> Run<T> {
        self.map_err(|mut halt| {
            if let Halt::Fault(fault) = &mut *halt {
                fault.help.get_or_insert_with(|| help.to_string());
            }
            halt
        })
    }
}

impl Fault {
    /// Whether it has this code.
    pub(crate) fn is(&self, code: Code) -> bool {
        self.code == code
    }

    /// Says which variable the message is about, where it does not name one yet.
    pub(crate) fn about(&mut self, name: &str) {
        if !self.message.contains('`') {
            self.message = format!("`{name}`: {}", self.message);
        }
    }

    /// The fault as the user sees it.
    pub(crate) fn into_diagnostic(self, doc: &Document) -> Diagnostic {
        let spot = self.place.and_then(|place| doc.spot(place));
        let mut message = self.message;
        // A XAIF 1.0 document knows lines but no files.
        if let (None, Some(place)) = (&spot, self.place) {
            message = format!("{message} (line {})", place.line);
        }
        let mut diagnostic = Diagnostic::error(self.code, spot, message);
        for (place, procedure) in self.callers {
            diagnostic = diagnostic.with_note(doc.spot(place), format!("`{procedure}` was called"));
        }
        match self.help {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        }
    }
}
