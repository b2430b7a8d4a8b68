// Why a watch did, and why it didn't: each look at each of its rules, with the one reason.
import { useSignal } from '@preact/signals';
import { type ExplainedRuleJson, explainWatch, type LookJson } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { FoldedCard } from '../../parts/folded-card.tsx';
import { Waiting } from '../../parts/states.tsx';
import { At } from '../../parts/time.tsx';
import { usePages } from '../../state/pages.ts';
import { inUnit, plural } from '../../words/amounts.ts';

/** As far back as the closest miss is looked for. */
const rangeMs = 7 * 86_400_000;

export function ExplainCard({ watchId }: { watchId: string }) {
  return (
    <FoldedCard title="Why it did, why it didn’t" note="each look of 7 days, with its reason">
      {() => <Looks watchId={watchId} />}
    </FoldedCard>
  );
}

function Looks({ watchId }: { watchId: string }) {
  const rules = useSignal<readonly ExplainedRuleJson[]>([]);
  const { rows, error, isMore, readMore } = usePages(async (after, signal) => {
    const from = after ? undefined : new Date(Date.now() - rangeMs).toISOString();
    const page = await send(explainWatch, {
      path: { id: watchId },
      query: { from, limit: 100, starting_after: after },
      signal,
    });
    rules.value = page.rules;
    return page;
  });
  if (error.value) return <p class="hint alarm-text">{error.value.message}</p>;
  if (!rows.value) return <Waiting what="the looks" />;
  return (
    <>
      <ul class="misses">
        {rules.value.map(({ id, sentence, closest_miss: miss }) => (
          <li key={id}>
            {rules.value.length > 1 && <b>{sentence}: </b>}
            {miss ? `Closest miss of 7 days: ${miss.text}` : 'It was not near in the last 7 days.'}
          </li>
        ))}
      </ul>
      {rows.value.length === 0 ? (
        <p class="hint">There was no look in this time.</p>
      ) : (
        <LookTable looks={rows.value} hasRules={rules.value.length > 1} rules={rules.value} />
      )}
      {isMore.value && (
        <div class="bar">
          <button type="button" onClick={readMore}>
            Show earlier looks
          </button>
          <span class="small muted">{plural(rows.value.length, 'look')} so far</span>
        </div>
      )}
    </>
  );
}

interface LookTableProps {
  looks: readonly LookJson[];
  rules: readonly ExplainedRuleJson[];
  hasRules: boolean;
}

function LookTable({ looks, rules, hasRules }: LookTableProps) {
  const sentences = new Map(rules.map(({ id, sentence }) => [id, sentence]));
  return (
    <table class="looks">
      <thead>
        <tr>
          <th>Market’s time</th>
          <th class="num">Value</th>
          <th class="num wide">Level</th>
          <th>Why</th>
        </tr>
      </thead>
      <tbody>
        {looks.map((look) => (
          <tr key={`${look.rule_id} ${look.observed_at}`}>
            <td class="small">
              <At time={look.observed_at} />
              {look.looked_at && (
                <div class="faint">
                  looked <At time={look.looked_at} />
                </div>
              )}
            </td>
            <td class="num">{inUnit(look.value, look.unit)}</td>
            <td class="num wide">{inUnit(look.level, look.unit)}</td>
            <td class={look.reason === 'alerted' ? 'fall' : 'muted'}>
              {look.text}
              {hasRules && <div class="small faint">{sentences.get(look.rule_id)}</div>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
