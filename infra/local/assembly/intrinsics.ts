/**
 * Resolves CloudFormation's intrinsic functions and conditions against the provisioned resources.
 * Knows no resource type: the caller looks up references.
 */
import { LocalRunError } from '../errors.ts';
import type { Template } from './cloud-assembly.ts';

/** Looks up Ref and GetAtt of an existing resource. */
export interface References {
  ref(logicalId: string): string;
  attribute(logicalId: string, attribute: string): string;
}

export interface ResolutionContext {
  template: Template;
  parameters: Record<string, string>;
  /** `AWS::Region` and so on. */
  pseudoParameters: Record<string, string>;
  references: References;
}

export interface Resolver {
  /** @returns the value with every intrinsic replaced; keys set to `AWS::NoValue` are removed */
  resolve(value: unknown): unknown;
  condition(name: string): boolean;
}

type Intrinsic = (argument: unknown, tools: Tools) => unknown;

interface Tools extends Resolver {
  context: ResolutionContext;
  lookup(name: string): unknown;
}

/** The value of a property set to `AWS::NoValue`, until the property is removed. */
const noValue = Symbol('AWS::NoValue');

export function createResolver(context: ResolutionContext): Resolver {
  const tools: Tools = {
    context,
    resolve: (value) => withoutNoValue(resolveValue(value, tools)),
    condition: (name) => evaluateNamedCondition(name, tools),
    lookup: (name) => lookupReference(name, context),
  };
  return tools;
}

const intrinsics: Record<string, Intrinsic> = {
  Ref: (argument, { lookup }) => lookup(asText(argument, 'Ref')),
  'Fn::GetAtt': (argument, { context, resolve }) => {
    const [logicalId, ...attribute] =
      typeof argument === 'string'
        ? argument.split('.')
        : asList(argument, 'Fn::GetAtt').map((part) => asText(resolve(part), 'Fn::GetAtt'));
    return context.references.attribute(logicalId ?? '', attribute.join('.'));
  },
  'Fn::Sub': (argument, tools) => substitute(argument, tools),
  'Fn::Join': (argument, { resolve }) => {
    const [separator, parts] = asList(argument, 'Fn::Join');
    return asList(resolve(parts), 'Fn::Join')
      .map((part) => asText(part, 'Fn::Join'))
      .join(asText(separator, 'Fn::Join'));
  },
  'Fn::Select': (argument, { resolve }) => {
    const [index, list] = asList(argument, 'Fn::Select');
    const values = asList(resolve(list), 'Fn::Select');
    const position = Number(resolve(index));
    if (!(position in values)) {
      throw new LocalRunError(`Fn::Select takes item ${position} of a list of ${values.length}.`);
    }
    return values[position];
  },
  'Fn::Split': (argument, { resolve }) => {
    const [separator, text] = asList(argument, 'Fn::Split');
    return asText(resolve(text), 'Fn::Split').split(asText(separator, 'Fn::Split'));
  },
  'Fn::FindInMap': (argument, { context, resolve }) => {
    const keys = asList(argument, 'Fn::FindInMap').map((key) => String(resolve(key)));
    const [map = '', top = '', second = ''] = keys;
    const found = context.template.Mappings[map]?.[top]?.[second];
    if (found === undefined) {
      throw new LocalRunError(`Fn::FindInMap finds nothing at ${keys.join('.')}.`);
    }
    return found;
  },
  'Fn::If': (argument, tools) => {
    const [name, whenTrue, whenFalse] = asList(argument, 'Fn::If');
    return resolveValue(tools.condition(asText(name, 'Fn::If')) ? whenTrue : whenFalse, tools);
  },
  'Fn::Base64': (argument, { resolve }) =>
    Buffer.from(asText(resolve(argument), 'Fn::Base64')).toString('base64'),
  'Fn::ImportValue': () => {
    throw new LocalRunError(
      'Fn::ImportValue takes a value from another stack; the local run has one stack only.',
    );
  },
};

function resolveValue(value: unknown, tools: Tools): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, tools));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [key, argument] = entries[0] ?? [];
  if (entries.length === 1 && key !== undefined && isIntrinsicName(key)) {
    const intrinsic = intrinsics[key];
    if (!intrinsic) throw new LocalRunError(`The local run does not know ${key}.`);
    return intrinsic(argument, tools);
  }
  return Object.fromEntries(entries.map(([name, item]) => [name, resolveValue(item, tools)]));
}

function isIntrinsicName(key: string): boolean {
  return key === 'Ref' || key.startsWith('Fn::');
}

function withoutNoValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== noValue).map(withoutNoValue);
  if (value === noValue) return undefined;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== noValue)
      .map(([name, item]) => [name, withoutNoValue(item)]),
  );
}

function lookupReference(name: string, context: ResolutionContext): unknown {
  if (name === 'AWS::NoValue') return noValue;
  return context.pseudoParameters[name] ?? context.parameters[name] ?? context.references.ref(name);
}

/** Both forms of Fn::Sub: a text, or a text with a map of variables. */
function substitute(argument: unknown, tools: Tools): string {
  const [text, own] = Array.isArray(argument) ? argument : [argument, {}];
  const ownValues = tools.resolve(own) as Record<string, unknown>;
  return asText(text, 'Fn::Sub').replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal, name) => {
    if (literal) return `\${${name}}`;
    if (name in ownValues) return asText(ownValues[name], 'Fn::Sub');
    const [logicalId, ...attribute] = String(name).split('.');
    return attribute.length > 0
      ? tools.context.references.attribute(logicalId ?? '', attribute.join('.'))
      : asText(tools.lookup(name), 'Fn::Sub');
  });
}

function evaluateNamedCondition(name: string, tools: Tools): boolean {
  const expression = tools.context.template.Conditions[name];
  if (expression === undefined) throw new LocalRunError(`The template has no condition ${name}.`);
  return evaluateCondition(expression, tools);
}

function evaluateCondition(expression: unknown, tools: Tools): boolean {
  const [operator, argument] = Object.entries((expression ?? {}) as object)[0] ?? [];
  switch (operator) {
    case 'Condition':
      return evaluateNamedCondition(String(argument), tools);
    case 'Fn::Equals': {
      const [left, right] = asList(tools.resolve(argument), operator).map(String);
      return left === right;
    }
    case 'Fn::And':
      return asList(argument, operator).every((part) => evaluateCondition(part, tools));
    case 'Fn::Or':
      return asList(argument, operator).some((part) => evaluateCondition(part, tools));
    case 'Fn::Not':
      return !evaluateCondition(asList(argument, operator)[0], tools);
    default:
      throw new LocalRunError(`The local run does not know the condition ${operator}.`);
  }
}

function asList(value: unknown, intrinsic: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new LocalRunError(`${intrinsic} needs a list, not ${JSON.stringify(value)}.`);
}

function asText(value: unknown, intrinsic: string): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return String(value);
  }
  throw new LocalRunError(`${intrinsic} needs a text, not ${JSON.stringify(value)}.`);
}
