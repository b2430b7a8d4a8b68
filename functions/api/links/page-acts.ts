// The acts of an alert's page: what each offers now, why it can't be done, and what is so after it. Pure.
import { alertActs } from '#shared/delivery/alert-acts.ts';
import { channelTitle } from '#shared/delivery/message/channel-title.ts';
import { momentText, moneyText } from '#shared/delivery/message/figures.ts';
import { nameText } from '#shared/delivery/message/plain-text.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { unitOf } from '#shared/rules/sources/sources.ts';
import { forever } from '#shared/watchlist/channel.ts';
import type { Bought, Watch } from '#shared/watchlist/watch.ts';
import { sentenceText, silentHereUntil } from './alert-words.ts';
import type { Press } from './link-page.ts';
import { presses } from './link-presses.ts';
import type { LinkedAlert } from './linked-alert.ts';
import { alertsAtOnce, furtherRule, type NextRule, newLowRule } from './next-rule.ts';

/** The button of an act; or why it can't be done now. */
export type Offer = { press: Press } | { refused: string };

interface PageAct {
  /** The question that the page asks when the act is what it was opened for. */
  question: (state: LinkedAlert) => string;
  offer: (state: LinkedAlert) => Offer;
  /** What is so while the act is in effect; undefined if it is not. */
  done: (state: LinkedAlert) => string | undefined;
  /** The act that takes it back. */
  undo?: PageActName;
}

/** Every act, in the order in which a page offers them: what was done can be undone first. */
export const pageActNames = [
  ...(['undo_bought', 'undo_rule', 'resume_all', 'resume_watch'] as const),
  ...[alertActs.bought, alertActs.newLow, alertActs.level, alertActs.snooze],
  ...(['stop_watch', 'stop_all'] as const),
] as const;
export type PageActName = (typeof pageActNames)[number];

export const pageActs: Readonly<Record<PageActName, PageAct>> = {
  undo_bought: {
    question: () => 'Not bought?',
    offer: (state) => {
      const bought = boughtIn(state);
      if (!bought) return { refused: 'Nothing is bought.' };
      const after = bought.statusBefore === 'paused' ? 'paused' : 'on';
      const hint = `Brings the watch back: it is ${after} again, with its rules as they are.`;
      return ofWatch(state, { act: 'undo_bought', label: 'Undo: not bought', hint });
    },
    done: (state) => {
      const watch = watchIn(state);
      if (!watch || watch.bought) return undefined;
      return watch.status === 'paused' ? 'The watch is paused again.' : 'The watch is on again.';
    },
  },
  undo_rule: {
    question: () => 'The former rule again?',
    offer: (state) => {
      const { pressed } = state;
      if (!pressed) return { refused: 'There is no change of the rule to undo.' };
      const hint = `Changes the rule back to “${sentenceText(pressed.before)}”.`;
      return ofWatch(state, { act: 'undo_rule', label: 'Undo: the former rule', hint });
    },
    done: ({ rule }) => rule && `The rule is “${sentenceText(rule.rule)}”.`,
  },
  resume_all: {
    question: () => 'Alerts here again?',
    offer: (state) =>
      state.channel.status === 'unsubscribed'
        ? ofChannel(state, presses.resumeAll)
        : { refused: 'Messages are not stopped here.' },
    done: ({ channel }) => (channel.status === 'active' ? 'Alerts come here again.' : undefined),
  },
  resume_watch: {
    question: () => 'Alerts of this watch here again?',
    offer: (state) =>
      silentHereUntil(state) > state.now
        ? ofWatch(state, presses.resumeWatch)
        : { refused: 'Alerts of this watch are not stopped here.' },
    done: (state) =>
      silentHereUntil(state) > state.now ? undefined : 'Alerts of this watch come here again.',
  },
  [alertActs.bought]: {
    question: () => 'Bought it?',
    offer: (state) =>
      unlessEnded(state, () => {
        const hint = 'Ends the watch: no more alerts of it, on any channel. You can undo it.';
        const press = { act: alertActs.bought, label: 'Bought it', hint, price: { value: '' } };
        return ofWatch(state, press);
      }),
    done: (state) => {
      const { paidCents } = boughtIn(state) ?? {};
      const price = paidCents === undefined ? '' : ` for ${moneyText(paidCents)}`;
      return boughtIn(state) && `You bought a ticket${price}. The watch has ended.`;
    },
    undo: 'undo_bought',
  },
  [alertActs.newLow]: {
    question: () => 'Silent until a new low?',
    offer: (state) => ofRule(state, alertActs.newLow, newLowRule),
    done: (state) => changedRule(state, alertActs.newLow),
    undo: 'undo_rule',
  },
  [alertActs.level]: {
    question: (state) => {
      const offer = ofRule(state, alertActs.level, furtherRule);
      return 'press' in offer ? `${offer.press.label}?` : 'Another level?';
    },
    offer: (state) => ofRule(state, alertActs.level, furtherRule),
    done: (state) => changedRule(state, alertActs.level),
    undo: 'undo_rule',
  },
  [alertActs.snooze]: {
    question: () => 'Snooze this watch here?',
    offer: (state) =>
      unlessSilent(state, () => {
        const hint =
          'Sends no alerts of this watch here for 24 hours. Its other channels still get them.';
        return ofWatch(state, { act: alertActs.snooze, label: 'Snooze a day', hint });
      }),
    done: (state) => {
      const until = silentHereUntil(state);
      if (until <= state.now || until === forever) return undefined;
      return `No alerts of this watch come here until ${momentText(until, state.timeZone)}.`;
    },
    undo: 'resume_watch',
  },
  stop_watch: {
    question: () => 'Stop this watch here?',
    offer: (state) =>
      unlessSilent(state, () => {
        const hint = 'Sends no more alerts of this watch here. Its other channels still get them.';
        return ofWatch(state, { act: 'stop_watch', label: 'Stop this watch here', hint });
      }),
    done: (state) =>
      silentHereUntil(state) === forever ? 'No more alerts of this watch come here.' : undefined,
    undo: 'resume_watch',
  },
  stop_all: {
    question: () => 'Stop all messages here?',
    offer: (state) => {
      const { status } = state.channel;
      if (status === 'unsubscribed') return { refused: 'All messages are stopped here already.' };
      if (status === 'unverified') return { refused: 'No alerts are sent here.' };
      const hint = `Stops all messages to your ${nameText(channelTitle(state.channel))}.`;
      return ofChannel(state, {
        act: 'stop_all',
        label: 'Stop everything here',
        hint,
        isLast: true,
      });
    },
    done: ({ channel }) =>
      channel.status === 'unsubscribed' ? 'Nothing more comes here.' : undefined,
    undo: 'resume_all',
  },
};

/** Whether a text names an act of the page. */
export function isPageAct(name: string): name is PageActName {
  return Object.hasOwn(pageActs, name);
}

/** The watch, if it can be changed. */
export function watchIn({ watch }: LinkedAlert): Watch | undefined {
  return watch.kind === 'there' ? watch.watch : undefined;
}

function boughtIn(state: LinkedAlert): Bought | undefined {
  return watchIn(state)?.bought;
}

/** The form names the version that the page shows, so that it acts on no other. */
function ofWatch(state: LinkedAlert, press: Press): Offer {
  const watch = watchIn(state);
  if (!watch) return { refused: noWatch(state) };
  return { press: { ...press, fields: { ...press.fields, version: String(watch.version) } } };
}

function ofChannel({ channel }: LinkedAlert, press: Press): Offer {
  return { press: { ...press, fields: { revision: String(channel.revision ?? 0) } } };
}

function noWatch({ watch }: LinkedAlert): string {
  return watch.kind === 'damaged'
    ? 'The stored watch is damaged, so it can’t be changed here.'
    : 'The watch was deleted.';
}

function unlessEnded(state: LinkedAlert, offer: () => Offer): Offer {
  const watch = watchIn(state);
  if (!watch) return { refused: noWatch(state) };
  if (watch.bought) return { refused: 'The watch has ended, because you bought a ticket.' };
  if (state.isOver) return { refused: 'The event is over, so the watch has ended.' };
  return watch.status === 'ended' ? { refused: 'The watch has ended.' } : offer();
}

function unlessSilent(state: LinkedAlert, offer: () => Offer): Offer {
  return unlessEnded(state, () => {
    if (state.channel.status === 'unsubscribed') {
      return { refused: 'All messages are stopped here already.' };
    }
    return silentHereUntil(state) > state.now
      ? { refused: 'Alerts of this watch are stopped or snoozed here already.' }
      : offer();
  });
}

/** A change of the alert's rule; its button says which rule it sets. */
function ofRule(
  state: LinkedAlert,
  act: 'new_low' | 'level',
  nextRule: (seen: Parameters<typeof newLowRule>[0]) => NextRule,
): Offer {
  return unlessEnded(state, () => {
    const next = nextRuleOf(state, nextRule);
    if ('refused' in next) return next;
    if (state.pressed?.act === act) return { refused: 'That is done already.' };
    const atOnce = alertsAtOnce(next.rule, priceNow(state))
      ? ' The price is beyond it already, so it alerts at once.'
      : '';
    const hint = `Changes the rule to “${sentenceText(next.rule)}”.${atOnce}`;
    return ofWatch(state, { act, label: next.label, hint, fields: { to: String(next.cents) } });
  });
}

/** The rule that an act sets now. */
export function nextRuleOf(
  state: LinkedAlert,
  nextRule: (seen: Parameters<typeof newLowRule>[0]) => NextRule,
): NextRule {
  const { alert, rule, now } = state;
  if (!rule) return { refused: 'The rule was removed.' };
  return nextRule({ alert, rule: rule.rule, priceNow: priceNow(state), now });
}

/** Integer cents; null if the number is no price, or there is none. */
function priceNow({ alert, number }: LinkedAlert): number | null {
  const isPrice = unitOf(parseSeries(alert.series).base) === 'price';
  return isPrice ? (number?.value ?? null) : null;
}

function changedRule({ pressed, rule }: LinkedAlert, act: 'new_low' | 'level') {
  if (pressed?.act !== act || !rule) return undefined;
  return `The rule is “${sentenceText(rule.rule)}” now.`;
}
