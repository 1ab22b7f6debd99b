//! Reads a document and writes it again: for trying the reader and writer by hand.
use xaif_schema::cli;
/// Copies a document.
#[derive(clap::Parser)]
struct Args {
    /// The document
    #[arg(default_value = "-")]
    input: String,
    #[command(flatten)]
    common: cli::CommonArgs,
}
fn main() -> std::process::ExitCode {
    cli::run(
        |args: &Args| &args.common,
        |args, console| {
            let doc = console.read_document(&args.input)?;
            console.write_document(&doc)
        },
    )
}
