//! Output: whole or not at all.
//!
//! A file is written beside its target under a temporary name, and takes its place when it is finished.
//! What a run has begun it takes back when it fails, or when a signal ends it.

use std::fs;
use std::io::{self, BufRead};
use std::path::{Component, Path, PathBuf};

use super::{Content, cannot_write, signals, standard};
use crate::diag::{Code, Diagnostic, Diagnostics, Spot};

/// How many bytes are written between two looks for a signal.
const CHUNK: usize = 1 << 20;

/// Writes `content` to `path`, or to standard output if there is none: whole or not at all.
pub fn write_output(path: Option<&Path>, content: &Content) -> Result<(), Diagnostics> {
    match path {
        Some(path) if path != Path::new("-") => {
            let write = signals::Write::begin();
            let fill: Fill<'_> = &|out| content.write(out);
            prepare(&write, path, fill)
                .and_then(|file| file.finish(path, fill))
                .map_err(|error| cannot_write(&path.display().to_string(), &error))
        }
        Some(_) | None => {
            signals::limit_is_an_error();
            let write = || content.check().and_then(|()| standard::write(|out| content.write(out)));
            write().map_err(|error| cannot_write("standard output", &error))
        }
    }
}

/// Writes the file `path` by renaming a finished temporary file beside it.
///
/// What is no regular file (`/dev/null`, a named pipe) is written directly. A symbolic link is
/// followed. A file that exists keeps its permissions and its owner, and is left alone if it is
/// read-only. A file that holds these bytes already is not touched.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let write = signals::Write::begin();
    let fill: Fill<'_> = &|out| out.write_all(bytes);
    prepare(&write, path, fill)?.finish(path, fill)
}

/// Writes several files, each as [`write_file`] does; where one of them cannot be written, none is.
///
/// All of them are finished beside their targets before the first takes its place. Folders that
/// do not exist are made; they are removed again where nothing is written.
pub fn write_files(files: &[(PathBuf, Vec<u8>)]) -> Result<(), Diagnostics> {
    let write = signals::Write::begin();
    let mut folders = Folders::default();
    let mut prepared = Vec::with_capacity(files.len());
    for (path, bytes) in files {
        let failed = |error| cannot_write(&path.display().to_string(), &error);
        if let Some(folder) = path.parent() {
            folders.make(folder).map_err(failed)?;
        }
        if path.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        let file = prepare(&write, path, &|out| out.write_all(bytes)).map_err(failed)?;
        prepared.push((path, bytes, file));
    }
    folders.keep();
    for (path, bytes, file) in prepared {
        file.finish(path, &|out| out.write_all(bytes))
            .map_err(|error| cannot_write(&path.display().to_string(), &error))?;
    }
    Ok(())
}

/// An error where one of `files` would replace one of `sources`; `help` is the way out.
///
/// The paths of sources may start from another folder, where an earlier stage was called. A file whose
/// path ends like that of such a source is taken for it.
pub fn spare_sources<'p>(
    sources: impl IntoIterator<Item = &'p Path>,
    files: &[(PathBuf, Vec<u8>)],
    help: &str,
) -> Result<(), Diagnostics> {
    let sources: Vec<Result<PathBuf, &Path>> =
        sources.into_iter().map(|path| path.canonicalize().map_err(|_| path)).collect();
    for (path, _) in files {
        let Ok(target) = path.canonicalize() else { continue };
        let is_target = |source: &Result<PathBuf, &Path>| match source {
            Ok(source) => *source == target,
            Err(source) => {
                let plain = |part: &Component<'_>| matches!(part, Component::Normal(_));
                let name: PathBuf = source.components().filter(plain).collect();
                source.is_relative() && target.ends_with(name)
            }
        };
        if sources.iter().any(is_target) {
            let spot = Spot::new(path.to_string_lossy(), 0, 0);
            let message = "this source would be replaced by what is generated";
            let diagnostic = Diagnostic::error(Code::WOULD_REPLACE_SOURCE, Some(spot), message);
            return Err(Diagnostics::from(diagnostic.with_help(help)));
        }
    }
    Ok(())
}

/// A file that is ready to take its place.
enum Prepared {
    /// A finished temporary file, closed, and what it is to become.
    Beside(tempfile::TempPath, PathBuf),
    /// The file has these bytes: its time stays, so that nothing that depends on it is made again.
    Unchanged,
    /// What must be written directly: no regular file, or one in a folder where none can be made.
    Directly,
}

impl Prepared {
    fn finish(self, path: &Path, fill: Fill<'_>) -> io::Result<()> {
        match self {
            Prepared::Beside(file, target) => file.persist(&target).map_err(|error| error.error),
            Prepared::Unchanged => Ok(()),
            Prepared::Directly => {
                // What has been read from a pipe cannot be taken back: errors come before.
                fill(&mut io::sink())?;
                fill(&mut fs::OpenOptions::new().write(true).truncate(true).open(path)?)
            }
        }
    }
}

/// Writes the content of a file; it may be called twice.
type Fill<'f> = &'f dyn Fn(&mut dyn io::Write) -> io::Result<()>;

/// Writes by chunks and looks for a signal before each.
struct Watched<'w, W> {
    write: &'w signals::Write,
    file: W,
}

impl<W: io::Write> io::Write for Watched<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write.go_on()?;
        self.file.write(&bytes[..bytes.len().min(CHUNK)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn prepare(write: &signals::Write, path: &Path, fill: Fill<'_>) -> io::Result<Prepared> {
    let target = target(path)?;
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(|meta| !meta.is_file()) {
        return Ok(Prepared::Directly);
    }
    if old.is_some() && holds(&target, fill) {
        return Ok(Prepared::Unchanged);
    }
    if let Some(old) = &old {
        // The superuser may write what is read-only, but hardly means to.
        if old.permissions().readonly() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
        }
        fs::OpenOptions::new().write(true).open(&target)?;
    }
    let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = match temporary_file(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && old.is_some() => {
            return Ok(Prepared::Directly);
        }
        made => made?,
    };
    fill(&mut Watched { write, file: &mut file })?;
    if let Some(old) = old {
        keep_owner(file.as_file(), &old);
        file.as_file().set_permissions(old.permissions())?;
    }
    write.go_on()?;
    // Closed, as a process may have few files open.
    Ok(Prepared::Beside(file.into_temp_path(), target))
}

/// Whether a file holds this content already.
fn holds(path: &Path, fill: Fill<'_>) -> bool {
    let Ok(file) = fs::File::open(path) else { return false };
    let mut old = Compared(io::BufReader::new(file));
    fill(&mut old).is_ok() && old.0.fill_buf().is_ok_and(<[u8]>::is_empty)
}

/// Takes the bytes that a file holds, and is at fault with others.
struct Compared<R>(R);

impl<R: BufRead> io::Write for Compared<R> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let old = self.0.fill_buf()?;
        let length = old.len().min(bytes.len());
        if old[..length] != bytes[..length] || old.is_empty() && !bytes.is_empty() {
            return Err(io::Error::other("the file holds something else"));
        }
        self.0.consume(length);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The file that `path` means: what a symbolic link leads to.
fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Ok(target) => Ok(target),
        Err(_) if fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink()) => {
            Err(io::Error::new(io::ErrorKind::NotFound, "the symbolic link leads nowhere"))
        }
        Err(_) => Ok(path.to_path_buf()),
    }
}

fn temporary_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".oxad-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The process's umask is taken away from this.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Gives `file` the owner of the file that it replaces, where the process may do so.
fn keep_owner(file: &fs::File, old: &fs::Metadata) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
    #[cfg(not(unix))]
    let _ = (file, old);
}

/// Folders that a run has made; without [`Folders::keep`] they are removed again.
#[derive(Debug, Default)]
struct Folders(Vec<PathBuf>);

impl Folders {
    /// Makes `folder` and those around it, as far as they do not exist.
    fn make(&mut self, folder: &Path) -> io::Result<()> {
        let missing = folder.ancestors().take_while(|folder| {
            !folder.as_os_str().is_empty() && fs::symlink_metadata(folder).is_err()
        });
        let missing: Vec<&Path> = missing.collect();
        for &folder in missing.iter().rev() {
            match fs::create_dir(folder) {
                Ok(()) => self.0.push(folder.to_path_buf()),
                // Somebody else has made it in the meantime.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
                Err(error) => return Err(error),
            }
        }
        // What is there may be no folder.
        fs::create_dir_all(folder)
    }

    fn keep(&mut self) {
        self.0.clear();
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            // A folder that somebody else uses stays.
            let _ = fs::remove_dir(folder);
        }
    }
}
