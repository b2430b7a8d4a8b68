// Outages: besides the faults of single requests on the links, whole links, workers, parts and
// the machine go down at random moments and come back.
import { setTimeout as wait } from 'node:timers/promises';
import { Dice } from './dice.ts';
import { type PartName, partNames } from './parts/start-data.ts';
import type { RunLog } from './run-log.ts';
import type { World } from './world.ts';

const strikes = {
  link: 8,
  worker: 4,
  dynamoDb: 1,
  sqs: 1,
  ses: 1,
  secrets: 1,
  marketplace: 1,
  cloud: 1,
  machine: 1,
} as const;
type Strike = keyof typeof strikes;

/** Machine milliseconds: when an outage starts within a round, and how long it lasts. */
const withinMs = 350;
const awayMs = 400;
const longestLinkDownMs = 900;
const mostTries = 5;

export class Chaos {
  readonly #world: World;
  readonly #dice: Dice;
  readonly #log: RunLog;

  constructor(world: World, seed: number, log: RunLog) {
    this.#world = world;
    this.#dice = new Dice(seed, 'chaos');
    this.#log = log;
  }

  /** One round's outages, none to three; resolves when everything is back. */
  async round(): Promise<void> {
    const count = this.#dice.between(0, 3);
    const planned = Array.from({ length: count }, () => ({
      strike: this.#dice.weigh<Strike>(strikes),
      afterMs: this.#dice.between(0, withinMs),
      forMs: this.#dice.between(0, awayMs),
      aim: this.#dice.roll(),
    }));
    planned.sort((a, b) => a.afterMs - b.afterMs);
    let passedMs = 0;
    for (const { strike, afterMs, forMs, aim } of planned) {
      await wait(Math.max(0, afterMs - passedMs));
      passedMs = afterMs;
      await this.#strike(strike, forMs, aim);
    }
  }

  async #strike(strike: Strike, forMs: number, aim: number): Promise<void> {
    if (strike === 'link') {
      const { all } = this.#world.links;
      return all[Math.floor(aim * all.length)]?.takeDown(longestLinkDownMs * aim);
    }
    if (strike === 'worker') return this.#killBusyWorkers(aim);
    return this.#killParts(strike === 'machine' ? [...partNames] : [strike], strike, forMs);
  }

  async #killBusyWorkers(aim: number): Promise<void> {
    const workers = ['poll', 'evaluate', 'send-email', 'send-webhook', 'dispatch', 'reconcile'];
    const worker = workers[Math.floor(aim * workers.length)] ?? 'poll';
    const cut = await this.#world.killWorker(worker);
    if (cut > 0) this.#log.fault('kill_worker', worker, worker);
  }

  async #killParts(names: PartName[], strike: Strike, forMs: number): Promise<void> {
    this.#log.fault(`kill_${strike}`, strike);
    await Promise.all(names.map((name) => this.#world.killPart(name)));
    await wait(forMs);
    const others = names.filter((name) => name !== 'cloud');
    await Promise.all(others.map((name) => this.#world.startPart(name)));
    if (names.includes('cloud')) await this.#reviveCloud();
    this.#log.note(`${strike} is back`);
  }

  /** It creates its queues over a link, which may be down at that moment. */
  async #reviveCloud(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#world.startPart('cloud');
        return void (await this.#world.startTriggers());
      } catch (error) {
        if (tries === mostTries) throw error;
        this.#log.note(`the cloud can't start: ${error}`);
        await this.#world.killPart('cloud');
      }
    }
  }
}
