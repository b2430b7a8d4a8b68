// An owner whose settings are generated from the API's own schemas, and the calls that send them to the API.
import fc from 'fast-check';
import { expect } from 'vitest';
import { channelChangeSchema } from '#shared/delivery/channel.ts';
import { newChannelSchema } from '#shared/delivery/channels/channels.ts';
import { defaultsChangeSchema } from '#shared/watchlist/defaults-request.ts';
import { ownerChangeSchema } from '#shared/watchlist/owner-change.ts';
import { newWatchSchema, watchChangeSchema } from '#shared/watchlist/watch-request.ts';
import { hostileNames } from './alerts.ts';
import {
  type Answered,
  type Api,
  aChannel,
  anyVersion,
  createKey,
  signedLinks,
  startMs,
} from './api.ts';
import { oddLeaves } from './odd-leaves.ts';
import type { Pipeline } from './pipeline.ts';
import { arbitraryOf } from './schema-arbitrary.ts';

/** Placeholders for two channels that every generated owner has, so that settings can name them. */
const placeholders = ['a', 'b'].map((digit) => `ch_${digit.repeat(32)}`);
const leaves = { ...oddLeaves, texts: [...oddLeaves.texts, ...placeholders] };
const of = (schema: Parameters<typeof arbitraryOf>[0]) => arbitraryOf(schema, leaves);

const oddText = fc.constantFrom(...oddLeaves.texts);
const hostileName = fc.constantFrom(...hostileNames);

export const ownersSettings = fc.record({
  owner: of(ownerChangeSchema),
  defaults: of(defaultsChangeSchema),
  channel: of(newChannelSchema),
  channelChange: of(channelChangeSchema),
  watches: fc.array(of(newWatchSchema), { minLength: 1, maxLength: 3 }),
  watchChange: of(watchChangeSchema),
  move: fc.constantFrom('pause', 'resume', 'snooze'),
  until: oddText,
  /** What the catalog calls the event and its place. */
  facts: fc.record({ name: hostileName, venueName: hostileName }),
});
/** A second change of some settings, in a later minute. */
export const laterChange = fc.record({
  minute: fc.constantFrom(0, 1, undefined),
  owner: of(ownerChangeSchema),
  defaults: of(defaultsChangeSchema),
});

export type OwnersSettings = typeof ownersSettings extends fc.Arbitrary<infer V> ? V : never;

/** Number of settings that the API accepted and refused. */
export interface Taken {
  accepted: number;
  refused: number;
}

/** An owner with two confirmed e-mail channels, the first without quiet hours. */
export interface OddOwner {
  ownerId: string;
  channelIds: string[];
  /** Sends a request; counts its setting in `taken`. */
  call: (method: string, path: string, body?: unknown) => Promise<Answered>;
}

/** @param number a different one for each owner of the same tables. */
export async function createOddOwner(api: Api, number: number, taken: Taken): Promise<OddOwner> {
  const digits = String(number).padStart(30, '0');
  const ownerId = `own_70${digits}`;
  const createdAt = new Date(startMs).toISOString();
  await api.stores.access.createOwner({ ownerId, name: 'odd', createdAt });
  const channelIds = placeholders.map((_, index) => `ch_7${index}${digits}`);
  for (const [index, channelId] of channelIds.entries()) {
    await api.stores.channels.create({
      ...aChannel(channelId, ownerId),
      ...{ isImmediate: index === 0, stopUrl: await signedLinks.manageUrl(channelId) },
    });
  }
  const key = await createKey(api, ownerId, 'write');
  return { ownerId, channelIds, call: openCalls(api, key, taken) };
}

function openCalls(api: Api, key: string, taken: Taken): OddOwner['call'] {
  return async (method, path, body) => {
    const isChange = method === 'PATCH' || method === 'POST';
    const answer = await api.call(path, {
      ...{ method, key },
      ...(body !== undefined && { body }),
      ...(method === 'PATCH' && { headers: anyVersion }),
      ...(typeof body === 'string' && { headers: { 'content-type': 'text/csv' } }),
    });
    const what = `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`;
    expect(answer.status, what).toBeLessThan(500);
    if (answer.status < 400) taken.accepted += isChange ? 1 : 0;
    else {
      taken.refused += 1;
      expect([400, 409, 413, 429], what).toContain(answer.status);
      if (answer.status === 400) expectNamed(answer, what);
    }
    return answer;
  };
}

/** Each refusal names the field; a refusal of the JSON text itself names the key. */
function expectNamed({ body }: Answered, what: string): void {
  const pointers = (body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer);
  expect(pointers.length, what).toBeGreaterThan(0);
}

/** The generated settings with the owner's own channels in place of the placeholders. */
export function withOwnChannels<Settings>(
  settings: Settings,
  { channelIds }: Pick<OddOwner, 'channelIds'>,
): Settings {
  const text = placeholders.reduce(
    (json, placeholder, index) => json.replaceAll(placeholder, channelIds[index] ?? ''),
    JSON.stringify(settings),
  );
  return JSON.parse(text);
}

/** Moves what the API has enqueued into the pipeline's queues. */
export function passOn(api: Api, { queues }: Pipeline): void {
  queues.evaluate.push(...api.nudges.splice(0));
  queues.email.push(...api.deliveries.splice(0));
}
