// The inbox's page: what is shown, when it is asked for again, and the keys.
import { drawList, neighbour } from './list.js';
import { closeMail, showMail } from './mail.js';
import { createMailReader, mark, markAllRead, readMail } from './server.js';

const askEveryMs = 1_000;

const find = (id) => document.getElementById(id);
const search = find('search');
const readMails = createMailReader();

let list = { mails: [], counts: { all: 0, unread: 0 } };
let unreadOnly = false;

/** The address of the page names the open mail, so that Back and a reload work. */
function openId() {
  return Number(location.hash.slice(1)) || undefined;
}

function draw() {
  const { mails, counts } = list;
  // The open mail stays where it is, although it is read now.
  const shown = unreadOnly ? mails.filter(({ unread, id }) => unread || id === openId()) : mails;
  drawList({ mails: shown, openId: openId(), emptyWords: emptyWords() });
  find('count-all').textContent = counts.all;
  find('count-unread').textContent = counts.unread;
  find('mark-all').hidden = counts.unread === 0;
  find('show-all').setAttribute('aria-pressed', String(!unreadOnly));
  find('show-unread').setAttribute('aria-pressed', String(unreadOnly));
  document.title = `${counts.unread > 0 ? `(${counts.unread}) ` : ''}Inbox · Getin`;
}

function emptyWords() {
  if (search.value.trim() !== '')
    return [`No mail has “${search.value.trim()}”`, 'Search for fewer words.'];
  if (unreadOnly) return ['No unread mail', 'New mail appears here by itself.'];
  return ['No mail yet', 'Mail appears here by itself as soon as Getin sends it.'];
}

async function refresh() {
  const wanted = search.value;
  try {
    const changed = await readMails(wanted);
    find('offline').hidden = true;
    // An answer that comes after the search has changed is left to the next one.
    if (!changed || search.value !== wanted) return;
    list = changed;
    draw();
  } catch {
    find('offline').hidden = false;
  }
}

async function keepFresh() {
  await refresh();
  setTimeout(keepFresh, askEveryMs);
}

async function showAddressed() {
  const id = openId();
  draw();
  if (id === undefined) return closeMail();
  try {
    const mail = await readMail(id);
    // Another mail was opened, or this one was left, before it came.
    if (openId() !== id) return;
    if (!mail) return location.replace('#');
    showMail(mail);
    if (mail.unread) await mark(id, 'read');
    await refresh();
  } catch {
    find('offline').hidden = false;
  }
}

async function markOpenUnread() {
  const id = openId();
  if (id === undefined) return;
  await mark(id, 'unread');
  await refresh();
}

function move(step) {
  const link = neighbour(openId(), step);
  if (!link) return;
  location.hash = link.getAttribute('href');
  link.focus();
}

const keys = {
  j: () => move(1),
  k: () => move(-1),
  u: markOpenUnread,
  '/': () => search.focus(),
  Escape: () => {
    location.hash = '';
  },
};

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === search) {
    if (event.key !== 'Escape' || search.value !== '') return;
    search.blur();
  }
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  void act();
});
addEventListener('hashchange', showAddressed);
addEventListener('visibilitychange', refresh);
search.addEventListener('input', refresh);
find('show-all').addEventListener('click', () => {
  unreadOnly = false;
  draw();
});
find('show-unread').addEventListener('click', () => {
  unreadOnly = true;
  draw();
});
find('mark-all').addEventListener('click', async () => {
  await markAllRead();
  await refresh();
});
find('back').addEventListener('click', () => {
  location.hash = '';
});
find('mark-unread').addEventListener('click', markOpenUnread);

await keepFresh();
await showAddressed();
