// What the inbox's page asks of the run.

/** @returns the mails and their counts; undefined if nothing changed since the last answer */
export function createMailReader() {
  let lastSearch;
  let lastTag;
  return async function readMails(search) {
    const response = await ask(`/inbox/mails?search=${encodeURIComponent(search)}`);
    const tag = response.headers.get('etag');
    if (tag === lastTag && search === lastSearch) return undefined;
    const list = await response.json();
    [lastTag, lastSearch] = [tag, search];
    return list;
  };
}

/** @returns undefined for a mail that was deleted because newer ones came */
export async function readMail(id) {
  const response = await fetch(`/inbox/mails/${id}`);
  return response.ok ? response.json() : undefined;
}

export async function readSource(id) {
  return (await ask(`/inbox/mails/${id}/source`)).text();
}

/** @param what `read` or `unread` */
export function mark(id, what) {
  return ask(`/inbox/mails/${id}/${what}`, { method: 'POST' });
}

export function markAllRead() {
  return ask('/inbox/mails/read', { method: 'POST' });
}

async function ask(path, init) {
  const response = await fetch(path, init);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response;
}
