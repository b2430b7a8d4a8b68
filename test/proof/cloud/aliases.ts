/** moto's CloudFormation makes no aliases: what names an alias of a function names the function instead. */
import type { CloudAssembly } from '#infra/local/assembly/cloud-assembly.ts';

export function withoutAliases(assembly: CloudAssembly): CloudAssembly {
  const { template } = assembly;
  const functionOf = new Map(
    Object.entries(template.Resources).flatMap(([id, { Type, Properties }]) =>
      Type === 'AWS::Lambda::Alias'
        ? [[id, (Properties?.FunctionName as { Ref: string } | undefined)?.Ref ?? '']]
        : [],
    ),
  );
  const Resources = Object.fromEntries(
    Object.entries(template.Resources)
      .filter(([id]) => !functionOf.has(id))
      .map(([id, resource]) => [id, named(resource, functionOf) as typeof resource]),
  );
  return { ...assembly, template: { ...template, Resources } };
}

function named(value: unknown, functionOf: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => named(item, functionOf));
  if (typeof value !== 'object' || value === null) return value;
  const { Ref } = value as { Ref?: string };
  const lambda = functionOf.get(Ref ?? '');
  if (lambda !== undefined) return { 'Fn::GetAtt': [lambda, 'Arn'] };
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'FunctionName' ? nameOf(item, functionOf) : named(item, functionOf),
    ]),
  );
}

/** A name is taken out of the alias's ARN, by functions that moto need not compute. */
function nameOf(item: unknown, functionOf: ReadonlyMap<string, string>): unknown {
  const [, id = ''] = /"Ref":"(\w+)"/.exec(JSON.stringify(item)) ?? [];
  const lambda = functionOf.get(id);
  return lambda === undefined ? item : { Ref: lambda };
}
