// A crash after any single step between an alert and its messages, then redelivery: nothing is lost, and
// nothing comes twice but through the one gap between a send and its record.
import { beforeAll, describe, expect, it } from 'vitest';
import type { SendOutcome } from '#shared/delivery/send-outcome.ts';
import {
  aChannel,
  below80,
  createDeliveryRig,
  ownerId,
  startMs,
} from '#test/support/delivering.ts';
import { startTestTables } from '#test/support/tables.ts';

/** A crash ends the process, so nothing may take it for a fault of the item at hand. */
class Crash extends Error {
  override readonly name = 'AbortError';
}

const chat = aChannel();
const hook = aChannel({
  channelId: 'ch_00000000000000000000000000000002',
  isImmediate: true,
  target: {
    kind: 'webhook',
    url: 'https://example.com/hook',
    secrets: [{ secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', expiresAt: null }],
  },
});
const mail = aChannel({
  channelId: 'ch_00000000000000000000000000000003',
  target: { kind: 'email', address: 'ann@example.com' },
});
const minute = 60_000;

type Rig = Awaited<ReturnType<typeof createDeliveryRig>>;

interface Scenario {
  name: string;
  quiet?: boolean;
  /** How the sends end, by channel, in order; afterwards all are sent. */
  answers?: Record<string, SendOutcome[]>;
  /** How every send to a channel ends. */
  always?: Record<string, SendOutcome>;
  hookIs?: Partial<typeof hook>;
  /** Alerts that must have arrived at each channel, once. */
  arrives: Record<string, number>;
  play: (rig: Rig) => Promise<void>;
  passMs: number;
}

async function firesTwo(rig: Rig): Promise<void> {
  const channels = [chat.channelId, hook.channelId];
  const watch = await rig.watch([below80, { ...below80, at_or_below: 90 }], channels);
  await rig.fire(watch, { rule: 0 });
  await rig.fire(watch, { rule: 1 });
}

const scenarios: Scenario[] = [
  {
    name: 'two rules of one watch on two channels',
    arrives: { [chat.channelId]: 2, [hook.channelId]: 2 },
    play: firesTwo,
    passMs: 8 * minute,
  },
  {
    name: 'alerts held over quiet hours',
    quiet: true,
    arrives: { [chat.channelId]: 2, [hook.channelId]: 2 },
    play: firesTwo,
    passMs: 70 * minute,
  },
  {
    name: 'a receiver that fails once',
    answers: { [hook.channelId]: [{ kind: 'retry', reason: 'http_500' }] },
    arrives: { [chat.channelId]: 2, [hook.channelId]: 2 },
    play: firesTwo,
    passMs: 8 * minute,
  },
  {
    name: 'a chat that throttles',
    answers: { [chat.channelId]: [{ kind: 'throttled', reason: 'http_429', afterMs: 20_000 }] },
    arrives: { [chat.channelId]: 2, [hook.channelId]: 2 },
    play: firesTwo,
    passMs: 8 * minute,
  },
  {
    name: 'a receiver that is gone, with a fallback',
    hookIs: { fallbackChannelId: mail.channelId },
    always: { [hook.channelId]: { kind: 'failed', reason: 'http_410', channelIs: 'gone' } },
    arrives: { [chat.channelId]: 2, [hook.channelId]: 0, [mail.channelId]: 2 },
    play: firesTwo,
    passMs: 8 * minute,
  },
];

/** Plays a scenario and crashes after step number `crashAt`; answers with what arrived where. */
async function runWithCrash(scenario: Scenario, crashAt: number) {
  const tables = await startTestTables();
  let steps = 0;
  let crashedAfter: string | undefined;
  const afterStep = (step: string) => {
    steps += 1;
    if (steps !== crashAt) return;
    crashedAfter = step;
    throw new Crash(step);
  };
  const rig = await createDeliveryRig(tables.stores, { afterStep });
  const { stores } = tables;
  const createdAt = new Date(startMs).toISOString();
  await stores.access.createOwner({ ownerId, name: 'Ann', createdAt });
  if (scenario.quiet) {
    await stores.access.changeOwner(ownerId, { quietHours: { from: '11:00', to: '13:00' } });
  }
  for (const channel of [chat, { ...hook, ...scenario.hookIs }, mail]) {
    await stores.channels.create(channel);
  }
  const answers = structuredClone(scenario.answers ?? {});
  const arrived: string[] = [];
  rig.sendWith(async ({ told }, { channelId }) => {
    const outcome = scenario.always?.[channelId] ??
      answers[channelId]?.shift() ?? { kind: 'sent' as const };
    if (outcome.kind === 'sent') {
      arrived.push(...told.map(({ alert }) => `${channelId}/${alert.alertId}`));
    }
    return outcome;
  });
  await surviving(rig, () => scenario.play(rig));
  // What the queue of evaluate does after a crash: the whole work again.
  if (crashedAfter !== undefined) await playAgain(rig);
  await surviving(rig, () => rig.pass(scenario.passMs, 10_000));
  await rig.pass(scenario.passMs, 30_000);
  const open = (await rig.log()).filter(({ status }) => ['pending', 'sending'].includes(status));
  await tables.stop();
  return { steps, crashedAfter, arrived, open: open.length };
}

/** Raises both alerts again, as a redelivered nudge does. */
async function playAgain(rig: Rig): Promise<void> {
  const [watch] = (await rig.stores.watches.list(ownerId, { limit: 1 })).rows;
  if (!watch) return;
  const observedAt = startMs - 1_000;
  for (const rule of [0, 1]) await rig.fire(watch, { rule, observedAt });
}

async function surviving(rig: Rig, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    // A killed function's message comes back when its visibility runs out.
    rig.clock.now += 100_000;
  }
}

/** Whether what arrived is what must arrive; `gap` allows repeats. */
function isRight(arrived: readonly string[], arrives: Record<string, number>, gap: boolean) {
  const seen = gap ? [...new Set(arrived)] : arrived;
  const isOnce = new Set(seen).size === seen.length;
  return (
    isOnce &&
    Object.entries(arrives).every(
      ([channelId, count]) => seen.filter((each) => each.startsWith(channelId)).length === count,
    )
  );
}

describe.each(scenarios)('a crash after any step of $name', (scenario) => {
  const outcomes: Awaited<ReturnType<typeof runWithCrash>>[] = [];
  let undisturbed: Awaited<ReturnType<typeof runWithCrash>>;

  beforeAll(async () => {
    undisturbed = await runWithCrash(scenario, 0);
    for (let step = 1; step <= undisturbed.steps; step += 1) {
      outcomes.push(await runWithCrash(scenario, step));
    }
  });

  it('has an undisturbed run to compare with', () => {
    expect(isRight(undisturbed.arrived, scenario.arrives, false)).toBe(true);
    expect(outcomes.length).toBeGreaterThan(20);
  });

  it('loses nothing, and doubles nothing but in the gap between a send and its record', () => {
    const wrong = outcomes.filter(
      ({ arrived, crashedAfter, open }) =>
        open > 0 || !isRight(arrived, scenario.arrives, crashedAfter === 'message accepted'),
    );
    expect(wrong).toEqual([]);
  });
});
