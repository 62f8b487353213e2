// Live numbers for the overview and for the page of links: listens to /admin/events. Both pages are
// complete without.
"use strict";
// The page of links: what it waits for is put in its place once it is there, and what somebody is
// typing beside it stays.
(() => {
  const place = () => document.getElementById("links");
  if (!window.EventSource || !place() || !place().dataset.waits) return;
  let isAsking = false;
  const source = new EventSource("/admin/events");
  source.addEventListener("pulse", async (event) => {
    const now = place(), known = JSON.parse(event.data).pulse.generation;
    const isDue = now.dataset.waits === "drawing" || String(known) !== now.dataset.generation;
    if (isAsking || !isDue) return;
    isAsking = true;
    try {
      const reply = await fetch("/admin/graph");
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      const fresh = page.getElementById("links");
      if (reply.ok && fresh) now.replaceWith(document.adoptNode(fresh));
      if (!place().dataset.waits) source.close();
    } catch { /* asked again with the next pulse */ }
    isAsking = false;
  });
  addEventListener("pagehide", () => source.close());
})();
(() => {
  const charts = document.getElementById("charts");
  if (!charts || !window.EventSource) return;
  const isDay = charts.dataset.of === "day";
  const WIDTH = 300, HEIGHT = 64, COLUMNS = 150;
  const most = isDay ? 1440 : 1800, least = 150;
  let room = least;
  const lines = new Map();

  const grouped = (number) => Math.max(0, Math.round(number)).toLocaleString("en");
  const bytes = (number) => {
    let value = Math.max(0, number);
    for (const unit of ["B", "kB", "MB", "GB"]) {
      if (value < 999.5) return value.toFixed(value < 9.95 && unit !== "B" ? 1 : 0) + " " + unit;
      value /= 1000;
    }
    return value.toFixed(1) + " TB";
  };
  const written = (value, unit) =>
    unit === "bytes" ? bytes(value) : unit === "percent" ? value.toFixed(1) + " %" : unit === "rate" && value < 9.95 ? value.toFixed(1) : grouped(value);

  // Means of so many values each, counted from the newest.
  const columns = (values) => {
    const each = Math.max(1, Math.ceil(room / COLUMNS)), found = [];
    for (let end = values.length; end > 0 && found.length < COLUMNS; end -= each) {
      const some = values.slice(Math.max(0, end - each), end);
      found.push(some.reduce((sum, value) => sum + value, 0) / some.length);
    }
    return found.reverse();
  };
  // As wide as what there is, until that is all that is kept.
  const stretch = (count) => {
    room = Math.min(most, Math.max(least, count));
    const minutes = Math.floor(room * (isDay ? 60 : 2) / 60);
    const ago = minutes < 120 ? minutes + " min ago" : Math.floor(minutes / 60) + " h ago";
    for (const place of charts.querySelectorAll("[data-ago]")) place.textContent = ago;
  };
  const draw = (figure, values) => {
    const unit = figure.dataset.unit, drawn = columns(values);
    const largest = drawn.reduce((most, value) => Math.max(most, value), 0);
    const step = WIDTH / (COLUMNS - 1), begin = WIDTH - step * (drawn.length - 1);
    const path = drawn.map((value, i) => {
      const share = largest > 0 ? value / largest : 0;
      return (i ? "L" : "M") + (begin + step * i).toFixed(1) + " " + (HEIGHT - 1 - (HEIGHT - 2) * share).toFixed(1);
    });
    figure.querySelector("path").setAttribute("d", path.join(""));
    figure.querySelector("b").textContent = written(largest, unit);
  };
  const each = (act) => {
    for (const figure of charts.querySelectorAll("[data-chart]")) act(figure, figure.dataset.chart);
  };

  fetch("/admin/history" + (isDay ? "?of=day" : "")).then((reply) => reply.json()).then((told) => {
    for (const line of told.series) lines.set(line.name, line.values);
    stretch(told.series[0].values.length);
    each((figure, name) => draw(figure, lines.get(name) || []));
  }).catch(() => {});

  const facts = (pulse) => ({
    pages: grouped(pulse.pages), rate: written(pulse.pages_per_second, "rate"),
    waiting: grouped(pulse.waiting), urls: grouped(pulse.urls), hosts: grouped(pulse.hosts),
    ready: grouped(pulse.hosts_ready), resting: grouped(pulse.hosts_resting),
    flight: grouped(pulse.in_flight), indexed: grouped(pulse.indexed),
    generation: grouped(pulse.generation), copies: grouped(pulse.copies),
    again: grouped(pulse.again), overdue: grouped(pulse.overdue),
    fresh: written(pulse.pages ? 100 * (1 - Math.min(1, pulse.overdue / pulse.pages)) : 100, "percent"),
    bytes: bytes(pulse.bytes),
    collection: bytes(pulse.collection), disk: bytes(pulse.disk_free), memory: bytes(pulse.memory),
  });
  const state = (pulse) =>
    !pulse.is_crawling ? "No crawl runs." : pulse.is_paused ? "The crawl is paused."
      : pulse.waits_for ? "The crawl waits: " + pulse.waits_for + "." : "The crawl runs.";

  const SVG = "http://www.w3.org/2000/svg";
  const bars = (table, counts) => {
    const largest = counts.reduce((most, { count }) => Math.max(most, count), 1);
    table.tBodies[0].replaceChildren(...counts.map(({ name, count }) => {
      const row = document.createElement("tr"), head = document.createElement("th");
      head.scope = "row";
      head.textContent = name;
      row.append(head);
      row.insertCell().textContent = grouped(count);
      const cell = row.insertCell(), svg = document.createElementNS(SVG, "svg"), rect = document.createElementNS(SVG, "rect");
      cell.className = "bar";
      svg.setAttribute("viewBox", "0 0 100 8");
      svg.setAttribute("preserveAspectRatio", "none");
      svg.setAttribute("aria-hidden", "true");
      rect.setAttribute("width", (100 * count / largest).toFixed(1));
      rect.setAttribute("height", "8");
      svg.append(rect);
      cell.append(svg);
      return row;
    }));
    const none = table.parentElement.querySelector(".none");
    if (none && counts.length) none.remove();
  };

  // The words and the buttons beside them are made for one of these, and change together.
  const standing = (pulse) => !pulse.is_crawling ? "idle" : pulse.is_paused ? "paused" : "running";
  const crawl = () => document.getElementById("crawl");
  let isAsking = false;
  const renew = async () => {
    if (isAsking) return;
    isAsking = true;
    try {
      const reply = await fetch("/admin");
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      const fresh = page.getElementById("crawl"), now = crawl();
      if (reply.ok && fresh) {
        const hadFocus = now.contains(document.activeElement);
        now.replaceWith(document.adoptNode(fresh));
        if (hadFocus) crawl().querySelector("button")?.focus();
      }
    } catch { /* asked again with the next pulse */ }
    isAsking = false;
  };
  const tell = (pulse) => {
    if (crawl().dataset.standing !== standing(pulse)) return renew();
    const told = document.getElementById("state"), words = state(pulse);
    if (told.textContent !== words) told.textContent = words;
    told.classList.toggle("live", pulse.is_crawling && !pulse.is_paused);
  };

  const show = ({ sample, pulse }) => {
    for (const [name, value] of Object.entries(facts(pulse))) {
      const fact = document.querySelector(`[data-fact="${name}"]`);
      if (fact) fact.textContent = value;
    }
    tell(pulse);
    const values = new Map(sample);
    each((figure, name) => {
      if (!values.has(name)) return;
      figure.querySelector("output").textContent = written(values.get(name), figure.dataset.unit);
      const line = lines.get(name);
      if (isDay || !line) return;
      line.push(values.get(name));
      if (line.length > most) line.shift();
      stretch(line.length);
      draw(figure, line);
    });
    const counts = {
      queues: pulse.queues.map((count, name) => ({ name: String(name), count })),
      outcomes: pulse.outcomes, kinds: pulse.kinds, sizes: pulse.sizes, reasons: pulse.reasons,
    };
    for (const table of document.querySelectorAll("[data-bars]")) bars(table, counts[table.dataset.bars] || []);
  };

  const source = new EventSource("/admin/events");
  source.addEventListener("pulse", (event) => show(JSON.parse(event.data)));
  source.addEventListener("error", () => {
    const told = document.getElementById("state");
    // After a refusal, such as a login that is over or too many listeners, a browser does not come back.
    told.textContent = source.readyState === EventSource.CLOSED
      ? "The server sends no more numbers; load the page again." : "No word from the server; trying again.";
    told.classList.remove("live");
  });
  addEventListener("pagehide", () => source.close());
})();
