import type { Principal } from '../access/gatekeeper.ts';

/** What every emulator of an AWS service gives to the local run. */
export interface Emulator {
  /** Its endpoint, for `AWS_ENDPOINT_URL_…`. */
  url: string;
  /** From now on the calls of these are held to what they may do. */
  hold(principals: readonly Principal[]): void;
  stop(): Promise<void>;
}
