// A link between two parts: a proxy that forwards requests and applies random faults to
// some of them. The whole link can be taken down.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { closeServer, listenOnLoopback } from '#infra/local/loopback.ts';
import { Dice } from '../dice.ts';
import { type Answer, type Request, readRequest, type Serve } from './exchange.ts';
import { type LinkFault, type LinkTarget, rollFault } from './link-faults.ts';
import {
  type AnswerFault,
  answerFaults,
  canBeOdd,
  makeOdd,
  notFoundAnswer,
  PassedStats,
} from './odd-answers.ts';

export interface LinkOptions {
  /** `poll>marketplace`. */
  name: string;
  /** The function at the near end; undefined for the event sources. */
  worker: string | undefined;
  target: LinkTarget;
  seed: number;
  /** The marketplace's clock, epoch milliseconds. */
  marketNow: () => number;
  serve: Serve;
  /** Called for every fault when it begins. */
  onFault: (fault: LinkFault | 'link_down' | 'caller_gone', link: Link) => void;
  killWorker: (label: string) => Promise<unknown>;
  /** Called for each request that the target accepted, and whether the caller got the whole answer. */
  onServed?: (served: Served) => void;
}

export interface Served {
  request: Request;
  answer: Answer;
  isAnswered: boolean;
}

/** Maximum delay of a request, machine milliseconds. */
const longestDelayMs = 60;
/** Maximum number of requests that overtake a held one, and how long it waits for them. */
const mostOvertaking = 3;
const overtakingMs = 120;

export class Link {
  readonly name: string;
  readonly worker: string | undefined;
  readonly target: LinkTarget;
  /** Whether faults are applied to requests. */
  isFaulty = false;
  readonly #options: LinkOptions;
  readonly #dice: Dice;
  readonly #server: Server;
  readonly #passedStats = new PassedStats();
  #downUntil = 0;
  #passed = 0;
  #url = '';

  constructor(options: LinkOptions) {
    this.#options = options;
    this.name = options.name;
    this.worker = options.worker;
    this.target = options.target;
    this.#dice = new Dice(options.seed, options.name);
    this.#server = createServer((request, response) => void this.#pass(request, response));
    this.#server.keepAliveTimeout = 60_000;
  }

  get url(): string {
    return this.#url;
  }

  async open(): Promise<void> {
    this.#url = `http://127.0.0.1:${await listenOnLoopback(this.#server, 0)}`;
  }

  /** Cuts every connection, and each new one for this many machine milliseconds. */
  takeDown(forMs: number): void {
    this.#downUntil = performance.now() + forMs;
    this.#server.closeAllConnections();
    this.#options.onFault('link_down', this);
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const request = await readRequest(incoming);
      if (this.isFaulty && performance.now() < this.#downUntil) return void response.destroy();
      const fault = this.#faultOf(request);
      if (fault) this.#options.onFault(fault, this);
      await this.#carryOut(fault, request, response);
    } catch {
      // If the target is down or broke the connection, the caller sees a broken connection too.
      response.destroy();
    } finally {
      this.#passed += 1;
    }
  }

  #faultOf(request: Request): LinkFault | undefined {
    const fault = this.isFaulty ? rollFault(this.#dice, this) : undefined;
    return isAnswerFault(fault) && !canBeOdd(fault, request) ? undefined : fault;
  }

  async #carryOut(
    fault: LinkFault | undefined,
    request: Request,
    response: ServerResponse,
  ): Promise<void> {
    switch (fault) {
      case 'drop_request':
        return;
      case 'cut_before':
        return void response.destroy();
      case 'kill_before':
        await this.#kill();
        return void response.destroy();
      case 'refuse':
        response.writeHead(500).end('no');
        return;
      case 'delay':
        await wait(this.#dice.between(1, longestDelayMs));
        return this.#answer(request, response);
      case 'reorder':
        await this.#letOthersPass();
        return this.#answer(request, response);
      case 'duplicate':
        await this.#take(request);
        return this.#answer(request, response);
      case 'drop_answer':
        return void (await this.#serve(request, false));
      case 'cut_after':
        await this.#serve(request, false);
        return void response.destroy();
      case 'cut_within':
        return this.#answerHalf(request, response);
      case 'kill_after':
        await this.#serve(request, false);
        await this.#kill();
        return void response.destroy();
      case 'not_found': {
        const answer = notFoundAnswer(this.#options.marketNow());
        return void write(response, answer).end(answer.body);
      }
      case 'odd_rows':
      case 'future_stamp':
        return this.#answer(request, response, fault);
      case undefined:
        return this.#answer(request, response);
    }
  }

  async #answer(request: Request, response: ServerResponse, odd?: AnswerFault): Promise<void> {
    const answer = await this.#asked(request, odd);
    const isAnswered = !response.destroyed;
    if (!isAnswered) this.#options.onFault('caller_gone', this);
    this.#options.onServed?.({ request, answer, isAnswered });
    if (isAnswered) write(response, answer).end(answer.body);
  }

  async #asked(request: Request, odd: AnswerFault | undefined): Promise<Answer> {
    const { answer, hasNews } = await this.#take(request);
    const [dice, now] = [this.#dice, this.#options.marketNow()];
    return odd ? makeOdd(odd, request, answer, { dice, now, hasNews }) : answer;
  }

  async #take(request: Request): Promise<{ answer: Answer; hasNews: boolean }> {
    const answer = await this.#options.serve(request);
    const hasNews = this.target === 'marketplace' && this.#passedStats.note(request, answer);
    return { answer, hasNews };
  }

  async #answerHalf(request: Request, response: ServerResponse): Promise<void> {
    const answer = await this.#serve(request, false);
    const half = answer.body.subarray(0, answer.body.length >> 1);
    write(response, answer).write(half, () => response.destroy());
  }

  async #serve(request: Request, isAnswered: boolean): Promise<Answer> {
    const { answer } = await this.#take(request);
    this.#options.onServed?.({ request, answer, isAnswered });
    return answer;
  }

  async #letOthersPass(): Promise<void> {
    const until = this.#passed + this.#dice.between(1, mostOvertaking);
    const giveUpAt = performance.now() + overtakingMs;
    while (this.#passed < until && performance.now() < giveUpAt) await wait(5);
  }

  async #kill(): Promise<void> {
    if (this.worker !== undefined) await this.#options.killWorker(this.worker);
  }
}

function isAnswerFault(fault: LinkFault | undefined): fault is AnswerFault {
  return answerFaults.some((known) => known === fault);
}

function write(response: ServerResponse, { status, headers, body }: Answer): ServerResponse {
  const known = Object.entries(headers).filter(([, value]) => value !== undefined);
  return response.writeHead(status, {
    ...Object.fromEntries(known as [string, string | string[]][]),
    'content-length': body.length,
  });
}
