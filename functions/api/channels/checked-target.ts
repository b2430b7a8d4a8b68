// Checks what an owner says of a channel's target beyond its schema: whether its URL may be called, and whether
// the changed fields are of its kind.
import * as z from 'zod';
import { type ChannelChange, targetChanges } from '#shared/delivery/channel.ts';
import {
  type ChannelKind,
  type ChannelTarget,
  givenUrl,
  kindOf,
} from '#shared/delivery/channels/channels.ts';
import type { OutboundPolicy } from '#shared/delivery/outbound/outbound-address.ts';
import { receiverFault } from '#shared/delivery/outbound/receiver-url.ts';
import { faultsIn } from '../faults.ts';
import { invalidFaults } from '../problem.ts';
import { requireTemplateOf } from './template/require-template.ts';

/** @throws ProblemError naming the field whose URL must not be called. */
export function requireReceiver(given: { kind: ChannelKind }, policy: OutboundPolicy): void {
  const { field, url } = givenUrl(given) ?? {};
  if (field === undefined || url === undefined) return;
  const detail = receiverFault(given.kind, url, policy);
  if (detail !== undefined) throw invalidFaults([{ pointer: `#/${field}`, detail }]);
}

/**
 * @returns the changed target; undefined if the change leaves it as it is.
 * @throws ProblemError naming each field that is not of the target's kind or has a wrong value.
 */
export function checkedTarget(
  target: ChannelTarget,
  change: ChannelChange,
  policy: OutboundPolicy,
): ChannelTarget | undefined {
  const given = targetChanges(change);
  if (Object.keys(given).length === 0) return undefined;
  const { label, changes, changedTarget, changeFault } = kindOf(target);
  const foreign = Object.keys(given).filter((name) => !Object.hasOwn(changes, name));
  if (foreign.length > 0) {
    const detail = `is not for ${label} channels`;
    throw invalidFaults(foreign.map((name) => ({ pointer: `#/${name}`, detail })));
  }
  const read = z.object(changes).partial().safeParse(given);
  if (!read.success) throw invalidFaults(faultsIn(read.error));
  requireReceiver({ ...read.data, kind: target.kind }, policy);
  const fault = changeFault?.(target, read.data);
  if (fault) throw invalidFaults([{ pointer: `#/${fault.field}`, detail: fault.detail }]);
  const changed = changedTarget(target, read.data);
  if ('body_template' in given || 'content_type' in given) requireTemplateOf(changed);
  return changed;
}
