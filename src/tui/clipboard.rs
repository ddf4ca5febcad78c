//! Copying through the terminal itself (OSC 52), also from inside tmux.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Terminals drop longer texts, some in silence: better not to send them.
const LONGEST: usize = 74_994;

/// The sequence that asks the terminal to copy a text, or why it is not sent.
pub fn sequence(text: &str, tmux: bool) -> Result<String, String> {
    let encoded = STANDARD.encode(text);
    if encoded.len() > LONGEST {
        return Err(format!("not copied: {} bytes are more than terminals take", text.len()));
    }
    let plain = format!("\x1b]52;c;{encoded}\x07");
    // tmux passes on what is wrapped for it, each escape doubled.
    Ok(if tmux { format!("\x1bPtmux;{}\x1b\\", plain.replace('\x1b', "\x1b\x1b")) } else { plain })
}

/// What is said afterwards. The terminal does not answer, so no success is claimed.
pub fn message(what: &str) -> String {
    format!("{what}: sent to the terminal's clipboard")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent() {
        assert_eq!(sequence("a-71#5", false).as_deref(), Ok("\x1b]52;c;YS03MSM1\x07"));
        assert_eq!(sequence("a-71#5", true).as_deref(), Ok("\x1bPtmux;\x1b\x1b]52;c;YS03MSM1\x07\x1b\\"));
        assert!(sequence(&"x".repeat(100_000), false).is_err());
    }
}
