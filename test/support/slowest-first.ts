// The order of the test files: the slowest begin first, so that none runs alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that wait for a local run or generate many cases, the longest first. The others differ by seconds. */
const slowest = [
  'test/e2e/alert.test.ts',
  'test/functions/bad-neighbour.test.ts',
  'test/infra/local/bad-input.test.ts',
  'test/infra/access.test.ts',
  'test/marketplace/oddities.test.ts',
  'test/functions/deliveries/dead-receiver.test.ts',
  'test/infra/synthesized.test.ts',
  'test/functions/accepted-settings.test.ts',
  'test/functions/api/openapi.test.ts',
  'test/functions/api/explain.test.ts',
  'test/infra/operate/restore/drill.test.ts',
  'test/infra/local/inbox/page.test.ts',
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
