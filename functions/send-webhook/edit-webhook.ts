// Changes one sent message by HTTP, in its channel's format, and classifies the answer.
import { httpFormOf, isHttpTarget } from '#shared/delivery/channels/channels.ts';
import type { SendEdit } from '#shared/delivery/episodes/edit-message.ts';
import type { AddressTarget } from '#shared/delivery/outbound/address-target.ts';
import {
  type GuardedPost,
  networkReason,
  RefusedAddressError,
} from '#shared/delivery/outbound/guarded-post.ts';

interface EditWebhookDeps {
  post: GuardedPost;
  address: AddressTarget;
  now: () => number;
}

/** Edits of messages that were sent by HTTP. */
export function createEditWebhook({ post, address, now }: EditWebhookDeps): SendEdit {
  return async function editWebhook(outgoing, { target: stored }, receipt) {
    const edits = isHttpTarget(stored) ? httpFormOf(stored).edits : undefined;
    if (!edits || !isHttpTarget(stored)) return { kind: 'gone', reason: 'not_editable' };
    const request = edits.request(outgoing, await address(stored), receipt, now());
    if (!request) return { kind: 'gone', reason: 'channel_moved' };
    try {
      return edits.judge(await post(request), now());
    } catch (error) {
      if (error instanceof RefusedAddressError) return { kind: 'gone', reason: error.reason };
      return { kind: 'failed', reason: networkReason(error) };
    }
  };
}
