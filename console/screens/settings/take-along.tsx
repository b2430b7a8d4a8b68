// Files to take along: the watchlist, and everything that is stored of the owner.
import { useSignal } from '@preact/signals';
import { readOwnerExport } from '../../api/calls.ts';
import { readAll } from '../../api/read-all.ts';
import { Card } from '../../parts/card.tsx';
import { attempt } from '../../parts/toasts.tsx';

const files = [
  { label: 'Watchlist for Excel', address: '/v1/watchlist/export?format=csv&for=excel' },
  { label: 'Watchlist as CSV', address: '/v1/watchlist/export?format=csv' },
  { label: 'Watchlist as JSON', address: '/v1/watchlist/export?format=json' },
];

/** Gives a file to the browser's downloads. */
function saveFile(name: string, type: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

export function TakeAlong() {
  const isBusy = useSignal(false);
  async function saveAll(): Promise<void> {
    isBusy.value = true;
    await attempt(async () => {
      const data = await readAll(readOwnerExport);
      saveFile('getin-data.json', 'application/json', `${JSON.stringify(data, null, 2)}\n`);
    });
    isBusy.value = false;
  }
  return (
    <Card title="Take it along">
      <div class="inside">
        <div class="row">
          {files.map(({ label, address }) => (
            <a key={label} class="button" href={address} download>
              {label}
            </a>
          ))}
          <button type="button" disabled={isBusy.value} onClick={() => void saveAll()}>
            {isBusy.value ? 'Reading …' : 'Everything stored of you'}
          </button>
        </div>
        <p class="small muted">
          Change a watchlist in a spreadsheet and import it again. Secrets and URLs are in none of
          these files.
        </p>
      </div>
    </Card>
  );
}
