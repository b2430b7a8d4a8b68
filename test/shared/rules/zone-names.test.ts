// The zones that a rule names, in the spelling of the event.
import { describe, expect, it } from 'vitest';
import type { Rule } from '#shared/rules/language/rule.ts';
import { readRule } from '#shared/rules/language/validate.ts';
import { spellZones, zonesOf } from '#shared/rules/language/zone-names.ts';

const zones = ['Lower Bowl', 'Café', 'Floor', 'FLOOR', '__proto__'];

function level(zone: string): Rule {
  const reading = readRule({ type: 'level', metric: 'get_in', zone, at_or_below: 80 });
  if (!reading.ok) throw new Error('the rule is valid');
  return reading.rule;
}

describe('a zone in a rule', () => {
  it.each([
    ['lower bowl', 'Lower Bowl'],
    ['LOWER  BOWL', 'Lower Bowl'],
    ['cafe\u0301', 'Café'],
    ['Floor', 'Floor'],
    ['FLOOR', 'FLOOR'],
    ['__PROTO__', '__proto__'],
  ])('%j is taken as %j', (typed, spelling) => {
    expect(readRule(level(typed), { zones }).ok).toBe(true);
    expect(zonesOf(spellZones(level(typed), zones))).toEqual([spelling]);
  });

  it.each(['floor', 'Lower Bowls', 'constructor'])('%j is none of the event', (typed) => {
    expect(readRule(level(typed), { zones })).toMatchObject({
      ok: false,
      faults: [{ pointer: '/zone' }],
    });
    expect(zonesOf(spellZones(level(typed), zones))).toEqual([typed]);
  });

  it('stays as typed while the zones are not known', () => {
    expect(spellZones(level('lower bowl'), undefined)).toEqual(level('lower bowl'));
  });

  it('is spelled within lists of zones too', () => {
    const rule = readRule({
      type: 'listing',
      zones: ['lower bowl', 'CAFÉ', 'Balcony'],
      at_or_below: 80,
    });
    if (!rule.ok) throw new Error(JSON.stringify(rule.faults));
    expect(zonesOf(spellZones(rule.rule, zones))).toEqual(['Lower Bowl', 'Café', 'Balcony']);
  });
});
