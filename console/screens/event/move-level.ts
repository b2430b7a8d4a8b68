// A rule whose line was dragged to another price: saved at once, with an undo.
import { changeWatch, type ListedWatch, restoreVersion } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { attempt, told } from '../../parts/toasts.tsx';
import { dollars } from '../../words/amounts.ts';
import { withLine } from '../watch/rule-amount.ts';
import { levelIn, type RuleDraft } from '../watch/rule-draft.ts';

/** @param price a listed price in dollars, without the rule's fee */
export async function moveLevel(watch: ListedWatch, ruleId: string, price: number): Promise<void> {
  const { id, version } = watch;
  let level: number | undefined;
  const rules = watch.rules.map((each) => {
    if (each.id !== ruleId) return { id: each.id, rule: each.rule };
    const moved = withLine(each.rule as RuleDraft, price);
    level = levelIn(moved);
    return { id: each.id, rule: moved };
  });
  await attempt(async () => {
    await send(changeWatch, { path: { id }, ifMatch: `"${version}"`, body: { rules } });
    told(`Level to ${dollars(level)}.`, () =>
      send(restoreVersion, { path: { id, version: String(version) } }),
    );
  });
}
