/** The signatures of webhooks, verified by the packages of Standard Webhooks in two other languages. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { httpFormOf } from '#shared/delivery/channels/channels.ts';
import type { WebhookTarget } from '#shared/delivery/channels/webhook-settings.ts';
import { goldenOutgoing } from '#test/support/golden-messages.ts';
import { cache, run } from '../conformance/programs.ts';
import { type Finding, type MessageCheck, skipped, tryAll } from './check.ts';
import { type FaultFinder, faultsBy, pythonWith, script } from './python.ts';

interface SignedWebhook {
  secret: string;
  headers: Record<string, string>;
  body: string;
}

const newest = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const previous = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const stranger = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
/** Receivers refuse what was signed longer ago than five minutes. */
const tooLongMs = 6 * 60_000;

export const pythonWebhookCheck: MessageCheck = {
  title: 'standardwebhooks in Python verifies the webhooks, also while a secret rotates',

  async run() {
    const python = pythonWith('standardwebhooks==1.1.0');
    if ('missing' in python) return skipped(python.missing);
    return verifyBy(script(python.path, 'verify_webhooks.py'));
  },
};

const buildMs = 300_000;

export const goWebhookCheck: MessageCheck = {
  title: 'standardwebhooks in Go verifies the webhooks, also while a secret rotates',

  async run() {
    const source = join(import.meta.dirname, 'verify');
    const go = (...args: string[]) => run('go', args, { timeoutMs: buildMs, cwd: source });
    if ((await go('version')).code !== 0) return skipped('no Go');
    if ((await go('mod', 'download')).code !== 0) return skipped('no index of Go modules');
    mkdirSync(cache, { recursive: true });
    const program = join(cache, 'verify-webhooks');
    const { code, output } = await go('build', '-o', program, '.');
    if (code !== 0) throw new Error(output);
    return verifyBy({ command: program, args: [] });
  },
};

function verifyBy(finder: FaultFinder): Promise<Finding> {
  const now = Date.now();
  const signed = signedAt(now);
  const [first] = signed.values();
  if (!first) throw new Error('there is no webhook');
  const [old] = signedAt(now - tooLongMs).values();
  return tryAll({
    right: signed,
    wrong: new Map([
      ['a webhook with another body', { ...first, body: first.body.replace('{', '{ ') }],
      ['a webhook signed by a stranger', { ...first, secret: stranger }],
      ['a webhook that was signed long ago', { ...first, ...old }],
    ]),
    faultsIn: (webhooks) => faultsBy(finder, webhooks),
  });
}

/** Every message in both versions, for a receiver that knows the newest secret and for one that knows the one before. */
function signedAt(now: number): Map<string, SignedWebhook> {
  const webhooks = new Map<string, SignedWebhook>();
  for (const payloadVersion of [1, 2] as const) {
    const target: WebhookTarget = {
      ...{ kind: 'webhook', url: 'https://example.com/hook', payloadVersion },
      secrets: [
        { secret: newest, expiresAt: null },
        { secret: previous, expiresAt: now + 3_600_000 },
      ],
    };
    for (const [name, outgoing] of Object.entries(goldenOutgoing)) {
      const { headers, body } = httpFormOf(target).request(outgoing, target, now);
      for (const [whose, secret] of [
        ['newest', newest],
        ['previous', previous],
      ] as const) {
        webhooks.set(`${name}, version ${payloadVersion}, ${whose} secret`, {
          secret,
          headers,
          body,
        });
      }
    }
  }
  return webhooks;
}
