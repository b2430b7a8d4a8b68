// The synthesized stack that all runs share: built once, with less concurrency than on AWS,
// because each new thread costs this machine a quarter of a second.
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { synthesize } from '#infra/local/assembly/synthesize.ts';
import { LocalRunError } from '#infra/local/errors.ts';

const templateFile = 'GetinDev.template.json';
/** Two are enough for concurrency conflicts. */
const mostAtOnce = 2;

interface Template {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

/**
 * @param given an existing assembly; it is copied, not changed.
 * @throws LocalRunError when it doesn't exist, or the stack can't be synthesized
 */
export async function prepareAssembly(folder: string, given: string | undefined): Promise<string> {
  const outputFolder = join(folder, 'cdk.out');
  if (given !== undefined && !existsSync(join(given, templateFile))) {
    throw new LocalRunError(`There is no synthesized stack in ${given}: no ${templateFile}.`);
  }
  if (given === undefined) await synthesize({ outputFolder });
  else cpSync(given, outputFolder, { recursive: true });
  const file = join(outputFolder, templateFile);
  const template = JSON.parse(readFileSync(file, 'utf8')) as Template;
  for (const { Type, Properties } of Object.values(template.Resources)) {
    if (Type !== 'AWS::Lambda::EventSourceMapping' || !Properties) continue;
    Properties.ScalingConfig = { MaximumConcurrency: mostAtOnce };
  }
  writeFileSync(file, JSON.stringify(template));
  return outputFolder;
}
