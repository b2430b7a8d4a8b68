/** AWS::IAM::Role and AWS::IAM::Policy → the permissions of the functions with that role. */
import * as z from 'zod';
import { policyDocumentSchema } from '../access/policy.ts';
import { type Cloud, physicalName } from './cloud.ts';
import { inertProperty, provisioner } from './provisioner.ts';

const inlinePolicySchema = z.strictObject({
  PolicyName: z.string(),
  PolicyDocument: policyDocumentSchema,
});

const roleSchema = z.strictObject({
  // Only AWS checks who may assume the role; here the function that names the role has it.
  AssumeRolePolicyDocument: inertProperty,
  Policies: z.array(inlinePolicySchema).default([]),
  // Their statements are not in the template.
  ManagedPolicyArns: z.array(z.string()).default([]),
  Description: inertProperty,
  Tags: inertProperty,
});

export const provisionRole = provisioner(
  roleSchema,
  ({ Policies, ManagedPolicyArns }, resource, cloud) => {
    const name = physicalName(cloud, resource);
    if (ManagedPolicyArns.length > 0) cloud.managedRoles.add(name);
    for (const { PolicyDocument } of Policies) allow(cloud, name, PolicyDocument);
    return { ref: name, attributes: { Arn: `arn:aws:iam::${cloud.accountId}:role/${name}` } };
  },
);

const policySchema = inlinePolicySchema.extend({ Roles: z.array(z.string()) });

export const provisionRolePolicy = provisioner(
  policySchema,
  ({ Roles, PolicyName, PolicyDocument }, _, cloud) => {
    for (const name of Roles) allow(cloud, name, PolicyDocument);
    return { ref: PolicyName, attributes: {} };
  },
);

function allow(
  { roles }: Cloud,
  name: string,
  { Statement }: z.infer<typeof policyDocumentSchema>,
): void {
  roles.set(name, [...(roles.get(name) ?? []), ...Statement]);
}
