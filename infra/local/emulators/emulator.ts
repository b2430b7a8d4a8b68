/** What every emulator of an AWS service gives to the local run. */
export interface Emulator {
  /** Its endpoint, for `AWS_ENDPOINT_URL_…`. */
  url: string;
  stop(): Promise<void>;
}
