/**
 * Changes that no snapshot can have, in a rule and in its conditions: a window contains the present value, so
 * the value is never below the window's low or above its high. And conditions on pairs where there are none.
 */
import type { Rule } from './rule.ts';
import type { LeafCondition, RuleCondition } from './rule-modifiers.ts';
import type { RuleBaseline, RuleChange } from './rule-parts.ts';

/** A place in the rule, as a JSON pointer, and what to do. */
interface ChangeFault {
  pointer: string;
  message: string;
}

export function changeFaults(rule: Rule): ChangeFault[] {
  const own = rule.type === 'change' ? faultAt('', rule) : [];
  const { all_of: all = [], any_of: any = [] } = rule;
  return [...own, ...faultsOf(all, '/all_of'), ...faultsOf(any, '/any_of')];
}

function faultsOf(conditions: readonly RuleCondition[], at: string): ChangeFault[] {
  return conditions.flatMap((condition, index) => {
    const place = `${at}/${index}`;
    if ('conditions' in condition) return faultsOf(condition.conditions, `${place}/conditions`);
    const own = condition.type === 'change' ? faultAt(place, condition) : [];
    return [...pairFault(place, condition), ...own];
  });
}

/** Only the get-in has a series for two seats together; the schema checks this for the rule itself. */
function pairFault(at: string, condition: LeafCondition): ChangeFault[] {
  if (condition.type !== 'level' && condition.type !== 'change') return [];
  if (condition.min_quantity !== 2 || condition.metric === 'get_in') return [];
  return [{ pointer: `${at}/min_quantity`, message: 'is allowed only with metric get_in' }];
}

interface Change {
  drops_by?: RuleChange | undefined;
  rises_by?: RuleChange | undefined;
  from: RuleBaseline;
}

function faultAt(at: string, { drops_by, rises_by, from }: Change): ChangeFault[] {
  const isNever = (drops_by && from.of === 'low') || (rises_by && from.of === 'high');
  if (!isNever) return [];
  const [of, way, beyond] = drops_by ? ['low', 'drop', 'below'] : ['high', 'rise', 'above'];
  const message = `can’t be ${of} for a ${way}: the window contains the present value, which is never ${beyond} its ${of}; use start or median, or a rule of type extreme for a new ${of}`;
  return [{ pointer: `${at}/from/of`, message }];
}
