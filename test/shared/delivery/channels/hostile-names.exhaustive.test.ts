// 10,000 names in one alert to each kind of channel, and as many in its plainer form and in digests:
// hostile-names.test.ts with more runs.
import { describe, it } from 'vitest';
import {
  expectNoMarkupOfNames,
  messageForms,
  namesPerMessage,
  receiverKinds,
} from '#test/support/receivers/hostile-messages.ts';

describe.each(receiverKinds)('%s', (kind) => {
  it.each(messageForms)('shows no markup of 10,000 names in %s', (_, form) => {
    expectNoMarkupOfNames(kind, form, 10_000 / namesPerMessage);
  });
});
