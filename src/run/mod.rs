//! Run logs: what an agent or a player did, one JSON event a line (design §4).
//!
//! [`Writer`] makes them, [`Log`] reads them and loses nothing but what is damaged, [`find()`]
//! looks for them. Nobody else opens a log.

mod damage;
mod event;
mod failure;
mod find;
mod home;
mod index;
mod kind;
mod line;
mod log;
mod out;
mod pairs;
mod read;
mod record;
mod reference;
mod replay;
mod shape;
mod summary;
mod tail;
mod view;
mod writer;

use crate::exec::json;

pub use damage::Damage;
pub use event::{Agent, EndReason, Event, Header, Outcome, Parent, Speaker, schema};
pub use failure::{FailedGates, Failure, solved};
pub use find::{Found, NoStep, Place, RunSource, embedded, find, resolve};
pub use home::{BESIDE, entry_of, here, homes, shelved};
pub use index::{Row, RowId};
pub use kind::StepKind;
pub use log::{Log, Progress};
pub use out::Out;
pub use read::{Call, Extra, Message, Note, Recorded, RecordedRefusal};
pub use reference::reference_log;
pub use replay::{Replay, Setup, StepOutcome, StepRecord, WorldMatch};
pub use shape::RowKind;
pub use summary::{Badness, Summary};
pub use tail::{More, Tail};
pub use view::{DamageView, EndState, RefusalView, RunView, StepView, StepViews, arguments, observation};
pub use writer::{Writer, try_out};
