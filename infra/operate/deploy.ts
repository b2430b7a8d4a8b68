/** `npm run deploy`: checks whether a deployment can work, deploys, and sets its secrets. */

import { mailAddress } from '#shared/delivery/channels/mail-address.ts';
import { pointOperatorWebhook } from '#shared/delivery/operator-webhook.ts';
import { httpAddress } from '#shared/lambda/config.ts';
import { retentionVariables } from '#shared/retention.ts';
import { configFor } from '../config.ts';
import { gatherFacts, outputsOf } from './account-facts.ts';
import {
  OperatorError,
  readFlags,
  runCdk,
  runOperation,
  stackNameOf,
  stageFlag,
} from './command.ts';
import { type AccountFacts, type DeploymentSettings, judge } from './preflight.ts';
import { putSecret, storedSecret } from './stack-secrets.ts';

const usage = `npm run deploy -- --marketplace-url URL --sender ADDRESS [flags]

  --stage S            dev or prod (dev)
  --sender-domain D    make an SES identity of this domain; its DNS records are outputs
  --operator-email A   where alarms and notices go
  --daily-cap N        pulls that may be spent in a UTC day (500)
  --monthly-cap N      pulls that may be spent in a billing period (10000)
  --owner-watches N    watches that one owner can have (10000; unchanged when not given)
  --keep-alerts DAYS   how long alerts and deliveries are kept (400; unchanged when not given)
  --keep-versions DAYS how long versions of watches are kept (90; unchanged when not given)
  --check              look only; deploy nothing
  --yes                don't ask before permissions are widened

The marketplace's key is read from the variable MARKETPLACE_KEY; a stack that has one
already keeps it without. OPERATOR_WEBHOOK may name a chat's or a machine's webhook for the
same notices as --operator-email; empty takes it away, without the variable it stays.
Account and Region are those of the AWS environment or profile.`;

const flags = {
  stage: { type: 'string', default: 'dev' },
  'marketplace-url': { type: 'string' },
  sender: { type: 'string' },
  'sender-domain': { type: 'string', default: '' },
  'operator-email': { type: 'string', default: '' },
  'daily-cap': { type: 'string', default: '500' },
  'monthly-cap': { type: 'string', default: '10000' },
  'owner-watches': { type: 'string' },
  'keep-alerts': { type: 'string' },
  'keep-versions': { type: 'string' },
  check: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

await runOperation(deploy);

async function deploy(): Promise<number> {
  const { values } = readFlags({ args: process.argv.slice(2), options: flags });
  if (values.help) return say(usage);
  const settings: DeploymentSettings = {
    stage: stageFlag(values.stage),
    marketplaceUrl: marketplaceFlag(values['marketplace-url']),
    sender: senderFlag(values.sender),
    senderDomain: values['sender-domain'],
  };
  const caps = [
    countFlag('daily-cap', values['daily-cap']),
    countFlag('monthly-cap', values['monthly-cap']),
  ];
  const ownerWatches = watchesFlag(values['owner-watches']);
  const alertDays = daysFlag('keep-alerts', values['keep-alerts']);
  const versionDays = daysFlag('keep-versions', values['keep-versions']);
  const stackName = stackNameOf(settings.stage);
  const { MARKETPLACE_KEY: given, OPERATOR_WEBHOOK: webhook } = process.env;
  // The URL is a secret, so the message doesn't repeat it.
  if (webhook && !isHttps(webhook))
    throw new OperatorError('OPERATOR_WEBHOOK is not an https address.');
  // Also checks a stored key, so that a replaced key is reported before the deployment instead of
  // by failing polls.
  const marketplaceKey = given ?? (await storedSecret(stackName, 'MarketplaceKeySecret'));
  const facts = await gatherFacts({ ...settings, marketplaceKey });
  if (!passes(facts, settings)) return 2;
  if (values.check) return say('All checks passed; the stack can be deployed.');
  const code = await runCdk([
    ...['deploy', stackName, '-c', `stage=${settings.stage}`],
    ...(values.yes ? ['--require-approval', 'never'] : []),
    ...parameters({
      MarketplaceUrl: settings.marketplaceUrl,
      EmailSender: settings.sender,
      SenderDomain: settings.senderDomain,
      OperatorEmail: values['operator-email'],
      DailyPullCap: caps[0] ?? '',
      MonthlyPullCap: caps[1] ?? '',
      ...(ownerWatches !== undefined && { OwnerWatchQuota: ownerWatches }),
      ...(alertDays !== undefined && { AlertRetentionDays: alertDays }),
      ...(versionDays !== undefined && { VersionRetentionDays: versionDays }),
    }),
  ]);
  if (code !== 0) return code;
  if (given) await putKey(stackName, given);
  if (webhook !== undefined) await putOperatorWebhook(stackName, webhook);
  return sayWhatIsThere(stackName);
}

/** Prints the result. @returns false if something prevents the deployment */
function passes(facts: AccountFacts, settings: DeploymentSettings): boolean {
  say(`Account ${facts.accountId}, Region ${facts.region}, stage ${settings.stage}`);
  const { faults, notes } = judge(facts, settings, configFor(settings.stage));
  for (const note of notes) say(`note: ${note}.`);
  for (const fault of faults) process.stderr.write(`fault: ${fault}.\n`);
  return faults.length === 0;
}

async function putKey(stackName: string, key: string): Promise<void> {
  await putSecret(stackName, 'MarketplaceKeySecret', key);
  say('The marketplace key is stored in its secret; the functions use it within five minutes.');
}

/** Keeps the signing secret from the stack's creation: a receiver reads it from the same place. */
async function putOperatorWebhook(stackName: string, url: string): Promise<void> {
  const stored = (await storedSecret(stackName, 'OperatorWebhookSecret')) ?? '';
  await putSecret(stackName, 'OperatorWebhookSecret', pointOperatorWebhook(stored, url));
  say(
    url === ''
      ? "The operator's webhook is removed."
      : "The operator's webhook is stored in OperatorWebhookSecret, with its signing secret.",
  );
}

async function sayWhatIsThere(stackName: string): Promise<number> {
  const outputs = await outputsOf(stackName);
  return say(
    `API ${outputs?.get('ApiUrl')}/v1\n` +
      `The first API key: aws secretsmanager get-secret-value --secret-id ${outputs?.get('AdminKeySecret')}` +
      ' (its prefix and its secret, joined)',
  );
}

function parameters(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['--parameters', `${name}=${value}`]);
}

/** Validated by the code that uses the URL: credentials in it would end up in logs. */
function marketplaceFlag(given: string | undefined): string {
  const address = httpAddress.safeParse(given ?? '');
  if (address.success && isHttps(address.data)) return address.data;
  throw new OperatorError(
    `--marketplace-url takes an https address without user name, query or fragment, not ${given ? `"${given}"` : 'nothing'}.`,
  );
}

function isHttps(address: string): boolean {
  return URL.canParse(address) && /^https:/.test(address);
}

function senderFlag(given: string | undefined): string {
  if (given !== undefined && mailAddress.safeParse(given).success) return given;
  throw new OperatorError(
    `--sender takes a mail address, not ${given ? `"${given}"` : 'nothing'}.`,
  );
}

function countFlag(name: string, given: string): string {
  if (/^[0-9]{1,9}$/.test(given)) return given;
  throw new OperatorError(`--${name} takes a number of pulls, not "${given}".`);
}

function watchesFlag(given: string | undefined): string | undefined {
  if (given === undefined || /^[1-9][0-9]{0,5}$/.test(given)) return given;
  throw new OperatorError(
    `--owner-watches takes a number of watches from 1 to 999999, not "${given}".`,
  );
}

function daysFlag(name: string, given: string | undefined): string | undefined {
  if (given === undefined || retentionVariables.ALERT_RETENTION_DAYS.safeParse(given).success) {
    return given;
  }
  throw new OperatorError(`--${name} takes a number of days from 30 to 3650, not "${given}".`);
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
