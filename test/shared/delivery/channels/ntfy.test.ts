// ntfy: the request, the room for texts in bytes, the meaning of answers, and edits on the phone.
import { describe, expect, it } from 'vitest';
import type { Outgoing } from '#shared/delivery/channels/channel-kind.ts';
import { ntfy, ntfyForm } from '#shared/delivery/channels/ntfy.ts';
import { firedAt } from '#test/support/alerts.ts';
import { messageNaming, sampleOutgoing } from '#test/support/messages.ts';
import { createNtfyServer } from '#test/support/receivers/ntfy.ts';

const target = ntfy.newTarget({ server: 'https://ntfy.example/', topic: 'knicks' });
const level = sampleOutgoing.level as Outgoing;
const bodyOf = (outgoing: Outgoing) => JSON.parse(ntfyForm.request(outgoing, target, 0).body);
const urgent = (outgoing: Outgoing) => ({
  ...outgoing,
  told: outgoing.told.map((told) => ({ ...told, alert: { ...told.alert, isUrgent: true } })),
});
const answered = (status: number, code?: number, headers = {}) => ({
  ...{ status, headers },
  excerpt: code === undefined ? '' : JSON.stringify({ code, http: status, error: 'why' }),
});

describe('the request', () => {
  it('goes to the root of the server, with the token if there is one', () => {
    expect(ntfyForm.request(level, target, 0)).toMatchObject({
      url: 'https://ntfy.example/',
      headers: { 'content-type': 'application/json' },
    });
    const withToken = { ...target, token: 'tk_secret' };
    expect(ntfyForm.request(level, withToken, 0).headers.authorization).toBe('Bearer tk_secret');
    expect(ntfyForm.secretsOf(withToken)).toEqual(['knicks', 'tk_secret']);
  });

  it('is loud for urgent alerts and silent for recoveries and planned digests', () => {
    expect(bodyOf(urgent(level)).priority).toBe(5);
    expect(bodyOf(level).priority).toBe(3);
    expect(bodyOf(sampleOutgoing.recovery as Outgoing).priority).toBe(2);
    expect(bodyOf(sampleOutgoing.digest as Outgoing).priority).toBe(2);
    expect(bodyOf(sampleOutgoing['digest-recovery'] as Outgoing).priority).toBe(3);
  });

  it('shows the chart as a picture', () => {
    const chart = { url: 'https://getin.example/c/1.png', darkUrl: '', alt: 'fell' };
    const alerts = level.message.alerts.map((alert) => ({ ...alert, chart }));
    const body = bodyOf({ ...level, message: { ...level.message, alerts } });
    expect(body).toMatchObject({ attach: 'https://getin.example/c/1.png', filename: 'chart.png' });
  });

  it.each(['"', '\\', 'é', '👨‍👩‍👧‍👦'])(
    'has room for what the server takes, in a message full of %j',
    (part) => {
      const message = messageNaming(part.repeat(200), 60);
      const { body } = ntfyForm.request({ ...level, message }, target, 0);
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(8_192);
      const { title, message: text } = JSON.parse(body);
      expect(Buffer.byteLength(title)).toBeLessThanOrEqual(250 + '\u2060'.length * 2);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_900);
      expect(text).toMatch(/\nand \d+ more\n/);
    },
  );
});

describe('an answer', () => {
  it.each([
    [{ status: 200, headers: {}, excerpt: '{"id":"a1"}' }, { kind: 'sent' }],
    [
      { status: 200, headers: {}, excerpt: '<html>' },
      { kind: 'unconfirmed', reason: 'answer_not_understood' },
    ],
    [answered(401, 40101), { kind: 'failed', reason: 'http_401', channelIs: 'gone' }],
    [answered(403, 40301), { kind: 'failed', reason: 'http_403', channelIs: 'gone' }],
    [answered(400, 40010), { kind: 'failed', reason: 'http_400', channelIs: 'gone' }],
    [answered(404), { kind: 'failed', reason: 'http_404', channelIs: 'perhaps_gone' }],
    [answered(400, 40018), { kind: 'failed', reason: 'refused_http_400', isOurs: true }],
    [answered(413, 41303), { kind: 'reshape', reason: 'http_413' }],
    [answered(429, 42901), { kind: 'throttled', reason: 'http_429', afterMs: 5_000 }],
    [
      answered(429, 42901, { 'retry-after': '30' }),
      { kind: 'throttled', reason: 'http_429', afterMs: 30_000 },
    ],
    [answered(507, 50701), { kind: 'retry', reason: 'http_507' }],
    [answered(502), { kind: 'retry', reason: 'http_502' }],
  ])('%j is judged', (answer, judgement) => {
    expect(ntfyForm.judge(answer, firedAt)).toEqual(judgement);
  });

  it('that the quota of the day is used up means to wait until midnight UTC', () => {
    const judged = ntfyForm.judge(answered(429, 42908), Date.parse('2026-03-01T21:30:00Z'));
    expect(judged).toEqual({ kind: 'throttled', reason: 'http_429', afterMs: 2.5 * 3_600_000 });
  });
});

describe('on the phone', () => {
  const server = () => createNtfyServer();

  it('a message that is sent twice is one notification', () => {
    const one = server();
    for (let times = 0; times < 2; times += 1)
      one.answer(ntfyForm.request(level, target, 0), firedAt);
    expect(one.messages).toHaveLength(1);
  });

  it('an edit replaces the notification without a sound', () => {
    const one = server();
    const receipt = ntfyForm.edits?.receiptOf(
      one.answer(ntfyForm.request(urgent(level), target, 0), firedAt),
    );
    expect(receipt).toBe('dlv_1');
    const edited = { ...urgent(level), message: messageNaming('Phish') };
    const request = ntfyForm.edits?.request(edited, target, receipt ?? '', 0);
    if (!request) throw new Error('ntfy has edits');
    expect(ntfyForm.edits?.judge(one.answer(request, firedAt), firedAt)).toEqual({
      kind: 'edited',
    });
    expect(one.messages.map(({ text, sounds }) => [text.includes('Phish'), sounds])).toEqual([
      [true, 1],
    ]);
  });

  it('is never edited by a server that does not know sequences', () => {
    const excerpt = '{"id":"a1","event":"message"}';
    expect(ntfyForm.edits?.receiptOf({ status: 200, headers: {}, excerpt })).toBeUndefined();
  });
});

describe('a change', () => {
  it('replaces the topic, and takes the token away', () => {
    const before = { ...target, token: 'tk_1' };
    expect(ntfy.changedTarget(before, { topic: 'nets' })).toEqual({ ...before, topic: 'nets' });
    expect(ntfy.changedTarget(before, { token: null })).toEqual(target);
  });
});
