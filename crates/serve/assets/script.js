// What the search page gains where scripts run: suggestions, keys, explanations in place, names
// of countries in the language of the page. Nothing here is needed to search.
(() => {
'use strict';
const page = document, root = page.documentElement, box = page.getElementById('q');
const all = (what) => [...page.querySelectorAll(what)];

// Names of countries.
try {
  const names = new Intl.DisplayNames([root.lang], { type: 'region' });
  for (const place of all('[data-region]')) {
    place.textContent = names.of(place.dataset.region.toUpperCase());
    place.removeAttribute('lang');
  }
} catch { /* the English names stay */ }

// Menus close when something else is clicked.
const close = (but) => all('details.menu[open]').forEach((menu) => {
  if (!but || !menu.contains(but)) menu.open = false;
});
page.addEventListener('click', (event) => close(event.target));

// Buttons that show a sign say their words beneath the pointer.
all('.facts button').forEach((button) => { button.title = button.textContent; });

// Why a result is where it is: fetched and shown in its place.
page.addEventListener('click', async (event) => {
  const link = event.target.closest('a[href*="&why="]');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const hit = link.closest('li');
  const known = hit.querySelector('.why');
  if (known) {
    known.hidden = !known.hidden;
    link.setAttribute('aria-expanded', !known.hidden);
    return;
  }
  try {
    const reply = await fetch(link.href);
    const other = new DOMParser().parseFromString(await reply.text(), 'text/html');
    const why = other.getElementById(hit.id).querySelector('.why');
    hit.append(page.adoptNode(why));
    link.setAttribute('aria-expanded', true);
  } catch { location = link.href; }
});

// Keys: `/` to the field, j and k or arrows from result to result, Escape out again.
const isTyping = (place) => place.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(place.tagName);
const move = (step) => {
  const links = all('.hit h2 a');
  const now = links.indexOf(page.activeElement);
  let next = now + step;
  if (now < 0) {
    if (step < 0) return false;
    next = Math.max(0, links.findIndex((link) => link.getBoundingClientRect().top >= 0));
  }
  const target = next < 0 ? box : links[next];
  if (!target) return false;
  target.focus();
  return true;
};
page.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const { key, target } = event;
  if (key === 'Escape') {
    close();
    if (target !== page.body) target.blur();
    return;
  }
  if (isTyping(target)) return;
  const single = page.body.dataset.keys !== 'off';
  const isFree = target === page.body || target.matches('main, .hit h2 a');
  let done = false;
  if (key === '/' && single) {
    box.focus();
    box.select();
    done = true;
  } else if ((key === 'j' && single) || (key === 'ArrowDown' && isFree)) done = move(1);
  else if ((key === 'k' && single) || (key === 'ArrowUp' && isFree)) done = move(-1);
  if (done) event.preventDefault();
});

// Suggestions: a combobox with a list of its own.
const list = page.createElement('ul');
let typed = box.value, active = -1, timer = 0, running = null;
const set = (attributes) => Object.entries(attributes).forEach(([name, value]) => box.setAttribute(name, value));
list.id = 'suggestions';
list.hidden = true;
list.setAttribute('role', 'listbox');
list.setAttribute('aria-label', box.dataset.label);
set({ role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': list.id, 'aria-expanded': false });
box.form.append(list);
const mark = (place) => {
  active = place;
  [...list.children].forEach((item, i) => item.setAttribute('aria-selected', i === place));
  const item = list.children[place];
  if (item) set({ 'aria-activedescendant': item.id });
  else box.removeAttribute('aria-activedescendant');
  box.value = item ? item.textContent : typed;
};
const open = (texts) => {
  list.replaceChildren(...texts.map((text, i) => {
    const item = page.createElement('li');
    item.id = 's' + i;
    item.dir = 'auto';
    item.setAttribute('role', 'option');
    item.setAttribute('aria-selected', false);
    item.textContent = text;
    return item;
  }));
  active = -1;
  box.removeAttribute('aria-activedescendant');
  list.hidden = !texts.length;
  set({ 'aria-expanded': !list.hidden });
};
const shut = () => {
  clearTimeout(timer);
  if (running) running.abort();
  open([]);
};
const ask = async () => {
  if (running) running.abort();
  running = new AbortController();
  try {
    const path = '/api/v1/suggest?q=' + encodeURIComponent(typed);
    const reply = await fetch(path, { signal: running.signal });
    const found = reply.ok ? (await reply.json()).suggestions : [];
    if (page.activeElement === box) open(found.slice(0, 8));
  } catch { /* asked anew, or no suggestions today */ }
};
box.addEventListener('input', () => {
  typed = box.value;
  box.dir = typed ? 'auto' : '';
  clearTimeout(timer);
  if (typed.trim()) timer = setTimeout(ask, 120);
  else shut();
});
box.addEventListener('keydown', (event) => {
  if (event.isComposing) return;
  const { key } = event, count = list.children.length;
  if ((key === 'ArrowDown' || key === 'ArrowUp') && count) {
    const step = key === 'ArrowDown' ? 1 : -1;
    mark((active + 1 + step + count + 1) % (count + 1) - 1);
    event.preventDefault();
  } else if (key === 'ArrowDown' && typed.trim() && !all('.hit').length) ask();
  else if (key === 'ArrowDown' && move(1)) event.preventDefault();
  else if (key === 'Escape' && count) {
    mark(-1);
    shut();
    event.preventDefault();
  }
});
box.addEventListener('blur', shut);
// Before the field loses the focus, so that the list is still there.
list.addEventListener('mousedown', (event) => {
  const item = event.target.closest('li');
  event.preventDefault();
  if (!item) return;
  box.value = typed = item.textContent;
  box.form.requestSubmit();
});
})();
