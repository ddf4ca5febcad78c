//! A virtual list: a cursor and a scroll over rows that are built only when seen.

use super::command::Cmd;
use super::dispatch::Call;

/// Cursor and scroll of a list. Rows may be of several lines; the caller tells their heights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct List {
    /// The row under the cursor.
    pub cursor: usize,
    /// The first row to be seen.
    pub top: usize,
    /// Lines of the pane, as of the last [`List::settle`].
    pub lines: u16,
}

/// A row to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// Which row.
    pub row: usize,
    /// Its first line in the pane.
    pub y: u16,
    /// Its lines, as many as are to be seen.
    pub lines: u16,
    /// Whether the cursor is on it.
    pub cursor: bool,
}

impl List {
    /// Moves the cursor by a motion command. Says whether it was one.
    pub fn motion(&mut self, call: &Call, len: usize) -> bool {
        let last = len.saturating_sub(1);
        let times = call.times();
        let half = usize::from(self.lines / 2).max(1) * times;
        self.cursor = match call.cmd {
            Cmd::Down => self.cursor.saturating_add(times),
            Cmd::Up => self.cursor.saturating_sub(times),
            Cmd::HalfDown => self.cursor.saturating_add(half),
            Cmd::HalfUp => self.cursor.saturating_sub(half),
            Cmd::First => 0,
            Cmd::Last => call.count.map_or(last, |n| n.saturating_sub(1)),
            _ => return false,
        }
        .min(last);
        true
    }

    /// Scrolls by so many rows without leaving the rows; the cursor stays in sight.
    pub fn wheel(&mut self, rows: i32, len: usize) {
        let by = usize::try_from(rows.unsigned_abs()).unwrap_or(0);
        let top = if rows < 0 { self.top.saturating_sub(by) } else { self.top.saturating_add(by) };
        let top = top.min(len.saturating_sub(usize::from(self.lines).max(1)));
        // The cursor goes along as far as it must; settle would scroll back to it otherwise.
        self.cursor =
            self.cursor.clamp(top, (top + usize::from(self.lines).max(1) - 1).max(top)).min(len.saturating_sub(1));
        self.top = top;
    }

    /// Fits cursor and scroll to the rows and the pane: the cursor's row is to be seen, and nothing
    /// scrolls that need not. Call after every change.
    pub fn settle(&mut self, len: usize, lines: u16, height: impl Fn(usize) -> u16) {
        self.lines = lines;
        self.cursor = self.cursor.min(len.saturating_sub(1));
        self.top = self.top.min(self.cursor);
        if len == 0 || lines == 0 {
            return;
        }
        // The earliest top from which the whole cursor row is still seen.
        let mut room = lines.saturating_sub(height(self.cursor).max(1));
        let mut earliest = self.cursor;
        while earliest > self.top && height(earliest - 1).max(1) <= room {
            earliest -= 1;
            room -= height(earliest).max(1);
        }
        self.top = self.top.max(earliest);
        // No gap below the last row while rows are hidden above.
        let mut used: u16 = 0;
        for row in self.top..len {
            used = used.saturating_add(height(row).max(1));
            if used >= lines {
                return;
            }
        }
        while self.top > 0 && used.saturating_add(height(self.top - 1).max(1)) <= lines {
            self.top -= 1;
            used += height(self.top).max(1);
        }
    }

    /// The rows to draw.
    pub fn seen(&self, len: usize, lines: u16, height: impl Fn(usize) -> u16) -> Vec<Seen> {
        let mut out = Vec::new();
        let mut y = 0;
        for row in self.top..len {
            if y >= lines {
                break;
            }
            let h = height(row).max(1).min(lines - y);
            out.push(Seen { row, y, lines: h, cursor: row == self.cursor });
            y += h;
        }
        out
    }

    /// The row at a line of the pane.
    pub fn at(&self, y: u16, len: usize, height: impl Fn(usize) -> u16) -> Option<usize> {
        self.seen(len, self.lines, height).into_iter().find(|s| (s.y..s.y + s.lines).contains(&y)).map(|s| s.row)
    }

    /// Keeps cursor and scroll on the same things when the rows changed: `find` tells where the row
    /// of a key is now, `old` and `new` give the key of the row under the cursor and at the top.
    pub fn follow<K>(&mut self, cursor: Option<&K>, top: Option<&K>, find: impl Fn(&K) -> Option<usize>) {
        let below = self.cursor.saturating_sub(self.top);
        if let Some(row) = cursor.and_then(&find) {
            self.cursor = row;
        }
        self.top = top.and_then(find).unwrap_or(self.cursor.saturating_sub(below)).min(self.cursor);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn call(cmd: Cmd, count: Option<usize>) -> Call {
        Call { count, ..Call::of(cmd) }
    }

    #[test]
    fn motions() {
        for (cmd, count, from, to) in [
            (Cmd::Down, None, 3, 4),
            (Cmd::Down, Some(12), 3, 9),
            (Cmd::Up, Some(2), 3, 1),
            (Cmd::Up, Some(9), 3, 0),
            (Cmd::Last, None, 3, 9),
            (Cmd::Last, Some(5), 3, 4),
            (Cmd::First, None, 3, 0),
            (Cmd::HalfDown, None, 3, 5),
        ] {
            let mut list = List { cursor: from, top: 0, lines: 4 };
            assert!(list.motion(&call(cmd, count), 10));
            assert_eq!(list.cursor, to, "{cmd:?} {count:?}");
        }
        assert!(!List::default().motion(&call(Cmd::Open, None), 10));
    }

    #[test]
    fn a_reload_keeps_the_row_under_the_cursor() {
        let mut list = List { cursor: 5, top: 3, lines: 4 };
        let rows = [9, 0, 1, 2, 3, 4, 5];
        list.follow(Some(&5), Some(&3), |key| rows.iter().position(|r| r == key));
        assert_eq!((list.cursor, list.top), (6, 4));
    }

    proptest! {
        #[test]
        fn the_cursor_is_in_sight(
            cursor in 0usize..60, top in 0usize..60, len in 0usize..50, lines in 0u16..20, tall in 1usize..5,
        ) {
            let height = |row: usize| if row.is_multiple_of(tall) { 2 } else { 1 };
            let mut list = List { cursor, top, lines: 0 };
            list.settle(len, lines, height);
            let seen = list.seen(len, lines, height);
            prop_assert_eq!(seen.iter().any(|s| s.cursor), len > 0 && lines > 0);
            prop_assert!(seen.iter().map(|s| s.lines).sum::<u16>() <= lines);
            // Settled is settled, and growing then shrinking back does not move the cursor.
            let mut again = list;
            again.settle(len, lines, height);
            prop_assert_eq!(again, list);
            again.settle(len, lines + 7, height);
            again.settle(len, lines, height);
            prop_assert_eq!(again.cursor, list.cursor);
        }
    }
}
