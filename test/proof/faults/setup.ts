// Makes a scenario's owners, channels and watches through the API, as a customer would, before faults start.
import { setTimeout as wait } from 'node:timers/promises';
import { simpleParser } from 'mailparser';
import { updatesPath } from '#shared/delivery/telegram/bot.ts';
import { webhookSecret } from '#test/support/telegram.ts';
import { chatIdOf } from './chats.ts';
import { callApi } from './product.ts';
import type { Receipts } from './receipts.ts';
import { type Hearing, hearingDocument } from './scenario/hearing.ts';
import {
  channels,
  isForPeople,
  type OwnerName,
  type PlannedChannel,
  type PlannedOwner,
} from './scenario/owners.ts';
import type { RuleDocument } from './scenario/rules.ts';
import type { PlannedWatch, Scenario } from './scenario/scenario.ts';
import type { World } from './world.ts';

/** A created owner. */
export interface MadeOwner {
  name: OwnerName;
  /** Undefined for the owner whose key came with the stack. */
  ownerId: string | undefined;
  api: { url: string; key: string };
}

/** A created watch. */
export interface MadeWatch {
  watchId: string;
  eventId: number;
  owner: OwnerName;
  rules: { ruleId: string; rule: RuleDocument }[];
  /** The places where its alerts must arrive. */
  places: string[];
  /** Its owner's quiet hours or digest, if any, and the places that they apply to. */
  hearing?: Hearing;
  patient: string[];
}

/** Everything that the run has created through the API. */
export interface Made {
  owners: MadeOwner[];
  /** In the order of the planned channels. */
  channelIds: string[];
  watches: MadeWatch[];
}

const lookEveryMs = 50;
const mostLooks = 1_200;

export async function setUp(
  world: World,
  receipts: Receipts,
  { owners: planned, watches }: Scenario,
): Promise<Made> {
  const owners: MadeOwner[] = [];
  for (const owner of planned) owners.push(await makeOwner(world, owner));
  const channelIds: string[] = [];
  for (const channel of channels) channelIds.push(await makeChannel(world, owners, channel));
  const addresses = channels.filter(({ kind }) => kind === 'email').map(({ place }) => place);
  await Promise.all(addresses.map((address) => confirm(receipts, address)));
  const made: MadeWatch[] = [];
  const seen = new Set<string>();
  for (const watch of watches) {
    // A second equal watch is refused, as it should be.
    const name = JSON.stringify([watch.owner, watch.eventId, watch.rules, watch.channels]);
    if (seen.has(name)) continue;
    seen.add(name);
    const hearing = planned.find((owner) => owner.name === watch.owner)?.hearing;
    made.push({
      ...(await makeWatch(apiOf(owners, watch.owner), watch, channelIds)),
      ...(hearing && { hearing }),
    });
  }
  return { owners, channelIds, watches: made };
}

/** @throws Error when it was never created */
export function apiOf(owners: readonly MadeOwner[], name: OwnerName): MadeOwner['api'] {
  const owner = owners.find((made) => made.name === name);
  if (!owner) throw new Error(`There is no owner ${name}.`);
  return owner.api;
}

async function makeOwner(world: World, { name, hearing }: PlannedOwner): Promise<MadeOwner> {
  if (name === 'main') return { name, ownerId: undefined, api: world.api };
  const { id: ownerId } = await callApi<{ id: string }>(world.api, '/v1/owners', { name });
  const asked = { owner_id: ownerId, name, scope: 'write' };
  const { key } = await callApi<{ key: string }>(world.api, '/v1/keys', asked);
  const api = { url: world.api.url, key };
  if (hearing) await callApi(api, '/v1/owner', hearingDocument(hearing), 'PATCH');
  return { name, ownerId, api };
}

async function makeChannel(
  world: World,
  owners: readonly MadeOwner[],
  { owner, kind, place }: PlannedChannel,
): Promise<string> {
  const receiver = world.links.between('send-webhook', 'receiver')?.url;
  const api = apiOf(owners, owner);
  if (kind === 'telegram') return makeChat(api, chatIdOf(place));
  const body = kind === 'email' ? { kind, address: place } : { kind, url: `${receiver}${place}` };
  const { id } = await callApi<{ id: string }>(api, '/v1/channels', body);
  return id;
}

/** A channel whose reader follows its link. */
async function makeChat(api: MadeOwner['api'], chatId: number): Promise<string> {
  const made = await callApi<{ id: string; link_url: string }>(api, '/v1/channels', {
    kind: 'telegram',
  });
  const text = `/start ${new URL(made.link_url).searchParams.get('start')}`;
  const chat = { id: chatId, type: chatId < 0 ? 'group' : 'private' };
  const answer = await fetch(`${api.url}${updatesPath}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-telegram-bot-api-secret-token': webhookSecret,
    },
    body: JSON.stringify({ update_id: Math.abs(chatId), message: { message_id: 1, chat, text } }),
  });
  if (!answer.ok) throw new Error(`The update of a chat was answered with ${answer.status}.`);
  return made.id;
}

/** Follows the link in the confirmation mail. */
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
  api: MadeOwner['api'],
  { owner, eventId, rules, channels: chosen }: PlannedWatch,
  channelIds: readonly string[],
): Promise<MadeWatch> {
  const made = await callApi<{ id: string; rules: { id: string }[] }>(api, '/v1/watches', {
    event_id: eventId,
    rules,
    channels: chosen.map((place) => channelIds[place]),
    latency_seconds: 1,
  });
  const places = chosen.flatMap((place) => channels[place] ?? []);
  return {
    ...{ watchId: made.id, eventId, owner },
    rules: made.rules.map(({ id }, index) => ({ ruleId: id, rule: rules[index] ?? {} })),
    places: places.map(({ place }) => place),
    patient: places.filter(isForPeople).map(({ place }) => place),
  };
}
