// API keys in words.
import type { KeyJson } from '../../api/calls.ts';

type Scope = KeyJson['scope'];

export const scopeWords: Readonly<Record<Scope, string>> = {
  read: 'read: look at everything of yours',
  write: 'write: change it, too, and manage your keys',
  admin: 'admin: manage the deployment and every owner',
};

const scopes = ['read', 'write', 'admin'] as const;

/** The scopes that a key may give to a new one. */
export function scopesUpTo(own: Scope): Scope[] {
  return scopes.slice(0, scopes.indexOf(own) + 1);
}

/** Whether a key no longer works, at a time in epoch milliseconds. */
export function isOver(
  { revoked_at, ends_at }: Pick<KeyJson, 'revoked_at' | 'ends_at'>,
  now: number,
) {
  return revoked_at !== null || (ends_at !== null && Date.parse(ends_at) <= now);
}
