// What a button of a message says when it is pressed: an act on one alert, or on the whole channel, in at most 64
// bytes. Signed, because a changed Telegram app can send any text as if it were a button's.
import { createHash } from 'node:crypto';
import { isMacOf, macBytes, macOf } from '../link-mac.ts';
import { tokenParts } from '../link-token.ts';

/**
 * What was pressed. An alert is named by the delivery that told it, because its own id is too long.
 * `alertMark` and `actMark` are digests: the reader of the data looks for the alert and the act that have them.
 */
export type Pressed =
  | { on: 'alert'; deliveryId: string; alertMark: string; actMark: string; signed: SignedData }
  | { on: 'channel'; channelId: string; actMark: string; signed: SignedData };

/** The part that is signed, and its signature. */
export interface SignedData {
  payload: Uint8Array;
  mac: Uint8Array;
}

/** Other letters than those of links, so that neither can be taken for the other. */
const onAlert = 'd'.charCodeAt(0);
const onChannel = 'w'.charCodeAt(0);
const idBytes = 16;
const alertMarkBytes = 8;
const actMarkBytes = 3;
const alertPayloadBytes = 1 + idBytes + alertMarkBytes + actMarkBytes;
const channelPayloadBytes = 1 + idBytes + actMarkBytes;

/** The mark of an alert among those of one delivery. */
export function alertMarkOf(alertId: string): string {
  return digestOf(alertId, alertMarkBytes).toString('hex');
}

/** The mark of an act. */
export function actMarkOf(act: string): string {
  return digestOf(act, actMarkBytes).toString('hex');
}

/** The data of a button that acts on an alert. @param stopUrl the stop address of the delivery's channel. */
export function alertButtonData(
  { deliveryId, alertId, act }: { deliveryId: string; alertId: string; act: string },
  stopUrl: string,
): string {
  const marks = [digestOf(alertId, alertMarkBytes), digestOf(act, actMarkBytes)];
  return signedData(Buffer.concat([Buffer.of(onAlert), idOf(deliveryId), ...marks]), stopUrl);
}

/** The data of a button that acts on a whole channel. @param stopUrl the channel's stop address. */
export function channelButtonData(
  { channelId, act }: { channelId: string; act: string },
  stopUrl: string,
): string {
  const mark = digestOf(act, actMarkBytes);
  return signedData(Buffer.concat([Buffer.of(onChannel), idOf(channelId), mark]), stopUrl);
}

/** What some data says; undefined if it can't be ours. Its signature is not checked yet. */
export function readButtonData(data: string): Pressed | undefined {
  const bytes = Buffer.from(data, 'base64url');
  const payload = bytes.subarray(0, -macBytes);
  const signed = { payload, mac: bytes.subarray(-macBytes) };
  const id = payload.toString('hex', 1, 1 + idBytes);
  const actMark = payload.toString('hex', payload.length - actMarkBytes);
  if (payload[0] === onAlert && payload.length === alertPayloadBytes) {
    const alertMark = payload.toString('hex', 1 + idBytes, 1 + idBytes + alertMarkBytes);
    return { on: 'alert', deliveryId: `dlv_${id}`, alertMark, actMark, signed };
  }
  if (payload[0] === onChannel && payload.length === channelPayloadBytes) {
    return { on: 'channel', channelId: `ch_${id}`, actMark, signed };
  }
  return undefined;
}

/** Whether a message to the channel with this stop address had a button with this data. */
export function isSignedFor({ payload, mac }: SignedData, stopUrl: string): boolean {
  const key = keyOf(stopUrl);
  return key !== undefined && isMacOf(mac, payload, key);
}

function signedData(payload: Buffer, stopUrl: string): string {
  const key = keyOf(stopUrl) ?? Buffer.alloc(0);
  return Buffer.concat([payload, macOf(payload, key)]).toString('base64url');
}

/** The signature of the channel's stop address, which only its messages have. */
function keyOf(stopUrl: string): Uint8Array | undefined {
  const [, token = ''] = stopUrl.split('/l/');
  return tokenParts(token)?.mac;
}

/** The bytes of an id such as `dlv_…`, which has 32 hexadecimal digits. */
function idOf(id: string): Buffer {
  return Buffer.from(id.slice(id.indexOf('_') + 1), 'hex').subarray(0, idBytes);
}

function digestOf(text: string, bytes: number): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, bytes);
}
