/**
 * A small deployment's day in half a minute: people create and read watches, prices change,
 * mails and webhooks are sent, a mail bounces, and reconcile runs afterwards.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { ApiRefusedError, createApiClient } from '#infra/local/demo/api-client.ts';
import { confirmAddress } from '#infra/local/demo/confirm-address.ts';
import type { LocalCloud } from '#infra/local/local-cloud.ts';

const address = 'reader@getin.example';
const watchesPerEvent = 6;
const searches = ['at', 'vs', 'a', 'e'];

export interface Extent {
  events: number;
  /** Seconds that the triggers run. */
  seconds: number;
}

/** Runs the whole workload. */
export async function runWorkload(cloud: LocalCloud, { events, seconds }: Extent): Promise<void> {
  const watches = await makeWatches(cloud, events);
  cloud.startTriggers();
  const endsAt = performance.now() + seconds * 1_000;
  await confirmAddress(cloud.facts.inbox, address);
  for (let round = 0; performance.now() < endsAt; round += 1) {
    await readAsPeopleDo(cloud, watches[round % watches.length] ?? '');
    for (let nth = 0; nth < 3; nth += 1) {
      await cloud.stack.invoke('mail-feedback', bounced(3 * round + nth));
    }
    await cloud.stack.invoke('reconcile', { scheduled_time: new Date().toISOString() });
    await wait(500);
  }
}

async function makeWatches({ facts, receiver }: LocalCloud, events: number): Promise<string[]> {
  const api = createApiClient(facts.api, facts.api_key);
  const mail = await api.createChannel({ kind: 'email', address });
  const webhook = await api.createChannel({ kind: 'webhook', url: `${facts.webhooks}/` });
  receiver.trust(webhook.secret ?? '');
  const found = new Map<number, string>();
  for (const query of searches) {
    for (const event of await api.searchEvents(query)) found.set(event.event_id, event.event_name);
  }
  const watches: string[] = [];
  for (const event_id of [...found.keys()].slice(0, events)) {
    for (let nth = 0; nth < watchesPerEvent; nth += 1) {
      const channels = [nth % 2 === 0 ? mail.id : webhook.id];
      const wish = { event_id, rules: rulesOf(nth), channels, latency_seconds: 10 };
      const made = await api.createWatch(wish).catch(passOverFull);
      if (made) watches.push(made.id);
    }
  }
  return watches;
}

/** A quota refusal is not a fault of the workload. */
function passOverFull(error: unknown): undefined {
  if (error instanceof ApiRefusedError && /quota|limit/.test(error.message)) return undefined;
  throw error;
}

/** Levels that are reached at once, changes up and down, and listings beside the stats. */
function rulesOf(nth: number): object[] {
  const level = { type: 'level', metric: 'get_in', at_or_below: 60 + 40 * nth };
  const from = { of: 'high', window: '1h' };
  const change = { type: 'change', metric: 'get_in', drops_by: { percent: 1 }, from };
  const listing = { type: 'listing', min_quantity: 2, at_or_below: 30 + 20 * nth };
  return [level, nth % 2 === 0 ? change : listing];
}

async function readAsPeopleDo({ facts }: LocalCloud, watchId: string): Promise<void> {
  const headers = { authorization: `Bearer ${facts.api_key}` };
  for (const path of ['watches', `watches/${watchId}`, 'alerts', 'deliveries', 'budget']) {
    await (await fetch(`${facts.api}/v1/${path}`, { headers })).arrayBuffer();
  }
}

/** A batch with one message, as mail-feedback's event source delivers it. */
function bounced(count: number): object {
  const detail = {
    eventType: 'Bounce',
    bounce: {
      ...{ bounceType: 'Transient', bounceSubType: 'General', feedbackId: `feedback-${count}` },
      bouncedRecipients: [{ emailAddress: `somebody-${count}@example.com` }],
    },
  };
  const body = JSON.stringify({ 'detail-type': 'Email Bounced', source: 'aws.ses', detail });
  const attributes = { ApproximateReceiveCount: '1' };
  return { Records: [{ messageId: `message-${count}`, receiptHandle: 'r', body, attributes }] };
}
