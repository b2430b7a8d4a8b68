/**
 * Creates the resources of a synthesized template in the local cloud, in the order of their
 * references. resources/ has a file for each type.
 */
import type { CloudAssembly, TemplateResource } from './assembly/cloud-assembly.ts';
import { provisioningOrder } from './assembly/dependencies.ts';
import { createResolver, type Resolver } from './assembly/intrinsics.ts';
import { resolveParameters } from './assembly/parameters.ts';
import { LocalRunError } from './errors.ts';
import type { Cloud, DeclaredResource, ProvisionedResource } from './resources/cloud.ts';
import { isInert, provisionResource } from './resources/resource-types.ts';

export interface ProvisioningInput {
  assembly: CloudAssembly;
  parameters: Record<string, string>;
}

/**
 * Creates the resources, each after those that it refers to.
 *
 * @returns the stack's outputs
 * @throws LocalRunError naming the wrong resource or part of the template
 */
export async function provisionTemplate(
  { assembly, parameters }: ProvisioningInput,
  cloud: Cloud,
): Promise<Record<string, string>> {
  const { template } = assembly;
  const provisioned = new Map<string, ProvisionedResource>();
  const resolver = createResolver({
    template,
    parameters: resolveParameters(template.Parameters, parameters),
    pseudoParameters: pseudoParameters(cloud),
    references: referencesTo(provisioned),
  });
  const wanted = Object.fromEntries(
    Object.entries(template.Resources).filter(([, resource]) => applies(resource, resolver)),
  );
  for (const logicalId of provisioningOrder(wanted)) {
    const resource = wanted[logicalId];
    if (!resource) continue;
    const making = make(logicalId, resource, { resolver, cloud });
    provisioned.set(logicalId, await making.catch((error) => blame(logicalId, resource, error)));
  }
  return Object.fromEntries(
    Object.entries(template.Outputs)
      .filter(([, output]) => applies(output, resolver))
      .map(([name, { Value }]) => [name, String(resolver.resolve(Value))]),
  );
}

async function make(
  logicalId: string,
  resource: TemplateResource,
  { resolver, cloud }: { resolver: Resolver; cloud: Cloud },
): Promise<ProvisionedResource> {
  return provisionResource(declare(logicalId, resource, resolver), cloud);
}

/** Adds the resource to the message, if the fault is in the template. */
function blame(logicalId: string, { Type }: TemplateResource, error: unknown): never {
  if (!(error instanceof LocalRunError)) throw error;
  const reason = error.message.replace(/\.$/, '');
  throw new LocalRunError(`Resource ${logicalId} (${Type}): ${reason}.`, { cause: error });
}

/**
 * Inert resources may refer to resources that don't exist here, so their properties stay
 * unresolved.
 */
function declare(
  logicalId: string,
  { Type, Properties = {}, Metadata }: TemplateResource,
  resolver: Resolver,
): DeclaredResource {
  const path = Metadata?.['aws:cdk:path'];
  return {
    logicalId,
    type: Type,
    path: path === undefined ? undefined : String(path),
    properties: isInert(Type) ? Properties : resolver.resolve(Properties),
  };
}

function applies({ Condition }: { Condition?: string | undefined }, resolver: Resolver): boolean {
  return Condition === undefined || resolver.condition(Condition);
}

function referencesTo(provisioned: ReadonlyMap<string, ProvisionedResource>) {
  const find = (logicalId: string): ProvisionedResource => {
    const resource = provisioned.get(logicalId);
    if (!resource) throw new LocalRunError(`The template has no resource ${logicalId}.`);
    return resource;
  };
  return {
    ref: (logicalId: string) => find(logicalId).ref,
    attribute: (logicalId: string, attribute: string) => {
      const value = find(logicalId).attributes[attribute];
      if (value !== undefined) return value;
      throw new LocalRunError(`The local run has no attribute ${attribute} of ${logicalId}.`);
    },
  };
}

function pseudoParameters({ stackName, region, accountId }: Cloud): Record<string, string> {
  return {
    'AWS::AccountId': accountId,
    'AWS::Partition': 'aws',
    'AWS::Region': region,
    'AWS::StackId': `arn:aws:cloudformation:${region}:${accountId}:stack/${stackName}/local`,
    'AWS::StackName': stackName,
    'AWS::URLSuffix': 'amazonaws.com',
  };
}
