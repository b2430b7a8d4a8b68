// Which stored items may be damaged: those of the odd owner, and of the event that only this owner watches.
import { describe, expect, it } from 'vitest';
import { alertIn, type Item, isOdd, ofOtherType } from './damage.ts';

const odd = { ownerId: 'own_odd', watchIds: ['wat_odd'], eventId: 7_900 };
const item = (entity: string, fields: Record<string, string>): Item =>
  Object.fromEntries(
    Object.entries({ pk: 'A', sk: 'B', ...fields, entity }).map(([name, S]) => [name, { S }]),
  );

describe('an item to damage', () => {
  it.each([
    ['its channel', item('channel', { ownerId: 'own_odd' })],
    ['its watch', item('watch', { ownerId: 'own_odd', watchId: 'wat_odd' })],
    ['a trigger of its watch', item('trigger', { watchId: 'wat_odd' })],
    ['a snapshot of its event', item('snapshot', { pk: 'EVENT#7900#stats', sk: '1' })],
    ['the feed of its event', item('feed', { pk: 'EVENT#7900', sk: 'FEED#stats' })],
  ])('is %s', (_what, stored) => {
    expect(isOdd(stored, odd)).toBe(true);
  });

  it.each([
    ['another owner’s channel', item('channel', { ownerId: 'own_other' })],
    ['a trigger of another watch', item('trigger', { watchId: 'wat_other' })],
    ['another event’s feed', item('feed', { pk: 'EVENT#7001', sk: 'FEED#stats' })],
    ['an event whose number only holds it', item('feed', { pk: 'EVENT#17900', sk: 'FEED#stats' })],
    ['the key that it calls the API with', item('apiKey', { ownerId: 'own_odd' })],
    ['what all owners share', item('budget', { ownerId: 'own_odd' })],
  ])('is not %s', (_what, stored) => {
    expect(isOdd(stored, odd)).toBe(false);
  });

  it('that is an alert is remembered as it was, unless it was not to be sent', () => {
    const alert = item('alert', { pk: 'ALERT#alt_1', ruleId: 'rul_1', role: 'main' });
    const stored = { ...alert, observedAt: { N: '7' } };
    const seen = { id: 'alt_1', ruleId: 'rul_1', observedAt: 7, isRecovery: false };
    expect(alertIn(stored)).toEqual(seen);
    expect(alertIn({ ...stored, unsentReason: { S: 'cool_down' } })).toBeUndefined();
    expect(alertIn(item('delivery', {}))).toBeUndefined();
  });

  it('gets a value of a type that it never has', () => {
    expect(ofOtherType({ S: 'a' })).toEqual({ N: '7' });
    expect(ofOtherType({ N: '1' })).toEqual({ M: { odd: { S: 'odd' } } });
    expect(ofOtherType({ BOOL: true })).toEqual({ S: 'odd' });
    expect(ofOtherType({ L: [] })).toEqual({ S: 'odd' });
  });
});
