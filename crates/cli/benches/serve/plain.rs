//! The bare server: one axum handler that calls bare tantivy, and nothing else.

use std::path::Path;
use std::sync::Arc;

use axum::extract::{Query as Params, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use tantivy::collector::TopDocs;
use tantivy::snippet::SnippetGenerator;
use tantivy::{IndexReader, TantivyDocument};

use crate::asked::Asked;
use crate::bare::{self, Bare};

const COUNT: usize = 10;
const TITLE_WORDS: usize = 5;

struct Plain {
    bare: Bare,
    reader: IndexReader,
}

#[derive(Deserialize)]
struct Asking {
    q: String,
}

#[derive(Serialize)]
struct Answer {
    hits: Vec<Hit>,
}

#[derive(Serialize)]
struct Hit {
    score: f32,
    document: u32,
    title: String,
    snippet: String,
}

type Outcome = Result<Json<Answer>, StatusCode>;

/// Serves an index on a free port, which it prints, until the process is ended.
pub fn serve(folder: &Path) {
    let bare = bare::open(folder);
    let reader = bare.index.reader().unwrap();
    let plain = Arc::new(Plain { bare, reader });
    let router = Router::new()
        .route("/ids", get(|plain, asking| answer(plain, asking, false)))
        .route("/search", get(|plain, asking| answer(plain, asking, true)))
        .with_state(plain);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("http://{}/", listener.local_addr().unwrap());
        axum::serve(listener, router).await.unwrap();
    });
}

async fn answer(
    State(plain): State<Arc<Plain>>,
    Params(asking): Params<Asking>,
    is_whole: bool,
) -> Outcome {
    let found = tokio::task::spawn_blocking(move || plain.search(&asking.q, is_whole)).await;
    match found {
        Ok(Ok(hits)) => Ok(Json(Answer { hits })),
        _ => Err(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

impl Plain {
    fn search(&self, text: &str, is_whole: bool) -> tantivy::Result<Vec<Hit>> {
        let field = self.bare.text;
        let query = Asked::parse(text).query(field, field);
        let searcher = self.reader.searcher();
        let top = TopDocs::with_limit(COUNT).order_by_score();
        let found = searcher.search(query.as_ref(), &top)?;
        let snippets = match is_whole {
            true => Some(SnippetGenerator::create(&searcher, query.as_ref(), field)?),
            false => None,
        };
        let hit = |(score, address): (f32, tantivy::DocAddress)| {
            let (mut title, mut snippet) = (String::new(), String::new());
            if let Some(snippets) = &snippets {
                let document: TantivyDocument = searcher.doc(address)?;
                let text = Bare::stored(&document, self.bare.shown).unwrap_or_default();
                title = text.split(' ').take(TITLE_WORDS).collect::<Vec<_>>().join(" ");
                snippet = snippets.snippet(text).to_html();
            }
            Ok(Hit { score, document: address.doc_id, title, snippet })
        };
        found.into_iter().map(hit).collect()
    }
}
