//! The standard output as the process was given it.
//!
//! A process may begin without one (`f2xaif a.f90 >&-`). The runtime library opens `/dev/null` in its place before
//! `main`, and output would vanish without an error. So this is looked at before.

use std::io;

#[cfg(unix)]
mod begin {
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLOSED: AtomicBool = AtomicBool::new(false);

    #[ctor::ctor]
    fn look() {
        let closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
        CLOSED.store(closed, Ordering::Relaxed);
    }

    pub(super) fn is_closed() -> bool {
        CLOSED.load(Ordering::Relaxed)
    }
}

/// Writes to standard output by `fill`. A reader that has gone ends the process, as it ends other programs of a pipe.
///
/// # Errors
/// The process has no standard output, or the write fails.
pub(crate) fn write(fill: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> io::Result<()> {
    #[cfg(unix)]
    if begin::is_closed() {
        return Err(rustix::io::Errno::BADF.into());
    }
    let mut out = io::stdout().lock();
    match fill(&mut out).and_then(|()| io::Write::flush(&mut out)) {
        #[cfg(unix)]
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            let pipe = signal_hook::consts::SIGPIPE;
            signal_hook::low_level::emulate_default_handler(pipe).and(Err(error))
        }
        result => result,
    }
}
