// Own pulls by day as bars with the cap as a line, and what follows from them.
import type { UsageAnswer, UsageRowJson } from '../../api/calls.ts';
import { Bars } from '../../parts/bars.tsx';
import { Card } from '../../parts/card.tsx';
import { coarseNow } from '../../state/clock.ts';
import { status } from '../../state/status.ts';
import { count, decimal, dollars, plural } from '../../words/amounts.ts';
import { venueDate } from '../../words/times.ts';
import { everyDay, paceOf, scaleOf, sharedCalls } from './usage-words.ts';

interface UsageByDayProps {
  usage: UsageAnswer;
  watches: readonly UsageRowJson[];
  days: number;
}

const csvAddress = (from: string) =>
  `/v1/budget/usage?${new URLSearchParams({ by: 'day', from, format: 'csv' })}`;

export function UsageByDay({ usage, watches, days }: UsageByDayProps) {
  const all = everyDay(usage.data, days, coarseNow.value);
  const { total, not_attributed: unknown } = usage;
  const today = status.value?.pulls_today;
  const cap = today?.cap ?? 0;
  const { top, hasCap } = scaleOf(
    all.map(({ pulls }) => pulls),
    cap,
  );
  const capWords = `${today?.limited_by === 'share' ? 'your share' : 'daily cap'} ${count(cap)}`;
  const bars = all.map(({ day, pulls, dollars: cost }) => ({
    ...{ name: venueDate(day, coarseNow.value), value: pulls },
    words: `${decimal(pulls)} pulls, ${dollars(cost)}`,
  }));
  const pace = paceOf(all);
  const saved = sharedCalls(watches, total.calls);
  return (
    <Card
      title="Your pulls by day"
      also={
        <a class="link small" href={csvAddress(usage.from)} download>
          CSV
        </a>
      }
    >
      <div class="inside">
        <dl class="figures">
          <Figure
            name={`In ${days} days`}
            value={`${decimal(total.pulls)} pulls`}
            also={dollars(total.dollars)}
          />
          {pace && (
            <Figure
              name="A day, of the last 7"
              value={`${decimal(pace.pulls)} pulls`}
              also={`${dollars(Math.round(pace.dollars * 3_000) / 100)} in 30 days at this pace`}
            />
          )}
          <Figure
            name="Saved by sharing"
            value={plural(saved, 'call')}
            also={`${count(total.calls)} calls did the work of ${count(total.calls + saved)}`}
          />
        </dl>
        <Bars
          label={`Your pulls on each of ${days} days; ${decimal(total.pulls)} in all.`}
          bars={bars}
          top={top}
          topWords={decimal(top)}
          line={hasCap ? { value: cap, words: capWords } : undefined}
        />
        <p class="small muted">
          {!hasCap && cap > 0 && `The ${capWords} is above the chart. `}
          Days are those of UTC, as the marketplace bills them. Dollars are at $0.015 a request.
          {unknown.calls > 0 &&
            ` ${plural(unknown.calls, 'call')} about your events can’t be attributed to anybody, and ${unknown.calls === 1 ? 'is' : 'are'} left out.`}
        </p>
        <details>
          <summary>The days as a table</summary>
          <table>
            <thead>
              <tr>
                <th>Day</th>
                <th class="num">Pulls</th>
                <th class="num">Dollars</th>
              </tr>
            </thead>
            <tbody>
              {bars
                .map(({ name, value }, index) => ({ name, value, cost: all[index]?.dollars ?? 0 }))
                .reverse()
                .map(({ name, value, cost }) => (
                  <tr key={name}>
                    <td>{name}</td>
                    <td class="num">{decimal(value)}</td>
                    <td class="num">{dollars(cost)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </details>
      </div>
    </Card>
  );
}

/** A number with its name over it and more about it under it. */
export function Figure({ name, value, also }: { name: string; value: string; also?: string }) {
  return (
    <div>
      <dt class="small muted">{name}</dt>
      <dd>
        <b>{value}</b>
        {also && <div class="small muted">{also}</div>}
      </dd>
    </div>
  );
}
