// Links that programs open without a key: for a spreadsheet, a calendar, a feed reader.
import { useSignal } from '@preact/signals';
import { listPublishedLinks, type PublishedLinksJson } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { Secret } from '../../parts/secret.tsx';
import { attempt } from '../../parts/toasts.tsx';

const names: Readonly<Record<PublishedLinksJson['data'][number]['view'], string>> = {
  'board.csv': 'The board, for a spreadsheet',
  'alerts.csv': 'The alerts, for a spreadsheet',
  'alerts.atom': 'The alerts, for a feed reader',
  'events.ics': 'The events, for a calendar',
};

export function Published() {
  const links = useSignal<PublishedLinksJson | undefined>(undefined);
  const show = () =>
    attempt(async () => {
      links.value = await send(listPublishedLinks);
    });
  return (
    <Card title="Links for programs">
      <div class="inside">
        <p class="small muted">
          Anyone who has one sees this view, and can do nothing else. They belong to the key that
          you are signed in with, and end with it: make a key with scope read for them alone, and
          sign in with that one.
        </p>
        {links.value ? (
          links.value.data.map(({ view, url }) => (
            <Secret key={view} label={names[view]} value={url} />
          ))
        ) : (
          <div class="row">
            <button type="button" onClick={() => void show()}>
              Show the links
            </button>
          </div>
        )}
      </div>
    </Card>
  );
}
