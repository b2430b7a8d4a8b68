// The pace of a chat, which alerts and edits share: edits leave half of it to the alerts.
import { describe, expect, it } from 'vitest';
import { createChatPace, createEditPace } from '#shared/delivery/pace.ts';
import type { TallyStore } from '#shared/dynamo/tallies.ts';
import { aChannel } from '#test/support/delivering.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const group = aChannel({ target: { kind: 'telegram', chat: { id: -42, title: 'Resale' } } });
const webhook = aChannel({
  target: { kind: 'discord', url: 'https://discord.com/api/webhooks/1/t' },
});

/** Both paces over one set of counters. */
function openPaces() {
  const counts = new Map<string, number>();
  const take: TallyStore['take'] = async ({ name, startsAt, ceiling }) => {
    const place = `${name} ${startsAt}`;
    const count = counts.get(place) ?? 0;
    if (count >= ceiling) return false;
    counts.set(place, count + 1);
    return true;
  };
  return { alert: createChatPace({ take }), edit: createEditPace({ take }) };
}

describe('edits', () => {
  it('leave room for an alert in every second where the pace has more than one place', async () => {
    const { alert, edit } = openPaces();
    expect(await edit(webhook, now)).toBeUndefined();
    expect(await edit(webhook, now)).toBe(now + 1_000);
    expect(await alert(webhook, now)).toBeUndefined();
    expect(await alert(webhook, now)).toBe(now + 1_000);
  });

  it('leave a group ten of its twenty messages a minute', async () => {
    const { alert, edit } = openPaces();
    const taken = async (take: typeof edit) => {
      const answers: unknown[] = [];
      for (let second = 0; second < 30; second += 1) {
        answers.push(await take(group, now + second * 1_000));
      }
      return answers.filter((until) => until === undefined).length;
    };
    expect(await taken(edit)).toBe(10);
    const second = now + 30_000;
    for (let index = 0; index < 10; index += 1) {
      expect(await alert(group, second + index * 1_000)).toBeUndefined();
    }
    expect(await alert(group, second + 10_000)).toBe(now + 60_000);
  });

  it('take 60 of the 250 messages that ntfy takes in a day', async () => {
    const { alert, edit } = openPaces();
    const phone = aChannel({ target: { kind: 'ntfy', server: 'https://ntfy.sh', topic: 'a' } });
    const taken: number[] = [];
    for (let minute = 0; minute < 100; minute += 1) {
      const at = now + minute * 60_000;
      if ((await edit(phone, at)) === undefined) taken.push(minute);
      expect(await alert(phone, at)).toBeUndefined();
    }
    expect(taken).toHaveLength(60);
  });

  it('wait while alerts have half of the pace', async () => {
    const { alert, edit } = openPaces();
    await alert(webhook, now);
    expect(await edit(webhook, now)).toBe(now + 1_000);
    expect(await edit(webhook, now + 1_000)).toBeUndefined();
  });
});
