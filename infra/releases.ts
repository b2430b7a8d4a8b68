/**
 * The names by which the stack and the operator's commands agree on releases: each function has a version for each
 * release that changed it, and an alias that everything invokes.
 */
import { type FunctionName, functionNames } from './access.ts';

export const liveAlias = 'live';

/** The parameter that says how fast an alias moves: through a canary, or at once. */
export const paceParameter = 'ReleasePace';
export const paces = ['canary', 'at-once'] as const;
export type ReleasePace = (typeof paces)[number];

/** The value of a pin for the version that the deployment makes; Lambda's own begin at 1. */
export const newestVersion = '0';

/** The output with the fingerprint of the settings that the functions' versions have. */
export const settingsOutput = 'Settings';

/** The parameter that pins a function to an earlier version: `send-email` → `SendEmailVersion`. */
export function pinParameterOf(name: FunctionName): string {
  const words = name.split('-').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Version`;
}

export const pinParameters: readonly string[] = functionNames.map(pinParameterOf);
