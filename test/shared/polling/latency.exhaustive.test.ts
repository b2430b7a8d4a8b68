import { it } from 'vitest';
import { expectLatencyKept } from '#test/support/kept-latency.ts';

it('the wished latency is kept whatever the rhythm was until now', () => expectLatencyKept(50));
