// Who is signed in. The key of the session is never here: the browser has a cookie that no script reads.
import { computed, signal } from '@preact/signals';
import { beginSession, currentSession, endSession, type SessionAnswer } from '../api/calls.ts';
import { SignedOutError } from '../api/errors.ts';
import { send, signedOutEvent } from '../api/send.ts';

/** `unknown` until the first answer; undefined when nobody is signed in. */
export const session = signal<SessionAnswer | 'unknown' | undefined>('unknown');

/** The id of the deletion that this browser has asked for: nobody can be signed in after it. */
export const deletion = signal<string | undefined>(undefined);

/** Everything of the owner is being deleted, its keys first. */
export function beginDeletion({ id }: { id: string }): void {
  deletion.value = id;
  session.value = undefined;
}

/** Whether the session's key may change things. */
export const canWrite = computed(
  () => typeof session.value === 'object' && session.value.key.scope !== 'read',
);
export const isAdmin = computed(
  () => typeof session.value === 'object' && session.value.key.scope === 'admin',
);

/** Reads who is signed in. @throws UnreachableError */
export async function readSession(): Promise<void> {
  try {
    session.value = await send(currentSession);
  } catch (error) {
    if (!(error instanceof SignedOutError)) throw error;
    session.value = undefined;
  }
}

/** @throws RefusedError | SignedOutError | UnreachableError */
export async function signIn(by: { key: string } | { link_token: string }): Promise<void> {
  session.value = await send(beginSession, { body: by });
}

export async function signOut(): Promise<void> {
  await send(endSession);
  session.value = undefined;
}

// The session has ended elsewhere: signed out, expired, or its key revoked.
addEventListener(signedOutEvent, () => {
  session.value = undefined;
});
