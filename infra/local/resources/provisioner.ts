/** A provisioner: what it takes of a resource's properties, and what it does with them. */
import * as z from 'zod';
import { LocalRunError } from '../errors.ts';
import type { Cloud, DeclaredResource, ProvisionedResource } from './cloud.ts';

export type Provisioner = (
  resource: DeclaredResource,
  cloud: Cloud,
) => Promise<ProvisionedResource>;

/** A property that changes nothing on this machine (tags, encryption, roles). */
export const inertProperty = z.unknown().optional();

/**
 * A provisioner whose properties are checked first. The schema is strict: a property that
 * it doesn't name is refused, so that nothing in a template is ignored in silence.
 */
export function provisioner<T extends z.ZodType>(
  properties: T,
  provision: (
    properties: z.infer<T>,
    resource: DeclaredResource,
    cloud: Cloud,
  ) => Promise<ProvisionedResource> | ProvisionedResource,
): Provisioner {
  return async (resource, cloud) => {
    const parsed = properties.safeParse(resource.properties);
    if (parsed.success) return provision(parsed.data, resource, cloud);
    throw new LocalRunError(describeIssue(parsed.error.issues[0]));
  };
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') {
    const at = [...issue.path, issue.keys[0]].join('.');
    return `the local run does not handle its property ${at}`;
  }
  return `its property ${issue?.path.join('.')} is not as expected: ${issue?.message}`;
}
