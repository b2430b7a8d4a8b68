// The body of a webhook whose owner wrote a template for it, within the size of every body.
import { fitBody } from '../message/fit-body.ts';
import type { TellableMessage } from '../message/webhook-body.ts';
import { type ContentType, contentTypeRows } from './content-types.ts';
import { parseTemplate, type TemplateNode } from './parse-template.ts';
import { renderTemplate, TemplateError } from './render-template.ts';
import { templateData } from './template-data.ts';
import type { TemplateData } from './template-data-schema.ts';

/** Why a template made no body for a message. The API's checks of a template leave these to rare data. */
export type TemplateFailure = 'template_failed' | 'template_too_large' | 'template_not_valid';

/**
 * Renders a message. The last alerts are left out, and texts cut, where the body would be too large.
 * @param text the template, as the API accepted it.
 */
export function templateBody(
  text: string,
  contentType: ContentType,
  tellable: TellableMessage,
): { body: string } | { failure: TemplateFailure } {
  const parsed = parseTemplate(text);
  if ('fault' in parsed) return { failure: 'template_failed' };
  const dataWithin = templateData(tellable);
  try {
    const body = fitBody(tellable.told.length, (limits) =>
      rendered(parsed.nodes, dataWithin(limits), contentType),
    );
    if (body === undefined) return { failure: 'template_too_large' };
    return contentTypeRows[contentType].isValid(body)
      ? { body }
      : { failure: 'template_not_valid' };
  } catch (error) {
    if (error instanceof TemplateError) return { failure: 'template_failed' };
    throw error;
  }
}

/** The body; undefined if it is far too long. */
function rendered(
  nodes: readonly TemplateNode[],
  data: TemplateData,
  contentType: ContentType,
): string | undefined {
  try {
    return renderTemplate(nodes, data, contentType).body;
  } catch (error) {
    if (error instanceof TemplateError && error.isTooLong) return undefined;
    throw error;
  }
}
