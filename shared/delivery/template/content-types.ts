// The content types that a body template may have: how a value is written into each, so that no name from the
// market can change the form of the body.
import { singleLine } from '../message/plain-text.ts';

export const contentTypes = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
] as const;
export type ContentType = (typeof contentTypes)[number];

export const usualContentType: ContentType = 'application/json';

/** A value that a template can name. */
export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | readonly TemplateValue[]
  | { readonly [name: string]: TemplateValue };

/** Writes one body, in the order of its parts. */
export interface BodyWriter {
  /** Takes note of text of the template itself. */
  text(text: string): void;
  /** A value as it is written at this place, or why it can't be written here. */
  value(value: TemplateValue): string | { refused: string };
}

const notText = { refused: 'a list or an object can’t be written as text; use it as a section' };
const notInString = {
  refused: 'a list or an object can’t be written between quotation marks; leave them out',
};
const inEscape = { refused: 'no value can come right after a backslash' };

interface ContentTypeRow {
  /** The header's value. */
  header: string;
  createWriter(): BodyWriter;
  /** Whether a body is of this type, and says anything. */
  isValid(body: string): boolean;
}

export const contentTypeRows: Readonly<Record<ContentType, ContentTypeRow>> = {
  'application/json': {
    header: 'application/json',
    createWriter: createJsonWriter,
    isValid: isJson,
  },
  'text/plain': {
    header: 'text/plain; charset=utf-8',
    createWriter: () => createWriter(singleLine),
    isValid: (body) => body.trim() !== '',
  },
  'application/x-www-form-urlencoded': {
    header: 'application/x-www-form-urlencoded',
    createWriter: () => createWriter(formText),
    isValid: (body) => body !== '' && firstNotOfForm(body) < 0,
  },
};

/** Of a type whose values are written in the same way everywhere. */
function createWriter(write: (text: string) => string): BodyWriter {
  return {
    text() {},
    value: (value) => {
      const text = plainText(value);
      return text === undefined ? notText : write(text);
    },
  };
}

/** Null is no text. */
function plainText(value: TemplateValue): string | undefined {
  if (value === null) return '';
  return typeof value === 'object' ? undefined : String(value);
}

/** The offset of the first character that the body of a form can't have; -1 if there is none. */
export function firstNotOfForm(body: string): number {
  return body.search(/[^\w.*~!$'(),;:@/?&=+%-]|%(?![\da-fA-F]{2})/);
}

function formText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+');
}

/**
 * Between quotation marks a value is the content of a JSON string, and elsewhere it is JSON itself: null, a number,
 * a quoted text, a list. So `"text": "{{headline}}"`, `"now": {{now}}` and `"alerts": {{alerts}}` are JSON.
 */
function createJsonWriter(): BodyWriter {
  let isInString = false;
  /** The characters since a backslash, as long as its escape is not complete. */
  let begunEscape = '';

  function pass(character: string): void {
    if (begunEscape !== '') {
      begunEscape += character;
      const length = begunEscape[1] === 'u' ? 6 : 2;
      if (begunEscape.length >= length) begunEscape = '';
    } else if (character === '"') isInString = !isInString;
    else if (isInString && character === '\\') begunEscape = character;
  }

  return {
    text(text) {
      for (const character of text) pass(character);
    },
    value(value) {
      if (begunEscape !== '') return inEscape;
      if (!isInString) return JSON.stringify(value);
      const text = plainText(value);
      return text === undefined ? notInString : JSON.stringify(text).slice(1, -1);
    },
  };
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
