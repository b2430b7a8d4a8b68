/**
 * Resolves a template's parameters: the given value, or the default. Checks a value as
 * CloudFormation does.
 */
import { LocalRunError } from '../errors.ts';
import type { TemplateParameter } from './cloud-assembly.ts';

/** @throws LocalRunError for a missing, invalid or unknown parameter */
export function resolveParameters(
  declared: Record<string, TemplateParameter>,
  given: Record<string, string>,
): Record<string, string> {
  const unknown = Object.keys(given).find((name) => !(name in declared));
  if (unknown !== undefined) {
    throw new LocalRunError(`The template has no parameter ${unknown}.`);
  }
  return Object.fromEntries(
    Object.entries(declared).map(([name, parameter]) => [
      name,
      resolveParameter(name, parameter, given[name]),
    ]),
  );
}

function resolveParameter(
  name: string,
  parameter: TemplateParameter,
  given: string | undefined,
): string {
  const value = given ?? parameter.Default;
  if (value === undefined) throw new LocalRunError(`Parameter ${name} has no value.`);
  const text = String(value);
  const allowed = parameter.AllowedValues?.map(String);
  if (allowed && !allowed.includes(text)) {
    throw new LocalRunError(
      `Parameter ${name} is ${JSON.stringify(text)}; allowed: ${allowed.join(', ')}.`,
    );
  }
  const pattern = parameter.AllowedPattern;
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(text)) {
    throw new LocalRunError(
      `Parameter ${name} is ${JSON.stringify(text)}, which does not match ${pattern}.`,
    );
  }
  return text;
}
