/**
 * Walks a cursor endpoint to its end, row by row. Restarts after an expired cursor, repeats no row
 * and reports the restart. Knows no endpoint: the plan fetches pages and identifies rows.
 */
import type { Charge } from './charge.ts';
import { ContractError, CursorError } from './errors.ts';
import type { Limits } from './limits.ts';
import type { Page } from './result.ts';

/** A walk started again because the service refused its cursor. */
export interface WalkRestart {
  /** Rows already given to the caller. */
  rowCount: number;
  cause: CursorError;
}

export interface WalkOptions {
  /** Called at each restart, before the first page is fetched again. */
  onRestart?: ((restart: WalkRestart) => void) | undefined;
  /** @default the client's `limits.maxRestarts` */
  maxRestarts?: number | undefined;
}

export interface WalkPlan<Row, P extends Page<Row>> {
  /** The endpoint's label. */
  endpoint: string;
  fetchPage: (cursor: string | undefined) => Promise<P>;
  /**
   * Equal for the same row in two passes. Rows with equal identity are distinguished by their
   * number.
   */
  identify: (row: Row) => string;
  /** Starts the count of a pass; call the result after each page to get the pass's cost so far. */
  openMeter: () => (page: P) => Charge;
  maxPages: number;
  maxRestarts: number;
  onRestart?: ((restart: WalkRestart) => void) | undefined;
}

interface Opening<P> {
  page: P;
  meter: (page: P) => Charge;
}

/**
 * An async iterable of rows. It can be walked once and stopped at any row.
 *
 * @throws (while walking) any MarketplaceError; rows given before it are valid but incomplete:
 * `isComplete` stays false
 */
export class Walk<Row, P extends Page<Row>> implements AsyncIterable<Row> {
  readonly #plan: WalkPlan<Row, P>;
  readonly #given = new Map<string, number>();
  readonly #restarts: WalkRestart[] = [];
  readonly #passCosts: Charge[] = [];
  readonly #oddRows: string[] = [];
  #opening: Promise<Opening<P>> | undefined;
  #firstPage: P | undefined;
  #rowCount = 0;
  #isBegun = false;
  #isComplete = false;

  constructor(plan: WalkPlan<Row, P>) {
    this.#plan = plan;
  }

  /** The first page with its extra fields. The walk does not fetch it again. */
  async first(): Promise<P> {
    return (await this.#open()).page;
  }

  /** The first page of the latest pass, once it was read. */
  get firstPage(): P | undefined {
    return this.#firstPage;
  }

  /** Cost of the walk so far, including restarts; final when the walk has ended. */
  get cost(): Charge {
    return sumCharges(this.#passCosts);
  }

  get restarts(): readonly WalkRestart[] {
    return this.#restarts;
  }

  /** Path and first error of each unreadable row in the pages so far. */
  get oddRows(): readonly string[] {
    return this.#oddRows;
  }

  /** Rows given so far. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** Whether the last page was read, so that no row is missing. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    if (this.#isBegun) throw new TypeError('a walk can be read once; start another one');
    this.#isBegun = true;
    while (true) {
      const dead = yield* this.#pass();
      if (dead === undefined) break;
      this.#restart(dead);
    }
    this.#isComplete = true;
  }

  /** All rows at once; a long series takes much memory. */
  async toArray(): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const row of this) rows.push(row);
    return rows;
  }

  /** Walks from the first page; returns the error if the cursor expired on the way. */
  async *#pass(): AsyncGenerator<Row, CursorError | undefined, undefined> {
    const { page: first, meter } = await this.#open();
    const counts = new Map<string, number>();
    const cursors = new Set<string>();
    let page: P | CursorError = first;
    for (;;) {
      this.#oddRows.push(...(page.oddRows ?? []));
      for (const row of page.data) if (this.#isNew(row, counts)) yield row;
      const cursor = this.#nextCursor(page, cursors);
      if (cursor === undefined) return undefined;
      page = await this.#fetch(cursor);
      if (page instanceof CursorError) return page;
      this.#passCosts[this.#passCosts.length - 1] = meter(page);
    }
  }

  /** Starts a pass: fetches its first page once and counts its cost. */
  #open(): Promise<Opening<P>> {
    this.#opening ??= (async () => {
      const meter = this.#plan.openMeter();
      const page = await this.#plan.fetchPage(undefined);
      this.#firstPage = page;
      this.#passCosts.push(meter(page));
      return { page, meter };
    })();
    return this.#opening;
  }

  async #fetch(cursor: string): Promise<P | CursorError> {
    try {
      return await this.#plan.fetchPage(cursor);
    } catch (error) {
      if (error instanceof CursorError) return error;
      throw error;
    }
  }

  #restart(cause: CursorError): void {
    if (this.#restarts.length >= this.#plan.maxRestarts) throw cause;
    const restart = { rowCount: this.#rowCount, cause };
    this.#restarts.push(restart);
    this.#opening = undefined;
    this.#plan.onRestart?.(restart);
  }

  /** The n-th row of an identity is new when fewer than n such rows were given. */
  #isNew(row: Row, counts: Map<string, number>): boolean {
    const identity = this.#plan.identify(row);
    const count = (counts.get(identity) ?? 0) + 1;
    counts.set(identity, count);
    if (count <= (this.#given.get(identity) ?? 0)) return false;
    this.#given.set(identity, count);
    this.#rowCount += 1;
    return true;
  }

  #nextCursor(page: P, cursors: Set<string>): string | undefined {
    if (!page.hasMore && page.nextCursor === null) return undefined;
    const cursor = page.nextCursor;
    if (!page.hasMore || cursor === null) throw this.#breach('it contradicts has_more');
    if (cursors.has(cursor))
      throw this.#breach('this cursor was given before: the walk would not end');
    if (cursors.size + 1 >= this.#plan.maxPages) {
      throw this.#breach(`more than ${this.#plan.maxPages} pages`);
    }
    cursors.add(cursor);
    return cursor;
  }

  #breach(problem: string): ContractError {
    const { endpoint } = this.#plan;
    return new ContractError(`next_cursor: ${problem}`, { endpoint }, 'next_cursor');
  }
}

/** Starts a walk from an endpoint's plan; the limits are the client's. */
export function startWalk<Row, P extends Page<Row>>(
  limits: Limits,
  options: WalkOptions,
  steps: Pick<WalkPlan<Row, P>, 'endpoint' | 'fetchPage' | 'identify'> &
    Partial<Pick<WalkPlan<Row, P>, 'openMeter'>>,
): Walk<Row, P> {
  return new Walk<Row, P>({
    openMeter: firstPageMeter<P>,
    ...steps,
    maxPages: limits.maxPages,
    maxRestarts: options.maxRestarts ?? limits.maxRestarts,
    onRestart: options.onRestart,
  });
}

/** For endpoints whose later pages are free: the charge of the first page. */
function firstPageMeter<P extends { cost: Charge }>(): (page: P) => Charge {
  let cost: Charge | undefined;
  return (page) => {
    cost ??= page.cost;
    return cost;
  };
}

function sumCharges(charges: readonly Charge[]): Charge {
  const pulls = charges.reduce((sum, charge) => sum + charge.pulls, 0);
  if (charges.some((charge) => charge.reason === 'possibly_charged')) {
    return { pulls, reason: 'possibly_charged' };
  }
  if (pulls > 0) return { pulls, reason: 'data' };
  return charges.at(-1) ?? { pulls: 0, reason: 'free' };
}
