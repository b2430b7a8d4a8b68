// Brings one living message up to date: asks whether its channel may be called, claims the message, edits it
// and records what it shows. An edit never changes the health of a channel, and is given up after a few tries.
import type { LivingMessageStore } from '#shared/dynamo/living-messages.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { forever, silentUntil } from '#shared/watchlist/channel.ts';
import type { Owner } from '#shared/watchlist/owner.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { Alert } from '../../alerts/alert.ts';
import type { BuyLinkTemplate } from '../../alerts/ticket-link.ts';
import type { Channel } from '../channel.ts';
import { type ChannelHealth, decideAdmission } from '../channel-health.ts';
import type { Outgoing } from '../channels/channel-kind.ts';
import type { EditJudgement } from '../channels/judgement.ts';
import type { TakeTurn } from '../pace.ts';
import type { TakeSlot } from '../sender-slots.ts';
import { tellsTheSame } from './episode-state.ts';
import { type EpisodeState, editEveryMs, type LivingMessage } from './living-message.ts';
import { prepareEdit } from './prepare-edit.ts';

/** A message and the state that the market gives it; without a state, or without its alert, it is over. */
export interface WantedEdit {
  message: LivingMessage;
  alert: Alert | undefined;
  state: EpisodeState | undefined;
  /** Whether the market can't change the message after this. */
  isFinal: boolean;
}

/**
 * `removed`: the message is not kept up to date any more. `deferred`, `failed`: `until` is when to try again,
 * epoch milliseconds; absent if the next snapshot will. `taken`: another run edits it.
 */
export type EditResult =
  | { kind: 'edited' | 'removed' | 'taken' | 'unchanged' }
  | { kind: 'deferred' | 'failed'; until?: number; reason: string };

export type EditMessage = (wanted: WantedEdit, now: () => number) => Promise<EditResult>;

/** Calls the receiver. Does not throw for its answers or for a broken connection. */
export type SendEdit = (
  outgoing: Outgoing,
  channel: Channel,
  receipt: string,
) => Promise<EditJudgement>;

interface EditMessageDeps {
  livingMessages: Pick<LivingMessageStore, 'claim' | 'record' | 'remove'>;
  findChannel: (channelId: string) => Promise<Channel | undefined>;
  findHealth: (channelId: string) => Promise<ChannelHealth | undefined>;
  findOwner: (ownerId: string) => Promise<Owner | undefined>;
  findWatch: (watchId: string) => Promise<Watch | undefined>;
  takeSlot: TakeSlot;
  takeTurn: TakeTurn;
  sendEdit: SendEdit;
  buyLinks: readonly BuyLinkTemplate[];
}

/** After these failures in a row, only a new snapshot asks for the edit again. */
const mostFailures = 3;
/** The reason of a wait that is the message's own; any other wait is its channel's. */
export const editedJustNow = 'edited_just_now';

/** An edit whose message may be changed now. */
interface Edit {
  message: LivingMessage;
  alert: Alert;
  state: EpisodeState;
  isFinal: boolean;
  channel: Channel;
  owner: Owner | undefined;
}

/** The edit of one message, which at most one run makes: two runs can't both claim one version. */
export function createEditMessage(deps: EditMessageDeps): EditMessage {
  const { livingMessages } = deps;

  return async function editMessage({ message, alert, ...market }, now) {
    if (!alert) return remove(message);
    const { channelId, ownerId, watchId } = message;
    const [channel, health, owner, watch] = await Promise.all([
      deps.findChannel(channelId),
      deps.findHealth(channelId),
      deps.findOwner(ownerId),
      deps.findWatch(watchId),
    ]);
    const { state, isFinal } = watch?.bought ? boughtAt(watch.bought.at, market) : market;
    if (!state || !channel || !mayEdit({ channel, owner, watch, message })) return remove(message);
    if (tellsTheSame(state, message.shows)) {
      return isFinal ? remove(message) : { kind: 'unchanged' };
    }
    const wait = tooEarly(message, now());
    if (wait) return wait;
    const edit = { message, alert, state, isFinal, channel, owner };
    return admitted(channel, health, now, () => claimAndEdit(edit, now));
  };

  /** Holds a slot of the owner while `act` runs. A channel with an open breaker is left to its messages. */
  async function admitted(
    channel: Channel,
    health: ChannelHealth | undefined,
    now: () => number,
    act: () => Promise<EditResult>,
  ): Promise<EditResult> {
    const admission = decideAdmission(health, now());
    if (admission.kind === 'wait') return { ...admission, kind: 'deferred' };
    if (admission.isProbe) {
      return { kind: 'deferred', until: now() + editEveryMs, reason: 'breaker_open' };
    }
    const slot = await deps.takeSlot(channel, now());
    if (slot.kind === 'busy') {
      return { kind: 'deferred', until: slot.until, reason: 'receiver_busy' };
    }
    try {
      const until = await deps.takeTurn(channel, now());
      return until === undefined ? await act() : { kind: 'deferred', until, reason: 'throttled' };
    } finally {
      await slot.release(now());
    }
  }

  async function claimAndEdit(edit: Edit, now: () => number): Promise<EditResult> {
    const claimed = await livingMessages.claim(edit.message, now());
    if (!claimed) return { kind: 'taken' };
    const judged = await send({ ...edit, message: claimed }, now());
    if (judged.kind === 'edited') {
      if (edit.isFinal) await livingMessages.remove(claimed);
      else await livingMessages.record(claimed, { shows: edit.state, failures: 0 });
      return { kind: 'edited' };
    }
    if (judged.kind === 'gone') return remove(claimed);
    if (judged.kind === 'refused') {
      report(claimed, `The edit of a message was refused: ${judged.reason}`);
      return remove(claimed);
    }
    return recordFailure(claimed, judged, now());
  }

  /** A fault of ours is reported, and is tried again as a fault of the receiver is. */
  async function send(edit: Edit, now: number): Promise<EditJudgement> {
    const { message, channel } = edit;
    try {
      const outgoing = prepareEdit({ ...edit, now }, deps.buyLinks);
      return await deps.sendEdit(outgoing, channel, message.receipt);
    } catch (error) {
      report(message, `The edit of a message failed: ${reasonOf(error)}`);
      return { kind: 'failed', reason: error instanceof Error ? error.name : 'unknown_error' };
    }
  }

  async function recordFailure(
    claimed: LivingMessage,
    { reason, afterMs = 0 }: { reason: string; afterMs?: number | undefined },
    now: number,
  ): Promise<EditResult> {
    const failures = claimed.failures + 1;
    await livingMessages.record(claimed, { shows: claimed.shows, failures });
    if (failures >= mostFailures) return { kind: 'failed', reason };
    const until = Math.max(now + afterMs, nextEditAt({ ...claimed, failures }));
    return { kind: 'failed', until, reason };
  }

  async function remove(message: LivingMessage): Promise<EditResult> {
    return { kind: (await livingMessages.remove(message)) ? 'removed' : 'taken' };
  }
}

function report({ alertId, channelId }: LivingMessage, reason: string): void {
  reportFault({ thing: 'living_message', reason, ids: { alertId, channelId } });
}

/** A purchase can be taken back, so the message lives on until its event is over. */
function boughtAt(
  at: number,
  { state, isFinal }: Pick<WantedEdit, 'state' | 'isFinal'>,
): { state: EpisodeState; isFinal: boolean } {
  const isOver = isFinal && state?.kind === 'event_over';
  return { state: { kind: 'bought', value: null, at }, isFinal: isOver };
}

/** The wait doubles with each failure in a row, up to 4 hours. */
function nextEditAt({ editedAt = 0, failures }: LivingMessage): number {
  return editedAt + editEveryMs * 2 ** Math.min(failures, 8);
}

function tooEarly(message: LivingMessage, now: number): EditResult | undefined {
  const until = nextEditAt(message);
  return until <= now ? undefined : { kind: 'deferred', reason: editedJustNow, until };
}

/** Whether the owner and the reader still want this message to change. */
function mayEdit(of: {
  channel: Channel;
  owner: Owner | undefined;
  watch: Watch | undefined;
  message: LivingMessage;
}): boolean {
  const { channel, owner, watch, message } = of;
  if (owner?.deletion || channel.status !== 'active' || channel.ownerId !== message.ownerId) {
    return false;
  }
  if (!watch || watch.removedAt !== undefined) return false;
  return silentUntil(channel, watch.watchId) < forever;
}
