/**
 * Reads a cloud assembly (`cdk.out`): the template of its only stack and the paths of its assets.
 * Checks the files' shapes and names a broken file; resolves nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { LocalRunError, messageOf } from '../errors.ts';

const stackArtifactType = 'aws:cloudformation:stack';
const assetArtifactType = 'cdk:asset-manifest';

const manifestSchema = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      displayName: z.string().optional(),
      properties: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});

const resourceSchema = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).optional(),
  DependsOn: z.union([z.string(), z.array(z.string())]).optional(),
  Condition: z.string().optional(),
  Metadata: z.record(z.string(), z.unknown()).optional(),
});

const parameterSchema = z.object({
  Type: z.string(),
  Default: z.union([z.string(), z.number()]).optional(),
  AllowedValues: z.array(z.union([z.string(), z.number()])).optional(),
  AllowedPattern: z.string().optional(),
});

const templateSchema = z.object({
  Resources: z.record(z.string(), resourceSchema),
  Parameters: z.record(z.string(), parameterSchema).default({}),
  Mappings: z
    .record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown())))
    .default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  Outputs: z
    .record(z.string(), z.object({ Value: z.unknown(), Condition: z.string().optional() }))
    .default({}),
});

const assetsSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.object({ path: z.string().optional(), packaging: z.string().optional() }),
      destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
    }),
  ),
});

export type TemplateResource = z.infer<typeof resourceSchema>;
export type TemplateParameter = z.infer<typeof parameterSchema>;
export type Template = z.infer<typeof templateSchema>;

export interface CloudAssembly {
  stackName: string;
  template: Template;
  /** S3 object key in the template → the asset's folder or file on disk. */
  assetPaths: ReadonlyMap<string, string>;
}

/**
 * @throws LocalRunError naming the missing or broken file, or if the assembly has not exactly one
 * stack
 */
export function readCloudAssembly(folder: string): CloudAssembly {
  const manifest = readShape(join(folder, 'manifest.json'), manifestSchema);
  const artifacts = Object.entries(manifest.artifacts);
  const stacks = artifacts.filter(([, { type }]) => type === stackArtifactType);
  const [stack] = stacks;
  if (!stack || stacks.length > 1) {
    throw new LocalRunError(
      `${folder} holds ${stacks.length} stacks; the local run takes an assembly with one.`,
    );
  }
  const [stackName, { properties = {} }] = stack;
  const assetPaths = new Map<string, string>();
  for (const [, artifact] of artifacts) {
    if (artifact.type !== assetArtifactType) continue;
    addAssetPaths(assetPaths, folder, String(artifact.properties?.file));
  }
  const template = readShape(join(folder, String(properties.templateFile)), templateSchema);
  return { stackName, template, assetPaths };
}

function addAssetPaths(paths: Map<string, string>, folder: string, file: string): void {
  for (const { source, destinations } of Object.values(
    readShape(join(folder, file), assetsSchema).files,
  )) {
    if (source.path === undefined) continue;
    for (const { objectKey } of Object.values(destinations)) {
      paths.set(objectKey, resolve(folder, source.path));
    }
  }
}

function readShape<T extends z.ZodType>(file: string, schema: T): z.infer<T> {
  if (!existsSync(file)) throw new LocalRunError(`${file} is missing; synthesize the stack first.`);
  const parsed = schema.safeParse(readJson(file));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new LocalRunError(`${file} is broken at ${issue?.path.join('.')}: ${issue?.message}.`);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new LocalRunError(`${file} is not JSON: ${messageOf(error)}.`, { cause: error });
  }
}
