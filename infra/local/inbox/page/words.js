// How the inbox writes people, times and links. What mails contain is text here, never markup.

const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const both = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
});

/** The time of a mail of today, the day of an older one. */
export function writeTime(element, receivedAt, now = new Date()) {
  const received = new Date(receivedAt);
  const isToday = received.toDateString() === now.toDateString();
  element.dateTime = received.toISOString();
  element.title = both.format(received);
  element.textContent = (isToday ? clock : day).format(received);
}

export function writeWholeTime(element, receivedAt) {
  const received = new Date(receivedAt);
  element.dateTime = received.toISOString();
  element.textContent = both.format(received);
}

/** Names where there are names, else addresses. */
export function namesOf(people) {
  return people.map(({ name, address }) => name || address).join(', ');
}

export function addressesOf(people) {
  return people.map(({ address }) => address).join(', ');
}

const link = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/g;

/** Writes a text whose addresses of pages are links that open in a new tab. */
export function writeLinked(element, text) {
  const parts = [];
  let end = 0;
  for (const { 0: url, index } of text.matchAll(link)) {
    const anchor = document.createElement('a');
    Object.assign(anchor, {
      href: url,
      textContent: url,
      target: '_blank',
      rel: 'noopener noreferrer',
    });
    parts.push(text.slice(end, index), anchor);
    end = index + url.length;
  }
  element.replaceChildren(...parts, text.slice(end));
}
