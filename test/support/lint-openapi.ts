// Two linters of OpenAPI documents with their recommended rules: Redocly's and Spectral's.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

/** A rule that a document breaks for a reason, at one place. */
export interface Exception {
  rule: string;
  path: string;
}

/**
 * @param exceptions what the document may break; one that it does not break is a finding too
 * @returns each finding in a line: linter, rule, place and message
 */
export async function lintOpenApi(
  document: unknown,
  exceptions: readonly Exception[] = [],
): Promise<string[]> {
  const findings = [...(await lintWithRedocly(document)), ...(await lintWithSpectral(document))];
  const isExcepted = (text: string, { rule, path }: Exception) =>
    text.includes(` ${rule} `) && text.includes(path);
  const unused = exceptions.filter(
    (exception) => !findings.some((text) => isExcepted(text, exception)),
  );
  return [
    ...findings.filter((text) => !exceptions.some((exception) => isExcepted(text, exception))),
    ...unused.map(({ rule, path }) => `not needed: the exception of ${rule} at ${path}`),
  ];
}

async function lintWithRedocly(document: unknown): Promise<string[]> {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  return problems.map(
    ({ ruleId, message, location }) => `Redocly ${ruleId} ${location[0]?.pointer}: ${message}`,
  );
}

async function lintWithSpectral(document: unknown): Promise<string[]> {
  const linter = new spectral.Spectral();
  // The two packages' types disagree about rulesets without `extends`.
  linter.setRuleset({ extends: [spectralRulesets.oas as RulesetDefinition] });
  const results = await linter.run(document as Record<string, unknown>);
  return results.map(({ code, message, path }) => `Spectral ${code} ${path.join('/')}: ${message}`);
}
