// Carries out what a button of an alert's page says. The form names the version of the watch that the page showed, so
// a form acts once: a repeat of it, even after an undo, finds another version and changes nothing.
import { createEditsOfWatch } from '#shared/delivery/episodes/edits-of-watch.ts';
import type { ChangeMark } from '#shared/watchlist/changed-by.ts';
import { forever } from '#shared/watchlist/channel.ts';
import type { ApiDeps } from '../api-deps.ts';
import { ProblemError } from '../problem.ts';
import { unlessDamaged } from '../watches/unless-damaged.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';
import { alertPage } from './alert-page.ts';
import { createChannelActs } from './channel-acts.ts';
import type { LinkPage, PriceField } from './link-page.ts';
import type { AlertPlace } from './link-place.ts';
import { createReadLinkedAlert, type LinkedAlert } from './linked-alert.ts';
import { type PageActName, pageActs, watchIn } from './page-acts.ts';
import { type Form, planPress, type WatchAct } from './plan-press.ts';
import { isCarriedOut } from './pressed-rule.ts';

const snoozeMs = 24 * 3_600_000;

/** What became of a press. */
type Outcome =
  | { kind: 'done' }
  | { kind: 'not_done'; why: string }
  | { kind: 'price'; price: PriceField };

const done: Outcome = { kind: 'done' };
const notDone = (why: string): Outcome => ({ kind: 'not_done', why });
const stale = notDone(
  'Something was changed since this page was opened, so nothing was done. What is below is true now: press again if you still want it.',
);
const repeated =
  'This was done before, and has been changed since. Nothing was changed now: what is below is true.';

export interface PressedPage {
  page: LinkPage;
  /** The HTTP status. */
  status: 200 | 400 | 409;
}

export type PressAlert = (place: AlertPlace, act: PageActName, form: Form) => Promise<PressedPage>;

type PressDeps = Pick<ApiDeps, 'stores' | 'links' | 'loadHistory' | 'buyLinks' | 'senders' | 'now'>;

/** The use case; the page after it says what is true then. */
export function createPressAlert(
  deps: PressDeps,
  use: Pick<WatchlistUse['changeWatch'], 'carryOut'>,
): PressAlert {
  const readState = createReadLinkedAlert(deps);
  const channelActs = createChannelActs(deps);
  const askForEdits = createEditsOfWatch({
    findEvaluation: (feed) => unlessDamaged(deps.stores.evaluations.find(feed)),
    sendEdits: deps.senders.webhook,
  });

  return async function pressAlert(place, act, form) {
    const now = deps.now();
    const outcome = await carryOut(await readState(place, now), act, form);
    const after = await readState(place, now);
    if (outcome.kind === 'price') {
      return { page: alertPage(after, { asked: act, price: outcome.price }), status: 400 };
    }
    const text = outcome.kind === 'not_done' ? outcome.why : repeated;
    const isSo = outcome.kind === 'done' && pageActs[act].done(after) !== undefined;
    const shown = isSo ? { isPressed: true } : { notice: text };
    const status = outcome.kind === 'done' ? 200 : 409;
    return { page: alertPage(after, { asked: act, ...shown }), status };
  };

  async function carryOut(state: LinkedAlert, act: PageActName, form: Form): Promise<Outcome> {
    const isOfChannel = act === 'stop_all' || act === 'resume_all';
    if (!isOfChannel && isRepeat(state, act, form)) return finishRepeat(state, act, form);
    const { offer, done: isSo } = pageActs[act];
    const offered = offer(state);
    if ('refused' in offered) {
      if (isSo(state) === undefined) return notDone(offered.refused);
      if (act === 'stop_all') await channelActs.stopAll(state.channel);
      return done;
    }
    // The version and, for a rule, the level: the page offers another when the price has moved.
    const isAsShown = Object.entries(offered.press.fields ?? {}).every(
      ([name, value]) => form[name] === value,
    );
    if (!isAsShown) return stale;
    if (!isOfChannel) return changeWatch(state, act, form);
    await channelActs[act === 'stop_all' ? 'stopAll' : 'resumeAll'](state.channel);
    return done;
  }

  async function changeWatch(state: LinkedAlert, act: WatchAct, form: Form): Promise<Outcome> {
    const planned = planPress(state, act, form);
    if (!('plan' in planned)) return planned;
    const { channel, alert, now } = state;
    const { channelId } = channel;
    const by: ChangeMark['by'] = { way: 'link', channelId, act, alertId: alert.alertId };
    try {
      await use.carryOut(planned.watch, planned.plan, { by, now });
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.type !== 'stale-version') return notDone(`${error.detail}.`);
      // The same form may have been sent twice at once.
      return isRepeat(await readState(state, now), act, form) ? done : stale;
    }
    await carryOutRest(state, act, now);
    return done;
  }

  /** What follows the change of the watch; safe to repeat. @param at when the button was pressed, epoch ms. */
  async function carryOutRest(
    { channel, alert }: LinkedAlert,
    act: WatchAct,
    at: number,
  ): Promise<void> {
    if (told.has(act)) await askForEdits(alert, at);
    const until = silentUntil[act]?.(at);
    if (until !== undefined) await channelActs.silence(channel, alert.watchId, until);
  }

  /** The press may have been cut off after its change of the watch, and its form is sent again. */
  async function finishRepeat(state: LinkedAlert, act: WatchAct, form: Form): Promise<Outcome> {
    const watch = watchIn(state);
    const at = Date.parse(watch?.updatedAt ?? '');
    const isLast = watch?.version === Number(form.version) + 1;
    if (isLast && state.now - at < finishWithinMs) await carryOutRest(state, act, at);
    return done;
  }
}

/** A form that comes later was not cut off; what it did may have been changed since by the API. */
const finishWithinMs = 15 * 60_000;

/** Until when the channel is silent for the watch after an act; the other acts do not change that. */
const silentUntil: Partial<Record<WatchAct, (now: number) => number>> = {
  snooze: (now) => now + snoozeMs,
  stop_watch: () => forever,
  resume_watch: () => 0,
};

/** The acts that the messages of the watch tell where they are kept up to date. */
const told: ReadonlySet<WatchAct> = new Set(['bought', 'undo_bought']);

function isRepeat({ watch, alert }: LinkedAlert, act: WatchAct, form: Form): boolean {
  if (watch.kind !== 'there') return false;
  const { alertId } = alert;
  return isCarriedOut(watch.versions, { alertId, act, version: Number(form.version) });
}
