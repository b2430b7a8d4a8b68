// E-mail addresses as people give them, and the form in which they are stored and compared. Does not ask
// whether the mailbox exists: the confirmation mail does.
import { domainToASCII } from 'node:url';
import * as z from 'zod';

/** RFC 5321, 4.5.3.1. */
const longestLocalPart = 64;
const longestDomain = 253;
const longestAddress = 254;
/** The part before the @ without quotes (RFC 5322, 3.2.3, dot-atom). */
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** Labels of a host name, at least two; the last has a letter, so that no IP address counts as a name. */
const domain =
  /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?=[\d-]*[a-z])[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/;

/**
 * The stored form of an address: without spaces around it, its domain in lower case and in ASCII
 * (`xn--…`), because SES takes no other.
 * @returns undefined for a text that is not one address that SES can send to. The part before the @ must be
 * ASCII, because SES does not support SMTPUTF8.
 */
export function parseMailAddress(text: string): string | undefined {
  const address = text.trim();
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(at, 0));
  const host = domainToASCII(address.slice(at + 1));
  const parsed = `${local}@${host}`;
  const isValid =
    local.length <= longestLocalPart &&
    host.length <= longestDomain &&
    parsed.length <= longestAddress &&
    localPart.test(local) &&
    domain.test(host);
  return isValid ? parsed : undefined;
}

/** An address with one recipient and no way to inject a header; its output is the stored form. */
export const mailAddress = z
  .string()
  .max(longestAddress)
  .overwrite((text) => parseMailAddress(text) ?? text)
  .refine((text) => parseMailAddress(text) !== undefined, {
    error: ({ input }) =>
      `must be one e-mail address, such as ann@example.com${hasOtherLetters(input) ? '; the part before the @ may have only ASCII letters' : ''}`,
  })
  .meta({ format: 'email' });

function hasOtherLetters(input: unknown): boolean {
  return /[^\0-\x7f].*@/.test(String(input));
}
