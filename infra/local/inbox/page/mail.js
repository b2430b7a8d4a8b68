// The open mail: its head, and its parts as tabs.
import { readSource } from './server.js';
import { addressesOf, namesOf, writeLinked, writeWholeTime } from './words.js';

const find = (id) => document.getElementById(id);
const frame = find('frame');
const tabs = ['html', 'text', 'source'].map((part) => ({
  part,
  tab: find(`tab-${part}`),
  panel: find(`panel-${part}`),
}));

let open;

export function showMail(mail) {
  open = mail;
  find('subject').textContent = mail.subject || 'No subject';
  find('from').textContent = namesOf(mail.from);
  find('to').textContent = addressesOf(mail.to);
  writeWholeTime(find('received'), mail.receivedAt);
  writeLinked(find('text'), mail.text ?? '');
  find('source').textContent = '';
  find('tab-html').hidden = !mail.hasHtml;
  // `replace` keeps the frame out of the history, so that Back leaves the mail.
  const address = mail.hasHtml ? `/inbox/mails/${mail.id}/html` : 'about:blank';
  frame.contentWindow.location.replace(address);
  find('nothing-open').hidden = true;
  find('open').hidden = false;
  choosePart(mail.hasHtml ? 'html' : 'text');
  document.body.classList.add('reading');
}

export function closeMail() {
  open = undefined;
  document.body.classList.remove('reading');
  find('nothing-open').hidden = false;
  find('open').hidden = true;
}

function choosePart(chosen) {
  for (const { part, tab, panel } of tabs) {
    tab.setAttribute('aria-selected', String(part === chosen));
    tab.tabIndex = part === chosen ? 0 : -1;
    panel.hidden = part !== chosen;
  }
  find('looks').hidden = chosen !== 'html';
  if (chosen === 'source') void showSource(open.id);
}

async function showSource(id) {
  const source = await readSource(id);
  if (open?.id === id) find('source').textContent = source;
}

for (const { part, tab } of tabs) {
  tab.addEventListener('click', () => choosePart(part));
  tab.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[key];
    if (!step) return;
    const shown = tabs.filter((one) => !one.tab.hidden);
    const next = shown[(shown.findIndex((one) => one.part === part) + step) % shown.length];
    choosePart(next.part);
    next.tab.focus();
  });
}

/** Two buttons of which one is pressed; each stands for a class of the frame. */
function offer(names, first) {
  const choose = (chosen) => {
    for (const name of names) {
      find(name).setAttribute('aria-pressed', String(name === chosen));
      frame.classList.toggle(name, name === chosen);
    }
  };
  for (const name of names) find(name).addEventListener('click', () => choose(name));
  choose(first);
}

offer(['wide', 'narrow'], 'wide');
offer(['light', 'dark'], matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
