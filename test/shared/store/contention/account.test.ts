import { operatorNotice } from '#shared/polling/notice.ts';
import { marketplaceBackText } from '#shared/polling/notice-texts.ts';
import { pullOf } from '#shared/polling/pull.ts';
import type { Stores } from '#shared/store/stores.ts';
import type { ApiKey } from '#shared/watchlist/api-key.ts';
import { aTrigger } from '#test/support/triggers.ts';
import { describeMeetings, meeting } from './meeting.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const nothing = async () => {};

const place = { keyId: 'key_1', route: 'POST /v1/watches', key: 'k' };
const begin =
  (fingerprint: string, at = now) =>
  ({ idempotency }: Stores) =>
    idempotency.begin(place, fingerprint, at);
const takeOver = (at: number) => async (stores: Stores) => {
  const found = await stores.idempotency.find(place, at);
  return found ? stores.idempotency.takeOver(found, at) : 'free';
};
const keep =
  (status: number) =>
  ({ idempotency }: Stores) =>
    idempotency.keep(place, { status, headers: {}, body: 'b' });
const letGo = (at: number) => (stores: Stores) => stores.idempotency.letGo(place, at);
const answerLeft = async ({ idempotency }: Stores) => {
  const found = await idempotency.find(place, now);
  return found && [found.fingerprint, found.status, found.leaseUntil - now];
};

describeMeetings('a request under an idempotency key', {
  'is begun once': meeting({
    given: nothing,
    a: begin('a'),
    b: begin('b'),
    left: answerLeft,
    outcomes: [
      [false, true, ['b', undefined, 15000]],
      [true, false, ['a', undefined, 15000]],
    ],
  }),
  'is begun anew after its day, once': meeting({
    given: begin('x', now - 86_400_000),
    a: begin('a'),
    b: begin('b'),
    left: answerLeft,
    outcomes: [
      [false, true, ['b', undefined, 15000]],
      [true, false, ['a', undefined, 15000]],
    ],
  }),
  'is taken over once': meeting({
    given: begin('x'),
    a: takeOver(now + 15_000),
    b: takeOver(now + 15_000),
    left: answerLeft,
    outcomes: [
      [false, true, ['x', undefined, 30000]],
      [true, false, ['x', undefined, 30000]],
    ],
  }),
  'is not taken over before its lease ends': meeting({
    given: begin('x'),
    a: takeOver(now + 14_999),
    b: takeOver(now + 15_000),
    left: answerLeft,
    outcomes: [[false, true, ['x', undefined, 30000]]],
  }),
  'is not taken over once it is answered': meeting({
    given: begin('x'),
    a: takeOver(now + 15_000),
    b: keep(201),
    left: answerLeft,
    outcomes: [
      [false, undefined, ['x', 201, 15000]],
      [true, undefined, ['x', 201, 30000]],
    ],
  }),
  'is let go of unless it is answered': meeting({
    given: begin('x'),
    a: letGo(now),
    b: keep(201),
    left: answerLeft,
    outcomes: [
      [undefined, undefined, ['x', 201, 0]],
      [undefined, undefined, ['x', 201, 15000]],
    ],
  }),
});

const seats = { ownerId: 'own_1', kind: 'watches' } as const;
const take =
  (wanted: number, most: number, at = now, counted = 0) =>
  ({ quotas }: Stores) =>
    quotas.take({ ...seats, now: at }, { wanted, most }, async () => counted);
const give =
  (places: number) =>
  ({ quotas }: Stores) =>
    quotas.give('own_1', 'watches', places);
/** Takes what is left of five, so that the count shows. */
const placesLeft = async (stores: Stores) => {
  let free = 0;
  while (await take(1, 5)(stores)) free += 1;
  return free;
};
const later = now + 60_000;

describeMeetings('a quota', {
  'gives its last place once': meeting({
    given: take(4, 5),
    a: take(1, 5),
    b: take(1, 5),
    left: placesLeft,
    outcomes: [
      [false, true, 0],
      [true, false, 0],
    ],
  }),
  'gives its first places once': meeting({
    given: nothing,
    a: take(3, 5),
    b: take(3, 5),
    left: placesLeft,
    outcomes: [
      [false, true, 2],
      [true, false, 2],
    ],
  }),
  'gives a place that was given back': meeting({
    given: take(5, 5),
    a: take(1, 5),
    b: give(1),
    left: placesLeft,
    outcomes: [
      [false, undefined, 1],
      [true, undefined, 0],
    ],
  }),
  'takes no more places back than were given': meeting({
    given: take(1, 5),
    a: give(1),
    b: give(1),
    left: placesLeft,
    outcomes: [[undefined, undefined, 5]],
  }),
  'is not recounted over what was given back meanwhile': meeting({
    given: async (stores) => {
      await take(5, 5)(stores);
      return { things: 4 };
    },
    a: (stores, real) =>
      stores.quotas.take({ ...seats, now: later }, { wanted: 1, most: 5 }, async () => real.things),
    b: (stores, real) => {
      real.things -= 2;
      return give(2)(stores);
    },
    left: placesLeft,
    outcomes: [
      [true, undefined, 1],
      [true, undefined, 2],
      [true, undefined, 4],
    ],
  }),
  'is recounted by one': meeting({
    given: take(5, 5),
    a: take(1, 5, later, 3),
    b: take(1, 5, later, 3),
    left: placesLeft,
    outcomes: [
      [false, true, 1],
      [true, false, 1],
      [true, true, 0],
    ],
  }),
});

const noticed = (name: string) => operatorNotice(marketplaceBackText, name, now);
const notice = (title: string) => (stores: Stores) =>
  stores.notices.create({ ...noticed('x'), title });
const { noticeId } = noticed('x');
const sent = (at: number) => (stores: Stores) => stores.notices.markSent(noticeId, at);
const noticeLeft = async ({ notices }: Stores) => {
  const found = await notices.find(noticeId);
  return found && [found.title, found.sentAt];
};

describeMeetings('a notice', {
  'is made once': meeting({
    given: nothing,
    a: notice('a'),
    b: notice('b'),
    left: noticeLeft,
    outcomes: [
      [false, true, ['b', undefined]],
      [true, false, ['a', undefined]],
    ],
  }),
  'is sent once': meeting({
    given: notice('x'),
    a: sent(5),
    b: sent(7),
    left: noticeLeft,
    outcomes: [
      [false, true, ['x', 7]],
      [true, false, ['x', 5]],
    ],
  }),
  'is not looked at again once it is sent': meeting({
    given: notice('x'),
    a: sent(5),
    b: ({ notices }) => notices.postpone(noticeId, now + 5),
    left: async ({ notices }) => (await notices.find(noticeId))?.sentAt,
    outcomes: [[true, undefined, 5]],
  }),
});

const aKey: ApiKey = {
  ...{ hash: 'h', keyId: 'key_1', ownerId: 'own_1', scope: 'write' },
  createdAt: '2026-03-01T00:00:00Z',
};
const createKey = (name: string) => (stores: Stores) => stores.apiKeys.create({ ...aKey, name });
const use = (at: string, notAfter: string) => (stores: Stores) =>
  stores.apiKeys.noteUse(aKey, at, notAfter);
const keyLeft = async ({ apiKeys }: Stores) => {
  const found = await apiKeys.findByHash('h');
  return found && [found.name, found.lastUsedAt, found.revokedAt];
};

describeMeetings('an API key', {
  'is made once': meeting({
    given: nothing,
    a: createKey('a'),
    b: createKey('b'),
    left: keyLeft,
    outcomes: [
      [false, true, ['b', undefined, undefined]],
      [true, false, ['a', undefined, undefined]],
    ],
  }),
  'is revoked at the first time': meeting({
    given: createKey('x'),
    a: ({ apiKeys }) => apiKeys.revoke(aKey, '2026-03-02'),
    b: ({ apiKeys }) => apiKeys.revoke(aKey, '2026-03-03'),
    left: keyLeft,
    outcomes: [
      [false, true, ['x', undefined, '2026-03-03']],
      [true, false, ['x', undefined, '2026-03-02']],
    ],
  }),
  'has its use noted now and then': meeting({
    given: createKey('x'),
    a: use('2026-03-02', '2026-03-01'),
    b: use('2026-03-03', '2026-03-02'),
    left: keyLeft,
    outcomes: [[undefined, undefined, ['x', '2026-03-03', undefined]]],
  }),
});

const trigger = aTrigger({ eventId: 7 });
const rowOf = async ({ seriesInUse }: Stores) => {
  const [row] = await seriesInUse.list(7);
  if (!row) throw new Error('no series');
  return row;
};
const needed = async (stores: Stores) => {
  await stores.seriesInUse.need(trigger);
  return rowOf(stores);
};
const marked = async (stores: Stores) => {
  await stores.seriesInUse.mark(await needed(stores), now);
  return rowOf(stores);
};
const need = (stores: Stores) => stores.seriesInUse.need(trigger);
const seriesLeft = async ({ seriesInUse }: Stores) =>
  (await seriesInUse.list(7)).map(({ idleSince }) => idleSince !== undefined);

describeMeetings('a series in use', {
  'is marked idle once': meeting({
    given: needed,
    a: ({ seriesInUse }, row) => seriesInUse.mark(row, now),
    b: ({ seriesInUse }, row) => seriesInUse.mark(row, now + 1),
    left: seriesLeft,
    outcomes: [
      [false, true, [true]],
      [true, false, [true]],
    ],
  }),
  'is not dropped once it is needed again': meeting({
    given: marked,
    a: ({ seriesInUse }, row) => seriesInUse.drop(row),
    b: need,
    left: seriesLeft,
    outcomes: [
      [false, undefined, [false]],
      [true, undefined, [false]],
    ],
  }),
  'is dropped or kept, not both': meeting({
    given: marked,
    a: ({ seriesInUse }, row) => seriesInUse.drop(row),
    b: ({ seriesInUse }, row) => seriesInUse.unmark(row),
    left: seriesLeft,
    outcomes: [
      [false, true, [false]],
      [true, false, []],
    ],
  }),
  'is not made by a mark once it is dropped': meeting({
    given: marked,
    a: ({ seriesInUse }, row) => seriesInUse.drop(row),
    b: ({ seriesInUse }, row) => seriesInUse.mark(row, now + 1),
    left: seriesLeft,
    outcomes: [[true, false, []]],
  }),
});

const pull = (state: 'settled' | 'unsettled', pulls: number) =>
  pullOf({
    ...{ claim: 'c', eventId: 7, kind: 'stats', pulls, reason: 'r', state, pulledAt: now },
    watches: 1,
  });
const pullsLeft = async (stores: Stores) =>
  (await stores.pulls.ofDay('2026-03-01')).map(({ pulls, state }) => [pulls, state]);

describeMeetings('a pull in the ledger', {
  'stays as it was noted first': meeting({
    given: nothing,
    a: ({ pulls }) => pulls.create(pull('settled', 1)),
    b: ({ pulls }) => pulls.create(pull('unsettled', 2)),
    left: pullsLeft,
    outcomes: [
      [false, true, [[2, 'unsettled']]],
      [true, false, [[1, 'settled']]],
    ],
  }),
  'is corrected while it is unsettled': meeting({
    given: nothing,
    a: ({ pulls }) => pulls.create(pull('unsettled', 1)),
    b: ({ pulls }) => pulls.correct(pull('unsettled', 1), 0),
    left: pullsLeft,
    outcomes: [
      [true, false, [[1, 'unsettled']]],
      [true, true, [[0, 'unsettled']]],
    ],
  }),
  'is not corrected once it is settled': meeting({
    given: nothing,
    a: ({ pulls }) => pulls.create(pull('settled', 1)),
    b: ({ pulls }) => pulls.correct(pull('settled', 1), 0),
    left: pullsLeft,
    outcomes: [[true, false, [[1, 'settled']]]],
  }),
});
