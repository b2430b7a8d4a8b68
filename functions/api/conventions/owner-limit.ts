// Limits how often each owner may do one thing in a time window, counted in the table, so that one owner can't
// use up resources that all owners share: mails, sender time.
import type { TallyStore } from '#shared/dynamo/tallies.ts';
import { problem } from '../problem.ts';

export interface OwnerLimit {
  /** Names the counter. */
  name: string;
  /** The plural noun for the error text: "test messages". */
  what: string;
  most: number;
  windowMs: number;
}

/** @throws ProblemError 429 when the owner has used up this window's limit; says when to retry. */
export async function takeOwnerPlace(
  tallies: Pick<TallyStore, 'take'>,
  { name, what, most, windowMs }: OwnerLimit,
  ownerId: string,
  now: number,
): Promise<void> {
  const startsAt = Math.floor(now / windowMs) * windowMs;
  const endsAt = startsAt + windowMs;
  const isTaken = await tallies.take({
    name: `${name}#${ownerId}`,
    startsAt,
    endsAt,
    ceiling: most,
  });
  if (isTaken) return;
  const seconds = Math.ceil((endsAt - now) / 1_000);
  throw problem(
    'rate-limited',
    `An owner may have ${most} ${what} in ${windowMs / 1_000} s; try again in ${seconds} s`,
    { headers: { 'retry-after': String(seconds) } },
  );
}
