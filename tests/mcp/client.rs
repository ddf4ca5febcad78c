//! A client that speaks the protocol line by line, and keeps every byte that it hears.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;

use refract::net::mcp::{Offer, stdio};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split,
};

/// Runs a test on one thread, as the program does.
pub fn block_on<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}

/// The params of `initialize`.
pub fn hello() -> Value {
    json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "duplex", "version": "0.1" } })
}

pub struct Client {
    /// All that was received.
    pub heard: String,
    read: BufReader<ReadHalf<DuplexStream>>,
    write: WriteHalf<DuplexStream>,
    asked: usize,
}

impl Client {
    /// A connection on which nothing was said.
    pub fn open(offer: &Arc<Offer>) -> Client {
        let (ours, theirs) = duplex(1 << 16);
        let (read, write) = split(theirs);
        tokio::spawn(stdio::serve(offer.clone(), read, write));
        let (read, write) = split(ours);
        Client { heard: String::new(), read: BufReader::new(read), write, asked: 0 }
    }

    /// A session that has begun.
    pub async fn sit(offer: &Arc<Offer>) -> Client {
        let mut client = Client::open(offer);
        let answer = client.ask("initialize", hello()).await;
        assert!(answer["result"].is_object(), "{answer}");
        client.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        client
    }

    async fn say(&mut self, message: &Value) {
        self.write.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    /// Sends a request and gives the whole answer.
    pub async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.ask_all(method, vec![params]).await.remove(0)
    }

    /// Sends requests at once and gives the answers as they come.
    pub async fn ask_all(&mut self, method: &str, params: Vec<Value>) -> Vec<Value> {
        let count = params.len();
        for params in params {
            self.asked += 1;
            self.say(&json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params })).await;
        }
        let mut answers = Vec::new();
        for _ in 0..count {
            let mut line = String::new();
            self.read.read_line(&mut line).await.unwrap();
            self.heard += &line;
            answers.push(serde_json::from_str(&line).unwrap());
        }
        answers
    }

    /// Calls a tool and gives the result.
    pub async fn call(&mut self, tool: &str, args: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": args })).await["result"].take()
    }
}

/// Posts a message to an HTTP server; the beginning of its answer.
pub async fn post(at: SocketAddr, message: &Value) -> String {
    let body = message.to_string();
    let mut stream = tokio::net::TcpStream::connect(at).await.unwrap();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {at}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).await.unwrap();
    let mut answer = vec![0; 4096];
    let read = stream.read(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer[..read]).into_owned()
}
