// How the facts of an event are stored.
import { item, number, string } from 'dynamodb-toolbox/schema';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import { storedAs } from './stored-as.ts';

export const eventFactsSchema = storedAs<EventFacts>()(
  item({
    eventId: number().key(),
    name: string(),
    date: string().optional(),
    time: string().optional(),
    venueName: string().optional(),
    venueCity: string().optional(),
    performer: string().optional(),
    tmEventId: string().optional(),
    timeZone: string().optional(),
    startsAt: number().optional(),
    updatedAt: number(),
  }),
);
