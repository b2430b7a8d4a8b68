// The id of a rule's further trigger is made of its main trigger's.

const suffix = 'f';

/** The id of the further trigger of a main trigger. */
export function furtherTriggerId(mainTriggerId: string): string {
  return `${mainTriggerId}${suffix}`;
}

/** The id of the main trigger of a further trigger. */
export function mainTriggerIdOf(furtherId: string): string {
  return furtherId.slice(0, -suffix.length);
}
