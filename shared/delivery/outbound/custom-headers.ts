// The headers that an owner adds to the messages of a generic webhook, such as a token that its receiver asks
// for. Their values are secrets, like the URL.
import * as z from 'zod';

export type CustomHeaders = Readonly<Record<string, string>>;

export const mostCustomHeaders = 2;
const longestName = 100;
const longestValue = 1_000;

/** A token of RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible ASCII, with spaces inside: no header can begin in a value. */
const visible = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Headers that we or the connection set, or that change how the request is read. */
const reserved = new Set([
  ...['host', 'user-agent', 'expect', 'http2-settings'],
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);
/** A field of this name keeps the SDK from storing an object. */
const unstorable = 'constructor';
const reservedStarts = ['webhook-', 'content-', 'proxy-'];

/** The field of a request. */
export const customHeadersSchema = z
  .record(z.string(), z.string())
  .superRefine((headers, context) => {
    for (const { path, message } of faultsOf(headers)) {
      context.addIssue({ code: 'custom', path, message });
    }
  })
  .meta({
    description: `At most ${mostCustomHeaders} headers that are sent with each message, by name. Their values are secrets: no answer has them. Names are those of RFC 9110, except Host, User-Agent, Content-…, Webhook-…, Proxy-… and those of the connection; values are visible ASCII, at most ${longestValue} characters`,
    examples: [{ Authorization: 'Bearer 4f1c…' }],
  });

/** Stored headers. Damaged ones can't be sent, so the channel counts as damaged. */
export const storedHeaders = z
  .record(z.string(), z.string())
  .refine((headers) => faultsOf(headers).length === 0);

function faultsOf(headers: CustomHeaders): { path: string[]; message: string }[] {
  const names = Object.keys(headers);
  const faults = names.flatMap((name, place) => {
    const isRepeated = names.slice(0, place).some((other) => isSameName(other, name));
    const message = isRepeated ? 'is there twice' : (nameFault(name) ?? valueFault(headers[name]));
    return message === undefined ? [] : [{ path: [name], message }];
  });
  const tooMany = { path: [], message: `must be at most ${mostCustomHeaders} headers` };
  return names.length > mostCustomHeaders ? [tooMany, ...faults] : faults;
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function nameFault(name: string): string | undefined {
  if (!token.test(name)) return "must be a name of letters, digits and !#$%&'*+-.^_`|~";
  if (name.length > longestName) return `must have a name of at most ${longestName} characters`;
  if (name === unstorable) return 'can’t be stored; use another name';
  const plain = name.toLowerCase();
  const isOurs = reserved.has(plain) || reservedStarts.some((start) => plain.startsWith(start));
  return isOurs ? 'is set by Getin or by the connection; use another name' : undefined;
}

function valueFault(value = ''): string | undefined {
  if (value.length > longestValue) return `must have at most 1,000 characters`;
  return visible.test(value)
    ? undefined
    : 'must be visible ASCII characters, with spaces only between them';
}

/** What must not be logged of them: each value, and each word of it, such as the token after "Bearer". */
export function secretsOfHeaders(headers: CustomHeaders = {}): string[] {
  return Object.values(headers).flatMap((value) => [value, ...value.split(' ')]);
}
