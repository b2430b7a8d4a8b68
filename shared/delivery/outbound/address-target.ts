// Completes a target with what the deployment knows and the channel does not store: the address of its bot.
import type { AddressedTarget, HttpTarget } from '../channels/channels.ts';
import { telegram } from '../channels/telegram.ts';

/** @throws an error of ours, after which the message is retried, if the deployment has no bot. */
export type AddressTarget = (target: HttpTarget) => Promise<AddressedTarget>;

/** @param readBotUrl the address of the deployment's bot, under which its methods are. */
export function createAddressTarget(readBotUrl: () => Promise<string>): AddressTarget {
  return async function addressTarget(target) {
    return target.kind === telegram.kind ? { ...target, botUrl: await readBotUrl() } : target;
  };
}
