// For an admin: the whole deployment, its caps and shares, what each event costs, and what could be saved.
import { type BudgetJson, readBudget } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { Link } from '../../parts/link.tsx';
import { Failed, Waiting } from '../../parts/states.tsx';
import { At } from '../../parts/time.tsx';
import { coarseNow } from '../../state/clock.ts';
import { useLive } from '../../state/live.ts';
import { count, decimal, dollars } from '../../words/amounts.ts';
import { latencyWords, venueDate } from '../../words/times.ts';
import { CapsForm } from './caps-form.tsx';
import { SharesForm } from './shares-form.tsx';
import { pauseWords } from './today.tsx';
import { Figure } from './usage-by-day.tsx';

/** The answer reads every feed and the ledger of the billing period. */
const everyMs = 60_000;

export function Deployment() {
  const { data, error } = useLive((signal) => send(readBudget, { signal }), [], everyMs);
  const budget = data.value;
  return (
    <>
      <h2 class="part-title">The whole deployment</h2>
      {budget ? (
        <div class="grid">
          <div class="stack">
            <Spans budget={budget} />
            <Events events={budget.events} />
            <Savings savings={budget.savings} />
          </div>
          <div class="stack">
            <CapsForm key={JSON.stringify(budget.settings)} settings={budget.settings} />
            <SharesForm
              key={JSON.stringify(budget.settings.owner_shares)}
              shares={budget.settings.owner_shares}
            />
          </div>
        </div>
      ) : error.value ? (
        <Failed error={error.value} />
      ) : (
        <Waiting what="the budget" />
      )}
    </>
  );
}

function Spans({ budget }: { budget: BudgetJson }) {
  const { day, period, plan, paused_for: paused, stretched } = budget;
  return (
    <Card
      title="Spent and forecast"
      also={<span class="small muted">{plan ? `plan: ${plan}` : 'plan not known yet'}</span>}
    >
      <div class="inside">
        {[
          { name: 'Today', span: day },
          { name: 'Billing period', span: period },
        ].map(({ name, span }) => (
          <div key={name} class="span">
            <dl class="figures">
              <Figure
                name={name}
                value={`${decimal(span.spent)} of ${count(span.cap)}`}
                also={`${dollars(span.flat_value)}, ${count(span.reserved)} under way`}
              />
              <Figure name="Forecast at its end" value={count(Math.round(span.forecast))} />
              <Figure
                name="Without any cap"
                value={count(span.demand)}
                {...(span.demand > span.cap && { also: 'more than the cap: alerts come later' })}
              />
              <Figure name="Left" value={count(Math.floor(span.left))} />
            </dl>
            <span class="part">
              <i style={{ width: `${Math.min(1, span.spent / (span.cap || 1)) * 100}%` }} />
              <b style={{ left: `${Math.min(1, span.forecast / (span.cap || 1)) * 100}%` }} />
            </span>
            <p class="small muted">
              Ends <At time={span.end} />.
            </p>
          </div>
        ))}
        {stretched && <p class="wait-text">Polls are spaced wider so that the caps last.</p>}
        {paused && <p class="alarm-text">All polling is paused, because {pauseWords(paused)}.</p>}
      </div>
    </Card>
  );
}

function Events({ events }: { events: BudgetJson['events'] }) {
  if (events.length === 0) return null;
  return (
    <Card title="By event, all owners">
      <table class="usage">
        <thead>
          <tr>
            <th>Event</th>
            <th class="num">Today</th>
            <th class="num">Period</th>
            <th class="num">To come</th>
            <th class="num wide">Next look</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.event_id}>
              <td>
                <Named event={event} />
              </td>
              <td class="num">{decimal(event.spent_today)}</td>
              <td class="num">{decimal(event.spent_period)}</td>
              <td class="num">{count(Math.round(event.forecast_period))}</td>
              <td class="num wide">
                <At time={event.next_poll_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Savings({ savings }: { savings: BudgetJson['savings'] }) {
  if (savings.length === 0) return null;
  return (
    <Card title="What a longer latency would save until the period ends">
      <table class="usage">
        <thead>
          <tr>
            <th>Event</th>
            <th>Every watch of it at</th>
            <th class="num">Pulls</th>
            <th class="num">Dollars</th>
          </tr>
        </thead>
        <tbody>
          {savings.map(({ latency_seconds, feed, pulls_saved, flat_value, ...event }) => (
            <tr key={`${event.event_id} ${feed} ${latency_seconds}`}>
              <td>
                <Named event={event} />
              </td>
              <td>
                {latencyWords(latency_seconds)} <span class="muted">({feed})</span>
              </td>
              <td class="num">{count(pulls_saved)}</td>
              <td class="num">{dollars(flat_value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

type Event = Pick<BudgetJson['events'][number], 'event_id' | 'event_name' | 'event_date'>;

function Named({ event: { event_id, event_name, event_date } }: { event: Event }) {
  return (
    <>
      <Link class="name" to={`/events/${event_id}`}>
        {event_name ?? `Event ${event_id}`}
      </Link>
      {event_date && <div class="small muted">{venueDate(event_date, coarseNow.value)}</div>}
    </>
  );
}
