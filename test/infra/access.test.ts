import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { accessInCode, projectRoot } from './support/code-access.ts';
import { functionsOf, statementsOf, templateOf, variablesOf } from './support/templates.ts';

const template = templateOf('dev');
const lambdas = functionsOf(template);
const names = readdirSync(join(projectRoot, 'functions')).sort();

/** Variables that the runtime, Powertools and the metrics read; every function has them. */
const runtimeVariables = [
  'NODE_OPTIONS',
  'POWERTOOLS_LOG_LEVEL',
  'POWERTOOLS_METRICS_NAMESPACE',
  'POWERTOOLS_SERVICE_NAME',
  'STAGE',
];

function configKeys(): Record<string, string[]> {
  const script = fileURLToPath(new URL('./support/config-keys.ts', import.meta.url));
  const handlers = names.map((name) => join(projectRoot, 'functions', name, 'handler.ts'));
  const printed = execFileSync(process.execPath, [script, ...handlers], { encoding: 'utf8' });
  const byHandler: Record<string, string[]> = JSON.parse(printed);
  return Object.fromEntries(
    names.map((name, position) => [name, byHandler[handlers[position] ?? ''] ?? []]),
  );
}

it('has a function in the template for each folder, and no other', () => {
  expect([...lambdas.keys()].sort()).toEqual(names);
});

describe('the environment', () => {
  const keys = configKeys();

  it.each(names)('of %s is what its configuration asks for, and nothing else', (name) => {
    const given = Object.keys(variablesOf(lambdaOf(name)));
    expect(given.filter((key) => !runtimeVariables.includes(key)).sort()).toEqual(keys[name]);
  });
});

/** The code of each function is bundled and read once. */
const codes = new Map<string, ReturnType<typeof accessInCode>>();

function accessOf(name: string): ReturnType<typeof accessInCode> {
  const found = codes.get(name) ?? accessInCode(name);
  codes.set(name, found);
  return found;
}

describe('the role', () => {
  it.each(names)('of %s allows what its code does, and nothing else', async (name) => {
    const code = await accessOf(name);
    expect(allowedTo(name)).toEqual(wantedBy(code));
  });
});

it('lets the function that posts to addresses that people give read no secret but the bot’s', async () => {
  const posting = [];
  for (const name of names) {
    const { postsOutward, reads } = await accessOf(name);
    if (postsOutward) posting.push([name, reads]);
  }
  expect(posting).toEqual([['send-webhook', ['TELEGRAM_BOT_SECRET']]]);
});

function lambdaOf(name: string) {
  const found = lambdas.get(name);
  if (!found) throw new Error(`The template has no function ${name}.`);
  return found.lambda;
}

function logicalIdIn(reference: unknown): string {
  return /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(JSON.stringify(reference))?.[1] ?? 'nothing';
}

/** Each permission as "action on resource", sorted, without those that Lambda itself needs. */
function allowedTo(name: string): string[] {
  const pairs = statementsOf(template, lambdaOf(name)).flatMap(({ Action, Resource }) =>
    [Action]
      .flat()
      .flatMap((action) =>
        [Resource].flat().map((resource) => `${action} on ${placeOf(resource, name)}`),
      ),
  );
  const ofLambda =
    /^xray:|^sqs:(Receive|Delete|GetQueue)|^sqs:SendMessage on DeadLetters|^logs:\w+ on own logs/;
  return [...new Set(pairs)].filter((pair) => !ofLambda.test(pair)).sort();
}

/** A table or one of its indexes by name; a queue or secret by kind; SES by service. */
function placeOf(resource: unknown, name: string): string {
  const id = logicalIdIn(resource);
  const { LogGroup } = lambdaOf(name).Properties.LoggingConfig as { LogGroup: { Ref: string } };
  if (id === LogGroup.Ref) return 'own logs';
  const index = /\/index\/(\w+)/.exec(JSON.stringify(resource))?.[1];
  if (index) return `index ${index}`;
  if (id.startsWith('Tables')) return id.includes('Watchlist') ? 'watchlist' : 'snapshots';
  if (id.includes('DeadLetters')) return 'DeadLetters';
  if (id.startsWith('Secrets')) return id.replace(/^Secrets|[0-9A-F]{8}$/g, '');
  if (JSON.stringify(resource).includes('ses') || resource === '*') return 'SES';
  return id.replace(/Queue[0-9A-F]{8}$/, '');
}

const commandActions: Record<string, string> = {
  SendRawEmailCommand: 'ses:SendRawEmail on SES',
  GetSendQuotaCommand: 'ses:GetSendQuota on SES',
};

const targets: Record<string, string> = {
  POLL_QUEUE_URL: 'Poll',
  EVALUATE_QUEUE_URL: 'Evaluate',
  EMAIL_QUEUE_URL: 'SendEmail',
  WEBHOOK_QUEUE_URL: 'SendWebhook',
  JOBS_QUEUE_URL: 'Jobs',
  MARKETPLACE_KEY_SECRET: 'MarketplaceKey',
  ADMIN_KEY_SECRET: 'AdminKey',
  LINK_SECRET: 'LinkSecret',
  OPERATOR_WEBHOOK_SECRET: 'OperatorWebhook',
  TELEGRAM_BOT_SECRET: 'TelegramBot',
};

function wantedBy(code: Awaited<ReturnType<typeof accessInCode>>): string[] {
  const { watchlist, snapshots, commands, sendsTo, reads } = code;
  return [
    ...watchlist.actions.map((action) => `dynamodb:${action} on watchlist`),
    ...watchlist.indexes.map((index) => `dynamodb:Query on index ${index}`),
    ...snapshots.actions.map((action) => `dynamodb:${action} on snapshots`),
    ...sendsTo.map((variable) => `sqs:SendMessage on ${targets[variable]}`),
    ...reads.map((variable) => `secretsmanager:GetSecretValue on ${targets[variable]}`),
    ...commands.flatMap((command) => commandActions[command] ?? []),
  ].sort();
}
