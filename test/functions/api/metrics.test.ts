// The API function itself, in a process of its own: its metrics leave it with each answer.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const http = { method: 'GET', path: '/v1/health', protocol: 'HTTP/1.1', sourceIp: '192.0.2.1' };
const event = {
  ...{ version: '2.0', routeKey: '$default', rawPath: '/v1/health', rawQueryString: '' },
  ...{ headers: { host: 'api.example' }, isBase64Encoded: false },
  requestContext: { http, domainName: 'api.example', requestId: 'r', stage: '$default' },
};
const program = `
const { handler } = await import('./functions/api/handler.ts');
const { reportFault } = await import('./shared/fault-report.ts');
reportFault({ thing: 'stored_item', reason: 'odd' });
const { statusCode } = await handler(${JSON.stringify(event)}, { awsRequestId: 'r', functionName: 'api' });
console.log(JSON.stringify({ statusCode }));
`;
const queue = 'http://127.0.0.1:9/queue';
const env = {
  ...{ PATH: process.env.PATH, AWS_REGION: 'eu-central-1', WATCHLIST_TABLE: 'w' },
  ...{ SNAPSHOTS_TABLE: 's', EVALUATE_QUEUE_URL: queue, EMAIL_QUEUE_URL: queue },
  ...{ WEBHOOK_QUEUE_URL: queue, MARKETPLACE_URL: 'http://127.0.0.1:9' },
  ...{ MARKETPLACE_KEY_SECRET: 'k', ADMIN_KEY_SECRET: 'a', LINK_SECRET: 'l' },
  ...{ TELEGRAM_BOT_SECRET: 't', TELEGRAM_API_URL: 'https://telegram.invalid' },
  ...{ PUBLIC_URL: 'http://127.0.0.1:9', LOOPBACK_WEBHOOKS: 'refused', OWNER_WATCH_QUOTA: '10' },
  ALERT_RETENTION_DAYS: '400',
  JOBS_QUEUE_URL: queue,
  VERSION_RETENTION_DAYS: '90',
  BUY_LINK_TEMPLATES: '',
  ...{ DAILY_PULL_CAP: '10', MONTHLY_PULL_CAP: '100' },
  ...{ FLAT_PLAN_CHARGES_FREE_POLLS: 'yes', DATED_STATS_WITHOUT_MATCH_CHARGED: 'yes' },
  ...{ POWERTOOLS_METRICS_NAMESPACE: 'Getin', POWERTOOLS_SERVICE_NAME: 'api' },
};

it('counts the faults that a request set aside', async () => {
  const child = spawn('node', ['--input-type=module', '--eval', program], { env });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const lines = out.split('\n').filter((line) => line.startsWith('{'));
  const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(told, err).toContainEqual({ statusCode: 200 });
  expect(told).toContainEqual(expect.objectContaining({ faultsSetAside: 1, service: 'api' }));
}, 60_000);
