// Webhook deliveries per second on one core: composing, rendering, signing, the guarded client and
// judging the answer, against a bare undici loop that posts the same bytes and headers to the
// same receiver. The receiver runs in its own process. Rounds run in alternating pairs; ratios are medians
// over the pairs, of two measures: wall time, and CPU seconds of the sending process,
// which a busy machine or a saturated receiver doesn't change. The last line is JSON.
//
//   node test/proof/bench/delivery.ts [--quick]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'undici';
import { createSendWebhook } from '#functions/send-webhook/send-webhook.ts';
import type { Alert } from '#shared/alerts/alert.ts';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { createGuardedPost } from '#shared/delivery/outbound/guarded-post.ts';
import { createPrepareMessage } from '#shared/delivery/prepare-message.ts';
import { formatCents } from '#shared/rules/money.ts';
import { anAlert, firedAt } from '#test/support/alerts.ts';
import { aChannel } from '#test/support/delivering.ts';
import { median } from '#test/support/quantile.ts';

const isQuick = process.argv.includes('--quick');
const rounds = isQuick ? 9 : 25;
const roundMs = isQuick ? 700 : 1_500;
/** The size of an SQS batch for one invocation. */
const atOnce = 10;

const receiverSource = `
const server = require('node:http').createServer((request, response) => {
  request.resume();
  request.on('end', () => response.end('ok'));
});
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => process.exit()).resume();
`;

type Post = (index: number) => Promise<number>;

interface Rate {
  /** Deliveries per second of wall time. */
  wall: number;
  /** Deliveries per second of CPU time of the sending process. */
  core: number;
}

async function startReceiver(): Promise<{ url: string; process: ChildProcess }> {
  const receiver = spawn(process.execPath, ['-e', receiverSource], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = await once(receiver.stdout, 'data');
  return { url: `http://127.0.0.1:${String(port).trim()}/hook`, process: receiver };
}

/** For a fixed time, with ten parallel deliveries. */
async function rateOf(post: Post): Promise<Rate> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const until = startedAt + roundMs;
  let sent = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < until) {
        sent += 1;
        if ((await post(sent)) !== 200) throw new Error('the receiver did not answer 200');
      }
    }),
  );
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    wall: (sent * 1_000) / (performance.now() - startedAt),
    core: (sent * 1_000_000) / (user + system),
  };
}

interface Sent {
  headers: Record<string, string>;
  body: string;
}

/** The alerts of one snapshot: one event, one moment, many watches and levels, as read from the tables. */
function readAlerts(): Map<string, Alert> {
  const alerts = Array.from({ length: 500 }, (_, index) => {
    const number = String(index).padStart(32, '0');
    const level = 7_500 + 25 * (index % 60);
    return anAlert({
      alertId: `alt_${number}_1`,
      watchId: `wat_${number}`,
      ruleId: `rul_${number}`,
      triggerId: `trg_${number}`,
      sentence: `Get-in of Lower Bowl at or below ${formatCents(level)}`,
      level,
      askedLevel: level,
    });
  });
  return new Map(alerts.map((alert) => [alert.alertId, alert]));
}

function ourPost(url: string): { post: Post; lastSent: () => Sent } {
  const secrets = [{ secret: `whsec_${'A'.repeat(43)}=`, expiresAt: null }];
  const channel = aChannel({ target: { kind: 'webhook', url, secrets }, isImmediate: true });
  const { ownerId, channelId } = channel;
  const alerts = readAlerts();
  const deliveries = [...alerts.keys()].map((alertId, index) =>
    newDelivery(
      {
        deliveryId: `dlv_${String(index).padStart(32, '0')}`,
        alertIds: new Set([alertId]),
        channelKind: 'webhook',
        purpose: 'alert',
        ownerId,
        channelId,
      },
      { now: firedAt },
    ),
  );
  const guarded = createGuardedPost({ policy: { loopback: 'allowed' } });
  let lastSent: Sent = { headers: {}, body: '' };
  const send = createSendWebhook({
    post: (target) => {
      lastSent = target;
      return guarded(target);
    },
    now: () => firedAt,
  });
  const prepare = createPrepareMessage({
    findAlert: async (alertId) => alerts.get(alertId),
    findOwner: async () => undefined,
    whyNoNews: async () => undefined,
  });
  const post: Post = async (index) => {
    const delivery = deliveries[index % deliveries.length];
    if (!delivery) throw new Error('no delivery');
    const prepared = await prepare(delivery, channel, firedAt);
    const outcome = await send(prepared, channel, delivery);
    return outcome.kind === 'sent' ? 200 : 0;
  };
  return { post, lastSent: () => lastSent };
}

function barePost(url: string, { headers, body }: Sent): Post {
  const dispatcher = new Agent({ keepAliveTimeout: 60_000 });
  return async () => {
    const answer = await request(url, { method: 'POST', headers, body, dispatcher });
    await answer.body.dump();
    return answer.statusCode;
  };
}

const receiver = await startReceiver();
const { post: ours, lastSent } = ourPost(receiver.url);
await ours(0);
const bare = barePost(receiver.url, lastSent());
await rateOf(ours);
await rateOf(bare);
const pairs: { ours: Rate; bare: Rate }[] = [];
for (let round = 0; round < rounds; round += 1) {
  pairs.push({ ours: await rateOf(ours), bare: await rateOf(bare) });
}
receiver.process.kill();

const figures = (['wall', 'core'] as const).map((measure) => ({
  'a second of': measure === 'wall' ? 'the wall’s clock' : 'the sender’s CPU',
  'signed webhook deliveries': Math.round(median(pairs.map((pair) => pair.ours[measure]))),
  'bare undici loop': Math.round(median(pairs.map((pair) => pair.bare[measure]))),
  ratio: Number(median(pairs.map((pair) => pair.ours[measure] / pair.bare[measure])).toFixed(3)),
}));
console.table(figures);
const [wall, core] = figures;
console.log(
  JSON.stringify({
    bench: 'delivery',
    rounds,
    oursPerSecond: wall?.['signed webhook deliveries'],
    barePerSecond: wall?.['bare undici loop'],
    ratio: wall?.ratio,
    oursPerCpuSecond: core?.['signed webhook deliveries'],
    barePerCpuSecond: core?.['bare undici loop'],
    cpuRatio: core?.ratio,
  }),
);
process.exit(0);
