/**
 * Deploys the synthesized template to moto's CloudFormation on this machine and checks
 * the result: tables, queues, event sources. It prints a clear message if it can't; it claims nothing
 * that moto does not emulate (delivery by event sources, evaluation of alarms).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCloudAssembly } from '#infra/local/assembly/cloud-assembly.ts';
import { synthesize } from '#infra/local/assembly/synthesize.ts';
import { installProgram } from '#infra/operate/virtual-environment.ts';
import { withoutAliases } from './aliases.ts';
import { deploy, removeStack } from './deploy.ts';
import { type MotoServer, startMoto } from './moto-server.ts';
import { restoreTests } from './restore-drill.ts';
import { smokeTests } from './smoke-tests.ts';

process.exitCode = await main();

async function main(): Promise<number> {
  const installed = installProgram({
    environment: 'cloud',
    requirement: 'moto[cloudformation,server]==5.2.5',
    program: 'moto_server',
  });
  if ('missing' in installed) {
    console.log(`test:cloud: SKIPPED, ${installed.missing}: nothing was deployed`);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'getin-cloud-'));
  let moto: MotoServer | undefined;
  try {
    await synthesize({ outputFolder: folder });
    const assembly = withoutAliases(readCloudAssembly(folder));
    moto = await startMoto(installed.path);
    const stack = await deploy(moto, assembly);
    console.log(`moto makes nothing of ${[...stack.passedOver].sort().join(', ')}`);
    let failed = 0;
    const tests = { ...smokeTests, ...restoreTests };
    for (const [title, test] of Object.entries(tests)) {
      failed += (await passes(title, () => test({ moto: moto as MotoServer, stack, assembly })))
        ? 0
        : 1;
    }
    failed += (await passes('the stack goes again', () => removeStack(moto as MotoServer, stack)))
      ? 0
      : 1;
    const total = Object.keys(tests).length + 1;
    console.log(`test:cloud: ${total - failed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    moto?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function passes(title: string, test: () => Promise<void>): Promise<boolean> {
  try {
    await test();
    console.log(`ok    ${title}`);
    return true;
  } catch (error) {
    console.log(`FAIL  ${title}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}
