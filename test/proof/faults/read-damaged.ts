// Reads from the API which of the damaged watches show a trouble.
import type { Damaged } from './oracle/set-damaged-apart.ts';
import { callApi } from './product.ts';
import { oddEventId } from './scenario/market.ts';
import { apiOf, type Made } from './setup.ts';

interface WatchRow {
  status: string;
  trouble: unknown[];
}

export async function readDamaged({ owners, watches }: Made): Promise<Damaged> {
  const own = watches.filter(({ owner }) => owner === 'odd');
  const api = apiOf(owners, 'odd');
  const troubled = new Set<string>();
  for (const { watchId } of own) {
    // Any answer other than 2xx says that the watch cannot be read.
    const row = await callApi<WatchRow>(api, `/v1/watches/${watchId}`).catch(() => undefined);
    const isWell = row?.status === 'active' && row.trouble.length === 0;
    if (!isWell) troubled.add(watchId);
  }
  return {
    watchIds: new Set(own.map(({ watchId }) => watchId)),
    ruleIds: new Set(own.flatMap(({ rules }) => rules.map(({ ruleId }) => ruleId))),
    eventId: oddEventId,
    troubled,
  };
}
