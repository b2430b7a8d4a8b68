// The schema of an alert as JSON, version 1 of the payload. alert-payload-v1.ts makes the JSON.
import * as z from 'zod';
import {
  beforeAtField,
  flagFields,
  identityFields,
  movesField,
  roleField,
  seatFields,
  timeFields,
  truncatedField,
} from './alert-payload-schema.ts';

export const alertPayloadV1Schema = z
  .object({
    ...identityFields,
    direction: z.enum(['down', 'up']).meta({
      description: 'The direction of `series`: a change rises when its price falls',
    }),
    ...roleField,
    unit: z
      .enum(['cents', 'count', 'basis_points'])
      .meta({ description: 'Of now, before and level' }),
    now: z.number(),
    now_with_fee: z.number(),
    before: z.number().nullable(),
    ...beforeAtField,
    level: z.number().nullable(),
    ...flagFields,
    ...movesField,
    listings: z.array(z.object({ ...seatFields, price_cents: z.int() })),
    ...timeFields,
    ...truncatedField,
  })
  .meta({ id: 'AlertPayloadV1' });

export type AlertPayloadV1 = z.infer<typeof alertPayloadV1Schema>;
