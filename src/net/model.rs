//! A model behind an endpoint, as an agent.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::endpoint::Endpoint;
use crate::agent::chat::Dialogue;
use crate::agent::{Agent, Broken, Turn};

/// One that plays an episode.
pub(super) struct Model {
    pub(super) dialogue: Box<dyn Dialogue>,
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) stop: Arc<AtomicBool>,
}

impl Agent for Model {
    fn turn(&mut self, replies: &[String]) -> Result<Turn, Broken> {
        let body: Arc<str> = self.dialogue.request(replies).into();
        let mut notes = Vec::new();
        match self.endpoint.ask(&body, &self.stop, &mut notes, |answer| self.dialogue.answer(answer)) {
            Ok(mut turn) => {
                notes.append(&mut turn.notes);
                Ok(Turn { notes, ..turn })
            }
            Err(broken) => Err(Broken { notes, ..broken }),
        }
    }
}
