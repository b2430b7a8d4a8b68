/** The parameters of a release beside the settings: its pace, the pins of a rollback, the fingerprint. */
import { createHash } from 'node:crypto';
import {
  newestVersion,
  paceParameter,
  paces,
  pinParameters,
  type ReleasePace,
  settingsOutput,
} from '../releases.ts';
import { workParameter } from '../restored-names.ts';
import type { DeployedStack } from './stack.ts';

/** The pins of a stack that keep a function at an earlier version. */
export function pinsOf({ parameters }: DeployedStack): string[] {
  return pinParameters.filter((name) => (parameters[name] ?? newestVersion) !== newestVersion);
}

/** What a deployment has to change so that all functions run the newest code, and move to it at this pace. */
export function releaseParameters(
  stack: DeployedStack | undefined,
  pace: ReleasePace,
): Record<string, string> {
  const pins = stack ? pinsOf(stack) : [];
  const before = stack?.parameters[paceParameter] ?? paces[0];
  return {
    ...Object.fromEntries(pins.map((name) => [name, newestVersion])),
    ...(before !== pace && { [paceParameter]: pace }),
  };
}

/**
 * Names the settings that the functions' versions have. It changes exactly when a setting does, because a version
 * keeps the variables that it was made with.
 */
export function settingsFingerprint(
  stack: DeployedStack | undefined,
  given: Readonly<Record<string, string>>,
): string {
  const before = stack?.parameters ?? {};
  const isSame = Object.entries(given).every(([name, value]) => before[name] === value);
  const known = stack?.outputs.get(settingsOutput);
  if (known !== undefined && isSame) return known;
  const notSettings: readonly string[] = [
    ...pinParameters,
    ...[paceParameter, workParameter, 'TableProtection'],
  ];
  const settings = Object.entries({ ...before, ...given })
    .filter(([name]) => !notSettings.includes(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 12);
}
