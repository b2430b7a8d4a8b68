// Whatever the API accepts works: settings made from its own schemas go through everything that reads them.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAcceptedWorks } from '#test/support/accepted-settings.ts';
import { type Api, startApi } from '#test/support/api.ts';
import { ownersSettings } from '#test/support/odd-owner.ts';

/** The exhaustive run has many more. */
const owners = 4;

let api: Api;
beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 1_000_000, windowSeconds: 60 } });
});
afterAll(() => api.stop());

describe('a setting that the API accepts', () => {
  it('works in poll, evaluate, deliver, list, export, import and links; one that it refuses is named', {
    timeout: 300_000,
  }, async () => {
    let accepted = 0;
    let followed = 0;
    await fc.assert(
      fc.asyncProperty(ownersSettings, async (settings) => {
        const taken = await expectAcceptedWorks(api, settings);
        accepted += taken.accepted;
        followed += taken.followed;
      }),
      { numRuns: owners, endOnFailure: true },
    );
    // Of a few owners, one may have hardly any.
    expect(accepted).toBeGreaterThan(owners);
    expect(followed).toBeGreaterThan(0);
  });
});
