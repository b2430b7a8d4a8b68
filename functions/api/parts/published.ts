// Links for programs, such as calendars, and what they show.
import type { ApiPart } from '../part.ts';
import { publishedOperations } from '../routes/published.ts';

export const part: ApiPart = {
  operations: publishedOperations,
};
