//! The prompt `call ›`: a tool, then its arguments one by one. It knows what the player was told, and
//! nothing else: what it offers never depends on what is hidden.

use ratatui::crossterm::event::KeyCode;

use super::fuzzy::rank;
use super::seen::{Seen, Sent};
use crate::exec::{OfferedArgument, OfferedTool};
use crate::tui::input::LineInput;
use crate::tui::keys::Key;
use crate::tui::list::List;

/// The word that ends a run.
pub const FINISH: &str = "finish";

/// What the prompt asks for now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// A tool.
    Tool,
    /// An argument of this tool; at the last one, Enter sends. A tool without arguments stands at 0.
    Argument(usize, usize),
    /// `finish` was chosen: Enter ends the run.
    Finish,
}

/// Something to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// This tool.
    Tool(usize),
    /// To end the run.
    Finish,
    /// An object, or a value in hand and the step it came from.
    Value(String, Option<usize>),
    /// What was typed: a value that may fit.
    AsTyped,
    /// Nothing fits what was typed: said, not to be chosen.
    Unfit,
    /// Nothing in hand fits: a hint, not to be chosen.
    Nothing,
    /// To send the call without this argument.
    LeaveOut,
}

/// What a key came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// The prompt alone changed.
    Done,
    /// This call is to be made.
    Send(Sent),
    /// The run is to end.
    Finish,
    /// To the other prompt.
    Say,
    /// To the palette.
    Palette,
    /// To the keys.
    Help,
    /// To the panes.
    Panes,
    /// The story is to scroll: down?
    Scroll(bool),
    /// Nothing was done, and why.
    Warn(String),
}

/// The prompt's state.
#[derive(Debug, Clone)]
pub struct CallPrompt {
    /// What it asks for.
    pub stage: Stage,
    /// The argument values so far, by argument; `None` is left out.
    pub values: Vec<Option<String>>,
    /// What is being typed.
    pub input: LineInput,
    /// What there is to choose.
    pub choices: Vec<Choice>,
    /// The place among them.
    pub list: List,
    /// The cursor was put on one of them: on an empty line none is chosen before that.
    picked: bool,
    /// The text was changed since this stage began: only then it narrows the choices.
    edited: bool,
    /// The text was filled in, and nobody touched it.
    fresh: bool,
    /// Arguments that were looked at, and are not filled in any more.
    visited: Vec<bool>,
    /// How far back `↑` has gone.
    recalled: usize,
}

impl CallPrompt {
    /// An empty prompt.
    pub fn new(seen: &Seen) -> CallPrompt {
        let mut prompt = CallPrompt {
            stage: Stage::Tool,
            values: Vec::new(),
            input: LineInput::default(),
            choices: Vec::new(),
            list: List::default(),
            picked: false,
            edited: false,
            fresh: false,
            visited: Vec::new(),
            recalled: 0,
        };
        prompt.refresh(seen);
        prompt
    }

    /// Whether nothing has been typed or chosen.
    pub fn is_empty(&self) -> bool {
        self.stage == Stage::Tool && self.input.text.is_empty()
    }

    /// Whether Enter takes the choice under the cursor: on an empty line only one that was picked.
    pub fn has_choice(&self) -> bool {
        self.picked || self.stage != Stage::Tool || !self.input.text.trim().is_empty()
    }

    /// Puts the cursor on a choice.
    pub fn point(&mut self, at: usize) {
        self.picked = true;
        self.list.cursor = at.min(self.choices.len().saturating_sub(1));
    }

    /// The call as it stands; what is being typed counts.
    pub fn sent(&self, seen: &Seen) -> Sent {
        match self.stage {
            Stage::Tool => Sent { tool: self.input.text.trim().to_owned(), args: Vec::new() },
            Stage::Finish => Sent { tool: FINISH.to_owned(), args: Vec::new() },
            Stage::Argument(tool, at) => {
                let tool = &seen.opening.tools[tool];
                let mut values = self.values.clone();
                if let Some(value) = values.get_mut(at) {
                    let typed = self.input.text.trim();
                    *value = (!typed.is_empty()).then(|| typed.to_owned());
                }
                let args = tool.args.iter().zip(values);
                let args = args.filter_map(|(arg, value)| Some((arg.name.clone(), value?))).collect();
                Sent { tool: tool.name.clone(), args }
            }
        }
    }

    /// Begins a call of this tool.
    pub fn pick(&mut self, tool: usize, seen: &Seen) {
        let count = seen.opening.tools[tool].args.len();
        self.values = vec![None; count];
        self.visited = vec![false; count];
        self.recalled = 0;
        self.stage = Stage::Argument(tool, 0);
        self.enter(tool, 0, seen);
        self.skip_filled(tool, 0, seen);
    }

    /// Takes a pasted text.
    pub fn paste(&mut self, text: &str, seen: &Seen) {
        if std::mem::take(&mut self.fresh) {
            self.input = LineInput::default();
        }
        self.input.insert(text);
        self.edited = true;
        self.refresh(seen);
    }

    /// Handles a key.
    pub fn key(&mut self, key: Key, seen: &Seen) -> Act {
        match (key.code, key.ctrl) {
            (KeyCode::Char('x'), true) => return self.send_as_it_stands(seen),
            (KeyCode::Enter, _) => return self.enter_key(seen),
            (KeyCode::Tab, _) => return self.complete(seen),
            (KeyCode::BackTab, _) => self.back(seen),
            (KeyCode::Backspace, false) if self.input.text.is_empty() => self.back(seen),
            (KeyCode::Esc, _) => return Act::Panes,
            (KeyCode::Char('"'), false) if self.is_empty() => return Act::Say,
            (KeyCode::Char(':'), false) if self.is_empty() => return Act::Palette,
            // No name has one in it.
            (KeyCode::Char('?'), false) | (KeyCode::F(1), _) => return Act::Help,
            // What was typed goes first; where nothing was, all of the call.
            (KeyCode::Char('u'), true) if self.stage != Stage::Tool && (self.fresh || self.input.text.is_empty()) => {
                *self = CallPrompt::new(seen);
            }
            (KeyCode::Up, _) if self.list.cursor == 0 => return self.recall(1, seen),
            (KeyCode::Down, _) if self.recalled > 0 && self.list.cursor == 0 => return self.recall(-1, seen),
            (KeyCode::PageUp, _) => return Act::Scroll(false),
            (KeyCode::PageDown, _) => return Act::Scroll(true),
            (KeyCode::Down, _) | (KeyCode::Char('n'), true) if !self.has_choice() => self.point(0),
            (KeyCode::Up, _) | (KeyCode::Char('p'), true) => self.list.cursor = self.list.cursor.saturating_sub(1),
            (KeyCode::Down, _) | (KeyCode::Char('n'), true) => self.point(self.list.cursor + 1),
            _ => {
                let before = self.input.text.clone();
                // What was filled in gives way to what is typed, until the caret was moved into it.
                if self.fresh && key.typed().is_some() {
                    self.input = LineInput::default();
                }
                self.fresh = false;
                if self.stage != Stage::Finish && self.input.key(key) && self.input.text != before {
                    self.edited = true;
                    self.recalled = 0;
                    self.refresh(seen);
                }
            }
        }
        Act::Done
    }

    /// Takes what the cursor stands on, or what was typed.
    pub fn enter_key(&mut self, seen: &Seen) -> Act {
        if !self.has_choice() {
            return Act::Warn("no tool yet: type some of its name, or choose one with the arrows".to_owned());
        }
        let choice = self.choices.get(self.list.cursor).cloned();
        match (self.stage, choice) {
            (Stage::Finish, _) => Act::Finish,
            (Stage::Tool, Some(Choice::Tool(tool))) => {
                self.pick(tool, seen);
                Act::Done
            }
            (Stage::Tool, Some(Choice::Finish)) => {
                self.choose_finish(seen);
                Act::Done
            }
            (Stage::Tool, _) => Act::Warn(format!(
                "no tool is called so: clear the line and press \" to speak, or Ctrl-x sends '{}' as a call",
                self.input.text.trim()
            )),
            (Stage::Argument(tool, at), choice) => {
                if self.values.get(at).is_some() && !self.take(at, choice) {
                    return Act::Warn(self.why_not(&seen.opening.tools[tool].args[at]));
                }
                if at + 1 < self.values.len() {
                    self.enter(tool, at + 1, seen);
                    self.skip_filled(tool, at + 1, seen);
                    return Act::Done;
                }
                let args = seen.opening.tools[tool].args.iter().zip(&self.values);
                let args = args.filter_map(|(arg, value)| Some((arg.name.clone(), value.clone()?))).collect();
                Act::Send(Sent { tool: seen.opening.tools[tool].name.clone(), args })
            }
        }
    }

    /// Puts a choice into an argument. Says whether it can be.
    fn take(&mut self, at: usize, choice: Option<Choice>) -> bool {
        let typed = self.input.text.trim().to_owned();
        self.values[at] = match choice {
            Some(Choice::Value(value, _)) => Some(value),
            Some(Choice::LeaveOut) => None,
            Some(Choice::AsTyped) if !typed.is_empty() => Some(typed),
            _ => return false,
        };
        self.visited[at] = true;
        true
    }

    /// Why Enter takes no value for this argument: a call costs one of the budget.
    fn why_not(&self, arg: &OfferedArgument) -> String {
        let typed = self.input.text.trim();
        match (typed.is_empty(), arg.slot) {
            (true, _) => "nothing in hand fits: type a value, or choose to leave it out".to_owned(),
            (_, false) => format!("no {} is called '{typed}'; Ctrl-x sends the call as it stands", arg.kind),
            (_, true) => format!("'{typed}' is no {}; Ctrl-x sends the call as it stands", arg.kind),
        }
    }

    fn complete(&mut self, seen: &Seen) -> Act {
        if !self.has_choice() {
            self.point(0);
            return Act::Done;
        }
        match (self.stage, self.choices.get(self.list.cursor).cloned()) {
            (Stage::Tool, Some(Choice::Tool(_) | Choice::Finish)) => self.enter_key(seen),
            (Stage::Argument(tool, at), Some(Choice::Value(value, _))) => {
                self.input = LineInput::new(value.as_str());
                self.values[at] = Some(value);
                self.visited[at] = true;
                if at + 1 < self.values.len() {
                    self.enter(tool, at + 1, seen);
                    self.skip_filled(tool, at + 1, seen);
                } else {
                    self.edited = false;
                    self.refresh(seen);
                }
                Act::Done
            }
            _ => Act::Warn("nothing to complete".to_owned()),
        }
    }

    fn send_as_it_stands(&mut self, seen: &Seen) -> Act {
        let sent = self.sent(seen);
        match self.stage {
            Stage::Finish => Act::Finish,
            _ if sent.tool.is_empty() => Act::Warn("nothing to send: name a tool first".to_owned()),
            _ => Act::Send(sent),
        }
    }

    /// One stage back; the values stay until they are changed.
    fn back(&mut self, seen: &Seen) {
        match self.stage {
            Stage::Tool => {}
            Stage::Argument(tool, at) if at > 0 => self.enter(tool, at - 1, seen),
            Stage::Argument(tool, _) => self.type_tool(&seen.opening.tools[tool].name, seen),
            Stage::Finish => self.type_tool(FINISH, seen),
        }
    }

    fn type_tool(&mut self, name: &str, seen: &Seen) {
        self.stage = Stage::Tool;
        self.input = LineInput::new(name);
        self.edited = true;
        self.fresh = true;
        self.refresh(seen);
    }

    /// Chooses `finish`; Enter then ends the run.
    pub fn choose_finish(&mut self, seen: &Seen) {
        self.stage = Stage::Finish;
        self.values.clear();
        self.input = LineInput::default();
        self.refresh(seen);
    }

    /// An earlier call, whole: Enter sends it again.
    fn recall(&mut self, by: i64, seen: &Seen) -> Act {
        if self.recalled == 0 && !self.is_empty() {
            return Act::Done;
        }
        let calls = seen.called().rev();
        let to = self.recalled.saturating_add_signed(isize::try_from(by).unwrap_or(0));
        let Some(called) = to.checked_sub(1).and_then(|back| calls.clone().nth(back)) else {
            if to == 0 {
                *self = CallPrompt::new(seen);
                return Act::Done;
            }
            return Act::Warn(if self.recalled == 0 { "no call to recall yet" } else { "no older call" }.to_owned());
        };
        match seen.opening.tools.iter().position(|tool| tool.name == called.tool) {
            None => self.type_tool(&called.tool, seen),
            Some(tool) => {
                let args = &seen.opening.tools[tool].args;
                let value = |arg: &OfferedArgument| called.args.iter().find(|(name, _)| *name == arg.name);
                self.values = args.iter().map(|arg| value(arg).map(|(_, value)| value.clone())).collect();
                self.visited = vec![true; args.len()];
                self.enter(tool, args.len().saturating_sub(1), seen);
            }
        }
        self.recalled = to;
        Act::Done
    }

    /// Stands at an argument, with its value as the text.
    fn enter(&mut self, tool: usize, at: usize, seen: &Seen) {
        self.stage = Stage::Argument(tool, at);
        self.input = LineInput::new(self.values.get(at).cloned().flatten().unwrap_or_default());
        self.edited = false;
        self.fresh = true;
        self.refresh(seen);
    }

    /// Fills in what has a single candidate, and stands at the first argument that has not, or the last.
    fn skip_filled(&mut self, tool: usize, from: usize, seen: &Seen) {
        for at in from..self.values.len() {
            let candidates = candidates(&seen.opening.tools[tool].args[at], seen);
            let [(only, _)] = candidates.as_slice() else { return };
            if self.visited[at] {
                return;
            }
            self.values[at] = Some(only.clone());
            self.visited[at] = true;
            let next = if at + 1 < self.values.len() { at + 1 } else { at };
            self.enter(tool, next, seen);
        }
    }

    /// Finds again what there is to choose.
    fn refresh(&mut self, seen: &Seen) {
        let text = if self.edited { self.input.text.trim() } else { "" };
        self.choices = match self.stage {
            Stage::Tool => tools(text, &seen.opening.tools),
            Stage::Argument(tool, at) => match seen.opening.tools[tool].args.get(at) {
                Some(arg) => values(text, arg, seen),
                None => Vec::new(),
            },
            Stage::Finish => Vec::new(),
        };
        let here = |choice: &Choice| matches!(choice, Choice::Value(value, _) if *value == self.input.text);
        let cursor = self.choices.iter().position(here).unwrap_or(0);
        self.list = List { cursor, top: 0, ..self.list };
        self.picked = false;
    }
}

fn tools(text: &str, all: &[OfferedTool]) -> Vec<Choice> {
    let found = rank(text, all.iter().map(|tool| (tool.name.as_str(), tool.doc.as_str())));
    let finish = !rank(text, [(FINISH, "")].into_iter()).is_empty();
    // It stands last, but a name that begins as it was typed goes before those that do not.
    let at = match FINISH.strip_prefix(text) {
        Some("") => 0,
        Some(_) => found.iter().filter(|at| all[**at].name.starts_with(text)).count(),
        None => found.len(),
    };
    let mut choices: Vec<Choice> = found.into_iter().map(Choice::Tool).collect();
    if finish {
        choices.insert(at, Choice::Finish);
    }
    choices
}

fn values(text: &str, arg: &OfferedArgument, seen: &Seen) -> Vec<Choice> {
    let candidates = candidates(arg, seen);
    let found = rank(text, candidates.iter().map(|(value, _)| (value.as_str(), "")));
    let mut choices: Vec<Choice> =
        found.into_iter().map(|at| Choice::Value(candidates[at].0.clone(), candidates[at].1)).collect();
    if !text.is_empty() && !candidates.iter().any(|(value, _)| value == text) {
        match may_fit(text, arg, seen) {
            true => choices.push(Choice::AsTyped),
            false if choices.is_empty() => choices.push(Choice::Unfit),
            false => {}
        }
    } else if candidates.is_empty() {
        choices.push(Choice::Nothing);
    }
    choices.push(Choice::LeaveOut);
    choices
}

/// Objects of the type, or values in hand of the slot, and the step that they came from.
fn candidates(arg: &OfferedArgument, seen: &Seen) -> Vec<(String, Option<usize>)> {
    if !arg.slot {
        let mut names: Vec<_> = arg.choices.iter().map(|name| (name.clone(), None)).collect();
        // Whom one serves is hardly whom one turns to.
        names.sort_by_key(|(name, _)| *name == seen.role);
        return names;
    }
    let slot = name_of(&arg.kind);
    let fits = seen.hand.iter().filter(|held| name_of(&held.value) == slot);
    fits.map(|held| (held.value.clone(), Some(held.step))).collect()
}

/// Whether a text reads as a value of the slot, by the names that the player was told.
fn may_fit(text: &str, arg: &OfferedArgument, seen: &Seen) -> bool {
    let terms = |atom: &str| -> Option<Vec<String>> {
        let Some((_, rest)) = atom.split_once('(') else { return Some(Vec::new()) };
        Some(rest.strip_suffix(')')?.split(',').map(|term| term.trim().to_owned()).collect())
    };
    let (Some(given), Some(types)) = (terms(text), terms(&arg.kind)) else { return false };
    let is_a = |name: &String, ty: &String| {
        let groups = seen.opening.objects.iter().filter(|group| group.names.contains(name));
        groups.into_iter().any(|group| ty == "object" || group.ty == *ty || group.under.contains(ty))
    };
    arg.slot
        && name_of(text) == name_of(&arg.kind)
        && given.len() == types.len()
        && given.iter().zip(&types).all(|(name, ty)| is_a(name, ty))
}

fn name_of(atom: &str) -> &str {
    atom.split('(').next().unwrap_or(atom).trim()
}
