// What the owner of a generic webhook can set: the version of its bodies, headers, a template; as the API takes
// them, and as the target stores them.
import * as z from 'zod';
import {
  type PayloadVersion,
  payloadVersionSchema,
  payloadVersionWords,
} from '../message/webhook-types.ts';
import {
  type CustomHeaders,
  customHeadersSchema,
  storedHeaders,
} from '../outbound/custom-headers.ts';
import { type ContentType, contentTypes, usualContentType } from '../template/content-types.ts';
import type { TargetSettings } from './channel-kind.ts';
import { storedUrl } from './url-target.ts';

/** More characters are a program, not a template. */
const longestTemplate = 8_000;

const templateWords =
  'The body in your own form, as a Mustache template: {{name}}, {{#name}}…{{/name}} and {{^name}}…{{/name}} with the names of the schema TemplateData. Without partials, unescaped values and other delimiters. In JSON a value between quotation marks is escaped for them, and elsewhere it is JSON itself: `{"text": "{{headline}}", "now": {{now}}}`. It is checked with sample messages when it is set. Every key of yours with scope read can read it, so it is no place for secrets.';

const bodyTemplate = z.string().min(1).max(longestTemplate);

export const webhookTargetSchema = z.object({
  kind: z.literal('webhook'),
  url: storedUrl,
  // A damaged time expires the secret; the channel stays usable.
  secrets: z.array(z.object({ secret: z.string(), expiresAt: z.number().nullable().catch(0) })),
  /** Absent on channels that were made before version 2 existed, and on the operator's: they get 1. */
  payloadVersion: payloadVersionSchema.optional().catch(undefined),
  headers: storedHeaders.optional(),
  // A damaged template makes no body; the standard one tells the alerts.
  bodyTemplate: bodyTemplate.optional().catch(undefined),
  contentType: z.enum(contentTypes).optional().catch(undefined),
});
export type WebhookTarget = z.infer<typeof webhookTargetSchema>;

/** The body of a new channel, as far as its target is concerned. */
export interface GivenWebhook {
  url: string;
  payload_version?: PayloadVersion | undefined;
  headers?: CustomHeaders | undefined;
  body_template?: string | undefined;
  content_type?: ContentType | undefined;
}

/** The fields of a `PATCH`: absent ones stay, and null removes one. */
export type Changes = { [Name in keyof GivenWebhook]?: GivenWebhook[Name] | null };

/** The settings of a new channel, and of a change. */
export const webhookSettings = {
  payload_version: payloadVersionSchema.meta({ description: payloadVersionWords }),
  headers: customHeadersSchema,
  body_template: bodyTemplate.meta({ description: templateWords }),
  content_type: z.enum(contentTypes).meta({
    description: `The type of the bodies that \`body_template\` makes; default ${usualContentType}`,
  }),
};

/** Said of a content type without a template. */
export const typeAlone = 'must come with `body_template`: it is the type of its bodies';

const headersForNewHost =
  'must be given again with a URL at another host, because they hold secrets for the old one; null removes them';

function hostOf(url: string): string {
  return new URL(url).host;
}

/** Where the target stores each setting. */
const storedAs = new Map(
  Object.entries({
    payload_version: 'payloadVersion',
    headers: 'headers',
    body_template: 'bodyTemplate',
    content_type: 'contentType',
  }),
);

/** The target with its changed settings: absent ones stay, and null removes one. */
export function withSettings(before: WebhookTarget, change: Changes): WebhookTarget {
  const fields = new Map<string, unknown>(Object.entries(before));
  for (const [name, value] of Object.entries(change)) {
    const field = storedAs.get(name);
    if (field === undefined || value === undefined) continue;
    if (value === null || isEmpty(value)) fields.delete(field);
    else fields.set(field, value);
  }
  // The type is that of the template's bodies.
  if (change.body_template === null) fields.delete('contentType');
  return webhookTargetSchema.parse(Object.fromEntries(fields));
}

/** No headers are the same as none. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The version of the bodies that a webhook gets. */
export function payloadVersionOf({
  payloadVersion,
}: Pick<WebhookTarget, 'payloadVersion'>): PayloadVersion {
  return payloadVersion === 2 ? 2 : 1;
}

/** Why valid changes can't be made to a target. */
export function webhookChangeFault({ url, headers, bodyTemplate }: WebhookTarget, change: Changes) {
  const isMoved = change.url && hostOf(change.url) !== hostOf(url);
  if (headers && isMoved && change.headers === undefined) {
    return { field: 'headers', detail: headersForNewHost };
  }
  const { content_type, body_template = bodyTemplate } = change;
  return content_type && !body_template ? { field: 'content_type', detail: typeAlone } : undefined;
}

/** The settings that are no secrets, as the API shows them. */
export function shownSettings({
  headers = {},
  bodyTemplate: body_template,
  contentType,
  ...target
}: WebhookTarget): TargetSettings {
  return {
    payload_version: payloadVersionOf(target),
    header_names: Object.keys(headers),
    ...(body_template !== undefined && {
      body_template,
      content_type: contentType ?? usualContentType,
    }),
  };
}
