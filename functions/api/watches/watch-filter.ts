// The filters of a list of watches, which a bulk change shares with it.
import * as z from 'zod';
import { tagSchema } from '#shared/watchlist/defaults-request.ts';
import { type EventQuestion, readQuestion } from '#shared/watchlist/event-question.ts';
import { troubleCodes } from '#shared/watchlist/trouble-table.ts';
import { watchStatuses } from '#shared/watchlist/watch.ts';
import { invalidFaults } from '../problem.ts';
import { dateParam } from '../query-params.ts';
import { watchStateSchema } from './listed-watch-json.ts';
import { type StandingFilter, troubleGroups } from './standing-filter.ts';

/** The filters but the event's id, which a query has as text and a body as a number. */
export const watchFilterFields = {
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine((text) => hasQuestion(readQuestion({ query: text })), 'must have a letter or a digit')
    .optional()
    .meta({
      description:
        'Words and dates, each of them in the event (name, performer, venue, city, date), in the watch’s name or in a tag, as in the search for events',
      examples: ['knicks dec'],
    }),
  team: z
    .string()
    .trim()
    .min(1)
    .max(200)
    // Without a word it would take every watch.
    .refine((text) => wordsOf(text).length > 0, 'must have a letter or a digit')
    .optional()
    .meta({
      description: 'Words of the performer or of the event’s name, as in the search for events',
    }),
  from: dateParam.optional().meta({ description: 'The first date of the event' }),
  to: dateParam.optional().meta({ description: 'The last date of the event' }),
  status: z.enum(watchStatuses).optional(),
  state: watchStateSchema.optional(),
  trouble: z
    .enum([...troubleGroups, ...troubleCodes])
    .optional()
    .meta({
      description:
        'The code of a trouble, any trouble, none, or unexpected: any but those of a paused, snoozed or ended watch',
    }),
  tag: tagSchema.optional(),
};

type FilterFields = z.infer<z.ZodObject<typeof watchFilterFields>> & {
  event_id?: number | undefined;
};

/**
 * The filter as the list reads it. @param place a pointer to it.
 * @throws ProblemError for a range of dates that ends before it begins.
 */
export function readWatchFilter(fields: FilterFields, place = '#'): StandingFilter {
  const { event_id: eventId, q, team: words, from, to, status, state, trouble, tag } = fields;
  if (from !== undefined && to !== undefined && from > to) {
    throw invalidFaults([{ pointer: `${place}/from`, detail: 'must not be after `to`' }]);
  }
  const team = words && wordsOf(words);
  const search = q === undefined ? undefined : readQuestion({ query: q });
  return { eventId, status, tag, state, trouble, from, to, search, ...(team && { team }) };
}

function hasQuestion({ words, dates }: EventQuestion): boolean {
  return words.length + dates.length > 0;
}

function wordsOf(text: string) {
  return readQuestion({ query: '', performer: text }).performer;
}
