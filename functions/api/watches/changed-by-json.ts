// Who changed a watch as JSON.
import * as z from 'zod';
import { type ChangedBy, changedByWords, changeWays } from '#shared/watchlist/changed-by.ts';

export const changedBySchema = z
  .object({
    way: z.enum(changeWays),
    key: z
      .object({ id: z.string(), name: z.string().nullable(), hint: z.string().nullable() })
      .nullable()
      .meta({ description: 'The key of the request, with its name at that time; null for a link' }),
    channel: z
      .string()
      .nullable()
      .meta({ description: 'The channel whose message had the link; otherwise null' }),
    run: z.string().nullable().meta({ description: 'The id of the bulk change; otherwise null' }),
    words: z.string(),
  })
  .meta({ id: 'ChangedBy', description: 'Who changed a watch, and how' });

/** Who changed a watch; null if it is not known. */
export function changedByJson(by: ChangedBy | undefined): z.infer<typeof changedBySchema> | null {
  if (!by) return null;
  const { way, keyId, keyName, keyHint, channelId, runId } = by;
  const key = keyId === undefined ? null : keyJson(keyId, keyName, keyHint);
  return {
    ...{ way, key, channel: channelId ?? null, run: runId ?? null },
    words: changedByWords(by),
  };
}

function keyJson(id: string, name: string | undefined, hint: string | undefined) {
  return { id, name: name ?? null, hint: hint ?? null };
}
