//! Runs the system's C preprocessor.
//!
//! It is `cpp -traditional-cpp`, which is there wherever gcc is and does what gfortran does by
//! itself (`gfortran -cpp` uses the same library in the same mode). `-undef` keeps macros such as
//! `unix` and `linux`, which are fine names in Fortran, from being replaced. As with gfortran, a
//! fixed-form line that grew beyond the line length is cut; other than gfortran, we warn.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use xaif_schema::diag::{Code, Diagnostic, Spot};

use super::{Reader, text};

/// What gfortran defines and code asks for.
const PREDEFINED: &[&str] = &["-D__GFORTRAN__=1", "-D__GNUC__=14", "-D_LANGUAGE_FORTRAN=1"];

/// The line number and file name of the line marker `# 12 "name" …`.
pub(super) fn marker(line: &str) -> Option<(u32, &str)> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest.get(..digits)?.parse().ok()?;
    let name = rest.get(digits..)?.trim_start().strip_prefix('"')?;
    Some((number, name.get(..name.find('"')?)?))
}

impl Reader<'_> {
    /// What cpp makes of `text`, the contents of the file called `name`.
    pub(super) fn preprocess(&mut self, name: &str, text: &str) -> Option<String> {
        match self.run_cpp(name, text) {
            Ok(expanded) => Some(expanded),
            Err(diagnostic) => {
                self.lines.diagnostics.push(*diagnostic);
                None
            }
        }
    }

    fn run_cpp(&self, name: &str, source: &str) -> Result<String, Box<Diagnostic>> {
        let spot = Spot::new(name, 0, 0);
        let failed = |error: std::io::Error| {
            Diagnostic::error(
                Code::CPP_FAILED,
                Some(spot.clone()),
                format!("cannot run cpp: {error}"),
            )
            .with_help("install the package cpp, which comes with gcc")
        };
        let mut child = self.cpp_command(name).spawn().map_err(failed)?;
        let stdin = child.stdin.take();
        // A thread writes, so that neither side waits for the other with a full pipe.
        let output = std::thread::scope(|scope| {
            scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(source.as_bytes())));
            child.wait_with_output()
        });
        let output = output.map_err(failed)?;
        if output.status.success() {
            return Ok(text::decode(&output.stdout));
        }
        let said = text::decode(&output.stderr);
        Err(Box::new(cpp_complaint(name, &said)))
    }

    fn cpp_command(&self, name: &str) -> Command {
        let mut command = Command::new("cpp");
        command.args(["-x", "c", "-traditional-cpp", "-undef", "-w"]).args(PREDEFINED);
        for define in &self.options.defines {
            command.arg(format!("-D{define}"));
        }
        for name in &self.options.undefines {
            command.arg(format!("-U{name}"));
        }
        let folder = Path::new(name).parent().filter(|folder| !folder.as_os_str().is_empty());
        command.arg("-I").arg(folder.unwrap_or(Path::new(".")));
        for dir in &self.options.include_dirs {
            command.arg("-I").arg(dir);
        }
        command.arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// The first complaint of cpp (`<stdin>:3:10: fatal error: …`) as a diagnostic.
fn cpp_complaint(name: &str, said: &str) -> Diagnostic {
    let complaint = said.lines().find(|line| line.contains("error:")).unwrap_or(said.trim());
    let mut fields = complaint.splitn(4, ':');
    let (file, line, column) = (fields.next(), fields.next(), fields.next());
    let number = |field: Option<&str>| field.and_then(|field| field.parse::<u32>().ok());
    let (spot, message) = match (file, number(line), number(column), fields.next()) {
        (Some(file), Some(line), Some(column), Some(message)) => {
            let file = if file == "<stdin>" { name } else { file };
            (Spot::new(file, line, column), message.trim())
        }
        _ => (Spot::new(name, 0, 0), complaint),
    };
    let message = message.trim_start_matches("fatal ").trim_start_matches("error: ");
    Diagnostic::error(Code::CPP_FAILED, Some(spot), format!("cpp: {message}"))
        .with_help("give the macros and include folders of the build with -D and -I")
}

#[cfg(test)]
mod tests {
    use super::marker;

    #[test]
    fn line_markers_are_read() {
        assert_eq!(marker("# 12 \"a.F\" 2"), Some((12, "a.F")));
        assert_eq!(marker("#line 3 \"b.h\""), Some((3, "b.h")));
        assert_eq!(marker("#define X"), None);
        assert_eq!(marker("# 99999999999 \"a\""), None);
    }
}
