//! A made-up collection that knows a few things of a few pages.

use std::sync::Arc;

use base::{Timestamp, Url};
use rank::{
    Alike, Error, Likeness, LinkLikeness, PageLinks, Personal, Picture, Pictures, QueryHubs,
    Request, ScoredPage, ShapePart, WebShape,
};
use serve::{Kept, Knowledge};

/// Knows `zoo.example`, and nothing else.
pub(crate) struct Known;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn is_zoo(address: &str) -> bool {
    address.contains("zoo.example")
}

/// Returns whether whoever asks blocks a page.
fn is_blocked(request: &Request<'_>, page: &Url) -> bool {
    let Some(personal) = request.personal else { return false };
    personal.blocked.iter().any(|site| Personal::covers(site, page))
}

impl Knowledge for Known {
    fn similar(&self, address: &str, most: usize) -> Result<Option<Vec<Alike>>, Error> {
        let alike = Alike {
            url: url("http://like.example/"),
            page: None,
            score: 0.5,
            cocitation: 0.5,
            coupling: 0.0,
            text: 0.0,
            linked_by: vec![url("http://hub.example/")],
            link_to: Vec::new(),
            words: vec!["cat".to_owned()],
            reasons: vec![Likeness::Links(LinkLikeness::CitedBySites { sites: 2 })],
        };
        Ok(is_zoo(address).then(|| vec![alike; most.min(1)]))
    }

    fn kept(&self, url: &Url) -> Result<Option<Kept>, Error> {
        let is_silent = url.host().as_str() == "silent.example";
        Ok((is_silent || is_zoo(url.as_str())).then(|| Kept {
            url: url.clone(),
            title: "The <zoo>".to_owned(),
            fetched: Timestamp::from_millis(1_763_285_400_000),
            language: Some("en".to_owned()),
            has_copy: true,
            has_text: !is_silent,
        }))
    }

    fn page_links(&self, address: &str) -> Result<Option<PageLinks>, Error> {
        Ok(is_zoo(address).then(|| PageLinks {
            url: url("http://zoo.example/"),
            generation: 3,
            is_fetched: true,
            pagerank: Some(0.25),
            times_mean: Some(2.0),
            links_in: 7,
            links_out: 2,
            trust: None,
            spam: 0.0,
            spam_reasons: Vec::new(),
            site: "zoo.example".to_owned(),
        }))
    }

    fn top_pages(&self, most: usize) -> Result<Option<Vec<ScoredPage>>, Error> {
        let page = ScoredPage { url: url("http://zoo.example/"), score: 0.25, is_answer: false };
        Ok(Some(vec![page; most]))
    }

    fn query_hubs(&self, request: &Request<'_>, _most: usize) -> Result<Option<QueryHubs>, Error> {
        rank::Query::parse(request.query)?;
        if !request.filters.is_empty() {
            return Ok(Some(QueryHubs::default()));
        }
        let page = |name: &str, is_answer| ScoredPage { url: url(name), score: 1.0, is_answer };
        let mut found = QueryHubs {
            authorities: vec![page("http://zoo.example/", true)],
            hubs: vec![page("http://hub.example/", false)],
            num_pages: 2,
            num_answers: 1,
            blocked: 0,
        };
        for list in [&mut found.authorities, &mut found.hubs] {
            let all = list.len();
            list.retain(|page| !is_blocked(request, &page.url));
            found.blocked += (all - list.len()) as u64;
        }
        Ok(Some(found))
    }

    fn web_shape(&self) -> Result<Option<Arc<WebShape>>, Error> {
        let part = ShapePart { name: "core", num_pages: 2, share: 1.0 };
        Ok(Some(Arc::new(WebShape {
            generation: 3,
            num_pages: 2,
            num_links: 2,
            num_components: 1,
            parts: vec![part],
        })))
    }

    fn pictures(&self, request: &Request<'_>) -> Result<Option<Pictures>, Error> {
        let made_of = rank::Query::parse(request.query)?.to_string();
        let picture = Picture {
            url: url("http://zoo.example/a%20cat.jpg"),
            page_url: url("http://zoo.example/"),
            page_title: "The <zoo>".to_owned(),
            alt: request.query.to_owned(),
            width: 640,
            height: 480,
        };
        let nameless = Picture { alt: String::new(), width: 0, ..picture.clone() };
        let is_blocked = is_blocked(request, &picture.url);
        let all = [vec![picture; 29], vec![nameless]].concat();
        let is_none = request.query == "none" || !request.filters.is_empty();
        let listed = if is_none || is_blocked { 0 } else { all.len() };
        let blocked = if is_blocked { all.len() as u64 } else { 0 };
        let pictures = all.into_iter().take(listed).skip(request.offset).take(request.count);
        let pictures = pictures.collect();
        Ok(Some(Pictures { pictures, listed, made_of, blocked, ..Pictures::default() }))
    }
}
