//! The `refract` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    refract::cli::main(std::env::args_os())
}
