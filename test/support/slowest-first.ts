// The order of the test files: the slowest begin first, so that none runs alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that wait for a local run or generate many cases, the longest first. The others differ by seconds. */
const slowest = [
  'test/e2e/alert.test.ts',
  'test/functions/bad-neighbour.test.ts',
  'test/marketplace/oddities.test.ts',
  'test/infra/access.test.ts',
  'test/infra/local/bad-input.test.ts',
  'test/infra/operate/commands.test.ts',
  'test/console/edit-watch.test.ts',
  'test/console/new-watch.test.ts',
  'test/functions/poll/listings.test.ts',
  'test/functions/evaluate-silence.test.ts',
  'test/functions/jobs/import.test.ts',
  'test/functions/reconcile/heal.test.ts',
  'test/functions/reconcile/feeds.test.ts',
  'test/shared/polling/latency.test.ts',
  'test/console/channels.test.ts',
  'test/console/settings.test.ts',
  'test/console/board.test.ts',
  'test/functions/api/openapi.test.ts',
  'test/console/odd-visits.test.ts',
  'test/functions/evaluate-shards.test.ts',
  'test/marketplace/main.test.ts',
  'test/shared/rules/equivalence.test.ts',
  'test/functions/api/explain.test.ts',
  'test/functions/api/many.test.ts',
  'test/shared/delivery/channels/receivers.test.ts',
  'test/e2e/mail-links.test.ts',
  'test/functions/deliveries/dead-receiver.test.ts',
  'test/functions/api/log-filters.test.ts',
];

export class SlowestFirst extends BaseSequencer {
  /** The other files keep Vitest's own order: by the durations of the last run, or else by size. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = slowest.findIndex((path) => moduleId.endsWith(path));
      return found === -1 ? slowest.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
