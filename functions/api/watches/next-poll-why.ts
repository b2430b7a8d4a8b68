// The description of the reason in words that an answer gives for the next poll.
import * as z from 'zod';

export const whySchema = z.string().nullable().meta({
  description:
    'Why the next poll is worth a pull at that time, such as “about 40 % likely to reach $120 by 14:00 UTC; 12 watches”. null unless the pull budget is short and gave the poll its time.',
});
