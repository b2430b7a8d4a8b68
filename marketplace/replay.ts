/**
 * Replays recorded daily prices (one row per event, day and price tier) as observations at any
 * speed. A recording has means instead of listings, so the replay invents listing sets whose mean
 * is exactly the recorded one.
 */
import { toDate } from './clock.ts';
import { readCsv } from './import/csv-lines.ts';
import type { EventObservation, ListingObservation, ListingSet } from './ingest/observations.ts';
import { hash, unit } from './simulator/random.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Upper bound of a tier's listings, so that a long recording replays quickly. */
export const maxListingsPerTier = 40;

const columns = [
  'sh_event_id',
  'event_name',
  'home_team',
  'event_date',
  'observed_on',
  'zone',
  'avg_price',
  'listings_observed',
] as const;

interface Tier {
  zone: string;
  averageCents: number;
  listings: number;
}

interface RecordedGame {
  shEventId: number;
  name: string;
  homeTeam: string;
  /** YYYY-MM-DD as recorded. */
  date: string;
}

export interface Recording {
  games: RecordedGame[];
  /** Observations by day, oldest first; `day` is UTC midnight, epoch ms. */
  days: { day: number; tiers: Map<number, Tier[]> }[];
  skipped: { line: number; why: string }[];
}

/**
 * Reads a recording. Skips an unreadable line and lists its number.
 * @throws MissingColumnError naming the first column that the header lacks.
 */
export async function readRecording(file: string): Promise<Recording> {
  const reader = new RecordingReader();
  for await (const { cells, line } of readCsv(file, columns)) reader.take(cells, line);
  return reader.finish();
}

class RecordingReader {
  readonly #games = new Map<number, RecordedGame>();
  readonly #days = new Map<number, Map<number, Tier[]>>();
  readonly #skipped: Recording['skipped'] = [];

  take(record: Record<string, string>, line: number): void {
    const why = misfitOf(record);
    if (why !== undefined) {
      this.#skipped.push({ line, why });
      return;
    }
    const shEventId = Number(record.sh_event_id);
    this.#games.set(shEventId, {
      shEventId,
      name: record.event_name ?? '',
      homeTeam: record.home_team ?? '',
      date: record.event_date ?? '',
    });
    const day = Date.parse(record.observed_on ?? '');
    const games = this.#days.get(day) ?? new Map<number, Tier[]>();
    this.#days.set(day, games);
    const tiers = games.get(shEventId) ?? [];
    games.set(shEventId, tiers);
    tiers.push({
      zone: record.zone ?? '',
      averageCents: Math.round(Number(record.avg_price) * 100),
      listings: Number(record.listings_observed),
    });
  }

  finish(): Recording {
    const days = [...this.#days].sort(([a], [b]) => a - b).map(([day, tiers]) => ({ day, tiers }));
    return { games: [...this.#games.values()], days, skipped: this.#skipped };
  }
}

function misfitOf(record: Record<string, string>): string | undefined {
  const date = /^\d{4}-\d{2}-\d{2}$/;
  if (!/^[1-9]\d{0,14}$/.test(record.sh_event_id ?? '')) return 'sh_event_id is not an integer';
  if (!record.event_name) return 'event_name is empty';
  for (const column of ['event_date', 'observed_on'] as const) {
    const text = record[column] ?? '';
    if (!date.test(text) || Number.isNaN(Date.parse(text))) return `${column} is not YYYY-MM-DD`;
  }
  if (!record.zone) return 'zone is empty';
  if (!/^\d{1,7}(\.\d{1,2})?$/.test(record.avg_price ?? '')) return 'avg_price is not a price';
  if (!/^[1-9]\d{0,6}$/.test(record.listings_observed ?? '')) {
    return 'listings_observed is not a count';
  }
  return undefined;
}

/** One recorded day. */
export interface ReplayStep {
  /** When to ingest it, epoch ms; the sets have no time, so ingest stamps them on arrival. */
  at: number;
  /** Generates the day's sets one by one: a whole season would not fit in memory. */
  sets(): Generator<ListingSet>;
}

export interface Replay {
  events: EventObservation[];
  steps: ReplayStep[];
  endsAt: number;
}

/**
 * Plans a recording from `start` on: a recorded day lasts `day / speed`, and every game is at least
 * a day ahead when the replay ends, in the recorded order and distances.
 */
export function planReplay(recording: Recording, o: { start: number; speed: number }): Replay {
  const first = recording.days[0]?.day ?? 0;
  const at = (day: number) => Math.floor(o.start + (day - first) / o.speed);
  const endsAt = at(recording.days.at(-1)?.day ?? first);
  const earliestGame = Math.min(...recording.games.map((game) => Date.parse(game.date)));
  const shift = Date.parse(toDate(endsAt)) + 2 * dayMs - earliestGame;
  return {
    endsAt,
    events: recording.games.map((game) => describeGame(game, shift, recording)),
    steps: recording.days.map(({ day, tiers }) => ({
      at: at(day),
      sets: () => spreadDay(tiers),
    })),
  };
}

function* spreadDay(tiers: Map<number, Tier[]>): Generator<ListingSet> {
  for (const [shEventId, list] of tiers) {
    const listings = list.flatMap((tier, index) => spreadTier(tier, shEventId, index));
    yield { event_id: serviceIdOf(shEventId), source: 'sh', listings };
  }
}

/** Recorded games have only a marketplace id; the service id is derived from it. */
function serviceIdOf(shEventId: number): number {
  return shEventId + 1_000_000_000;
}

function describeGame(game: RecordedGame, shift: number, recording: Recording): EventObservation {
  const homes = [...new Set(recording.games.map(({ homeTeam }) => homeTeam))];
  const home = homes.indexOf(game.homeTeam);
  return {
    event_id: serviceIdOf(game.shEventId),
    sh_event_id: game.shEventId,
    event_name: game.name,
    event_date: toDate(Date.parse(game.date) + shift),
    std_event_id: 9001 + home,
    performer: game.homeTeam,
    event_type: 'NBA',
    venue: {
      std_venue_id: 9001 + home,
      venue_name: `${game.homeTeam} home arena`,
      venue_city: '',
      venue_state: '',
      venue_slug: `recorded-${home}`,
    },
  };
}

/**
 * Invented listings of a tier whose mean is exactly the recorded one: pairs of prices mirrored
 * around it. The spread is the same for the same game, tier and place, so the prices move with the
 * mean.
 */
function spreadTier(tier: Tier, shEventId: number, tierIndex: number): ListingObservation[] {
  const count = Math.min(tier.listings, maxListingsPerTier);
  return Array.from({ length: count }, (_, index) => {
    const pair = index >> 1;
    const width = 0.05 + 0.4 * unit(shEventId, tierIndex, pair);
    const offset = Math.round(tier.averageCents * width);
    const unpaired = index === count - 1 && count % 2 === 1;
    const side = index % 2 === 0 ? -offset : offset;
    const cents = tier.averageCents + (unpaired ? 0 : side);
    return {
      listing_id: shEventId * 1000 + tierIndex * maxListingsPerTier + index,
      zone: tier.zone,
      section: `${tier.zone} ${1 + (index % 8)}`,
      row: String(1 + (index % 20)),
      quantity: 1 + (hash(shEventId, tierIndex, index) % 4),
      price: cents / 100,
    };
  });
}
