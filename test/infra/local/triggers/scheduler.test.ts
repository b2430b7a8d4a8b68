import { beforeEach, describe, expect, it } from 'vitest';
import { Scheduler } from '#infra/local/triggers/scheduler.ts';
import { FakeClock } from '../../support/fake-clock.ts';

let clock: FakeClock;
let fired: unknown[];
let faults: unknown[];
let failing: Error | undefined;

function aScheduler(intervalMs: number): Scheduler {
  return new Scheduler({
    scheduleArn: 'arn:aws:scheduler:us-east-1:000000000000:schedule/default/Stats',
    intervalMs,
    input: '{"feed_kind":"stats","scheduled_time":"<aws.scheduler.scheduled-time>"}',
    clock,
    fire: async (event) => {
      fired.push(event);
      if (failing) throw failing;
    },
    onFault: (error) => faults.push(error),
  });
}

function at(scheduledTime: string) {
  return { feed_kind: 'stats', scheduled_time: scheduledTime };
}

beforeEach(() => {
  clock = new FakeClock('2026-11-27T10:00:00.250Z');
  fired = [];
  faults = [];
  failing = undefined;
});

describe('a schedule', () => {
  it('fires at once, then once per interval, each time with its own slot', async () => {
    aScheduler(5000).start();
    expect(fired).toEqual([at('2026-11-27T10:00:00Z')]);
    await clock.advance(10_000);
    expect(fired).toEqual([
      at('2026-11-27T10:00:00Z'),
      at('2026-11-27T10:00:05Z'),
      at('2026-11-27T10:00:10Z'),
    ]);
  });

  it('skips the slots missed while the machine slept', async () => {
    aScheduler(5000).start();
    clock.sleep(17_000);
    await clock.advance(0);
    await clock.advance(3000);
    expect(fired).toEqual([
      at('2026-11-27T10:00:00Z'),
      at('2026-11-27T10:00:05Z'),
      at('2026-11-27T10:00:20Z'),
    ]);
  });

  it('does not fire after it is stopped', async () => {
    const scheduler = aScheduler(5000);
    scheduler.start();
    scheduler.stop();
    await clock.advance(60_000);
    expect(fired).toHaveLength(1);
  });

  it('reports a failed firing, but none that ends after the stop', async () => {
    failing = new Error('no such queue');
    const scheduler = aScheduler(5000);
    scheduler.start();
    await clock.advance(0);
    expect(faults).toEqual([failing]);
    await clock.advance(5000);
    expect(faults).toEqual([failing, failing]);
    scheduler.start();
    scheduler.stop();
    await clock.advance(0);
    expect(faults).toHaveLength(2);
  });
});
