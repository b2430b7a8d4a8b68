// The synthetic watch: a watch of the service itself on an event whose price does not matter, which is made true every
// ten minutes, so that a missing mail shows that some part of the way to people is broken. Its names and settings.
import * as z from 'zod';
import type { Watch } from './watch.ts';

/** Owns the watch and its channel; no API key belongs to it: the first admin's and the operator's ids are others. */
export const syntheticOwnerId = 'own_00000000000000000000000000000002';
export const syntheticChannelId = 'ch_00000000000000000000000000000001';
export const syntheticWatchId = 'wat_00000000000000000000000000000001';

/** SES's mailbox simulator: takes every mail, and counts neither as a bounce nor as a complaint. */
export const syntheticAddress = 'success@simulator.amazonses.com';

/** The watch is made true once in each of these. */
export const syntheticEveryMs = 10 * 60_000;
/** Polls cost pulls: within this time the stored price serves for the next proofs. */
export const syntheticLatencySeconds = 3_600;

/** The environment variable with the event; empty for no synthetic watch. */
export const syntheticVariables = {
  SYNTHETIC_EVENT: z
    .string()
    .regex(/^(?:[1-9]\d{0,14})?$/, 'must be the id of an event, or empty')
    .transform((text) => (text === '' ? undefined : Number(text))),
};

/** The watch on an event: true at any price. */
export function syntheticWatch(eventId: number, now: number): Watch {
  const madeAt = new Date(now).toISOString();
  return {
    ...{ watchId: syntheticWatchId, ownerId: syntheticOwnerId, eventId },
    name: 'synthetic watch',
    rules: [
      {
        ruleId: 'rul_00000000000000000000000000000001',
        rule: { type: 'level', metric: 'get_in', at_or_above: 0.01 },
        triggerIds: ['trg_00000000000000000000000000000001'],
      },
    ],
    channelIds: [syntheticChannelId],
    status: 'active',
    latencySeconds: syntheticLatencySeconds,
    version: 1,
    createdAt: madeAt,
    updatedAt: madeAt,
  };
}

/** Whether a delivery of this owner, made at a time, still proves something: one from before is a backlog. */
export function isSyntheticProof(
  { ownerId, createdAt }: { ownerId: string; createdAt: number },
  now: number,
): boolean {
  return ownerId === syntheticOwnerId && now - createdAt < syntheticEveryMs;
}
