//! The user's editor.

use std::path::Path;
use std::process::Command;

/// The command that opens a file at a line: `$VISUAL`, then `$EDITOR`. Without either, what to set.
pub fn command(path: &Path, line: usize, variable: impl Fn(&str) -> Option<String>) -> Result<Command, String> {
    if !path.is_file() {
        return Err(format!("{} is no file to edit", path.display()));
    }
    let set = |name| variable(name).filter(|v| !v.trim().is_empty());
    let editor = set("VISUAL").or_else(|| set("EDITOR")).ok_or("no editor: set VISUAL or EDITOR")?;
    let words = arguments(&editor, path, line);
    // The variable may hold arguments and quotes: it is the shell's to read, as git does it.
    let mut command = if cfg!(windows) {
        let mut parts = editor.split_whitespace();
        let mut command = Command::new(parts.next().unwrap_or_default());
        command.args(parts);
        command
    } else {
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("{editor} \"$@\"")).arg(&editor);
        command
    };
    command.args(words);
    Ok(command)
}

/// How this editor wants to be told the line.
fn arguments(editor: &str, path: &Path, line: usize) -> Vec<String> {
    let program = editor.split_whitespace().next().unwrap_or_default();
    let program = Path::new(program).file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let file = path.display().to_string();
    match program.as_str() {
        "code" | "codium" | "cursor" => vec!["--wait".into(), "--goto".into(), format!("{file}:{line}")],
        "hx" | "helix" | "zed" | "subl" => vec![format!("{file}:{line}")],
        _ => vec![format!("+{line}"), file],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_editor_its_way() {
        for (editor, expected) in [
            ("vim", vec!["+7", "a.json"]),
            ("/usr/bin/nano -w", vec!["+7", "a.json"]),
            ("code", vec!["--wait", "--goto", "a.json:7"]),
            ("hx", vec!["a.json:7"]),
        ] {
            assert_eq!(arguments(editor, Path::new("a.json"), 7), expected, "{editor}");
        }
    }

    #[test]
    fn without_one_it_says_so() {
        let here = Path::new("Cargo.toml");
        let none = |_: &str| None;
        assert_eq!(command(here, 1, none).err().as_deref(), Some("no editor: set VISUAL or EDITOR"));
        let blank = |name: &str| (name == "EDITOR").then(|| " ".to_owned());
        assert!(command(here, 1, blank).is_err());
        assert!(command(Path::new("no/such"), 1, none).is_err_and(|e| e.contains("no file")));
        let visual = |name: &str| Some(if name == "VISUAL" { "hx" } else { "vi" }.to_owned());
        let words = command(here, 3, visual).map(|c| format!("{c:?}")).unwrap_or_default();
        assert!(words.contains("Cargo.toml:3"), "{words}");
    }
}
