//! A server that answers what it is told to, well or badly, on loopback.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What it does with a request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A whole answer: status, headers after the first, body.
    Whole(u16, Vec<(&'static str, String)>, String),
    /// These bytes; then the connection is closed.
    Cut(Vec<u8>),
    /// These bytes; then nothing until the other side has had enough.
    Stuck(Vec<u8>),
}

impl Reply {
    pub fn json(body: impl ToString) -> Reply {
        Reply::status(200, body)
    }

    pub fn status(status: u16, body: impl ToString) -> Reply {
        Reply::Whole(status, vec![("content-type", "application/json".to_owned())], body.to_string())
    }

    pub fn with(self, name: &'static str, value: impl ToString) -> Reply {
        let Reply::Whole(status, mut headers, body) = self else { panic!("only a whole answer has headers") };
        headers.retain(|(had, _)| *had != name);
        headers.push((name, value.to_string()));
        Reply::Whole(status, headers, body)
    }
}

/// A request that came.
#[derive(Debug, Clone)]
pub struct Asked {
    pub path: String,
    pub headers: String,
    pub body: String,
}

/// It, until the process ends. Requests beyond the script are answered with status 500.
pub struct Stub {
    pub url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Stub {
    pub fn of(script: impl IntoIterator<Item = Reply>) -> Stub {
        let script: Arc<Mutex<VecDeque<Reply>>> = Arc::new(Mutex::new(script.into_iter().collect()));
        let asked = Arc::<Mutex<Vec<Asked>>>::default();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let seen = Arc::clone(&asked);
        thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                let (script, seen) = (Arc::clone(&script), Arc::clone(&seen));
                thread::spawn(move || serve(connection, &script, &seen));
            }
        });
        Stub { url, asked }
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(mut connection: TcpStream, script: &Mutex<VecDeque<Reply>>, seen: &Mutex<Vec<Asked>>) -> Option<()> {
    let mut reader = BufReader::new(connection.try_clone().ok()?);
    loop {
        let mut first = String::new();
        reader.read_line(&mut first).ok().filter(|read| *read > 0)?;
        let mut headers = String::new();
        while reader.read_line(&mut headers).ok()? > 2 {}
        let length =
            headers.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        reader.read_exact(&mut body).ok()?;
        let path = first.split(' ').nth(1)?.to_owned();
        seen.lock().unwrap().push(Asked { path, headers, body: String::from_utf8(body).unwrap() });
        let next = script.lock().unwrap().pop_front();
        match next.unwrap_or_else(|| Reply::status(500, "the script is over")) {
            Reply::Whole(status, headers, body) => {
                let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
                let head = format!("HTTP/1.1 {status} Said\r\n{headers}content-length: {}\r\n\r\n", body.len());
                connection.write_all(head.as_bytes()).and_then(|()| connection.write_all(body.as_bytes())).ok()?;
            }
            Reply::Cut(bytes) => return connection.write_all(&bytes).ok(),
            Reply::Stuck(bytes) => {
                connection.write_all(&bytes).ok()?;
                return reader.read_to_end(&mut Vec::new()).ok().map(drop);
            }
        }
    }
}
