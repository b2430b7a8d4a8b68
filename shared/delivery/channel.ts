// A channel: one address that an owner's alerts are sent to, as it is stored and as the API changes it.
import * as z from 'zod';
import { channelSettings, type channelStatuses } from '#shared/watchlist/channel.ts';
import { type ChannelTarget, channelRows } from './channels/channels.ts';

/** A channel with its settings. */
export interface Channel {
  channelId: string;
  ownerId: string;
  name?: string | undefined;
  target: ChannelTarget;
  status: (typeof channelStatuses)[number];
  /** Absent while the channel is not disabled. */
  disabledReason?: string | undefined;
  /** Sends alerts at once; the owner's quiet hours and digest do not apply. */
  isImmediate: boolean;
  /** What to do with an alert that could not be sent for six hours. */
  staleAlerts: 'send' | 'drop';
  fallbackChannelId?: string | undefined;
  /** By watch id, or `everyWatch`: this channel gets no alert of it until then (epoch ms, or `forever`). */
  watchesSilentUntil: Record<string, number>;
  stopUrl: string;
  /** ISO 8601. */
  createdAt: string;
  /** Grows with every change of its settings or its status. */
  revision?: number | undefined;
}

/** The fields of `PATCH /v1/channels/{id}` that every kind has. */
const settingsChange = {
  name: channelSettings.name.nullable(),
  immediate: channelSettings.immediate,
  stale_alerts: channelSettings.stale_alerts,
  fallback_channel: channelSettings.fallback_channel.nullable(),
  status: z.enum(['disabled']).meta({
    description: 'disabled switches the channel off; a test that arrives switches it on again',
  }),
};

/** The fields of the kinds' targets. A field that two kinds read differently is any text here. */
function targetFields(): Record<string, z.ZodType> {
  const fields = new Map<string, Set<z.ZodType>>();
  for (const { changes } of channelRows) {
    for (const [name, schema] of Object.entries(changes)) {
      fields.set(name, new Set([...(fields.get(name) ?? []), schema]));
    }
  }
  const entries = [...fields].map(([name, [first = anyText, ...others]]) => {
    return [name, others.length === 0 ? first : anyText] as const;
  });
  return Object.fromEntries(entries);
}

const anyText = z.string().max(2_000).nullable().meta({
  description: 'As in the body that adds a channel of its kind; null removes an optional one',
});

/** The body of `PATCH /v1/channels/{id}`; absent fields stay unchanged. */
export const channelChangeSchema = z
  .strictObject({ ...targetFields(), ...settingsChange })
  .partial()
  .meta({ id: 'ChannelChange' });

/** The type has the settings only; `targetChanges` gives the other fields. */
export type ChannelChange = z.infer<typeof channelChangeSchema>;

/** The fields of a change that only some kinds have, with their values. */
export function targetChanges(change: ChannelChange): Record<string, unknown> {
  const own = Object.entries(change).filter(
    ([name, value]) => value !== undefined && !Object.hasOwn(settingsChange, name),
  );
  return Object.fromEntries(own);
}
