import { expect, it } from 'vitest';
import { runCommandFile } from '../support/command.ts';

/** Without account and Region, and without network calls. */
const nowhere = {
  AWS_REGION: '',
  AWS_DEFAULT_REGION: '',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
};
const deployable = ['--marketplace-url', 'https://m.example', '--sender', 'a@b.example'];

it('npm run deploy takes no webhook that is not https', async () => {
  const environment = { ...nowhere, OPERATOR_WEBHOOK: 'http://ops.example' };
  const { ended, errors } = runCommandFile('infra/operate/deploy.ts', deployable, environment);
  expect(await ended).toBe(2);
  expect(errors()).toBe('OPERATOR_WEBHOOK is not an https address.\n');
}, 30_000);

it('npm run telegram shows no token that is not one', async () => {
  const environment = { ...nowhere, TELEGRAM_BOT_TOKEN: 'secret-but-no-token' };
  const args = ['set-webhook'];
  const { ended, errors } = runCommandFile('infra/operate/telegram.ts', args, environment);
  expect(await ended).toBe(2);
  expect(errors()).toMatch(/^TELEGRAM_BOT_TOKEN is not a token of a bot/);
  expect(errors()).not.toContain('secret-but-no-token');
}, 30_000);

it.each([
  ['deploy', ['--nope'], "Unknown option '--nope'. See --help."],
  ['deploy', deployable, 'No Region: set AWS_REGION'],
  ['destroy', [], 'No Region: set AWS_REGION'],
  ['rollback', [], 'No Region: set AWS_REGION'],
  ['restore', [], 'Give --at TIME, or --back to undo the last restore. See --help.'],
  ['restore', ['--at', '2026-11-30T08:00:00Z'], 'No Region: set AWS_REGION'],
  ['unblock', ['ann'], 'Name one mail address, not "ann".'],
  ['unblock', ['ann@example.com'], 'No Region: set AWS_REGION'],
  ['telegram', [], 'The only action is set-webhook, not "".'],
  ['telegram', ['set-webhook'], 'No Region: set AWS_REGION'],
  ['telegram', ['set-webhook', '--api-url', 'x'], '--api-url takes an address, not "x".'],
  ['redrive', ['inbox'], 'Name one queue of poll, evaluate'],
  ['redrive', ['poll', '--per-second', '0'], '--per-second takes 1 to 500, not "0".'],
])(
  'npm run %s with %j says what is wrong in one line',
  async (command, args, said) => {
    const { ended, errors } = runCommandFile(`infra/operate/${command}.ts`, args, nowhere);
    expect(await ended).toBe(2);
    expect(errors()).toContain(said);
    expect(errors().trimEnd().split('\n')).toHaveLength(1);
  },
  30_000,
);
