// Gives the zones of changed rules the event's own spelling, before the rules are compared or stored.
import { spellZones, zonesOf } from '#shared/rules/language/zone-names.ts';
import type { WatchChange } from '#shared/watchlist/watch.ts';
import type { PresentStateReader } from './present-state.ts';

type WantedRules = NonNullable<WatchChange['rules']>;

/** Reads the event's stats only if a rule names a zone. */
export async function spellRules(
  { zones: readZones }: Pick<PresentStateReader, 'zones'>,
  eventId: number,
  wanted: WantedRules,
): Promise<WantedRules> {
  if (wanted.every((each) => zonesOf(each).length === 0)) return wanted;
  const zones = await readZones(eventId);
  return wanted.map((each) =>
    'id' in each ? { ...each, rule: spellZones(each.rule, zones) } : spellZones(each, zones),
  );
}
