// What the open rule would have told, and what the watch would cost: asked a moment after each change. The answer
// before stays on the screen until the next one comes.
import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { previewRule, type RulePreview } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { type Composition, openRule } from './composition.ts';
import { isIncomplete, ruleOf } from './rule-draft.ts';

const dayMs = 86_400_000;
const quietMs = 250;
const alertsAWeek = 1;

export interface WatchPreview {
  /** Days back from now. */
  days: Signal<number>;
  data: Signal<RulePreview | undefined>;
  error: Signal<Error | undefined>;
  /** Whether the answer is for an earlier draft. */
  isOld: Signal<boolean>;
  /** Asks again, with older prices that cost at most a pull. */
  buy: () => void;
}

export function usePreview(composition: Composition): WatchPreview {
  const days = useSignal(30);
  const data = useSignal<RulePreview | undefined>(undefined);
  const error = useSignal<Error | undefined>(undefined);
  const isOld = useSignal(true);
  const running = useRef<AbortController>(undefined);

  async function ask(also: { buy_history?: true } = {}): Promise<void> {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    try {
      const body = { ...questionOf(composition, days.peek()), ...also };
      const answer = await send(previewRule, { body, signal: abort.signal });
      if (abort.signal.aborted) return;
      data.value = answer;
      error.value = undefined;
      isOld.value = false;
    } catch (failure) {
      if (!abort.signal.aborted) error.value = failure as Error;
    }
  }

  useSignalEffect(() => {
    const { rules, at, latency } = composition;
    // What the answer depends on.
    void [rules.value, at.value, latency.value, days.value];
    isOld.value = true;
    running.current?.abort();
    const draft = openRule(composition)?.draft;
    if (!draft || isIncomplete(draft)) return undefined;
    const timer = setTimeout(() => void ask(), quietMs);
    return () => clearTimeout(timer);
  });
  return { days, data, error, isOld, buy: () => void ask({ buy_history: true }) };
}

function questionOf(composition: Composition, days: number) {
  const { event, watchId, rules, at, latency } = composition;
  const others = rules.peek().filter((_, index) => index !== at.peek());
  const seconds = latency.peek();
  return {
    event_id: event.event_id,
    rule: rules.peek()[at.peek()]?.draft,
    from: new Date(Date.now() - days * dayMs).toISOString(),
    aim: { per_week: alertsAWeek },
    as_delivered: true,
    other_rules: others
      .filter(({ draft }) => !isIncomplete(draft))
      .map(({ draft }) => ruleOf(draft)),
    ...(watchId !== undefined && { watch_id: watchId }),
    ...(seconds !== undefined && { latency_seconds: seconds }),
  };
}
