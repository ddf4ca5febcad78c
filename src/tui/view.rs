//! Drawing: a pure function of the model. The shell draws rules, titles, footer and what lies over
//! the screen; each screen draws its panes.

pub mod browser;
pub mod charts;
pub mod entry;
mod foot;
mod over;
pub mod play;
pub mod results;
mod rules;
pub mod world;

pub use foot::footer;
pub use over::{overlay_area, wheel};
pub use rules::tabs;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};

use super::canvas::Canvas;
use super::model::Model;

/// Draws the model.
pub fn view(model: &Model, frame: &mut Frame) {
    let mut caret: Option<Position> = None;
    let area = frame.area();
    let Some(layer) = model.stack.last() else { return };
    let buffer = frame.buffer_mut();
    let at = &model.arranged;
    let pattern = layer.search.as_ref().map(|s| &s.pattern);
    let mut on = |area: Rect, draw: &mut dyn FnMut(&mut Canvas)| {
        draw(&mut Canvas::new(area, buffer, model.theme, &mut caret));
    };
    on(at.header, &mut |canvas| layer.screen.draw_header(canvas));
    on(area, &mut |canvas| rules::draw(model, canvas));
    for placed in &at.placed {
        let focused = placed.pane == layer.panes.focus;
        on(placed.area, &mut |canvas| {
            let mut canvas = canvas.part(0, 0, u16::MAX, u16::MAX).marking(pattern).focused(focused);
            layer.screen.draw(placed.pane, &mut canvas);
        });
    }
    on(at.footer, &mut |canvas| foot::draw_footer(model, canvas));
    on(at.message, &mut |canvas| foot::draw_message(model, canvas));
    if model.overlay.is_some() {
        // The caret of what lies below is not to be seen through it.
        caret = None;
        over::draw(model, &mut Canvas::new(overlay_area(model), buffer, model.theme, &mut caret));
    }
    if let Some(at) = caret {
        frame.set_cursor_position(at);
    }
}
