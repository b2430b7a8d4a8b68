// What the senders write about an attempt.
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { afterEach, expect, it, vi } from 'vitest';
import { reportAttempt } from '#shared/lambda/report-delivery.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it('writes the delays of both senders into one metric of the stage', () => {
  // Powertools writes metrics to the console of the process in its development mode.
  vi.stubEnv('POWERTOOLS_DEV', 'true');
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  vi.stubEnv('STAGE', 'prod');
  const lines: Record<string, unknown>[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => lines.push(JSON.parse(line)));
  const metrics = new Metrics({
    ...{ namespace: 'Getin', serviceName: 'getin-send-email' },
    defaultDimensions: { stage: 'prod' },
  });
  const logger = new Logger({ logLevel: 'SILENT' });
  const result = { outcome: 'sent' as const, promisedDelaysMs: [61_000, 180_000] };
  reportAttempt({ logger, metrics }, 'dlv_1', result, { queuedAt: 1, startedAt: 2 });

  const written = lines.filter((line) => 'promisedDelayMs' in line);
  expect(written).toEqual([
    expect.objectContaining({ service: 'getin-delivery', stage: 'prod', promisedDelayMs: 61_000 }),
    expect.objectContaining({ service: 'getin-delivery', stage: 'prod', promisedDelayMs: 180_000 }),
  ]);
  metrics.publishStoredMetrics();
  expect(lines.at(-1)).toMatchObject({ service: 'getin-send-email', deliveriesSent: 1 });
});
