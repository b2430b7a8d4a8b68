// The zones of an event: each with its price, its week, and where it stands in its 30 days. A press shows its chart.
import type { ZonePosition } from '../../api/calls.ts';
import { Change } from '../../parts/change.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { dollars } from '../../words/amounts.ts';
import { placeText, shareOf } from './place-words.ts';

interface ZonesTableProps {
  zones: readonly ZonePosition[];
  chosen: string | null;
  onChoose: (zone: string | null) => void;
}

export function ZonesTable({ zones, chosen, onChoose }: ZonesTableProps) {
  return (
    <section class="card zones" aria-label="Zones">
      <table>
        <thead>
          <tr>
            <th>Zone</th>
            <th class="num">Get-in</th>
            <th class="num">24 h</th>
            <th class="wide">7 days</th>
            <th>In its 30 days</th>
          </tr>
        </thead>
        <tbody>
          {zones.map((row) => (
            <tr key={row.zone ?? ''} class={row.zone === chosen ? 'chosen' : ''}>
              <td>
                <button
                  type="button"
                  class="plain long"
                  aria-pressed={row.zone === chosen}
                  onClick={() => onChoose(row.zone)}
                >
                  {row.zone ?? 'Any seat'}
                </button>
              </td>
              <td class="num">{dollars(row.get_in)}</td>
              <td class="num">
                <Change percent={row.get_in_change_24h_percent} />
              </td>
              <td class="wide">
                <Sparkline values={row.get_in_week} />
              </td>
              <td>
                <PlaceBar row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** From its lowest to its highest price of 30 days. */
function PlaceBar({ row: { get_in: price, get_in_30_days: month } }: { row: ZonePosition }) {
  const share = shareOf(price, month);
  if (share === undefined || !month) return <span class="faint">–</span>;
  return (
    <span class="place" title={`${dollars(month.low)} to ${dollars(month.high)}`}>
      <b>
        <i style={{ left: `${Math.round(share * 92)}%` }} />
      </b>
      <span class="unseen">{placeText(month)}</span>
    </span>
  );
}
