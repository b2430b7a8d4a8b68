/**
 * Lambda's asynchronous invocation: retries after an error, drops events that are too old, and
 * reports failures to the failure destination.
 */
import { randomUUID } from 'node:crypto';
import type { ScheduleClock } from '../clock.ts';
import type { LocalFunction } from './local-function.ts';
import type { InvocationError } from './messages.ts';

/** A function's event invoke configuration; its times are already scaled to the run's tick. */
export interface AsyncInvokeConfig {
  /** @default 2, as on AWS */
  retryAttempts: number;
  /** @default 6 hours, as on AWS */
  maxEventAgeMs: number;
  sendFailure?: ((record: string) => Promise<void>) | undefined;
}

export const defaultAsyncInvokeConfig: AsyncInvokeConfig = {
  retryAttempts: 2,
  maxEventAgeMs: 6 * 3_600_000,
};

/** AWS waits one minute before the first retry and two before the second. */
const retryDelaysMs = [60_000, 120_000];

export interface AsyncInvocation {
  target: LocalFunction;
  event: unknown;
  config: AsyncInvokeConfig;
  clock: ScheduleClock;
  /** Run time per template time: 1 with a real clock, less with a shorter tick. */
  timeScale: number;
}

/** Runs the event until it succeeds or goes to the failure destination. */
export async function invokeAsync(invocation: AsyncInvocation): Promise<void> {
  const { target, event, config, clock } = invocation;
  const acceptedAt = clock.now();
  for (let attempt = 1; attempt <= config.retryAttempts + 1; attempt += 1) {
    if (clock.now() - acceptedAt > config.maxEventAgeMs) {
      return sendFailure(invocation, 'EventAgeExceeded', attempt - 1);
    }
    const outcome = await target.invoke(event);
    if (outcome.ok) return;
    if (attempt > config.retryAttempts) {
      return sendFailure(invocation, 'RetriesExhausted', attempt, outcome.error);
    }
    const delayMs = (retryDelaysMs[attempt - 1] ?? 0) * invocation.timeScale;
    await new Promise<void>((resume) => clock.after(delayMs, resume));
  }
}

/** The record that Lambda sends to a destination. */
async function sendFailure(
  { target, event, config, clock }: AsyncInvocation,
  condition: 'EventAgeExceeded' | 'RetriesExhausted',
  approximateInvokeCount: number,
  error?: InvocationError,
): Promise<void> {
  await config.sendFailure?.(
    JSON.stringify({
      version: '1.0',
      timestamp: new Date(clock.now()).toISOString(),
      requestContext: {
        requestId: randomUUID(),
        functionArn: `${target.arn}:$LATEST`,
        condition,
        approximateInvokeCount,
      },
      requestPayload: event,
      ...(error && {
        responseContext: {
          statusCode: 200,
          executedVersion: '$LATEST',
          functionError: 'Unhandled',
        },
        responsePayload: error,
      }),
    }),
  );
}
