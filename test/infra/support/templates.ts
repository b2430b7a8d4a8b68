/** Synthesizes the stack without bundling, and finds resources in the template. */
import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AlertingStack } from '#infra/alerting-stack.ts';
import { configFor, type Stage } from '#infra/config.ts';

// Other tests cover bundling, so the entries only have to exist.
export const fixtureFunctions = fileURLToPath(new URL('../fixtures/functions/', import.meta.url));

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  Condition?: string;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  UpdatePolicy?: { CodeDeployLambdaAliasUpdate?: Record<string, unknown> };
  DependsOn?: string[];
}

export interface StackTemplate {
  Resources: Record<string, Resource>;
  Parameters: Record<string, object>;
}

/** @returns the stack of a stage, not yet synthesized */
export function aStack(stage: Stage): { app: App; stack: AlertingStack } {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  return {
    app,
    stack: new AlertingStack(app, 'Test', {
      config: configFor(stage),
      functionsFolder: fixtureFunctions,
    }),
  };
}

/** As JSON, by stage: a synthesis takes a second. */
const synthesized = new Map<Stage, string>();

/** @returns a copy, which the caller may change */
export function templateOf(stage: Stage): StackTemplate {
  const text =
    synthesized.get(stage) ?? JSON.stringify(Template.fromStack(aStack(stage).stack).toJSON());
  synthesized.set(stage, text);
  return JSON.parse(text) as StackTemplate;
}

/** Every resource of a type, with its logical id, as a table for `it.each`. */
export function every(template: StackTemplate, type: string): [string, Resource][] {
  const found = Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
  if (found.length === 0) throw new Error(`The template has no ${type}.`);
  return found;
}

/** Function's folder name → its logical id and properties. */
export function functionsOf(
  template: StackTemplate,
): Map<string, { id: string; lambda: Resource }> {
  return new Map(
    every(template, 'AWS::Lambda::Function').map(([id, lambda]) => {
      const service = String(variablesOf(lambda).POWERTOOLS_SERVICE_NAME);
      return [service.replace('getin-', ''), { id, lambda }];
    }),
  );
}

export function variablesOf({ Properties }: Resource): Record<string, unknown> {
  return (Properties.Environment as { Variables: Record<string, unknown> }).Variables;
}

export interface Statement {
  Action: string | string[];
  Resource: unknown;
  Condition?: unknown;
}

/** The statements of a function's role, from all its policies. */
export function statementsOf(template: StackTemplate, { Properties }: Resource): Statement[] {
  const [role] = (Properties.Role as { 'Fn::GetAtt': string[] })['Fn::GetAtt'];
  return every(template, 'AWS::IAM::Policy')
    .filter(([, policy]) => JSON.stringify(policy.Properties.Roles).includes(`"${role}"`))
    .flatMap(
      ([, policy]) => (policy.Properties.PolicyDocument as { Statement: Statement[] }).Statement,
    );
}

/** The logical id that a `Ref` or `Fn::GetAtt` names, however deep; of an alias, that of its function. */
export function targetId(template: StackTemplate, reference: unknown): string {
  const text = JSON.stringify(reference);
  const [, id = ''] = /\{"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(text) ?? [];
  const found = template.Resources[id];
  return found?.Type === 'AWS::Lambda::Alias'
    ? targetId(template, found.Properties.FunctionName)
    : id;
}
