// Sessions of a browser: a cookie that stands for an API key, so that no page keeps the key. A session ends by
// signing out, after twelve hours, or with its key.
import { createSecretToken } from './secret-token.ts';

/** A stored session; its token is only in the cookie. */
export interface Session {
  hash: string;
  keyHash: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** A link that signs a browser in, once. Its token is only in the link. */
export type SignInLink = Session;

const sessionMs = 12 * 3_600_000;
/** Long enough to open a link that a terminal or a chat shows, too short to be found later. */
const signInLinkMs = 15 * 60_000;

/** A new session for the key with this hash, with the token for its cookie; `now` is epoch milliseconds. */
export function newSession(keyHash: string, now: number): { session: Session; token: string } {
  const { token, hash } = createSecretToken('getin_session_');
  return { session: { hash, keyHash, expiresAt: now + sessionMs }, token };
}

/** A new link for the key with this hash, with the token for its address; `now` is epoch milliseconds. */
export function newSignInLink(keyHash: string, now: number): { link: SignInLink; token: string } {
  const { token, hash } = createSecretToken('getin_link_');
  return { link: { hash, keyHash, expiresAt: now + signInLinkMs }, token };
}
