//! The executor: the one function that decides what a call does (design §3).
//!
//! [`step`] is pure: no clock, no files, no global. Replay, play and check call it, and nothing else
//! decides. The planner compiles the same rule to bit sets; tests hold it equal.

mod call;
mod difference;
mod episode;
mod explain;
mod goal;
pub(crate) mod json;
mod narrate;
mod observation;
mod opening;
mod refusal;
mod state;
mod step;
mod ways;
mod wording;

pub use call::{ArgumentFault, ArgumentProblem, Call, Request, ground_atom, slot_value};
pub use difference::{Counts, Difference, change_parts};
pub use episode::{Episode, Step, Terms};
pub use explain::{Check, Explanation, Status, Subject};
pub use goal::Share;
pub use json::{Json, Raw};
pub use narrate::{ReferenceStep, narrate};
pub use observation::{Feedback, OVER_BUDGET, Observation, looked_at};
pub use opening::{ObjectGroup, OfferedArgument, OfferedTool, Opening};
pub use refusal::Refusal;
pub use state::{Changes, Facts, State, sorted_texts};
pub use step::{Bindings, Outcome, Reason, Truth, step};
pub use ways::{makers, value_of_key};
pub use wording::{Valuation, atom_text, fact_words, goal_words, literal_text, literal_words};
