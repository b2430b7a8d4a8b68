/** The few calls of Getin's API that the demo and the replay use, made as a customer makes them. */
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';

const createdSchema = z.object({ id: z.string(), secret: z.string().optional() });
const eventsSchema = z.object({
  data: z.array(z.object({ event_id: z.number(), event_name: z.string(), event_date: z.string() })),
});

const signInLinkSchema = z.object({ url: z.url() });

export type EventFound = z.infer<typeof eventsSchema>['data'][number];
export type Created = z.infer<typeof createdSchema>;

/** How many rate-limit windows a call waits for before it fails. */
const mostWaits = 5;

/** Thrown for any answer but 2xx, with the request and the API's answer. */
export class ApiRefusedError extends Error {
  override readonly name = 'ApiRefusedError';
}

export interface ApiClient {
  searchEvents(query: string): Promise<EventFound[]>;
  createChannel(channel: object): Promise<Created>;
  createWatch(watch: object): Promise<Created>;
  /** @returns a link that opens the desk signed in, once, within 15 minutes */
  createSignInLink(): Promise<string>;
}

/** A client that waits as long as the API says after a 429. */
export function createApiClient(api: string, apiKey: string): ApiClient {
  const ask = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${api}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    let response = await ask(method, path, body);
    for (let waits = 0; response.status === 429 && waits < mostWaits; waits += 1) {
      await response.body?.cancel();
      await wait(Number(response.headers.get('retry-after') ?? 1) * 1_000);
      response = await ask(method, path, body);
    }
    const answer = await response.text();
    if (response.ok) return JSON.parse(answer);
    throw new ApiRefusedError(`${method} ${path}: ${response.status} ${answer.slice(0, 300)}`);
  };
  return {
    searchEvents: async (query) =>
      eventsSchema.parse(await call('GET', `/v1/events?query=${encodeURIComponent(query)}`)).data,
    createChannel: async (channel) =>
      createdSchema.parse(await call('POST', '/v1/channels', channel)),
    createWatch: async (watch) => createdSchema.parse(await call('POST', '/v1/watches', watch)),
    createSignInLink: async () =>
      signInLinkSchema.parse(await call('POST', '/v1/sign-in-links')).url,
  };
}
