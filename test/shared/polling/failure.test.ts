import { describe, expect, it } from 'vitest';
import * as errors from '#shared/marketplace/errors.ts';
import { decideFailure, possiblePulls, shapeOf } from '#shared/polling/failure.ts';

const evidence = { endpoint: 'GET /v1/events/{event_id}/stats', code: 'frozen' };

describe('a failure', () => {
  it.each<[string, unknown, object]>([
    [
      '429 is a wait',
      new errors.RateLimitedError('slow', { ...evidence, retryAfterMs: 7_000 }, 'events_stats'),
      { kind: 'wait', waitMs: 7_000 },
    ],
    [
      '402 pauses, by its code and with the address for topping up',
      new errors.PaymentRequiredError('pay', evidence, { topUpUrl: 'https://pay.example' }),
      { kind: 'pause', reason: 'payment', code: 'frozen', topUpUrl: 'https://pay.example' },
    ],
    [
      '401 pauses',
      new errors.AuthenticationError('key', evidence),
      { kind: 'pause', reason: 'authentication' },
    ],
    [
      '403 pauses',
      new errors.SubscriptionError('access', evidence),
      { kind: 'pause', reason: 'subscription' },
    ],
    [
      '404 of the event ends it',
      new errors.NotFoundError('gone', evidence, 'event'),
      { kind: 'gone' },
    ],
    [
      '404 of the route is a wrong address, never a vanished event',
      new errors.NotFoundError('html', evidence, 'route'),
      { kind: 'fault' },
    ],
    ['5xx is a fault', new errors.ServerError('bad gateway', evidence), { kind: 'fault' }],
    ['no answer is a fault', new errors.NetworkError('reset', evidence, 'lost'), { kind: 'fault' }],
    [
      'an answer of another shape is bad data',
      new errors.ContractError(
        'price',
        { ...evidence, bodyExcerpt: '{"price":"12"' },
        'data.0.price',
      ),
      { kind: 'bad_data', path: 'data.0.price', shape: '{"price":string' },
    ],
    ['anything else is ours', new TypeError('oops'), { kind: 'ours' }],
  ])('%s', (_name, error, expected) => {
    expect(decideFailure(error)).toMatchObject(expected);
  });

  it('that came after an answer may have cost a pull', () => {
    expect(possiblePulls(new TypeError('oops'))).toBe(1);
    expect(possiblePulls(new errors.ServerError('bad gateway', evidence))).toBe(0);
  });
});

describe('the shape of an answer', () => {
  it.each([
    ['{"event_id":7,"data":[{"get_in":12.5}]}', '{"event_id":number,"data":[{"get_in":number}]}'],
    ['{"name":"Knicks \\"at\\" Nets","n":-1e3}', '{"name":string,"n":number}'],
    ['{"zone_1":"secret","cut":"off in the mid', '{"zone_1":string,"cut":string'],
    ['[true,null,"x"]', '[true,null,string]'],
    ['', ''],
  ])('of %s is %s', (json, shape) => {
    expect(shapeOf(json)).toBe(shape);
  });
});
