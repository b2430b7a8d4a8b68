// The newest alerts as an Atom feed (RFC 4287), for a feed reader.
import { html, type Markup } from '#shared/delivery/message/markup.ts';
import { whenAndWhere } from '#shared/delivery/message/message.ts';
import { recentAlerts, type WordedAlert } from './recent-alerts.ts';
import type { PublishedView } from './view.ts';

const mostAlerts = 100;

export const alertsAtom: PublishedView = {
  summary: `The newest ${mostAlerts} alerts as an Atom feed`,
  type: 'application/atom+xml; charset=utf-8',
  async write({ stores }, { ownerId, url, now }) {
    const rows = await recentAlerts(stores, ownerId, { limit: mostAlerts, now });
    const updatedAt = rows[0]?.alert.firedAt ?? now;
    // What `html` escapes is the same in XML.
    const { text } = html`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${idOf(ownerId)}</id>
<title>Price alerts</title>
<updated>${new Date(updatedAt).toISOString()}</updated>
<author><name>Getin</name></author>
<link rel="self" href="${url}"/>
${rows.map(entryOf)}</feed>
`;
    return `<?xml version="1.0" encoding="utf-8"?>\n${text}`;
  },
};

function entryOf({ alert, message }: WordedAlert): Markup {
  const facts = [whenAndWhere(message.event), message.scope];
  const place = facts.filter((fact) => fact !== undefined && fact !== '').join(', ');
  const lines = [message.sentence, place, ...message.listings, message.doubt];
  const firedAt = new Date(alert.firedAt).toISOString();
  return html`<entry>
<id>${idOf(alert.alertId)}</id>
<title>${message.headline}</title>
<updated>${firedAt}</updated>
<content>${lines.filter((line) => line !== undefined).join(' · ')}</content>
</entry>
`;
}

/** A name that no other feed has (RFC 4151). */
function idOf(id: string): string {
  return `tag:getin,2026:${id}`;
}
