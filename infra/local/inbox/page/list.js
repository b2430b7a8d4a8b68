// The list of mails: a link for each, the newest first.
import { addressesOf, namesOf, writeTime } from './words.js';

const rows = document.getElementById('rows');
const empty = document.getElementById('empty');

/** Draws the mails; a row that has the focus keeps it. */
export function drawList({ mails, openId, emptyWords }) {
  const focused = document.activeElement?.closest?.('#rows a')?.getAttribute('href');
  rows.replaceChildren(...mails.map((mail) => rowOf(mail, openId)));
  rows.hidden = mails.length === 0;
  empty.hidden = mails.length > 0;
  const [headline, hint] = emptyWords;
  empty.replaceChildren(element('b', '', headline), element('p', 'muted', hint));
  if (focused) rows.querySelector(`a[href="${focused}"]`)?.focus({ preventScroll: true });
}

function rowOf(mail, openId) {
  const time = element('time', 'small');
  writeTime(time, mail.receivedAt);
  const people = `${namesOf(mail.from)} to ${addressesOf(mail.to)}`;
  const link = element(
    'a',
    '',
    element('span', 'line', element('span', 'who small', people), time),
    element('span', 'subject', mail.subject || 'No subject'),
    element('span', 'preview small muted', mail.preview),
  );
  link.href = `#${mail.id}`;
  if (mail.id === openId) link.setAttribute('aria-current', 'true');
  if (mail.unread) link.setAttribute('aria-description', 'unread');
  return element('li', mail.unread ? 'unread' : '', link);
}

function element(tag, className, ...content) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...content);
  return made;
}

/** The link of the row before or after the open mail; the first row if none is open. */
export function neighbour(openId, step) {
  const links = [...rows.querySelectorAll('a')];
  const at = links.findIndex((link) => link.getAttribute('href') === `#${openId}`);
  return at === -1 ? links[0] : links[at + step];
}
