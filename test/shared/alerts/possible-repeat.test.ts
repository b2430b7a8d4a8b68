// Which alerts after a restore may repeat one from before it.
import { describe, expect, it } from 'vitest';
import { mayRepeat, possibleRepeats, repeatsLeft } from '#shared/alerts/possible-repeat.ts';
import { aTrigger } from '#test/support/triggers.ts';

const hour = 3_600_000;
const backup = 1_000 * hour;
const stop = backup + 5 * hour;
const repeats = possibleRepeats(backup, stop);
const old = { createdAt: backup - hour };

describe('an alert may be a repeat', () => {
  it.each([
    ['of a value between the backup and the stop', aTrigger(old), stop, true],
    [
      'of a value before the stop, though the trigger has moved since',
      moved(backup + hour),
      stop,
      true,
    ],
    ['of a later value, if the trigger is as the backup has it', moved(backup), stop + 1, true],
    [
      'of a later value, if it waits for confirmations',
      { ...moved(stop), state: 'pending' as const },
      stop + 1,
      true,
    ],
    [
      'of a later value, if the trigger has moved since the backup: no',
      moved(backup + 1),
      stop + 1,
      false,
    ],
    ['of a rule made after the stop: no', aTrigger({ createdAt: stop + 1 }), stop + 2, false],
  ])('%s', (_, trigger, observedAt, expected) => {
    expect(mayRepeat(trigger, observedAt, repeats)).toBe(expected);
  });

  it('only after a restore', () => {
    expect(mayRepeat(aTrigger(old), stop, undefined)).toBe(false);
  });
});

describe('the time of possible repeats', () => {
  it('lasts over all values until the stop', () => {
    expect(repeatsLeft(repeats, stop)).toBe(repeats);
  });

  it('ends after as many further values as a rule may wait for', () => {
    let left = repeatsLeft(repeats, stop + 1);
    for (let more = 1; more < 10; more += 1) {
      expect(left).toMatchObject({ snapshots: 10 - more });
      left = repeatsLeft(left, stop + 1 + more);
    }
    expect(left).toBeUndefined();
  });
});

function moved(at: number) {
  return aTrigger({ ...old, state: 'armed', movedThrough: at });
}
