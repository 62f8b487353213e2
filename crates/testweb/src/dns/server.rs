//! Questions over UDP and TCP.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use hickory_proto::op::{Message, MessageType, OpCode, ResponseCode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UdpSocket};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use super::answer::OverTcp;
use super::packet::{self, Over};
use super::{Dns, DnsAnswer};

/// Connections served at once; more wait to be accepted.
const MAX_CONNECTIONS: usize = 64;

/// Longest wait for the next question of a connection.
const IDLE: Duration = Duration::from_secs(10);

/// Longest question that is read over UDP.
const QUESTION_BYTES: usize = 4_096;

/// Answers until the runtime is shut down. Without a listener nothing is answered over TCP.
pub(crate) fn serve(dns: &Arc<Dns>, udp: UdpSocket, tcp: Option<TcpListener>) {
    tokio::spawn(over_udp(Arc::clone(dns), Arc::new(udp)));
    if let Some(tcp) = tcp {
        tokio::spawn(accept(Arc::clone(dns), tcp));
    }
}

async fn over_udp(dns: Arc<Dns>, socket: Arc<UdpSocket>) {
    let mut buffer = [0; QUESTION_BYTES];
    loop {
        let (len, peer) = match socket.recv_from(&mut buffer).await {
            Ok(received) => received,
            Err(error) => {
                tracing::debug!(%error, "cannot read a DNS question");
                sleep(Duration::from_millis(10)).await;
                continue;
            }
        };
        if dns.is_stopped() {
            continue;
        }
        let Some((question, answer)) = understand(&dns, &buffer[..len]) else { continue };
        let held = dns.hold();
        let packets = reply(&dns, &question, &answer, Over::Udp);
        let socket = Arc::clone(&socket);
        let send = async move {
            sleep_if(answer.late).await;
            // Before it is sent: whoever has the answer may ask the next question.
            drop(held);
            for packet in packets {
                // The peer is gone, mostly.
                let _ = socket.send_to(&packet, peer).await;
            }
        };
        // Late answers wait by themselves; the others leave at once and in order.
        if answer.late.is_zero() { send.await } else { drop(tokio::spawn(send)) }
    }
}

async fn accept(dns: Arc<Dns>, listener: TcpListener) {
    let room = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else { return };
        let socket = match listener.accept().await {
            Ok((socket, _)) => socket,
            Err(error) => {
                tracing::debug!(%error, "cannot accept a DNS connection");
                sleep(Duration::from_millis(10)).await;
                continue;
            }
        };
        let dns = Arc::clone(&dns);
        tokio::spawn(async move {
            // An error only means that the peer is gone.
            let _ = over_tcp(&dns, socket).await;
            drop(permit);
        });
    }
}

async fn over_tcp(dns: &Arc<Dns>, mut socket: TcpStream) -> io::Result<()> {
    loop {
        let len = timeout(IDLE, socket.read_u16()).await??;
        let mut bytes = vec![0; usize::from(len)];
        timeout(IDLE, socket.read_exact(&mut bytes)).await??;
        if dns.is_stopped() {
            return Ok(());
        }
        let Some((question, answer)) = understand(dns, &bytes) else { return Ok(()) };
        dns.counts_tcp();
        if answer.tcp == OverTcp::Closed {
            return Ok(());
        }
        let held = dns.hold();
        sleep_if(answer.late).await;
        drop(held);
        for packet in reply(dns, &question, &answer, Over::Tcp) {
            let len = u16::try_from(packet.len()).map_err(io::Error::other)?;
            socket.write_all(&[&len.to_be_bytes(), packet.as_slice()].concat()).await?;
        }
    }
}

/// Reads a question and looks up what there is to say; `None` for what is none.
fn understand(dns: &Dns, bytes: &[u8]) -> Option<(Message, DnsAnswer)> {
    let question = Message::from_vec(bytes).ok()?;
    if question.metadata.message_type != MessageType::Query {
        return None;
    }
    let answer = dns.answer(&question);
    Some((question, answer))
}

fn reply(dns: &Dns, question: &Message, answer: &DnsAnswer, over: Over) -> Vec<Vec<u8>> {
    if question.metadata.op_code != OpCode::Query {
        return packet::refusal(question, ResponseCode::NotImp).into_iter().collect();
    }
    packet::packets(question, answer, dns.ttl(), over)
}

async fn sleep_if(duration: Duration) {
    if !duration.is_zero() {
        sleep(duration).await;
    }
}
