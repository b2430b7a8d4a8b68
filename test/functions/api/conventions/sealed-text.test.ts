// The encryption of answers that are stored under an Idempotency-Key.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seal, unseal } from '#functions/api/conventions/sealed-text.ts';

describe('a sealed text', () => {
  it('is opened by its own secret alone', () => {
    const sealed = seal('Ünïcode', 'Bearer a');
    expect(unseal(sealed, 'Bearer a')).toBe('Ünïcode');
    expect(() => unseal(sealed, 'Bearer b')).toThrow();
    expect(() => unseal(`${sealed.slice(0, -4)}AAAA`, 'Bearer a')).toThrow();
  });

  it('of an import’s report with 5,000 lines fits into an item of a table', () => {
    const watches = Array.from({ length: 5_000 }, (_, line) => {
      const id = createHash('md5').update(String(line)).digest('hex');
      return { line, outcome: 'created', id: `wat_${id}`, detail: null };
    });
    const report = JSON.stringify({ created: 5_000, watches });
    const sealed = seal(report, 'Bearer a');
    expect(sealed.length).toBeLessThan(380_000);
    expect(unseal(sealed, 'Bearer a')).toBe(report);
  });

  it('of an earlier version, which was not compressed, is still opened', () => {
    const sealed = '8zQi2Pkh3IXQRksXCdkiyk8lqRAUS+slugc5lPNqWvoqCpoLFg5nDg==';
    expect(unseal(sealed, 'Bearer a')).toBe('first answer');
  });
});
