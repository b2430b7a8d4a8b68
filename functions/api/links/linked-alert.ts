// What is true now of an alert's watch on a channel: the inputs of the alert's page and of its presses. Reads only
// the tables.
import type { Alert } from '#shared/alerts/alert.ts';
import { type TicketLink, ticketLinks } from '#shared/alerts/ticket-link.ts';
import { createAlertLinks } from '#shared/delivery/alert-links.ts';
import type { Channel } from '#shared/delivery/channel.ts';
import { suppressionOf } from '#shared/delivery/channel-condition.ts';
import { type Suppression, suppressionWords } from '#shared/delivery/suppression.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { baseKeyOf, currentOf } from '#shared/rules/sources/sources.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { Watch, WatchRule } from '#shared/watchlist/watch.ts';
import { mostVersions } from '#shared/watchlist/watch-version.ts';
import type { ApiDeps } from '../api-deps.ts';
import { createReadEventNow } from '../watches/current-status.ts';
import { createPresentState } from '../watches/present-state.ts';
import { unlessDamaged } from '../watches/unless-damaged.ts';
import type { AlertPlace } from './link-place.ts';
import { type PressedRule, pressedRule, type Versions } from './pressed-rule.ts';

/** The watch that can be changed; or why it can't be. */
export type WatchNow =
  | { kind: 'there'; watch: Watch; versions: Versions }
  | { kind: 'deleted'; at: number }
  | { kind: 'gone' }
  | { kind: 'damaged' };

/** A number at the newest snapshot, in its own unit; null where nothing is for sale. */
export interface NumberNow {
  value: number | null;
  /** Epoch milliseconds. */
  observedAt: number;
}

/** Times are epoch milliseconds. */
export interface LinkedAlert extends AlertPlace {
  watch: WatchNow;
  /** The rule that alerted, as it is now; undefined if it was removed. */
  rule: WatchRule | undefined;
  /** What this alert's links have changed in the rule. */
  pressed: PressedRule | undefined;
  facts: EventFacts | undefined;
  isOver: boolean;
  /** Undefined while no snapshot is stored. */
  number: NumberNow | undefined;
  tickets: TicketLink[];
  /** The path of the alert's chart as a picture; undefined for an alert without a chart. */
  chartPath: string | undefined;
  /** Why the channel's address gets no mail. */
  suppressedBecause: string | undefined;
  now: number;
}

type StateDeps = Pick<ApiDeps, 'stores' | 'links' | 'loadHistory' | 'buyLinks'>;
export type ReadLinkedAlert = (place: AlertPlace, now: number) => Promise<LinkedAlert>;

/** The reader; it reads the channel again, because a press may have changed it. */
export function createReadLinkedAlert(deps: StateDeps): ReadLinkedAlert {
  const { stores, links, buyLinks = [] } = deps;
  const readEventNow = createReadEventNow(stores);
  const presentState = createPresentState(deps);

  return async function readLinkedAlert(place, now) {
    const { alert } = place;
    const [watch, event, number, channel = place.channel] = await Promise.all([
      readWatch(alert, now),
      readEventNow(alert.eventId, now),
      readNumber(alert, now),
      stores.channels.find(place.channel.channelId),
    ]);
    const { facts, isOver } = event;
    const isThere = watch.kind === 'there';
    return {
      ...{ ...place, channel, watch, facts, isOver, number, now },
      rule: isThere ? watch.watch.rules.find(({ ruleId }) => ruleId === alert.ruleId) : undefined,
      pressed: isThere ? pressedRule(watch.versions, alert) : undefined,
      tickets: ticketLinks(ticketFacts(alert, facts), buyLinks),
      chartPath: alert.chart && (await chartPath(place)),
      suppressedBecause: await suppression(channel),
    };
  };

  async function readWatch({ watchId, ownerId }: Alert, now: number): Promise<WatchNow> {
    let isDamaged = false;
    const found = await unlessDamaged(stores.watches.find(watchId), () => {
      isDamaged = true;
    });
    if (isDamaged) return { kind: 'damaged' };
    if (found?.ownerId !== ownerId) return { kind: 'gone' };
    if (found.removedAt !== undefined) return { kind: 'deleted', at: Date.parse(found.removedAt) };
    const wanted = { limit: mostVersions, now };
    const earlier = await stores.watchVersions.listBefore(watchId, found.version, wanted);
    return { kind: 'there', watch: found, versions: [found, ...earlier] };
  }

  /** The alert's number before any window transform: the price that a reader sees. */
  async function readNumber({ eventId, series }: Alert, now: number) {
    const key = baseKeyOf(currentOf(parseSeries(series).base));
    const present = await unlessDamaged(presentState.read(eventId));
    const reading = present && (await presentState.readings(present, [key], now)).get(key);
    return reading && { value: reading.base, observedAt: reading.observedAt };
  }

  /** The pictures are at the address of the pages. */
  async function chartPath({ alert, channel }: AlertPlace): Promise<string | undefined> {
    const alertLinks = createAlertLinks(await links.manageUrl(channel.channelId));
    return alertLinks && new URL(alertLinks.chartUrl(alert.alertId)).pathname;
  }

  async function suppression(channel: Channel): Promise<string | undefined> {
    const { find: findSuppression } = stores.suppressions;
    const found: Suppression | undefined = await suppressionOf({ findSuppression }, channel);
    return found && suppressionWords(found);
  }
}

/** The catalog may know more of the event now. */
function ticketFacts(alert: Alert, facts: EventFacts | undefined): Alert {
  const { tmEventId = alert.tmEventId, date = alert.eventDate } = facts ?? {};
  return {
    ...alert,
    eventName: facts?.name ?? alert.eventName,
    ...(tmEventId !== undefined && { tmEventId }),
    ...(date !== undefined && { eventDate: date }),
  };
}
