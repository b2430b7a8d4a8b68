// The links by which a reader connects a Telegram chat.
import type { ChatLink } from '../../api/calls.ts';
import { Secret } from '../../parts/secret.tsx';
import { At } from '../../parts/time.tsx';

export function ChatLinks({ link }: { link: ChatLink }) {
  return (
    <div class="sent">
      <p class="row">
        <a class="button primary" href={link.link_url} target="_blank" rel="noopener noreferrer">
          Open in Telegram
        </a>
        <a class="button" href={link.group_link_url} target="_blank" rel="noopener noreferrer">
          Choose a group
        </a>
      </p>
      <Secret label="Or send its reader this link" value={link.link_url} />
      <p class="small muted">
        It works once, until <At time={link.link_expires_at} />. This page notices when the chat is
        connected.
      </p>
    </div>
  );
}
