/** One soak: loads a cloud for a time, prints rows, and waits until every alert has arrived. */
import { setTimeout as wait } from 'node:timers/promises';
import { AlertLedger } from './alert-ledger.ts';
import type { LogEntry } from './cloud-messages.ts';
import { folderBytes } from './folder-size.ts';
import {
  alertsPerRefresh,
  type LoadedCloud,
  type LoadListener,
  startLoadedCloud,
} from './loaded-cloud.ts';
import { readQueueAges } from './queues.ts';
import type { Receipt } from './receiver.ts';
import { type Row, RowRecorder } from './rows.ts';
import type { Settings } from './settings.ts';
import type { SoakResult } from './verdict.ts';

export interface SoakScreen {
  onProgress(line: string): void;
  onLoad(): void;
  onRow(row: Row): void;
}

const sampleEveryMs = 1_000;
/** Time for the remaining alerts to arrive after the load ends. */
const drainingMs = 120_000;

export class Soak implements LoadListener {
  readonly #settings: Settings;
  readonly #screen: SoakScreen;
  readonly #ledger = new AlertLedger();
  readonly #recorder = new RowRecorder();
  readonly #observedAt = new Map<string, number>();
  readonly #rows: Row[] = [];
  /** Errors so far, one line each. */
  readonly troubles: string[] = [];
  /** Number of alert mails that the senders report as accepted, and that the inbox received. */
  readonly #mails = { sent: 0, received: 0 };

  constructor(settings: Settings, screen: SoakScreen) {
    this.#settings = settings;
    this.#screen = screen;
  }

  onProgress(line: string): void {
    this.#screen.onProgress(line);
  }

  onTrouble(line: string): void {
    this.troubles.push(line);
  }

  onReceipt({ alertId, observedAt, receivedAt }: Receipt): void {
    this.#tell(alertId, receivedAt - observedAt);
  }

  onLog(entry: LogEntry, at: number): void {
    const alertId = String(entry.alertId);
    if (entry.message === 'alert.fired') {
      this.#ledger.fire(alertId);
      if (typeof entry.observedAt === 'number') this.#observedAt.set(alertId, entry.observedAt);
    }
    const isMail = entry.message === 'delivery.attempted' && entry.channelKind === 'email';
    if (isMail && entry.purpose === 'alert' && entry.outcome === 'sent') {
      this.#mails.sent += 1;
      this.#tell(alertId, at - (this.#observedAt.get(alertId) ?? at));
    }
  }

  /** @param folder where the cloud keeps its data */
  async run(folder: string, signal: AbortSignal): Promise<SoakResult> {
    const { plan, seconds, rowSeconds } = this.#settings;
    const loaded = await startLoadedCloud(plan, folder, this, signal);
    try {
      this.#screen.onLoad();
      await loaded.cloud.emptyInbox();
      const pace = { everyMs: loaded.everyMs, forMs: seconds * 1_000 };
      const [refreshes] = await Promise.all([
        loaded.market.swing(pace, signal),
        this.#watch(loaded, folder, signal),
      ]);
      const planned = refreshes * alertsPerRefresh(plan);
      await this.#drain(loaded, planned, signal);
      return {
        rows: this.#rows,
        warmUpRows: Math.ceil(Math.min(300, seconds / 6) / rowSeconds),
        planned,
        counts: this.#ledger.counts(),
        troubles: this.troubles,
      };
    } finally {
      await loaded.stop();
    }
  }

  /** Takes a sample each second, and ends a row when it is due. */
  async #watch({ cloud }: LoadedCloud, folder: string, signal: AbortSignal): Promise<void> {
    const { seconds, rowSeconds } = this.#settings;
    const startedAt = performance.now();
    for (let second = 1; second <= seconds; second += 1) {
      const dueInMs = startedAt + second * sampleEveryMs - performance.now();
      if (dueInMs > 0) await wait(dueInMs, undefined, { signal });
      const [sample, ages] = await Promise.all([
        cloud.sampleProcess(),
        readQueueAges(cloud.facts.sqs, Date.now()),
      ]);
      this.#recorder.sample(sample, ages);
      if (second % rowSeconds === 0) await this.#endRow(cloud, folder, second);
    }
  }

  async #endRow(cloud: LoadedCloud['cloud'], folder: string, second: number): Promise<void> {
    await this.#countMails(cloud);
    const { fired, told } = this.#ledger;
    const row = this.#recorder.endRow(second, { fired, told }, folderBytes(folder));
    this.#rows.push(row);
    this.#screen.onRow(row);
  }

  async #countMails(cloud: LoadedCloud['cloud']): Promise<void> {
    this.#mails.received += (await cloud.emptyInbox()).length;
  }

  async #drain({ cloud }: LoadedCloud, planned: number, signal: AbortSignal): Promise<void> {
    this.#screen.onProgress('The load is over; waiting for what is under way');
    const giveUpAt = performance.now() + drainingMs;
    while (this.#ledger.told < planned && performance.now() < giveUpAt) {
      await wait(sampleEveryMs, undefined, { signal });
    }
    // Gives possible duplicates time to arrive.
    await wait(2 * sampleEveryMs, undefined, { signal });
    await this.#countMails(cloud);
    const { sent, received } = this.#mails;
    if (sent !== received) this.onTrouble(`${sent} mails were sent, ${received} were in the inbox`);
  }

  #tell(alertId: string, latencyMs: number): void {
    this.#ledger.tell(alertId);
    this.#recorder.told(latencyMs);
    this.#observedAt.delete(alertId);
  }
}
