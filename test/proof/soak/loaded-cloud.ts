/**
 * A cloud that is ready for the load: started, with watches, its addresses confirmed, and its polling adapted to
 * the market's pace.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { LogEntry } from './cloud-messages.ts';
import { createMarket, type Market } from './market.ts';
import { type Receipt, startReceiver } from './receiver.ts';
import { type RunningCloud, startCloud } from './running-cloud.ts';
import { confirmAddresses, makeWatchlist } from './watchlist.ts';

export interface LoadPlan {
  /** Alerts per second. */
  rate: number;
  events: number;
  watchesPerEvent: number;
  webhooks: number;
  addresses: number;
  /** How late an alert may be, seconds. */
  latencySeconds: number;
  tickMs: number;
  assembly: string | undefined;
}

export interface LoadListener {
  onLog(entry: LogEntry, at: number): void;
  onReceipt(receipt: Receipt): void;
  onTrouble(line: string): void;
  onProgress(line: string): void;
}

export interface LoadedCloud {
  cloud: RunningCloud;
  market: Market;
  /** Time between two market refreshes, over all events. */
  everyMs: number;
  stop(): Promise<void>;
}

/** Refreshes of each event from which polling learns its rhythm. */
const learningRounds = 3;

/** Half of an event's watches fire at each of its refreshes. */
export function alertsPerRefresh({ watchesPerEvent }: LoadPlan): number {
  return watchesPerEvent / 2;
}

/** @throws LocalRunError for a problem that a person can fix */
export async function startLoadedCloud(
  plan: LoadPlan,
  folder: string,
  listener: LoadListener,
  signal: AbortSignal,
): Promise<LoadedCloud> {
  const receiver = await startReceiver(
    (receipt) => listener.onReceipt(receipt),
    (reason) => listener.onTrouble(reason),
  );
  const wanted = [
    'alert.fired',
    'delivery.attempted',
    'poll.finished',
    'evaluate.finished',
    'dispatch.finished',
  ];
  const { tickMs, assembly } = plan;
  listener.onProgress('Starting the cloud');
  const cloud = await startCloud(
    { folder, tickMs, wanted, ...(assembly !== undefined && { assembly }) },
    listener,
    signal,
  );
  const stop = async (): Promise<void> => {
    await cloud.stop();
    await receiver.stop();
  };
  try {
    const market = createMarket(cloud.facts, plan.events);
    const everyMs = (alertsPerRefresh(plan) * 1_000) / plan.rate;
    await market.open();
    const still = new AbortController();
    cloud.startTriggers();
    const resting = market.rest(everyMs, AbortSignal.any([signal, still.signal]));
    await Promise.race([watchAll(), resting]);
    still.abort();
    await resting;
    return { cloud, market, everyMs, stop };

    async function watchAll(): Promise<void> {
      const surroundings = { facts: cloud.facts, receiver, signal };
      const watchlist = { ...plan, eventIds: market.eventIds };
      await makeWatchlist(surroundings, watchlist, (watches) =>
        listener.onProgress(`${watches} watches made`),
      );
      await confirmAddresses(surroundings, watchlist);
      listener.onProgress("Learning the market's pace");
      await wait(learningRounds * plan.events * everyMs, undefined, { signal });
    }
  } catch (error) {
    await stop();
    throw error;
  }
}
