// What the owner's rules told on an event, and how near the last week came.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  type ExplainedRuleJson,
  explainWatch,
  type ListedAlert,
  type ListedWatch,
} from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { Link } from '../../parts/link.tsx';
import { At } from '../../parts/time.tsx';
import { coarseNow } from '../../state/clock.ts';
import { zone as timeZone } from '../../state/status.ts';
import { plural } from '../../words/amounts.ts';
import { span, type TellTime, tellTimesAt } from '../../words/times.ts';
import { outcomeOf } from '../alerts/alert-words.ts';

const mostShown = 8;
/** An explanation reads a week of looks for each watch. */
const mostExplained = 3;

interface HappenedCardProps {
  alerts: readonly ListedAlert[];
  watches: readonly ListedWatch[];
}

export function HappenedCard({ alerts, watches }: HappenedCardProps) {
  const clock = tellTimesAt(coarseNow.value, timeZone.value);
  return (
    <Card title="What happened">
      <div class="list">
        {alerts.slice(0, mostShown).map((alert) => (
          <div key={alert.id}>
            <span class="long">
              <At time={alert.observed_at} /> <b>{alert.value}</b>, {alert.sentence}
            </span>
            <span class="small muted">{becameOf(alert, clock)}</span>
          </div>
        ))}
        {alerts.length > mostShown && (
          <Link to={`/alerts?event=${alerts[0]?.event_id}`} class="link">
            {plural(alerts.length - mostShown, 'earlier alert')}
          </Link>
        )}
        {alerts.length === 0 && <p class="muted">No alert yet.</p>}
        <ClosestMiss watches={watches} />
      </div>
    </Card>
  );
}

/** `seen after 21 s, sent 14:02`; `not sent: snoozed`. */
function becameOf(alert: ListedAlert, clock: TellTime): string {
  const { text, why } = outcomeOf(alert, clock);
  const seen = `seen after ${span(Date.parse(alert.fired_at) - Date.parse(alert.observed_at))}, `;
  return (alert.state === 'sent' ? seen : '') + [text, why].filter(Boolean).join(': ');
}

/** The look at which a rule was nearest to an alert without one. */
function ClosestMiss({ watches }: { watches: readonly ListedWatch[] }) {
  const miss = useSignal<Miss | undefined>(undefined);
  const explained = watches.filter(({ status }) => status === 'active').slice(0, mostExplained);
  useEffect(() => {
    const abort = new AbortController();
    const ids = explained.map(({ id }) => id);
    closestOf(ids, abort.signal).then(
      (found) => {
        miss.value = found;
      },
      // Without it the rest of the page is as useful.
      () => {},
    );
    return () => abort.abort();
  }, [explained.map(({ id, version }) => `${id} ${version}`).join()]);
  if (!miss.value) return null;
  return <p class="muted">Closest miss: {miss.value.text}</p>;
}

type Miss = NonNullable<ExplainedRuleJson['closest_miss']>;

async function closestOf(ids: readonly string[], signal: AbortSignal): Promise<Miss | undefined> {
  const answers = await Promise.all(
    ids.map((id) => send(explainWatch, { path: { id }, query: { limit: 1 }, signal })),
  );
  const misses = answers.flatMap(({ rules }) => rules.flatMap((rule) => rule.closest_miss ?? []));
  return misses.sort((a, b) => (a.distance_percent ?? 100) - (b.distance_percent ?? 100))[0];
}
