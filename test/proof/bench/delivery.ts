// Webhook deliveries per second on one core: composing, rendering, signing, the guarded client and
// judging the answer, against two bare loops that post the same bytes and headers to the same receiver: one
// of Node's own client, which the guarded client uses, with an agent that keeps connections, and one of
// undici, the fastest client for Node. The receiver runs in its own process. Rounds alternate; ratios are
// medians over the rounds, of two measures: wall time, and CPU seconds of the sending process, which a busy
// machine or a saturated receiver doesn't change. The last line is JSON.
//
//   node test/proof/bench/delivery.ts [--quick]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent as NodeAgent, request as requestOfNode } from 'node:http';
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
import { withBot } from '#test/support/telegram.ts';

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
    ...withBot,
    post: (target) => {
      lastSent = target;
      return guarded(target);
    },
    now: () => firedAt,
  });
  const prepare = createPrepareMessage({
    buyLinks: [],
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

function bareNode(url: string, { headers, body }: Sent): Post {
  const agent = new NodeAgent({ keepAlive: true });
  const length = String(Buffer.byteLength(body));
  return () =>
    new Promise((resolve, reject) => {
      const options = { method: 'POST', headers: { ...headers, 'content-length': length }, agent };
      const request = requestOfNode(url, options, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      request.on('error', reject).end(body);
    });
}

function bareUndici(url: string, { headers, body }: Sent): Post {
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
const node = bareNode(receiver.url, lastSent());
const undici = bareUndici(receiver.url, lastSent());
const rates: { ours: Rate; node: Rate; undici: Rate }[] = [];
for (let round = -1; round < rounds; round += 1) {
  const rate = {
    ours: await rateOf(ours),
    node: await rateOf(node),
    undici: await rateOf(undici),
  };
  // The first round only warms up.
  if (round >= 0) rates.push(rate);
}
receiver.process.kill();

const medianOf = (figure: (rate: (typeof rates)[number]) => number) => median(rates.map(figure));
const figures = (['wall', 'core'] as const).map((measure) => ({
  'a second of': measure === 'wall' ? 'wall time' : 'processor',
  ours: Math.round(medianOf(({ ours }) => ours[measure])),
  'bare node:http': Math.round(medianOf(({ node }) => node[measure])),
  ratio: Number(medianOf(({ ours, node }) => ours[measure] / node[measure]).toFixed(3)),
  'bare undici': Math.round(medianOf(({ undici }) => undici[measure])),
  'ratio to it': Number(medianOf(({ ours, undici }) => ours[measure] / undici[measure]).toFixed(3)),
}));
console.table(figures);
const [wall, core] = figures;
console.log(
  JSON.stringify({
    bench: 'delivery',
    rounds,
    oursPerSecond: wall?.ours,
    barePerSecond: wall?.['bare node:http'],
    ratio: wall?.ratio,
    undiciPerSecond: wall?.['bare undici'],
    undiciRatio: wall?.['ratio to it'],
    oursPerCpuSecond: core?.ours,
    barePerCpuSecond: core?.['bare node:http'],
    cpuRatio: core?.ratio,
    undiciCpuRatio: core?.['ratio to it'],
  }),
);
process.exit(0);
