// What the senders write about an attempt.
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { afterEach, expect, it, vi } from 'vitest';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { reportAttempt } from '#shared/lambda/report-delivery.ts';
import { syntheticOwnerId } from '#shared/watchlist/synthetic-watch.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it('counts a fresh mail of the synthetic watch as its proof, and no backlog', () => {
  const counted: string[] = [];
  const metrics = { addMetric: (name: string) => counted.push(name) } as unknown as Metrics;
  const logger = new Logger({ logLevel: 'SILENT' });
  const made = Date.parse('2026-03-01T12:00:00Z');
  const delivery = newDelivery(
    {
      ...{ deliveryId: 'dlv_1', purpose: 'alert', channelId: 'c', channelKind: 'email' },
      ownerId: syntheticOwnerId,
    },
    { now: made },
  );
  const attempted = (minutes: number, outcome: 'sent' | 'retry', ownerId = syntheticOwnerId) => {
    const times = { queuedAt: made, startedAt: made + minutes * 60_000 };
    reportAttempt(
      { logger, metrics },
      'dlv_1',
      { outcome, delivery: { ...delivery, ownerId } },
      times,
    );
    return counted.splice(0).filter((name) => name.startsWith('synthetic'));
  };
  expect(attempted(9, 'sent')).toEqual(['syntheticDelivered']);
  expect(attempted(9, 'retry')).toEqual([]);
  expect(attempted(11, 'sent')).toEqual([]);
  expect(attempted(9, 'sent', 'own_a')).toEqual([]);
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
