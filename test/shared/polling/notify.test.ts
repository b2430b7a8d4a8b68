// A notice is stored and sent once.
import { expect, it } from 'vitest';
import { operatorNotice } from '#shared/polling/notice.ts';
import { createNotify } from '#shared/polling/notify.ts';

it('sends a notice when it is new, and not again', async () => {
  const stored = new Set<string>();
  const sent: string[] = [];
  const notify = createNotify({
    createNotice: async ({ noticeId }) => !stored.has(noticeId) && !!stored.add(noticeId),
    sendNotice: async (noticeId) => void sent.push(noticeId),
  });
  const text = { kind: 'usage_drift', title: 'Drift', text: 'Look' } as const;
  const notice = operatorNotice(text, 'today', Date.parse('2026-03-01T12:00:00Z'));
  expect([await notify(notice), await notify(notice)]).toEqual([true, false]);
  expect(sent).toEqual([notice.noticeId]);
});
