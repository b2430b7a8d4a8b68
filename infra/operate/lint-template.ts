/** `npm run lint:template`: runs cfn-lint on the templates of both stages and of the roles of hosted deployments. */
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../local/assembly/synthesize.ts';
import { projectRoot, runOperation, runProgram } from './command.ts';
import { installProgram } from './virtual-environment.ts';

/**
 * W3005: CDK writes some dependencies that a reference already implies; they are harmless. W1030:
 * an empty certificate parameter is invalid, but the resource with it is only created when it isn't
 * empty.
 */
const ignored = ['W3005', 'W1030'];

await runOperation(async () => {
  const installed = installProgram({
    environment: 'lint',
    requirement: 'cfn-lint==1.58.0',
    program: 'cfn-lint',
  });
  if ('missing' in installed) {
    process.stdout.write(`lint:template: skipped, ${installed.missing}\n`);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'getin-lint-'));
  try {
    for (const stage of ['dev', 'prod'] as const) {
      await synthesize({ outputFolder: join(folder, stage), stage });
    }
    const templates = [
      ...globSync(join(folder, '*', '*.template.json')),
      join(projectRoot, 'infra', 'ci', 'roles.json'),
    ];
    const code = await runProgram(installed.path, [
      '--ignore-checks',
      ...ignored,
      '--',
      ...templates,
    ]);
    if (code === 0)
      process.stdout.write(`lint:template: ${templates.length} templates are clean\n`);
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
