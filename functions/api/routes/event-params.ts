// The path parameter and the tag of the operations on one event.
import * as z from 'zod';
import { exampleIds } from '../document/example-ids.ts';
import { eventIdParam } from '../query-params.ts';

export const eventTag = 'Events';

/** `{event_id}` in a path. */
export const eventParams = z.object({
  event_id: eventIdParam.meta({
    description: 'The event’s id at the marketplace (service event id)',
    type: 'integer',
    minimum: 1,
    examples: [exampleIds.event],
  }),
});
