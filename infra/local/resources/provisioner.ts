/**
 * A provisioner: the resource properties that it accepts, and the function that creates the
 * resource.
 */
import * as z from 'zod';
import { LocalRunError } from '../errors.ts';
import type { Cloud, DeclaredResource, ProvisionedResource } from './cloud.ts';

export type Provisioner = (
  resource: DeclaredResource,
  cloud: Cloud,
) => Promise<ProvisionedResource>;

/** A property without effect on this machine (tags, encryption, roles). */
export const inertProperty = z.unknown().optional();

/**
 * A provisioner that validates properties first. The schema is strict: it refuses unknown
 * properties, so that no part of a template is silently ignored.
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
