//! `oxad completions`, `oxad man`: scripts for shells and manual pages, made of the command lines themselves.

use std::path::PathBuf;

use clap_complete::{Shell, generate};
use clap_mangen::Man as Page;
use xaif_schema::cli;
use xaif_schema::diag::Diagnostics;

use crate::commands::programs;

/// The arguments of `oxad completions`.
#[derive(clap::Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    /// Prints one script for all programs.
    pub(crate) fn run(&self) -> Result<(), Diagnostics> {
        let mut script = Vec::new();
        for mut command in programs() {
            let name = command.get_name().to_owned();
            generate(self.shell, &mut command, name, &mut script);
        }
        cli::write_output(None, &script.into())
    }
}

/// The arguments of `oxad man`.
#[derive(clap::Args)]
pub(crate) struct Man {
    /// The folder, which is made where it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Man {
    /// Writes a page for each program and for each command of the driver.
    pub(crate) fn run(&self) -> Result<(), Diagnostics> {
        let mut pages = Vec::new();
        for mut command in programs() {
            command.build();
            self.pages(&command, &mut pages)?;
        }
        cli::write_files(&pages)
    }

    fn pages(
        &self,
        command: &clap::Command,
        pages: &mut Vec<(PathBuf, Vec<u8>)>,
    ) -> Result<(), Diagnostics> {
        let full = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
        let path = self.folder.join(format!("{full}.1"));
        let failed = |error| cli::cannot_write(&path.display().to_string(), &error);
        let mut text = Vec::new();
        Page::new(command.clone()).render(&mut text).map_err(failed)?;
        pages.push((path, text));
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            self.pages(inner, pages)?;
        }
        Ok(())
    }
}
