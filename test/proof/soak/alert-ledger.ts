/**
 * The state of each alert: fired once by the system's log, received once by the receiver. It holds
 * ids only, so that its own memory stays small over a long run.
 */

export interface AlertCounts {
  fired: number;
  told: number;
  /** Fired and not received; received and never fired. */
  missing: number;
  unknown: number;
  /** Received more than once. */
  doubled: number;
}

export class AlertLedger {
  readonly #fired = new Set<string>();
  readonly #told = new Set<string>();
  #doubled = 0;

  fire(alertId: string): void {
    this.#fired.add(alertId);
  }

  tell(alertId: string): void {
    if (this.#told.has(alertId)) this.#doubled += 1;
    this.#told.add(alertId);
  }

  counts(): AlertCounts {
    const { size: fired } = this.#fired;
    const { size: told } = this.#told;
    const both = [...this.#told].filter((alertId) => this.#fired.has(alertId)).length;
    return { fired, told, missing: fired - both, unknown: told - both, doubled: this.#doubled };
  }

  get fired(): number {
    return this.#fired.size;
  }

  get told(): number {
    return this.#told.size;
  }
}
