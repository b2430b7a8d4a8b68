// Health of the API. It calls nothing else, so that a monitor's calls cost nothing.
import * as z from 'zod';
import { defineOperation, type Operation } from '../operation.ts';

export function healthOperation(): Operation {
  return defineOperation({
    method: 'get',
    path: '/v1/health',
    tag: 'Health',
    summary: 'Health of the API',
    description: 'For load balancers and monitors. Reads nothing from the tables.',
    access: 'public',
    answer: {
      status: 200,
      description: 'It is',
      schema: z.object({ status: z.literal('ok') }).meta({ id: 'Health' }),
    },
    handle: async () => ({ body: { status: 'ok' } }),
  });
}
