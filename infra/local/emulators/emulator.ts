import type { Principal } from '../access/gatekeeper.ts';

/** The interface of every AWS emulator in the local run. */
export interface Emulator {
  /** The endpoint, for `AWS_ENDPOINT_URL_…`. */
  url: string;
  /** From now on, checks the calls of these functions against their roles. */
  hold(principals: readonly Principal[]): void;
  stop(): Promise<void>;
}
