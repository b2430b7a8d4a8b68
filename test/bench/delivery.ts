// How many webhook deliveries one core makes: composing, rendering, signing, the guarded client and the
// judging of the answer, against a bare undici loop that posts the same bytes to the same receiver. The
// receiver runs in a thread of its own. The last line is JSON.
import { Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';
import { createSendWebhook } from '#functions/send-webhook/send-webhook.ts';
import { newDelivery } from '#shared/alerts/delivery.ts';
import { createGuardedPost } from '#shared/alerts/guarded-post.ts';
import { createPrepareMessage } from '#shared/alerts/prepare-message.ts';
import { anAlert, firedAt } from '#test/support/alerts.ts';
import { aChannel } from '#test/support/delivering.ts';

const isQuick = process.argv.includes('--quick');
const rounds = isQuick ? 5 : 15;
const roundMs = isQuick ? 700 : 2_000;
/** As many as a batch of SQS hands to one invocation. */
const atOnce = 10;

const receiverSource = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.end('ok'));
});
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

type Post = (index: number) => Promise<number>;

async function startReceiver(): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const worker = new Worker(receiverSource, { eval: true });
  const port = await new Promise<number>((settle) => worker.once('message', settle));
  return { url: `http://127.0.0.1:${port}/hook`, stop: () => worker.terminate() };
}

/** Deliveries a second over one stretch of time, ten under way at once. */
async function rateOf(post: Post): Promise<number> {
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
  return (sent * 1_000) / (performance.now() - startedAt);
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function ourPost(url: string): { post: Post; lastBody: () => string } {
  const secrets = [{ secret: `whsec_${'A'.repeat(43)}=`, expiresAt: null }];
  const channel = aChannel({ target: { kind: 'webhook', url, secrets }, isImmediate: true });
  const { ownerId, channelId } = channel;
  const guarded = createGuardedPost({ policy: { loopback: 'allowed' } });
  let lastBody = '';
  const send = createSendWebhook({
    post: async (target) => {
      lastBody = target.body;
      return guarded(target);
    },
    now: () => firedAt,
  });
  const prepare = createPrepareMessage({
    findAlert: async (alertId) => anAlert({ alertId }),
    findOwner: async () => undefined,
    whyNoNews: async () => undefined,
  });
  const post: Post = async (index) => {
    const about = { ownerId, channelId, channelKind: 'webhook', purpose: 'alert' } as const;
    const alertIds = new Set([`alt_${index}`]);
    const delivery = newDelivery(
      { deliveryId: `dlv_${index}`, alertIds, ...about },
      { now: firedAt },
    );
    const prepared = await prepare(delivery, channel, firedAt);
    const outcome = await send(prepared, channel, delivery);
    return outcome.kind === 'sent' ? 200 : 0;
  };
  return { post, lastBody: () => lastBody };
}

function barePost(url: string, body: string): Post {
  const dispatcher = new Agent({ keepAliveTimeout: 60_000 });
  const headers = { 'content-type': 'application/json' };
  return async () => {
    const answer = await request(url, { method: 'POST', headers, body, dispatcher });
    await answer.body.dump();
    return answer.statusCode;
  };
}

const receiver = await startReceiver();
const ours = ourPost(receiver.url);
await ours.post(0);
const bare = barePost(receiver.url, ours.lastBody());
await rateOf(ours.post);
await rateOf(bare);
const rates: { ours: number; bare: number }[] = [];
for (let round = 0; round < rounds; round += 1) {
  rates.push({ ours: await rateOf(ours.post), bare: await rateOf(bare) });
}
await receiver.stop();

const oursPerSecond = Math.round(median(rates.map((rate) => rate.ours)));
const barePerSecond = Math.round(median(rates.map((rate) => rate.bare)));
const ratio = median(rates.map((rate) => rate.ours / rate.bare));
console.log(`signed webhook deliveries   ${oursPerSecond.toLocaleString('en-US')}/s`);
console.log(`bare undici loop            ${barePerSecond.toLocaleString('en-US')}/s`);
console.log(`ratio (median of ${rounds})        ${ratio.toFixed(2)}`);
console.log(
  JSON.stringify({
    bench: 'delivery',
    oursPerSecond,
    barePerSecond,
    ratio: Number(ratio.toFixed(3)),
  }),
);
process.exit(0);
