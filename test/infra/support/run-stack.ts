/** Runs a fixture assembly on free ports and records the functions' logs. */
import { join } from 'node:path';
import { readCloudAssembly } from '#infra/local/assembly/cloud-assembly.ts';
import { LocalStack, type LocalStackOptions } from '#infra/local/local-stack.ts';
import { type FixtureAssembly, writeAssembly } from './fixture-assembly.ts';

export interface Recorded {
  lines: string[];
  failures: string[];
  troubles: string[];
}

export const anyPorts = {
  api: 0,
  marketplace: 0,
  inbox: 0,
  webhooks: 0,
  dynamodb: 0,
  sqs: 0,
  secretsManager: 0,
};

export async function runStack(
  folder: string,
  assembly: FixtureAssembly,
  options: Partial<LocalStackOptions> = {},
): Promise<{ stack: LocalStack; recorded: Recorded }> {
  const recorded: Recorded = { lines: [], failures: [], troubles: [] };
  const stack = await LocalStack.provision({
    assembly: readCloudAssembly(writeAssembly(join(folder, 'cdk.out'), assembly)),
    parameters: {},
    dataFolder: join(folder, 'data'),
    ports: anyPorts,
    observer: {
      logLine: (_, line) => recorded.lines.push(line),
      functionFailed: (label, { errorMessage }) =>
        recorded.failures.push(`${label}: ${errorMessage}`),
      trouble: (line) => recorded.troubles.push(line),
    },
    ...options,
  });
  return { stack, recorded };
}
