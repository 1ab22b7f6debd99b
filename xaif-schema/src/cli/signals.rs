//! Signals that end the process while files are written.
//!
//! Half-finished temporary files must not stay behind. A signal to end waits until the write that is
//! under way has been undone or finished, and ends the process then. Outside of writes a signal has its
//! default effect at once. A file that exceeds the limit of the process (`ulimit -f`) is an error of the
//! write, and no signal.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

/// What is installed once for the process.
struct Installed {
    /// Whether nobody writes: signals have their default effect.
    idle: Arc<AtomicBool>,
    /// The last signal that came during a write; 0 is none.
    pending: Arc<AtomicUsize>,
    /// How many writes are under way.
    writes: AtomicUsize,
}

static INSTALLED: LazyLock<Installed> = LazyLock::new(install);

fn install() -> Installed {
    let idle = Arc::new(AtomicBool::new(true));
    let pending = Arc::new(AtomicUsize::new(0));
    for signal in ending_signals() {
        // A signal that cannot be handled keeps its default effect.
        let _ = signal_hook::flag::register_conditional_default(signal, Arc::clone(&idle));
        if let Ok(value) = usize::try_from(signal) {
            let _ = signal_hook::flag::register_usize(signal, Arc::clone(&pending), value);
        }
    }
    #[cfg(unix)]
    {
        // With any handler, a write beyond the limit fails with EFBIG.
        let nobody = Arc::new(AtomicBool::new(false));
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, nobody);
    }
    Installed { idle, pending, writes: AtomicUsize::new(0) }
}

/// The signals that end a process, without those that its caller has told it to ignore (`nohup`).
fn ending_signals() -> Vec<i32> {
    #[cfg(unix)]
    let all = [
        signal_hook::consts::SIGINT,
        signal_hook::consts::SIGTERM,
        signal_hook::consts::SIGQUIT,
        signal_hook::consts::SIGHUP,
    ];
    #[cfg(not(unix))]
    let all = [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM];
    let ignored = ignored();
    all.into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0).collect()
}

/// The mask of the signals that are ignored, as far as the system tells.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// From now on a write beyond the limit of the process is an error.
pub(super) fn limit_is_an_error() {
    LazyLock::force(&INSTALLED);
}

/// A write that is under way. As it ends, a signal that has come in the meantime has its effect: what
/// undoes the write must be dropped before this.
#[derive(Debug)]
pub(super) struct Write(());

impl Write {
    /// A write begins.
    pub(super) fn begin() -> Self {
        INSTALLED.writes.fetch_add(1, Ordering::SeqCst);
        INSTALLED.idle.store(false, Ordering::SeqCst);
        Write(())
    }

    /// An error if a signal wants the process to end.
    pub(super) fn go_on(&self) -> io::Result<()> {
        match INSTALLED.pending.load(Ordering::SeqCst) {
            0 => Ok(()),
            _ => Err(io::Error::new(io::ErrorKind::Interrupted, "a signal ends the process")),
        }
    }
}

impl Drop for Write {
    fn drop(&mut self) {
        if INSTALLED.writes.fetch_sub(1, Ordering::SeqCst) > 1 {
            return;
        }
        INSTALLED.idle.store(true, Ordering::SeqCst);
        let signal = INSTALLED.pending.load(Ordering::SeqCst);
        if let Some(signal) = i32::try_from(signal).ok().filter(|&signal| signal != 0) {
            // The process ends here.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    }
}
