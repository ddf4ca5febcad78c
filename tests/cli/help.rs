//! The whole help in one snapshot, so that it cannot drift unseen.

use super::{refract, seen};

#[test]
fn every_help() {
    let commands = [
        "",
        "inspect",
        "play",
        "list",
        "show",
        "prompt",
        "run",
        "mcp",
        "replay",
        "check",
        "schema",
        "completions",
        "man",
    ];
    let help = |name: &&str| {
        let args: Vec<&str> = name.split_whitespace().chain(["--help"]).collect();
        format!("$ refract {}\n{}\n", args.join(" "), seen(&mut refract(&args)))
    };
    insta::assert_snapshot!("help", commands.iter().map(help).collect::<String>());
}
