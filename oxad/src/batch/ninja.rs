//! The jobs as a ninja file.

use std::fmt::Write as _;
use std::path::Path;

use super::job::Job;
use crate::VERSION;
use crate::banner;
use crate::differentiate::RUNTIME;
use crate::files::plain;

/// The file. `config` is the configuration that it comes from, `own` the file itself.
pub(super) fn text(jobs: &[&Job], tape: Option<&Path>, config: &Path, own: &Path) -> String {
    let (config, own) = (config.to_string_lossy(), own.to_string_lossy());
    let again = ["batch", &config, "--ninja", &own].map(banner::quoted).join(" ");
    let mut text = format!("# Made by oxad {VERSION}: oxad {again}\n");
    text.push_str(concat!(
        "ninja_required_version = 1.5\n",
        "oxad = oxad\n\n",
        "rule oxad\n",
        "  command = $oxad $words --depfile $out.d && touch $out\n",
        "  depfile = $out.d\n",
        "  deps = gcc\n",
        "  description = oxad $unit\n",
    ));
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "rule file\n  command = $oxad {}\n  generator = 1\n  restat = 1\n",
        escaped(&again)
    );
    let _ = writeln!(text, "build {}: file {}", path(&own), path(&config));
    if let Some(folder) = tape {
        let files = RUNTIME.map(|(name, _)| path(&plain(&folder.join(name)).to_string_lossy()));
        let folder = banner::quoted(&folder.to_string_lossy());
        let _ = writeln!(text, "rule tape\n  command = $oxad runtime -o {}", escaped(&folder));
        let _ = writeln!(text, "build {}: tape", files.join(" "));
    }
    for job in jobs {
        let stamp = job.state("stamp");
        let stamp = path(&plain(&stamp).to_string_lossy());
        let sources: Vec<String> =
            job.sources.iter().map(|source| path(&source.to_string_lossy())).collect();
        let _ = writeln!(text, "\nbuild {stamp}: oxad {}", sources.join(" "));
        let _ = writeln!(text, "  words = {}", escaped(&job.shell()));
        let _ = writeln!(text, "  unit = {}", job.name);
        let _ = writeln!(text, "build {}: phony {stamp}", job.name);
    }
    text
}

/// A text as the value of a variable.
fn escaped(text: &str) -> String {
    text.replace('$', "$$")
}

/// A path of a build line.
fn path(path: &str) -> String {
    escaped(path).replace(' ', "$ ").replace(':', "$:")
}
