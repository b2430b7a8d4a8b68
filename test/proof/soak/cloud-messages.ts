/** The messages between the cloud's process and its parent. Sizes are bytes. */

export interface CloudOptions {
  /** The folder of tables, secrets and the market. */
  folder: string;
  /** The real duration of a schedule minute. */
  tickMs: number;
  /** An existing synthesized assembly. */
  assembly?: string;
  /** The log events to forward; faults are always forwarded. */
  wanted: readonly string[];
}

export interface CloudFacts {
  api: string;
  marketplace: string;
  inbox: string;
  sqs: string;
  apiKey: string;
  operatorKey: string;
}

/** One structured log line of a function. */
export interface LogEntry {
  message: string;
  [field: string]: unknown;
}

/** The cloud's process at one moment; heaps are per thread, by what it runs. */
export interface ProcessSample {
  /** Processor time since its start, seconds. */
  cpuSeconds: number;
  rss: number;
  /** Without mapped files: the tables' own files are mapped, and are expected to grow. */
  anonymous: number;
  heaps: Record<string, number[]>;
}

/** A mail in the inbox. */
export interface ReceivedMail {
  to: string[];
  subject: string;
}

export type CloudMessage =
  | { kind: 'ready'; facts: CloudFacts }
  | { kind: 'failed'; reason: string; isBadInput: boolean }
  | { kind: 'log'; at: number; label: string; entry: LogEntry }
  | { kind: 'trouble'; line: string }
  | { kind: 'sample'; sample: ProcessSample }
  | { kind: 'mails'; mails: ReceivedMail[] };

export type CloudOrder = 'start triggers' | 'sample the process' | 'empty the inbox' | 'stop';
