// The outcome of one send, the same for every kind of channel.

interface Answer {
  reason: string;
  httpStatus?: number;
  excerpt?: string;
}

/**
 * `reason` is recorded and is the metric's dimension. `throttled`: the receiver takes no more messages now,
 * which is not a failure. `retry`: the fault may be temporary; `isOurs` if the receiver did not cause it.
 * `sent` has a `receipt` if the message can be edited: the receiver's name for it. `failed`: a retry is
 * pointless; `channelIs` says whether the channel is gone, `isOurs` that our message was wrong.
 */
export type SendOutcome =
  | ({ kind: 'sent'; receipt?: string } & Partial<Answer>)
  | ({ kind: 'unconfirmed' } & Partial<Answer>)
  | ({ kind: 'throttled'; afterMs?: number | undefined } & Answer)
  | ({ kind: 'retry'; afterMs?: number | undefined; isOurs?: true } & Answer)
  | ({ kind: 'failed'; channelIs?: 'gone' | 'perhaps_gone'; isOurs?: true } & Answer);
