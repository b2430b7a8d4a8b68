// Each mail as its reader sees it.

import type { Outgoing } from '#shared/delivery/channels/channel-kind.ts';
import { renderEmailHtml } from '#shared/delivery/channels/email-html.ts';
import { mailLooks, type Subject } from './picture.ts';

export function mailPictures(samples: ReadonlyMap<string, Outgoing>): Subject {
  return {
    name: 'mails',
    pictures: [...samples].map(([name, { message }]) => ({
      name,
      looks: mailLooks,
      show: (page) => page.setContent(renderEmailHtml(message), { waitUntil: 'networkidle' }),
    })),
  };
}
