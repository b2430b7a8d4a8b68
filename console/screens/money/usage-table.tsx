// What own pulls were for: by event, watch or tag, the most expensive first.
import type { ComponentChildren } from 'preact';
import type { UsageRowJson } from '../../api/calls.ts';
import { Card } from '../../parts/card.tsx';
import { Link } from '../../parts/link.tsx';
import { coarseNow } from '../../state/clock.ts';
import { count, decimal, dollars } from '../../words/amounts.ts';
import { venueDate } from '../../words/times.ts';
import { nameOf } from './usage-words.ts';

interface UsageTableProps {
  rows: readonly UsageRowJson[];
  by: 'event' | 'watch' | 'tag';
  /** The start of the range, ISO 8601. */
  from: string;
  children: ComponentChildren;
}

export function UsageTable({ rows, by, from, children }: UsageTableProps) {
  const most = Math.max(...rows.map(({ pulls }) => pulls), 0);
  const csv = `/v1/budget/usage?${new URLSearchParams({ by, from, format: 'csv' })}`;
  return (
    <Card
      title="What they were for"
      also={
        <div class="row">
          {children}
          <a class="link small" href={csv} download>
            CSV
          </a>
        </div>
      }
    >
      {rows.length === 0 ? (
        <div class="blank">
          <p class="muted">Nothing was spent in this time.</p>
        </div>
      ) : (
        <table class="usage">
          <thead>
            <tr>
              <th>{by === 'tag' ? 'Tag' : by === 'watch' ? 'Watch' : 'Event'}</th>
              <th class="wide">Share</th>
              <th class="num">Pulls</th>
              <th class="num">Dollars</th>
              <th class="num wide">Calls</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.event_id} ${row.watch_id} ${row.tag} ${row.subject}`}>
                <td>
                  <Subject row={row} />
                </td>
                <td class="wide">
                  <span class="part">
                    <i style={{ width: `${most === 0 ? 0 : (row.pulls / most) * 100}%` }} />
                  </span>
                </td>
                <td class="num">{decimal(row.pulls)}</td>
                <td class="num">{dollars(row.dollars)}</td>
                <td class="num wide">{count(row.calls)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function Subject({ row }: { row: UsageRowJson }) {
  const { event_id, event_name, event_date, watch_id, watch_name, subject, tag } = row;
  const to =
    watch_id !== null && subject === 'watch'
      ? `/watches/${watch_id}`
      : event_id !== null
        ? `/events/${event_id}`
        : tag !== null
          ? `/board?tag=${encodeURIComponent(tag)}`
          : undefined;
  const about = [
    ...(watch_name !== null && event_name ? [event_name] : []),
    ...(event_date ? [venueDate(event_date, coarseNow.value)] : []),
  ].join(' · ');
  return (
    <>
      {to ? (
        <Link class="name" to={to}>
          {nameOf(row)}
        </Link>
      ) : (
        <b>{nameOf(row)}</b>
      )}
      {about !== '' && <div class="small muted">{about}</div>}
    </>
  );
}
