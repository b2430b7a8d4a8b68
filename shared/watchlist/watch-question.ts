// Tells whether two watches are the same.
import { createHash } from 'node:crypto';
import type { Rule } from '#shared/rules/language/rule.ts';
import { canonicalRule } from '#shared/rules/language/validate.ts';

/** A hash that is equal for watches with the same event, name, rules and channels; fit for a key. */
export function questionOf(watch: {
  eventId: number;
  name?: string | undefined;
  rules: readonly Rule[];
  channelIds: readonly string[];
}): string {
  const { eventId, name = null } = watch;
  const rules = watch.rules.map(canonicalRule).sort();
  const channels = [...watch.channelIds].sort();
  return createHash('sha256')
    .update(JSON.stringify({ eventId, name, rules, channels }))
    .digest('base64url');
}
