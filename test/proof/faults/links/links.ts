// All links of a run: from each function to each service it calls, and from the event sources to
// their queues.
import type { Serve } from './exchange.ts';
import { Link, type LinkOptions, type Served } from './link.ts';
import type { LinkTarget } from './link-faults.ts';

/** The services that each function calls, by their environment variables. */
const calls: Record<string, readonly LinkTarget[]> = {
  api: ['dynamoDb', 'sqs', 'secrets', 'marketplace', 'receiver'],
  dispatch: ['dynamoDb', 'sqs'],
  poll: ['dynamoDb', 'sqs', 'secrets', 'marketplace'],
  evaluate: ['dynamoDb', 'sqs'],
  'send-email': ['dynamoDb', 'sqs', 'ses'],
  'send-webhook': ['dynamoDb', 'sqs', 'secrets', 'receiver'],
  reconcile: ['dynamoDb', 'sqs', 'secrets', 'marketplace'],
  'mail-feedback': ['dynamoDb'],
  jobs: ['dynamoDb', 'sqs', 'secrets', 'marketplace'],
};

const endpointVariable: Partial<Record<LinkTarget, string>> = {
  dynamoDb: 'AWS_ENDPOINT_URL_DYNAMODB',
  sqs: 'AWS_ENDPOINT_URL_SQS',
  ses: 'AWS_ENDPOINT_URL_SES',
  secrets: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
};

export interface LinksOptions
  extends Pick<LinkOptions, 'seed' | 'marketNow' | 'onFault' | 'killWorker'> {
  far: Record<LinkTarget, Serve>;
  onServed: (served: Served, link: Link) => void;
}

export type Links = ReturnType<typeof openLinks>;

/** Makes every link; `open` makes them listen. */
export function openLinks({ far, onServed, ...shared }: LinksOptions) {
  const make = (worker: string | undefined, target: LinkTarget): Link => {
    const link: Link = new Link({
      ...shared,
      ...{ name: `${worker ?? 'event-sources'}>${target}`, worker, target },
      serve: far[target],
      onServed: (served) => onServed(served, link),
    });
    return link;
  };
  const ofWorkers = Object.entries(calls).flatMap(([worker, targets]) =>
    targets.map((target) => make(worker, target)),
  );
  const ofEventSources = make(undefined, 'sqs');
  const all = [...ofWorkers, ofEventSources];
  const between = (worker: string, target: LinkTarget): Link | undefined =>
    ofWorkers.find((link) => link.worker === worker && link.target === target);

  return {
    all,
    ofEventSources,
    between,
    open: () => Promise.all(all.map((link) => link.open())),
    close: () => Promise.all(all.map((link) => link.close())),

    setFaulty(isFaulty: boolean): void {
      for (const link of all) link.isFaulty = isFaulty;
    },

    /** Environment variables that send each function's calls over its own links; `common` is for every function. */
    endpoints(common: Record<string, string>): Record<string, Record<string, string>> {
      const own = Object.entries(calls).map(([worker, targets]) => {
        const variables = targets.flatMap((target) => {
          const name = endpointVariable[target];
          return name === undefined ? [] : [[name, between(worker, target)?.url ?? '']];
        });
        return [worker, Object.fromEntries(variables)];
      });
      return { ...Object.fromEntries(own), '*': common };
    },

    /** Addresses inside other variables, such as queue URLs, and each function's own replacement. */
    rewrites(addresses: { sqs: string; marketplace: string; receiver: string }) {
      return Object.fromEntries(
        Object.keys(calls).map((worker) => [
          worker,
          (['sqs', 'marketplace', 'receiver'] as const).flatMap((target) => {
            const link = between(worker, target);
            return link ? [[addresses[target], link.url] as [string, string]] : [];
          }),
        ]),
      );
    },
  };
}
