// How loud a message comes, for the services that can be loud or silent.
import type { Outgoing } from './channel-kind.ts';

export type Loudness = 'urgent' | 'usual' | 'quiet';

/**
 * Urgent alerts wake their reader. A digest comes when its reader planned it, and a recovery asks for nothing, so
 * they make no sound.
 */
export function loudnessOf({ message, told, heldFor }: Outgoing): Loudness {
  if (told.some(({ alert }) => alert.isUrgent)) return 'urgent';
  if (heldFor === 'digest') return 'quiet';
  const { alerts } = message;
  return alerts.length > 0 && alerts.every(({ isRecovery }) => isRecovery) ? 'quiet' : 'usual';
}
