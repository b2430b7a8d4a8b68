// How often the open rule would have told, by its amount, as bars: a press takes the amount.
import type { RulePreview } from '../../api/calls.ts';
import { Card } from '../../parts/card.tsx';
import { inUnit } from '../../words/amounts.ts';
import { type Composition, openRule, putRule } from './composition.ts';
import { amountIn, lineOf, withAmount } from './rule-amount.ts';
import { pointsAround, rangeText, roundAmount } from './told-words.ts';
import type { WatchPreview } from './use-preview.ts';

const mostBars = 11;

export function OftenCard({
  composition,
  preview,
}: {
  composition: Composition;
  preview: WatchPreview;
}) {
  const draft = openRule(composition)?.draft;
  const told = preview.data.value;
  if (!draft || !told || told.curve.length < 2) return null;
  const { unit, curve } = told;
  const points = pointsAround(curve, amountIn(draft), { most: mostBars, unit });
  const most = Math.max(1, ...points.map(({ count }) => count));
  const take = (amount: number) => putRule(composition, withAmount(draft, amount));
  return (
    <Card
      title={`How often, by ${lineOf(draft) === undefined ? 'amount' : 'level'}`}
      also={<span class="small muted">alerts {rangeText(told, preview.days.value)}</span>}
    >
      <div class={preview.isOld.value ? 'often old' : 'often'}>
        {points.map(({ amount, count }) => {
          const shown = roundAmount(amount, unit);
          const text = inUnit(shown, unit);
          return (
            <button
              key={amount}
              type="button"
              aria-pressed={amount === amountIn(draft)}
              onClick={() => take(amount === amountIn(draft) ? amount : shown)}
            >
              <span>
                {count}
                <span class="unseen"> {count === 1 ? 'alert' : 'alerts'} at </span>
              </span>
              <i style={{ height: `${Math.round((count / most) * 72) + 1}px` }} />
              <span>{text}</span>
            </button>
          );
        })}
      </div>
      <Suggestion told={told} own={amountIn(draft)} take={take} />
    </Card>
  );
}

interface SuggestionProps {
  told: RulePreview;
  own: number | undefined;
  take: (amount: number) => void;
}

/** The amount that would have told about once a week. */
function Suggestion({ told: { suggested, unit, per_week: perWeek }, own, take }: SuggestionProps) {
  if (!suggested) {
    const why =
      perWeek === null
        ? 'Less than a week of prices is known.'
        : 'No level here would have told anything.';
    return <div class="hint">{why}</div>;
  }
  const amount = roundAmount(suggested.amount, unit);
  return (
    <div class="hint">
      <span>
        About one a week: <b>{inUnit(amount, unit)}</b>
      </span>
      {amount !== own && (
        <button type="button" onClick={() => take(amount)}>
          Take it
        </button>
      )}
    </div>
  );
}
