// Refuses a webhook's template that would make no body for some message.
import type { ChannelTarget } from '#shared/delivery/channels/channels.ts';
import { type ContentType, usualContentType } from '#shared/delivery/template/content-types.ts';
import { invalidFaults } from '../../problem.ts';
import { checkTemplate, type PlacedFault } from './check-template.ts';

/** @throws ProblemError with the place of each fault. */
export function requireTemplate(
  template: string | undefined,
  contentType: ContentType = usualContentType,
): void {
  if (template === undefined) return;
  const faults = checkTemplate(template, contentType);
  if (faults.length === 0) return;
  throw invalidFaults(
    faults.map((fault) => ({ pointer: '#/body_template', detail: `is wrong ${placed(fault)}` })),
  );
}

function placed({ line, column, sample, message }: PlacedFault): string {
  const shown = sample === null ? '' : ` for the sample "${sample}"`;
  return `at line ${line}, column ${column}${shown}: ${message}`;
}

/** The same for a target that a change made. */
export function requireTemplateOf(target: ChannelTarget): void {
  if ('bodyTemplate' in target) requireTemplate(target.bodyTemplate, target.contentType);
}
