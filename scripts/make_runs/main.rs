//! Makes the sample runs of `runs/` from what was written by hand beside them: each perspective's
//! reference, and the scripts of `runs/scenarios.json`, both through the executor.
//!
//! `cargo run --example make_runs` writes them anew; a test fails when they are stale.

mod script;

use std::{fs, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match script::make(root) {
        Ok(runs) => {
            for (name, log) in &runs {
                if let Err(error) = fs::write(root.join("runs").join(format!("{name}.jsonl")), log) {
                    eprintln!("error: {name}: {error}");
                    return ExitCode::from(2);
                }
            }
            println!("{} runs", runs.len());
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}
