/** What the cloud's process and whoever started it say to each other. Sizes are bytes. */

export interface CloudOptions {
  /** Where tables, secrets and the market are kept. */
  folder: string;
  /** How long a minute of the schedules takes. */
  tickMs: number;
  /** An assembly that is synthesized already. */
  assembly?: string;
  /** The log events to pass on; faults are passed on whatever they are. */
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

/** The cloud's process at a moment; heaps are each thread's, by what it runs. */
export interface ProcessSample {
  /** Processor time since its start, seconds. */
  cpuSeconds: number;
  rss: number;
  /** Without mapped files: the tables' own files are mapped, and grow as they should. */
  anonymous: number;
  heaps: Record<string, number[]>;
}

/** A mail as the inbox took it. */
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
