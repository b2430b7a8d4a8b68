// Makes a scenario's channels and watches through the API, as a customer would, before anything fails.
import { setTimeout as wait } from 'node:timers/promises';
import { simpleParser } from 'mailparser';
import { callApi } from './product.ts';
import type { Receipts } from './receipts.ts';
import type { RuleDocument } from './scenario/rules.ts';
import type { PlannedChannel, PlannedWatch, Scenario } from './scenario/scenario.ts';
import type { World } from './world.ts';

/** A watch as it was made. */
export interface MadeWatch {
  watchId: string;
  eventId: number;
  rules: { ruleId: string; rule: RuleDocument }[];
  /** Where its alerts are to arrive. */
  places: string[];
}

const lookEveryMs = 50;
const mostLooks = 1_200;

export async function makeWatches(
  world: World,
  receipts: Receipts,
  { channels, watches }: Scenario,
): Promise<MadeWatch[]> {
  const channelIds: string[] = [];
  for (const channel of channels) channelIds.push(await makeChannel(world, channel));
  const addresses = channels.filter(({ kind }) => kind === 'email').map(({ place }) => place);
  await Promise.all(addresses.map((address) => confirm(receipts, address)));
  const made: MadeWatch[] = [];
  const seen = new Set<string>();
  for (const watch of watches) {
    // The same watch twice is refused, as it should be.
    const name = JSON.stringify([watch.eventId, watch.rules, watch.channels]);
    if (seen.has(name)) continue;
    seen.add(name);
    made.push(await makeWatch(world, watch, { channels, channelIds }));
  }
  return made;
}

async function makeChannel(world: World, { kind, place }: PlannedChannel): Promise<string> {
  const receiver = world.links.between('send-webhook', 'receiver')?.url;
  const body = kind === 'email' ? { kind, address: place } : { kind, url: `${receiver}${place}` };
  const { id } = await callApi<{ id: string }>(world.api, '/v1/channels', body);
  return id;
}

/** Follows the link in the mail that asks for it. */
async function confirm(receipts: Receipts, address: string): Promise<void> {
  for (let look = 0; look < mostLooks; look += 1) {
    const mail = receipts.mails.find(({ to }) => to === address);
    const text = mail && (await simpleParser(mail.raw)).text;
    const link = text && /Confirm this address: (\S+)/.exec(text)?.[1];
    if (link) {
      const answer = await fetch(link, {
        method: 'POST',
        body: new URLSearchParams({ do: 'confirm' }),
      });
      if (!answer.ok) throw new Error(`The confirmation link answered ${answer.status}.`);
      return;
    }
    await wait(lookEveryMs);
  }
  throw new Error(`No confirmation mail came to ${address}.`);
}

async function makeWatch(
  world: World,
  { eventId, rules, channels: places }: PlannedWatch,
  { channels, channelIds }: { channels: PlannedChannel[]; channelIds: string[] },
): Promise<MadeWatch> {
  const made = await callApi<{ id: string; rules: { id: string }[] }>(world.api, '/v1/watches', {
    event_id: eventId,
    rules,
    channels: places.map((place) => channelIds[place]),
    latency_seconds: 1,
  });
  return {
    watchId: made.id,
    eventId,
    rules: made.rules.map(({ id }, index) => ({ ruleId: id, rule: rules[index] ?? {} })),
    places: places.map((place) => channels[place]?.place ?? ''),
  };
}
