/**
 * Removes the API key from every text that leaves the client: messages, body excerpts and causes.
 */
export type Redactor = (text: string) => string;

const PLACEHOLDER = '[api key]';

/** Replaces the key, plain or in base64, by a placeholder. Keys need no percent-encoding. */
export function createRedactor(apiKey: string): Redactor {
  const forms = [apiKey, btoa(apiKey).replace(/=+$/, ''), btoa(`Bearer ${apiKey}`)];
  return (text) => forms.reduce((clean, form) => clean.replaceAll(form, PLACEHOLDER), text);
}

const EXCERPT_LENGTH = 500;
/** Long enough that 500 characters remain of a text that holds only keys in base64. */
const CLEANED_LENGTH = 6000;

/** The first 500 characters of a body, redacted before the cut so that no half key remains. */
export function excerptOf(text: string, redact: Redactor): string {
  return redact(text.slice(0, CLEANED_LENGTH)).slice(0, EXCERPT_LENGTH);
}

/**
 * A copy of an error with only its redacted texts: an HTTP parser's error holds the raw answer,
 * which may echo the request's headers.
 */
export function cleanCause(error: unknown, redact: Redactor): Error {
  const { name, message, code, cause } = describe(error);
  const clean = new Error(redact(message), cause ? { cause: cleanCause(cause, redact) } : {});
  clean.name = name;
  delete clean.stack;
  return Object.assign(clean, code === undefined ? {} : { code });
}

function describe(error: unknown) {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const cause = error.cause instanceof Error ? error.cause : undefined;
  return { name: error.name, message: error.message, code, cause };
}
