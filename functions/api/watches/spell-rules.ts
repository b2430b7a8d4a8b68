// Gives the zones of changed rules the event's own spelling, before the rules are compared or stored.
import { spellZones } from '#shared/rules/language/zone-names.ts';
import type { WatchChange } from '#shared/watchlist/watch-request.ts';

type WantedRules = NonNullable<WatchChange['rules']>;

/** @param zones the event's zones, if they are known. */
export function spellRules(wanted: WantedRules, zones: readonly string[] | undefined): WantedRules {
  return wanted.map((each) =>
    'id' in each ? { ...each, rule: spellZones(each.rule, zones) } : spellZones(each, zones),
  );
}
