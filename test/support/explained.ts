// A watch that a live pipeline evaluates, and what the API explains of it.
import { beforeEach, expect } from 'vitest';
import { type Api, createKey, startApi } from './api.ts';
import { createPipeline, eventId, ownerId, type Pipeline, startMs } from './pipeline.ts';

export const below80 = { type: 'level', metric: 'get_in', at_or_below: 80 };

/** One row of an explanation. */
export interface Look {
  value: number | null;
  reason: string;
  text: string;
}

/** The value and the reason of each look, oldest first. */
export function reasonsIn(body: { data: Look[] }) {
  return body.data.toReversed().map(({ value, reason }) => [value, reason]);
}

/** Before each test a pipeline and an API over the same tables; the API's clock follows the pipeline's. */
export function openExplained() {
  const opened = {} as { api: Api; pipeline: Pipeline; key: string };

  beforeEach(async () => {
    const api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
    opened.api = api;
    opened.pipeline = await createPipeline(api.stores);
    const createdAt = new Date(startMs).toISOString();
    await api.stores.access.createOwner({ ownerId, name: 'Ann', createdAt });
    await api.stores.eventFacts.keep({
      ...{ eventId, name: 'Knicks at Heat', date: '2026-05-01', updatedAt: startMs },
    });
    opened.key = await createKey(api, ownerId, 'write');
    return () => api.stop();
  });

  return {
    opened,

    /** Each minute has a get-in; afterwards the feed is polled until everything is stored. */
    async see(...getIns: (number | null)[]): Promise<void> {
      for (const getIn of getIns) await opened.pipeline.minute(getIn);
      for (let each = 0; each < 3; each += 1) await opened.pipeline.minute();
    },

    /** Any request, as the owner of the watches. */
    call(path: string, sent: Parameters<Api['call']>[1] = {}) {
      opened.api.clock.now = opened.pipeline.clock.now;
      return opened.api.call(path, { key: opened.key, ...sent });
    },

    async explain(watchId: string, query = '') {
      const { status, body } = await this.call(`/v1/watches/${watchId}/explain?${query}`);
      expect([status, body.detail]).toEqual([200, undefined]);
      return body;
    },
  };
}
