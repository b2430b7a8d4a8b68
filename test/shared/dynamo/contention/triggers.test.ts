import type { Stores } from '#shared/dynamo/stores.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';
import { aTrigger } from '#test/support/triggers.ts';

const id = 'trg_1';
const { eventId, series, direction } = aTrigger();

const stored =
  (changes: Partial<Trigger> = {}) =>
  ({ triggers }: Stores) =>
    triggers.create(aTrigger(changes));
const edit = (changes: Partial<Trigger>) => (stores: Stores) =>
  stores.triggers.edit(id, (trigger) => ({ ...trigger, ...changes }));
const remove = async (stores: Stores) => stores.triggers.remove(id);

/** A run of the evaluation: it reads the trigger and moves it. */
const move = (changes: Partial<Trigger>) => async (stores: Stores) => {
  const triggers = stores.triggers.forEvent(eventId);
  const read = await triggers.index.find(id);
  return read ? triggers.move({ ...read, ...changes }) : 'gone';
};
/** The same, of a trigger that it found in the index. */
const moveFromIndex = (changes: Partial<Trigger>) => async (stores: Stores) => {
  const triggers = stores.triggers.forEvent(eventId);
  const [read] = await triggers.index.armedReachedBy({ series, direction, value: 0 });
  return read ? triggers.move({ ...read, ...changes }) : 'gone';
};
const retire = async (stores: Stores) => {
  const triggers = stores.triggers.forEvent(eventId);
  const read = await triggers.index.find(id);
  return read ? triggers.retire(id) : 'gone';
};

const setUnreadableAside = ({ triggers }: Stores) =>
  triggers.forEvent(eventId).setAside({ triggerId: id, reason: 'unreadable' } as never, {
    reason: 'unreadable',
    release: '1',
    now: 0,
  });

const left = async ({ triggers }: Stores) => {
  const found = await triggers.find(id);
  return found && [found.state, found.level, found.rearmLevel, found.generation];
};

const isParked = async ({ triggers }: Stores) => (await triggers.inspect(id))?.isParked;

describeMeetings('a trigger', {
  'gives way to a later generation only': meeting({
    given: async () => {},
    a: stored({ generation: 1 }),
    b: stored({ generation: 2 }),
    left,
    outcomes: [
      [false, true, ['new', 8000, 8240, 2]],
      [true, true, ['new', 8000, 8240, 2]],
    ],
  }),
  'is made once a generation': meeting({
    given: async () => {},
    a: stored({ generation: 1, level: 70 }),
    b: stored({ generation: 1, level: 60 }),
    left,
    outcomes: [
      [false, true, ['new', 60, 8240, 1]],
      [true, false, ['new', 70, 8240, 1]],
    ],
  }),
  'keeps both edits': meeting({
    given: stored({ level: 80, rearmLevel: 90 }),
    a: edit({ level: 70 }),
    b: edit({ rearmLevel: 95 }),
    left,
    outcomes: [[true, true, ['new', 70, 95, 1]]],
  }),
  'keeps an edit that meets a move': meeting({
    given: stored({ level: 80, rearmLevel: 90 }),
    a: edit({ level: 70 }),
    b: move({ state: 'fired' }),
    left,
    outcomes: [
      [true, false, ['new', 70, 90, 1]],
      [true, true, ['fired', 70, 90, 1]],
    ],
  }),
  'keeps an edit that meets a move found in the index': meeting({
    given: stored({ state: 'armed', level: 80, rearmLevel: 90 }),
    a: edit({ level: 70 }),
    b: moveFromIndex({ state: 'fired' }),
    left,
    outcomes: [
      [true, false, ['armed', 70, 90, 1]],
      [true, true, ['fired', 70, 90, 1]],
    ],
  }),
  'is moved once': meeting({
    given: stored(),
    a: move({ state: 'armed' }),
    b: move({ state: 'fired' }),
    left,
    outcomes: [
      [false, true, ['fired', 8000, 8240, 1]],
      [true, false, ['armed', 8000, 8240, 1]],
      [true, true, ['armed', 8000, 8240, 1]],
      [true, true, ['fired', 8000, 8240, 1]],
    ],
  }),
  'is not retired once it was edited': meeting({
    given: stored({ level: 80, rearmLevel: 90 }),
    a: edit({ level: 70 }),
    b: retire,
    left,
    outcomes: [
      [false, true, undefined],
      [true, false, ['new', 70, 90, 1]],
      [true, true, undefined],
    ],
  }),
  'is not retired once it was moved': meeting({
    given: stored({ level: 80, rearmLevel: 90 }),
    a: move({ state: 'fired' }),
    b: retire,
    left,
    outcomes: [
      ['gone', true, undefined],
      [false, true, undefined],
      [true, false, ['fired', 80, 90, 1]],
      [true, true, undefined],
    ],
  }),
  'stays removed when it is edited': meeting({
    given: stored(),
    a: remove,
    b: edit({ level: 70 }),
    left,
    outcomes: [
      [undefined, false, undefined],
      [undefined, true, undefined],
    ],
  }),
  'stays removed when it is moved': meeting({
    given: stored(),
    a: remove,
    b: move({ state: 'fired' }),
    left,
    outcomes: [
      [undefined, 'gone', undefined],
      [undefined, false, undefined],
      [undefined, true, undefined],
    ],
  }),
  'stays removed when it is set aside as unreadable': meeting({
    given: stored(),
    a: remove,
    b: async (stores) => (await setUnreadableAside(stores))?.reason,
    left: async ({ triggers }) => (await triggers.faultOf(id))?.reason,
    outcomes: [
      [undefined, undefined, undefined],
      [undefined, 'unreadable', undefined],
    ],
  }),
  'is parked with the state that an evaluation moved it to, or before it': meeting({
    given: stored({ state: 'armed' }),
    a: ({ triggers }) => triggers.park(id),
    b: move({ state: 'fired' }),
    left: async (stores) => [...((await left(stores)) ?? []), await isParked(stores)],
    outcomes: [
      [undefined, true, ['fired', 8000, 8240, 1, true]],
      [undefined, false, ['armed', 8000, 8240, 1, true]],
      [undefined, 'gone', ['armed', 8000, 8240, 1, true]],
    ],
  }),
  'keeps an edit, whether it is parked before or after it': meeting({
    given: stored({ state: 'armed' }),
    a: ({ triggers }) => triggers.park(id),
    b: edit({ level: 70 }),
    left: async (stores) => [...((await left(stores)) ?? []), await isParked(stores)],
    outcomes: [
      [undefined, true, ['armed', 70, 8240, 1, true]],
      [undefined, true, ['armed', 70, 8240, 1, undefined]],
    ],
  }),
});
