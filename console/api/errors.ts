// Why a request failed, by what the desk does next.

/** What is wrong, and where. */
export interface PlacedProblem {
  pointer: string;
  detail: string;
  /** Of a file: the line, and the name of the column. */
  line?: number;
  column?: string;
}

/** The API refused the request: its words are shown, and the person changes something. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  /** Stable, such as `urn:getin:problem:stale-version`. */
  readonly type: string;
  /** The faults by their place in the body, such as `#/rules/0/at_or_below`. */
  readonly faults: readonly PlacedProblem[];
  readonly members: Readonly<Record<string, unknown>>;

  constructor(status: number, problem: Record<string, unknown>) {
    super(typeof problem.detail === 'string' ? problem.detail : `The API answered ${status}`);
    this.status = status;
    this.type = String(problem.type ?? '');
    this.faults = Array.isArray(problem.errors) ? problem.errors : [];
    this.members = problem;
  }
}

/** Nobody is signed in: the page to sign in follows. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';
}

/** The API was not reached, or failed: the request is retried. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}
