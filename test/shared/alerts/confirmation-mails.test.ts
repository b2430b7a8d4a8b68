import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideConfirmation, mailboxOf } from '#shared/alerts/confirmation-mails.ts';

describe('a mailbox', () => {
  it.each([
    ['Ann@Example.COM', 'ann@example.com'],
    [' ann@example.com ', 'ann@example.com'],
    ['ann+tag+more@example.com', 'ann@example.com'],
    ['"ann"@example.com', 'ann@example.com'],
    ['ａｎｎ@example.com', 'ann@example.com'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@BÜCHER.example.', 'ann@xn--bcher-kva.example'],
    ['a.n.n@googlemail.com', 'ann@gmail.com'],
    ['a.n.n@example.com', 'a.n.n@example.com'],
    ['+tag@example.com', '+tag@example.com'],
  ])('of %s is %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
  });
});

describe('confirmation mails', () => {
  const minute = 60_000;
  const none = { mailbox: 'm', sentAt: [], moves: 0, expiresAtEpochSeconds: 0 };

  it('never come twice within a minute, nor six times within a day, whenever they are asked for', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 300 * minute }), { maxLength: 60 });
    fc.assert(
      fc.property(gaps, (steps) => {
        let state: Parameters<typeof decideConfirmation>[0] = none;
        const sent: number[] = [];
        let now = 1_000_000_000_000;
        for (const step of steps) {
          now += step;
          const decision = decideConfirmation(state, now);
          if (decision.kind === 'wait') expect(decision.until).toBeGreaterThan(now);
          else {
            state = decision.after;
            sent.push(now);
          }
        }
        for (const [index, at] of sent.entries()) {
          expect(at - (sent[index - 1] ?? 0)).toBeGreaterThanOrEqual(minute);
          expect(at - (sent[index - 5] ?? 0)).toBeGreaterThanOrEqual(1_440 * minute);
        }
      }),
    );
  });
});
