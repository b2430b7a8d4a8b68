/**
 * The table of cases in shared/rules/README.md, row by row: what is written there is what happens.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { snapshotFromStats } from '#shared/rules/snapshot.ts';
import { DAY_MS, HOUR_MS } from '#shared/rules/window.ts';
import { Market, MINUTE, START } from '#test/support/rules/market.ts';

const readme = readFileSync(new URL('../../../shared/rules/README.md', import.meta.url), 'utf8');

interface Row {
  name: string;
  rule: Record<string, unknown>;
  /** What the market does, in order; in bold where an alert is due, in italics where a recovery is. */
  steps: string;
}

/** Rows of three cells whose second is a rule. */
const ROW = /^\| (?<name>[^|]+?) +\| `(?<rule>\{[^|]+\})` *\| (?<steps>[^|]+?) +\|$/;
const rows: Row[] = readme
  .split('\n')
  .map((line) => ROW.exec(line)?.groups)
  .filter((cells) => cells !== undefined)
  .map(({ name = '', rule = '', steps = '' }) => ({ name, rule: JSON.parse(rule), steps }));

/** Plays one row. A number is a snapshot one minute later; other words are in the README. */
class Play {
  readonly market = new Market();
  now = START;
  #rule: Record<string, unknown>;
  #batch: { word: string; snapshot: MarketSnapshot }[] | null = null;

  constructor(rule: Record<string, unknown>) {
    this.#rule = rule;
  }

  /** @returns the same steps, in bold where an alert was raised, in italics where a recovery was. */
  async run(steps: string): Promise<string> {
    const words = steps.split(', ').map((word) => word.replaceAll(/[*_]/g, ''));
    if (!words.includes('made')) await this.market.make(this.#rule, this.now);
    const played: string[] = [];
    for (const word of words) played.push(...(await this.#step(word)));
    return played.join(', ');
  }

  async #step(word: string): Promise<string[]> {
    if (word.startsWith('[')) this.#batch = [];
    if (this.#batch) return this.#collect(word);
    const { alerts, recoveries } = this.market;
    const before = { alerts: alerts.length, recoveries: recoveries.length };
    await this.#act(word);
    if (recoveries.length > before.recoveries) return [`_${word}_`];
    return [alerts.length > before.alerts ? `**${word}**` : word];
  }

  async #act(word: string): Promise<void> {
    const edit = /^edit (.+)$/.exec(word);
    const pause = /^\+(\d+)([hd])$/.exec(word);
    if (word === 'made') await this.market.make(this.#rule, this.now + MINUTE / 2);
    else if (edit) await this.#edit({ at_or_below: Number(edit[1]) });
    else if (pause) this.now += Number(pause[1]) * (pause[2] === 'h' ? HOUR_MS : DAY_MS);
    else if (word === 'event starts') this.market.eventStartsAt = this.now;
    else await this.market.see(this.#snapshot(word));
  }

  async #edit(change: Record<string, unknown>): Promise<void> {
    this.#rule = { ...this.#rule, ...change };
    await this.market.edit(this.#rule, this.now + MINUTE / 2);
  }

  /** Steps in square brackets are caught up on in one go. */
  async #collect(word: string): Promise<string[]> {
    this.#batch?.push({ word, snapshot: this.#snapshot(word.replace(/[[\]]/g, '')) });
    if (!word.endsWith(']')) return [];
    const batch = this.#batch ?? [];
    this.#batch = null;
    await this.market.see(...batch.map(({ snapshot }) => snapshot));
    const alertTimes = this.market.alerts.map((alert) => alert.at);
    return batch.map(({ word: told, snapshot }) =>
      alertTimes.includes(snapshot.observedAt) ? told.replace(/[^[\]]+/, '**$&**') : told,
    );
  }

  #snapshot(word: string): MarketSnapshot {
    const [, when, what = ''] = /^(same time |late )?(.+)$/.exec(word) ?? [];
    if (when === undefined) this.now += MINUTE;
    const observedAt = when === 'late ' ? this.now - MINUTE / 2 : this.now;
    return snapshotFromStats(7, this.#row(observedAt, what));
  }

  #row(observedAt: number, what: string) {
    const price = /^[\d.]+$/.test(what) ? Number(what) : null;
    const isCount = this.#rule.type === 'supply' || this.#rule.metric === 'total_listings_active';
    const isEmpty = what === 'no listings' || price === 0;
    const zone = this.#rule.zone === undefined ? [] : [zoneRow('Lower Bowl', price)];
    return {
      timestamp: new Date(observedAt).toISOString(),
      total_listings_all: 100,
      total_listings_active: isCount && price !== null ? price : isEmpty ? 0 : 50,
      listing_fill_rate: 0.5,
      ...prices(isCount ? 99 : price),
      zones: [...(what === 'gone' ? [] : zone), zoneRow('Upper Bowl', 40)],
    };
  }
}

function prices(price: number | null) {
  return { avg_price: price, median_price: price, get_in: price, get_in_qty2plus: price };
}

function zoneRow(zone_name: string, price: number | null) {
  return { zone_name, ...prices(price) };
}

describe('the table of cases', () => {
  it('has a row for every case that the issue names', () => {
    expect(rows.length).toBeGreaterThanOrEqual(30);
  });

  it.each(rows)('$name', async ({ rule, steps }) => {
    expect(await new Play(rule).run(steps)).toBe(steps);
  });
});
