// The run's world: every part is a process, every pair of parts has a link, and all share one clock.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { botSecret } from '#test/support/telegram.ts';
import type { RunClock } from './clock/run-clock.ts';
import { type Answer, type Request, serveFromPort } from './links/exchange.ts';
import type { Link, Served } from './links/link.ts';
import { type Links, openLinks } from './links/links.ts';
import type { CloudFacts } from './parts/cloud.ts';
import { Part, PartGoneError } from './parts/part.ts';
import { type PartName, partNames, type Stand, startDataOf } from './parts/start-data.ts';
import type { RunLog } from './run-log.ts';

export interface WorldOptions {
  seed: number;
  folder: string;
  assemblyFolder: string;
  /** Speed factor of the functions' own timers. */
  timers: number;
  log: RunLog;
  clock: RunClock;
  /** How far the marketplace's clock is ahead of all others, milliseconds; negative if behind. */
  marketAheadMs: number;
  /** A receiver's answer to a post; the receiver is not a part that can be killed. */
  receive: (request: Request) => Promise<Answer>;
  /** Called for each mail that SES has accepted. */
  onMail: (served: Served) => void;
  /** Called for each message or edit that a receiver has accepted; not for the bot's answers in its chats. */
  onPost: (served: Served) => void;
}

interface PartFacts {
  port: number;
  key?: string;
  operatorKey?: string;
}
type AnyPart = Part<PartFacts>;

export class World {
  readonly links: Links;
  readonly marketplaceFile: string;
  marketplace = { url: '', key: '', operatorKey: '' };
  api = { url: '', key: '' };
  readonly #options: WorldOptions;
  readonly #parts: Record<PartName, AnyPart>;
  readonly #ports: Record<PartName, number>;
  /** Parts that can take requests: they run, and so do all parts they depend on. */
  readonly #open = new Set<PartName>();
  readonly #queues: Request[] = [];

  private constructor(options: WorldOptions) {
    this.#options = options;
    this.marketplaceFile = join(options.folder, 'marketplace.db');
    const zero = partNames.map((name) => [name, 0] as const);
    this.#ports = Object.fromEntries(zero) as Record<PartName, number>;
    const parts = partNames.map((name) => [name, this.#makePart(name)] as const);
    this.#parts = Object.fromEntries(parts) as Record<PartName, AnyPart>;
    this.links = openLinks({
      seed: options.seed,
      marketNow: this.marketNow,
      onFault: (fault, { name, worker }) => options.log.fault(fault, name, worker),
      killWorker: (label) => this.killWorker(label),
      far: {
        dynamoDb: this.#serve('dynamoDb'),
        sqs: this.#serve('sqs'),
        ses: this.#serve('ses'),
        secrets: this.#serve('secrets'),
        marketplace: this.#serveMarketplace(),
        receiver: options.receive,
      },
      onServed: (served, link) => this.#observe(served, link),
    });
  }

  /** How far the marketplace's clock is ahead of ours, milliseconds. */
  get marketAheadMs(): number {
    return this.#options.marketAheadMs;
  }

  /** The time by the marketplace's clock, epoch milliseconds. */
  marketNow = (): number => this.#options.clock.now() + this.#options.marketAheadMs;

  static async start(options: WorldOptions): Promise<World> {
    const world = new World(options);
    try {
      await world.#bringUp();
      return world;
    } catch (error) {
      await world.stop();
      throw error;
    }
  }

  async #bringUp(): Promise<void> {
    mkdirSync(join(this.#options.folder, 'data'), { recursive: true });
    await this.links.open();
    await Promise.all(
      (['dynamoDb', 'sqs', 'ses', 'marketplace'] as const).map((name) => this.startPart(name)),
    );
    await this.startPart('cloud');
    await this.startPart('secrets');
  }

  /** Kills a part as a power cut would. */
  async killPart(name: PartName): Promise<void> {
    this.#open.delete(name);
    await this.#parts[name].kill();
  }

  /** Starts a part, for the first time or again, with the same data and port. */
  async startPart(name: PartName): Promise<void> {
    const facts = await this.#parts[name].start(startDataOf(name, this.#stand()));
    if (name !== 'cloud') this.#ports[name] = facts.port;
    await this.#parts[name].ask('clock', this.#offsetOf(name));
    if (name === 'marketplace') this.#noteMarketplace(facts);
    if (name === 'cloud') await this.#noteCloud(facts as unknown as CloudFacts);
    if (name === 'sqs') await this.#remakeQueues();
    this.#open.add(name);
  }

  /** @returns how many of a function's invocations were killed */
  async killWorker(label: string): Promise<number> {
    return this.#askCloud('killWorker', label, 0);
  }

  /** As if every invocation timed out. */
  killAllWorkers(): Promise<number> {
    return this.#askCloud('killAllWorkers', null, 0);
  }

  startTriggers(): Promise<unknown> {
    return this.#parts.cloud.ask('startTriggers');
  }

  /** Advances the clock of all parts. @returns false, and advances none, while a function runs. */
  async jump(ms: number): Promise<boolean> {
    const { clock } = this.#options;
    const offsetMs = clock.offsetMs + ms;
    const isMoved = await this.#askCloud('clockUnlessBusy', offsetMs, true);
    if (!isMoved) return false;
    clock.offsetMs = offsetMs;
    await Promise.allSettled(
      partNames.map((name) => this.#parts[name].ask('clock', this.#offsetOf(name))),
    );
    return true;
  }

  /** Invocations that run or wait for their turn. */
  inFlight(): Promise<number> {
    return this.#askCloud('inFlight', null, 0);
  }

  async stop(): Promise<void> {
    await Promise.all(partNames.map((name) => this.#parts[name].kill()));
    await this.links.close();
  }

  /** Calls an emulator or the marketplace directly, without links. */
  addressOf(name: PartName): string {
    return `http://127.0.0.1:${this.#ports[name]}`;
  }

  /** @param otherwise the result while there is no cloud. */
  async #askCloud<Answer>(order: string, payload: unknown, otherwise: Answer): Promise<Answer> {
    try {
      return await this.#parts.cloud.ask<Answer>(order, payload);
    } catch (error) {
      if (error instanceof PartGoneError) return otherwise;
      throw error;
    }
  }

  #makePart(name: PartName) {
    const program = `./${name.toLowerCase()}.ts`;
    const offsetMs = () => this.#offsetOf(name);
    const codeFolder = join(this.#options.assemblyFolder, '..', 'compiled');
    return new Part<PartFacts>({ name, program, offsetMs, codeFolder });
  }

  #serve(name: PartName) {
    const pass = serveFromPort(() => this.#ports[name]);
    return async (request: Request): Promise<Answer> => {
      if (!this.#open.has(name)) throw new Error(`${name} is down`);
      return pass(request);
    };
  }

  /** Node puts the machine's time into `Date`; this marketplace uses its own clock. */
  #serveMarketplace() {
    const pass = this.#serve('marketplace');
    return async (request: Request): Promise<Answer> => {
      const answer = await pass(request);
      const date = new Date(this.marketNow()).toUTCString();
      return { ...answer, headers: { ...answer.headers, date } };
    };
  }

  #offsetOf(name: PartName): number {
    const { clock, marketAheadMs } = this.#options;
    return clock.offsetMs + (name === 'marketplace' ? marketAheadMs : 0);
  }

  /** The resources that a part needs from other parts. */
  #stand(): Stand {
    const { folder, assemblyFolder, timers } = this.#options;
    const { links, marketplace, marketplaceFile } = this;
    const found = { folder, assemblyFolder, timers, links, marketplace, marketplaceFile };
    return { ...found, ports: this.#ports };
  }

  #noteMarketplace({ key = '', operatorKey = '' }: PartFacts): void {
    this.marketplace = { url: this.addressOf('marketplace'), key, operatorKey };
  }

  async #noteCloud({ outputs, adminKey }: CloudFacts): Promise<void> {
    const { prefix, secret } = JSON.parse(adminKey) as Record<string, string>;
    this.api = { url: outputs.ApiUrl ?? '', key: `${prefix}${secret}` };
    this.#ports.cloud = Number(new URL(this.api.url).port);
    const arn = outputs.MarketplaceKeySecret;
    await this.#parts.cloud.ask('putSecret', { arn, value: this.marketplace.key });
    await this.#parts.cloud.ask('putSecret', { arn: outputs.TelegramBotSecret, value: botSecret });
  }

  /** The queues are lost with the emulator's memory; on AWS they never are. */
  async #remakeQueues(): Promise<void> {
    const make = serveFromPort(() => this.#ports.sqs);
    for (const request of this.#queues) await make(request);
  }

  #observe(served: Served, link: Link): void {
    const { request, answer } = served;
    if (link.target === 'sqs' && request.headers['x-amz-target'] === 'AmazonSQS.CreateQueue') {
      this.#queues.push(request);
    }
    if (answer.status >= 300) return;
    if (link.target === 'ses') this.#options.onMail(served);
    if (link.target === 'receiver' && link.worker === 'send-webhook') this.#options.onPost(served);
  }
}
