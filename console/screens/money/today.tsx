// Today's pulls, when they start again, and whether polling is slowed down or paused.
import { Card } from '../../parts/card.tsx';
import { At } from '../../parts/time.tsx';
import { status } from '../../state/status.ts';
import { count, decimal } from '../../words/amounts.ts';

const pauses: Readonly<Record<string, string>> = {
  payment: 'the account at the marketplace has to be topped up',
  authentication: 'the marketplace does not accept the account’s key',
  subscription: 'the subscription at the marketplace has ended',
};

/** Why all polling is paused, as the end of a sentence. */
export function pauseWords(reason: string): string {
  return pauses[reason] ?? reason.replaceAll('_', ' ');
}

export function Today() {
  const known = status.value;
  if (!known) return null;
  const { pulls_today: today, stretched, paused_for: paused } = known;
  const share = today.cap === 0 ? 0 : Math.min(1, today.spent / today.cap);
  return (
    <Card
      title="Today"
      also={
        <span class="small muted">
          until <At time={today.resets_at} />
        </span>
      }
    >
      <div class="inside">
        <p>
          <b class="price">{decimal(today.spent)}</b> of {count(today.cap)} pulls
          <span class="muted"> · {count(today.left)} left</span>
        </p>
        <span class="part">
          <i style={{ width: `${share * 100}%` }} />
        </span>
        <p class="small muted">
          {today.limited_by === 'share'
            ? 'Your own part of the daily cap, as the operator has set it.'
            : 'All owners of this Getin use up the daily cap together.'}
        </p>
        {stretched && (
          <p class="wait-text">
            Polls are spaced wider so that the cap lasts: alerts may come later than you wished.
          </p>
        )}
        {paused && <p class="alarm-text">All polling is paused, because {pauseWords(paused)}.</p>}
      </div>
    </Card>
  );
}
