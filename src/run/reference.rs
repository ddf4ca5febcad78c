//! A reference plan played as a run: the executor's own account of it, as a log.

use std::{io, sync::Arc};

use super::{Agent, EndReason, Event, Header, Writer};
use crate::exec::{Episode, Feedback, Json, Terms};
use crate::world::{RoleId, ToolsetId, World};

/// The log of a role's reference, with the first tool set and the problem's budget; without calls
/// for a role without a perspective.
///
/// # Errors
/// When an event cannot be written, which memory never refuses.
pub fn reference_log(world: &Arc<World>, role: RoleId) -> io::Result<Vec<u8>> {
    let terms = Terms { role, toolset: ToolsetId(0), budget: Some(world.problem.budget), feedback: Feedback::Hidden };
    let name = format!("{}-{}-reference", world.problem.id, world.domain.role_name(role));
    let agent = Agent { name: Some("reference".to_owned()), model: None };
    let header = Header { started: None, ..Header::of(world, &terms, name, agent, "") };
    let mut episode = Episode::new(world.clone(), terms);
    let mut writer = Writer::new(Vec::new());
    writer.write(&Event::Run(Box::new(header)))?;
    let calls = world.problem.perspectives.get(&role).map_or(&[][..], |perspective| &perspective.reference);
    for (call, step) in calls.iter().zip(1..) {
        let (id, tool) = (format!("c{step}"), Json::string(world.domain.tool_name(call.tool)));
        let (outcome, observation) = episode.call(tool.as_str(), &call.args);
        writer.write(&Event::Call { id: id.clone(), tool, args: Json::new(&call.args) })?;
        writer.write(&Event::result(world, id, &outcome, &observation))?;
    }
    writer.write(&Event::End { reason: EndReason::Finished })?;
    Ok(writer.into_inner())
}
