// Adds a watch and everything that makes it live. The watch itself is written last: until then its
// triggers raise nothing, so a crash leaves no half-made watch that alerts.
import { compileRule } from '#shared/rules/compile.ts';
import type { Rule } from '#shared/rules/rule.ts';
import { feedKindOf } from '#shared/rules/series.ts';
import { createTrigger, type Trigger } from '#shared/rules/trigger.ts';
import { readRule } from '#shared/rules/validate.ts';
import type { SendMessages } from '#shared/runtime/queue-sender.ts';
import type { Stores } from '#shared/store/stores.ts';
import { newId } from '#shared/watchlist/id.ts';
import type { NewWatch, Watch, WatchRule } from '#shared/watchlist/watch.ts';
import type { PresentStateReader } from './present-state.ts';
import { ProblemError } from './problem.ts';

interface AddWatchDeps {
  stores: Pick<Stores, 'channels' | 'triggers' | 'watches' | 'wishes'>;
  presentState: PresentStateReader;
  sendNudges: SendMessages;
}

export interface AddedWatch {
  watch: Watch;
  /** Per rule id: whether it is true at the newest snapshot; null while none is stored. */
  currentlyTrue: Map<string, boolean | null>;
}

/**
 * The use case; `now` is epoch milliseconds.
 * @throws ProblemError for a channel that is not the owner's or a zone that the event does not have.
 */
export function createAddWatch({ stores, presentState, sendNudges }: AddWatchDeps) {
  return async function addWatch(
    ownerId: string,
    wanted: NewWatch,
    now: number,
  ): Promise<AddedWatch> {
    await requireChannels(ownerId, wanted.channels);
    const present = await presentState.read(wanted.event_id);
    requireZones(wanted.rules, present.zones);
    const watchId = newId('watch');
    const compiled = wanted.rules.map((rule) =>
      compile(rule, { watchId, ownerId, eventId: wanted.event_id }, now),
    );
    const currentlyTrue = new Map<string, boolean | null>();
    for (const { rule, triggers } of compiled) {
      const [main] = triggers;
      if (main) currentlyTrue.set(rule.ruleId, await presentState.isTrue(present, main, now));
    }
    const triggers = compiled.flatMap((each) => each.triggers);
    const kinds = new Set(triggers.map(({ series }) => feedKindOf(series)));
    for (const kind of kinds) {
      await stores.wishes.add(
        {
          ...{ eventId: wanted.event_id, kind, watchId, ownerId },
          latencySeconds: wanted.latency_seconds,
        },
        now,
      );
    }
    for (const trigger of triggers) await stores.triggers.create(trigger);

    const createdAt = new Date(now).toISOString();
    const watch: Watch = {
      watchId,
      ownerId,
      eventId: wanted.event_id,
      ...(wanted.name !== undefined && { name: wanted.name }),
      rules: compiled.map(({ rule }) => rule),
      channelIds: [...new Set(wanted.channels)],
      status: 'active',
      latencySeconds: wanted.latency_seconds,
      version: 1,
      createdAt,
      updatedAt: createdAt,
    };
    await stores.watches.create(watch);
    await sendNudges([...kinds].map((kind) => ({ body: { eventId: watch.eventId, kind } })));
    return { watch, currentlyTrue };
  };

  async function requireChannels(ownerId: string, channelIds: readonly string[]): Promise<void> {
    const channels = await Promise.all(channelIds.map((id) => stores.channels.find(id)));
    const errors = channels.flatMap((channel, index) =>
      channel?.ownerId === ownerId
        ? []
        : [{ pointer: `#/channels/${index}`, detail: 'is no channel of yours' }],
    );
    if (errors.length > 0) {
      throw new ProblemError(400, 'invalid-request', 'A channel is not known', errors);
    }
  }
}

function requireZones(rules: readonly Rule[], zones: readonly string[] | undefined): void {
  const errors = rules.flatMap((rule, index) => {
    const reading = readRule(rule, { zones });
    if (reading.ok) return [];
    return reading.faults.map(({ pointer, message }) => ({
      pointer: `#/rules/${index}${pointer}`,
      detail: message,
    }));
  });
  const [first] = errors;
  if (first) throw new ProblemError(400, 'invalid-request', first.detail, errors);
}

function compile(
  rule: NewWatch['rules'][number],
  owner: { watchId: string; ownerId: string; eventId: number },
  now: number,
): { rule: WatchRule; triggers: Trigger[] } {
  const ruleId = newId('rule');
  const triggers = compileRule(rule).map((spec) =>
    createTrigger(spec, { triggerId: newId('trigger'), ruleId, ...owner }, now),
  );
  return {
    rule: { ruleId, rule, triggerIds: triggers.map(({ triggerId }) => triggerId) },
    triggers,
  };
}
