import { holdBucket } from '#shared/polling/market-state.ts';
import {
  describePollingMeetings,
  meeting,
  type PollingStores,
} from '#test/support/contention/meeting.ts';

const hold = (bucket: string, until: number) => async (stores: PollingStores) => {
  const { after } = await stores.marketState.change((state) => holdBucket(state, bucket, until));
  return after.version;
};
const left = async ({ marketState }: PollingStores) => {
  const { version, notBefore } = await marketState.read();
  return { version, notBefore };
};

describePollingMeetings('the state of the marketplace', {
  'keeps both first changes': meeting({
    given: async () => {},
    a: hold('events_stats', 5),
    b: hold('listings', 7),
    left,
    outcomes: [
      [1, 2, { version: 2, notBefore: { events_stats: 5, listings: 7 } }],
      [2, 1, { version: 2, notBefore: { listings: 7, events_stats: 5 } }],
    ],
  }),
  'keeps both later changes': meeting({
    given: hold('events_stats', 1),
    a: hold('events_stats', 5),
    b: hold('listings', 7),
    left,
    outcomes: [
      [2, 3, { version: 3, notBefore: { events_stats: 5, listings: 7 } }],
      [3, 2, { version: 3, notBefore: { events_stats: 5, listings: 7 } }],
    ],
  }),
});
