// Describes an invalid value if its schema has no text of its own: zod's messages speak of
// inputs, options and discriminators.
import type * as z from 'zod';

const kinds: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
};

/** @returns the schema's own text if it has one. */
export function faultWords(issue: z.core.$ZodIssue): string {
  if (!issue.message.startsWith('Invalid ')) return issue.message;
  const isMissing = issue.message.endsWith('received undefined');
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = `must be ${kinds[issue.expected] ?? issue.expected}`;
      return isMissing ? `is missing; it ${wanted}` : wanted;
    }
    case 'invalid_value':
      return mustBeOneOf(issue.values);
    case 'invalid_key':
      return `is not a valid name: it ${issue.issues.map(faultWords).join(', and ')}`;
    case 'invalid_union':
      return wordsOfUnion(issue);
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'must be a date and time with its offset, such as 2026-03-01T19:30:00Z'
        : issue.message;
    default:
      return issue.message;
  }
}

function wordsOfUnion(issue: z.core.$ZodIssueInvalidUnion): string {
  if ('options' in issue && Array.isArray(issue.options)) return mustBeOneOf(issue.options);
  const each = issue.errors.flatMap((issues) => issues.slice(0, 1).map(faultWords));
  return [...new Set(each)].join(', or ') || issue.message;
}

function mustBeOneOf(values: readonly unknown[]): string {
  const names = values.map(String);
  return names.length === 1 ? `must be ${names[0]}` : `must be one of ${names.join(', ')}`;
}
