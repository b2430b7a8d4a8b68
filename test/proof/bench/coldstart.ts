/**
 * Size and init time of every function's code, as synthesized, beside a minimal handler that makes
 * only the same AWS SDK clients, in the same run. Init is the import of the handler in a fresh process, without the
 * code that is imported later; ratios are of medians. The processor time is shown beside it, because
 * other load on the machine changes it less.
 *
 *   node test/proof/bench/coldstart.ts [--quick] [--assembly DIR]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { readCloudAssembly } from '#infra/local/assembly/cloud-assembly.ts';
import { synthesize } from '#infra/local/assembly/synthesize.ts';
import { bundleEnvironment } from '#test/infra/support/bundle-environment.ts';
import { bytesAtStart } from '#test/support/bytes-at-start.ts';
import { median } from '#test/support/quantile.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const most = 1.5;

/** Why a function may take more than 1.5 times its minimal handler. */
const reasons: Readonly<Record<string, string>> = {
  api: 'Hono, the conventions of every route, the entities of 40 stores',
  chart: 'resvg and its WebAssembly, loaded before the first request',
  console: 'no client, so that the minimal handler loads nothing',
  jobs: 'the entities of 40 stores',
  reconcile:
    'the entities of 14 stores, the schemas of two endpoints, Temporal and the time zones of the catalog',
  'send-webhook': 'the renderers of eight kinds of channels, the entities of 8 stores',
};

/** The ratios of November 2026, when each function was one file with every schema that its modules make. */
const before: Readonly<Record<string, number>> = {
  api: 2.2,
  'send-email': 1.7,
  'send-webhook': 2.1,
};

/** The code that makes each SDK client, as a minimal handler writes it. */
const clients: Readonly<Record<string, string>> = {
  'client-dynamodb': 'DynamoDBClient',
  'client-sqs': 'SQSClient',
  'client-ses': 'SESClient',
  'client-secrets-manager': 'SecretsManagerClient',
};

interface Subject {
  name: string;
  file: string;
  minimal: string;
  environment: Record<string, string>;
}

/** As CDK's own NodejsFunction bundles a minified module: into one file. */
const bundling: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  minify: true,
  mainFields: ['module', 'main'],
  absWorkingDir: root,
};

async function clientsOf(name: string): Promise<string[]> {
  const { metafile } = await build({
    ...bundling,
    entryPoints: [`functions/${name}/handler.ts`],
    write: false,
    metafile: true,
    outdir: 'out',
  });
  const [output] = Object.values(metafile?.outputs ?? {});
  const kept = Object.entries(output?.inputs ?? {}).filter(([, one]) => one.bytesInOutput > 0);
  const used = kept.map(([path]) => /@aws-sdk\/(client-[a-z-]+|lib-dynamodb)\//.exec(path)?.[1]);
  return [...new Set(used)].filter((one) => one !== undefined).sort();
}

async function bundleMinimal(folder: string, packages: readonly string[]): Promise<string> {
  const made = packages.flatMap((name) => clients[name] ?? []);
  const imports = packages.flatMap((name) =>
    clients[name] ? `import { ${clients[name]} } from '@aws-sdk/${name}';` : [],
  );
  const hasDocuments = packages.includes('lib-dynamodb');
  const document = hasDocuments
    ? ["import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';"]
    : [];
  const source = [
    ...imports,
    ...document,
    `const clients = [${made.map((one) => `new ${one}({})`).join(', ')}];`,
    hasDocuments ? 'clients.push(DynamoDBDocumentClient.from(new DynamoDBClient({})));' : '',
    'export const handler = async () => clients.length;',
  ].join('\n');
  const outfile = join(folder, 'index.mjs');
  await build({ ...bundling, stdin: { contents: source, resolveDir: root }, outfile });
  return outfile;
}

async function subjectsOf(assemblyFolder: string, folder: string): Promise<Subject[]> {
  const { template, assetPaths } = readCloudAssembly(assemblyFolder);
  const subjects: Subject[] = [];
  for (const { Type, Properties = {} } of Object.values(template.Resources)) {
    if (Type !== 'AWS::Lambda::Function') continue;
    const { Variables } = Properties.Environment as { Variables: Record<string, unknown> };
    const { S3Key } = Properties.Code as { S3Key: string };
    const name = String(Variables.POWERTOOLS_SERVICE_NAME).replace('getin-', '');
    const place = join(folder, name);
    mkdirSync(place);
    subjects.push({
      name,
      file: join(assetPaths.get(S3Key) ?? '', 'index.mjs'),
      minimal: await bundleMinimal(place, await clientsOf(name)),
      environment: { ...bundleEnvironment(Variables), NODE_OPTIONS: '' },
    });
  }
  return subjects.sort((one, other) => one.name.localeCompare(other.name));
}

/** Milliseconds of wall time and of processor time that a fresh process takes to import a bundle. */
interface Init {
  initMs: number;
  cpuMs: number;
}

function measureOnce(file: string, env: Record<string, string>): Init {
  const script = `const before = performance.now();
    const cpuBefore = process.cpuUsage();
    const { handler } = await import(${JSON.stringify(file)});
    const { user, system } = process.cpuUsage(cpuBefore);
    if (typeof handler !== 'function') throw new Error('no handler');
    console.log(performance.now() - before, (user + system) / 1000);`;
  const args = ['--input-type=module', '--eval', script];
  const printed = execFileSync(process.execPath, args, { env, encoding: 'utf8' });
  const [initMs = Number.NaN, cpuMs = Number.NaN] = printed.split(' ').map(Number);
  return { initMs, cpuMs };
}

function measure(subjects: readonly Subject[], rounds: number) {
  const runs = subjects.map((subject) => ({
    subject,
    own: [] as Init[],
    minimal: [] as Init[],
  }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { subject, own, minimal } of runs) {
      own.push(measureOnce(subject.file, subject.environment));
      minimal.push(measureOnce(subject.minimal, subject.environment));
    }
  }
  return runs.map(({ subject, own, minimal }) => {
    const of = (inits: readonly Init[], figure: keyof Init) =>
      median(inits.map((init) => init[figure]));
    const ratioOf = (figure: keyof Init) =>
      Number((of(own, figure) / of(minimal, figure)).toFixed(2));
    return {
      name: subject.name,
      bytes: bytesAtStart(subject.file),
      minimalBytes: bytesAtStart(subject.minimal),
      initMs: Number(of(own, 'initMs').toFixed(1)),
      minimalInitMs: Number(of(minimal, 'initMs').toFixed(1)),
      ratio: ratioOf('initMs'),
      cpuRatio: ratioOf('cpuMs'),
    };
  });
}

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, assembly: { type: 'string' } },
});
const folder = mkdtempSync(join(tmpdir(), 'getin-coldstart-'));
try {
  const assembly = values.assembly ?? join(folder, 'cdk.out');
  if (!values.assembly) await synthesize({ outputFolder: assembly });
  const subjects = await subjectsOf(assembly, folder);
  const figures = measure(subjects, values.quick ? 5 : 21);
  const kb = (bytes: number): number => Math.round(bytes / 1000);
  console.table(
    figures.map(({ name, bytes, minimalBytes, initMs, minimalInitMs, ratio, cpuRatio }) => ({
      function: name,
      'bundle, KB': kb(bytes),
      'minimal, KB': kb(minimalBytes),
      'init, ms': initMs,
      'minimal, ms': minimalInitMs,
      ratio,
      'ratio before': before[name] ?? '',
      'ratio, processor': cpuRatio,
      reason: ratio > most ? (reasons[name] ?? 'NONE GIVEN') : '',
    })),
  );
  console.log(JSON.stringify({ bench: 'coldstart', node: process.version, figures }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
