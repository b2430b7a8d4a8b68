// The operator lifts a block in a real table and in a fake of SES's list.
import { NotFoundException, type SESv2Client } from '@aws-sdk/client-sesv2';
import { beforeEach, describe, expect, it } from 'vitest';
import { liftSuppression } from '#infra/operate/lift-suppression.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
let tables: TestTables;
let listed: Set<string>;

beforeEach(async () => {
  tables = await startDynaliteTables();
  listed = new Set(['Ann@example.com']);
  return () => tables.stop();
});

const ses = {
  async send({
    constructor: { name },
    input: { EmailAddress },
  }: {
    constructor: { name: string };
    input: { EmailAddress: string };
  }) {
    if (!listed.has(EmailAddress)) {
      throw new NotFoundException({ message: 'not there', $metadata: {} });
    }
    if (name === 'DeleteSuppressedDestinationCommand') listed.delete(EmailAddress);
    return { SuppressedDestination: { Reason: 'COMPLAINT' } };
  },
} as unknown as SESv2Client;

const lift = (isLookOnly = false) => {
  const { suppressions } = tables.stores;
  return liftSuppression('Ann@example.com', { suppressions, ses, isLookOnly, now });
};
const block = () => tables.stores.suppressions.suppress('ann@example.com', 'complaint', now - 1);
const reason = () => tables.stores.suppressions.reasonFor('ann@example.com');

describe('lifting a block', () => {
  it('lifts a complaint in both lists, and says so', async () => {
    await block();
    expect(await lift()).toEqual([
      'Lifted in our list (it was blocked because its reader reported a mail as spam).',
      'Removed Ann@example.com from SES’s account list.',
    ]);
    expect([await reason(), listed.size]).toEqual([undefined, 0]);
  });

  it('changes nothing when it only looks', async () => {
    await block();
    expect(await lift(true)).toEqual([
      'Our list blocks it, because its reader reported a mail as spam.',
      'SES’s account list has Ann@example.com (COMPLAINT).',
    ]);
    expect([await reason(), listed.size]).toEqual(['complaint', 1]);
  });

  it('says that an address is not blocked', async () => {
    listed.clear();
    expect(await lift()).toEqual([
      'Our list does not block the address.',
      'SES’s account list does not have the address.',
    ]);
  });
});
