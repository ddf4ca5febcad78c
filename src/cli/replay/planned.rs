//! A plan that a planner wrote, as a run: its calls made one after the other.

use std::path::Path;

use super::Args;
use crate::{
    cli::{CliError, Context, OpenedRun, context},
    exec::{Episode, Feedback, Json, Terms},
    file,
    plan::{PlanFault, PlanNames},
    run::{Agent, EndReason, Event, Header, Log, Writer},
    world::LARGEST,
};

/// The name of the file of names beside a plan, as `refract export pddl` writes it.
const NAMES: &str = "names.json";

/// Reads the plan, and makes its calls as the role of the command line, without a limit on their number.
pub fn open(plan: &Path, args: &Args, context: &Context) -> Result<OpenedRun, CliError> {
    let [problem] = &args.runs[..] else {
        return Err(CliError::new("--plan is followed on one entry: replay --plan FILE PROBLEM --role ROLE"));
    };
    let Some(role) = &args.role else { return Err(CliError::new("--plan needs --role: who follows the plan")) };
    let world = context.world(problem)?;
    let terms = Terms {
        role: context::role(&world, role)?,
        toolset: context::toolset(&world, args.toolset.as_deref())?,
        budget: Some(u32::MAX),
        feedback: Feedback::Hidden,
    };
    let names = names(&args.names.clone().unwrap_or_else(|| plan.with_file_name(NAMES)))?;
    let wrong = |fault: PlanFault| CliError::new(format!("{}: {fault}", plan.display()));
    let calls = names.read(&String::from_utf8_lossy(&read(plan)?)).map_err(wrong)?;

    let name = plan.file_stem().map_or("plan".into(), |name| name.to_string_lossy().into_owned());
    let agent = Agent { name: Some("plan".to_owned()), model: None };
    let mut header = Header::of(&world, &terms, &name, agent, "");
    header.started = None;
    header.budget = Some(calls.len().max(world.problem.budget as usize) as u64);
    let mut log = Writer::new(Vec::new());
    let mut episode = Episode::new(world.clone(), terms);
    let mut events = vec![Event::Run(Box::new(header))];
    for call in &calls {
        let id = format!("line {}", call.line);
        let (tool, args) = (Json::string(&call.tool), Json::new(&serde_json::json!(call.args).to_string()));
        let (step, observation) = episode.call(tool.as_str(), args.as_str());
        events.push(Event::Call { id: id.clone(), tool, args });
        events.push(Event::result(&world, id, &step, &observation));
    }
    events.push(Event::End { reason: EndReason::Finished });
    let written = events.iter().try_for_each(|event| log.write(event));
    written.map_err(|error| CliError::new(error.to_string()))?;
    Ok(OpenedRun { name, path: None, log: Log::read(log.into_inner()), step: None })
}

/// What would be right.
const RIGHT: &str = "`refract export pddl` writes such a file: {\"actions\": {NAME: …}, \"objects\": {NAME: NAME}}";

/// Reads a file of names.
fn names(path: &Path) -> Result<PlanNames, CliError> {
    serde_json::from_slice(&read(path)?).map_err(|error| {
        let what = if error.is_data() { "this is not what stands in a file of names" } else { "this is no JSON" };
        CliError::new(format!("{}:{}:{}: {what}", path.display(), error.line(), error.column())).hint(RIGHT.to_owned())
    })
}

fn read(path: &Path) -> Result<Vec<u8>, CliError> {
    file::read(path, Some(LARGEST)).map_err(|error| context::unreadable(path, &error))
}
