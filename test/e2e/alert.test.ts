// The whole system as `npm start` runs it: a price falls, one mail and one webhook tell of it, and the desk shows it.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confirmAddress } from '#infra/local/demo/confirm-address.ts';
import { assemblyLimitMs, assemblyOfRun } from '#test/support/assembly-of-run.ts';
import { openPage } from '#test/support/browser.ts';
import {
  call,
  eventually,
  type LocalRun,
  type RunFacts,
  startLocalRun,
  startReceiver,
} from '#test/support/local-run.ts';
import { useBrowser } from '#test/support/worker-browser.ts';

const eventId = 4711;
const address = 'ann@example.com';
const simulator = 'success@simulator.amazonses.com';

/** Hands the marketplace an observation: two seats at a price, as its ingest takes it. */
function observe(facts: RunFacts, price: number): Promise<unknown> {
  return call(facts.operator_key, 'POST', `${facts.marketplace}/operator/observations`, {
    events: [
      {
        event_id: eventId,
        sh_event_id: 9_106_794,
        event_name: 'Orlando Magic at New York Knicks',
        event_date: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
        venue: {
          std_venue_id: 1,
          venue_name: 'Madison Square Garden',
          venue_city: 'New York',
          venue_state: 'NY',
        },
      },
    ],
    listing_sets: [
      {
        event_id: eventId,
        listings: [
          { listing_id: 1, zone: 'Lower', section: '101', row: 'A', quantity: 2, price },
          { listing_id: 2, zone: 'Upper', section: '201', row: 'B', quantity: 2, price: 300 },
        ],
      },
    ],
  });
}

/** Makes both channels and a watch that a get-in of 80 or less fires. */
async function watch(facts: RunFacts, hook: string): Promise<{ secret: string }> {
  const api = <Answer>(path: string, body: unknown) =>
    call<Answer>(facts.api_key, 'POST', `${facts.api}${path}`, body);
  const email = await api<{ id: string }>('/v1/channels', {
    kind: 'email',
    address,
  });
  const webhook = await api<{ id: string; secret: string }>('/v1/channels', {
    kind: 'webhook',
    url: hook,
  });
  await confirmAddress(facts.inbox, address);
  await call(facts.api_key, 'GET', `${facts.api}/v1/events?query=knicks`);
  await api('/v1/watches', {
    event_id: eventId,
    rules: [{ type: 'level', metric: 'get_in', at_or_below: 80 }],
    channels: [email.id, webhook.id],
    latency_seconds: 1,
  });
  return webhook;
}

interface InboxMail {
  subject: string;
  destination: { to: string[] };
}

/** The alerts to an address in the inbox; the mail that asks for a confirmation is none. */
const stored = async (facts: RunFacts, to = address) =>
  (await call<{ emails: InboxMail[] }>('', 'GET', `${facts.inbox}/store`)).emails.filter(
    ({ subject, destination }) =>
      destination.to.includes(to) && !subject.startsWith('Confirm that'),
  );

/** How often something new was stored, by the functions' own logs. */
const polls = (run: LocalRun) => [
  ...run.output().matchAll(/poll\.finished.*newSnapshots\W+[1-9]/g),
];

const alertsOf = async (facts: RunFacts) =>
  (
    await call<{ data: { id: string; headline: string }[] }>(
      facts.api_key,
      'GET',
      `${facts.api}/v1/alerts`,
    )
  ).data;

/** Shows the market at a price and waits until the system has stored and matched it. */
async function observeAndMatch(run: LocalRun, price: number): Promise<void> {
  const before = polls(run).length;
  await observe(run.facts, price);
  await eventually(`the price of ${price} to be matched`, () => {
    const poll = polls(run)[before];
    return poll && run.output().includes('evaluate.finished', poll.index) ? true : undefined;
  });
}

/** Waits until a poll has just ended: a poll that is killed keeps its event from the next for minutes. */
async function betweenPolls(run: LocalRun): Promise<void> {
  const ended = () => run.output().split('poll.finished').length;
  const before = ended();
  await eventually('a poll to end', () => (ended() > before ? true : undefined));
}

/** The assembly of a run, with the send queues' event sources switched off. */
function withoutSenders(assembly: string, target: string): string {
  cpSync(assembly, target, { recursive: true });
  const file = join(target, 'GetinDev.template.json');
  const template = JSON.parse(readFileSync(file, 'utf8'));
  for (const [id, resource] of Object.entries<{ Type: string; Properties: object }>(
    template.Resources,
  )) {
    const isSender =
      resource.Type === 'AWS::Lambda::EventSourceMapping' && /email|webhook/i.test(id);
    if (isSender) Object.assign(resource.Properties, { Enabled: false });
  }
  writeFileSync(file, JSON.stringify(template));
  return target;
}

describe('the local cloud', () => {
  const folder = mkdtempSync(join(tmpdir(), 'getin-e2e-'));
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let run: LocalRun;
  let assembly: string;
  const worker = useBrowser();

  beforeAll(async () => {
    assembly = await assemblyOfRun();
    receiver = await startReceiver();
  }, assemblyLimitMs);
  afterAll(async () => {
    await run?.end('SIGKILL');
    await receiver.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('sends one mail and one signed webhook when the price falls to the level', async () => {
    const flags = ['--assembly', assembly, '--synthetic-event', String(eventId)];
    run = await startLocalRun(folder, flags);
    const { facts } = run;
    await observe(facts, 100);
    const { secret } = await watch(facts, receiver.url);
    const desk = await openPage(worker.browser);
    await desk.page.goto(facts.desk);
    await desk.page.getByRole('link', { name: 'Orlando Magic at New York Knicks' }).waitFor();
    await observeAndMatch(run, 99);
    await observeAndMatch(run, 74);
    await eventually('the webhook', () => receiver.posts[0]);
    const [mail] = await eventually('the mail', async () => {
      const mails = await stored(facts);
      return mails.length > 0 ? mails : undefined;
    });
    // Two more snapshots at which the rule stays true: what would come twice comes now.
    await observeAndMatch(run, 73);
    await observeAndMatch(run, 72);

    const headline = expect.stringMatching(
      /^\$74 ▼ 25%: Orlando Magic at New York Knicks · under your \$80$/,
    );
    expect(mail?.subject).toEqual(headline);
    expect(await stored(facts)).toHaveLength(1);
    expect(receiver.posts).toHaveLength(1);
    // The page asks every 15 seconds.
    await desk.page.getByText(/^fired /).waitFor({ timeout: 60_000 });
    expect(desk.complaints).toEqual([]);
    await desk.close();
    const [post] = receiver.posts;
    const headers = post?.headers as Record<string, string>;
    const verified = new Webhook(secret).verify(post?.body ?? '', headers);
    expect(verified).toMatchObject({ type: 'alert.fired', data: { alert: { headline } } });
    const [proof] = await eventually('the proof of the synthetic watch', async () => {
      const mails = await stored(facts, simulator);
      return mails.length > 0 ? mails : undefined;
    });
    expect(proof?.subject).toContain('Orlando Magic at New York Knicks');
    expect(run.output()).toMatch(/syntheticDelivered\W+1/);
    expect(await run.end('SIGTERM')).toBe(0);
  }, 120_000);

  it('sends one of each although it is killed between the alert and its delivery', async () => {
    const mute = withoutSenders(assembly, join(folder, 'mute'));
    run = await startLocalRun(folder, ['--assembly', mute]);
    await observeAndMatch(run, 200);
    await observeAndMatch(run, 60);
    await eventually('the second alert', async () => {
      const alerts = await alertsOf(run.facts);
      return alerts.length === 2 ? alerts : undefined;
    });
    expect(receiver.posts).toHaveLength(1);
    await betweenPolls(run);
    await run.end('SIGKILL');

    run = await startLocalRun(folder, ['--assembly', assembly]);
    await eventually('the webhook', () => receiver.posts[1], 90_000);
    await eventually('the mail', async () => {
      const mails = await stored(run.facts);
      return mails.length > 0 ? mails : undefined;
    });
    await observeAndMatch(run, 59);
    await observeAndMatch(run, 58);

    expect(receiver.posts).toHaveLength(2);
    expect(await stored(run.facts)).toHaveLength(1);
    const ids = receiver.posts.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(2);
  }, 180_000);
});
