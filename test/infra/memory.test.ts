// Every function has the memory that the rule chooses from the measured values.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configFor } from '#infra/config.ts';
import { chooseSize, type Work } from '#infra/cost/sizing.ts';

const file = new URL('../../infra/cost/measured-functions.json', import.meta.url);
const { functions }: { functions: Record<string, Work> } = JSON.parse(readFileSync(file, 'utf8'));
const chosen = Object.fromEntries(
  Object.entries(functions).map(([name, work]) => [name, chooseSize(work)]),
);

it.each(['dev', 'prod'] as const)('in %s', (stage) => {
  const config = configFor(stage);
  expect(chosen).toEqual({
    api: config.api.memoryMb,
    dispatch: config.dispatch.memoryMb,
    poll: config.poll.memoryMb,
    evaluate: config.evaluate.memoryMb,
    'send-email': config.sendEmail.memoryMb,
    'send-webhook': config.sendWebhook.memoryMb,
    'mail-feedback': config.mailFeedback.memoryMb,
    reconcile: config.reconcile.memoryMb,
  });
});
