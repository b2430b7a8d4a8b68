/**
 * `npm run bench`: runs every program whose figures this project claims, in sequence, and rewrites
 * the table in test/proof/bench/README.md.
 *
 *   npm run bench -- [NAME ...] [--quick] [--print]
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { figuresSchema, renderTable, replaceTable } from './table/figures.ts';
import { type Program, wasSkipped } from './table/program.ts';
import { programs } from './table/programs.ts';

const root = new URL('../../../', import.meta.url);
const figuresFile = new URL('./table/figures.json', import.meta.url);
const readmeFile = new URL('./README.md', import.meta.url);

const usage = `npm run bench -- [NAME ...] [--quick] [--print]

  NAME      only these: ${programs.map(({ name }) => name).join(', ')}
  --quick   each in under 40 seconds, or its shortest form
  --print   measures nothing, prints the table as last measured`;

function refuse(message: string): never {
  console.error(`${message} See --help.`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        print: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('. ');
    return refuse(`${sentence}.`);
  }
}

/** Runs a program with its output shown. @returns the last line that it printed */
async function lastLineOf(command: string): Promise<string> {
  const [file = '', ...args] = command.split(' ');
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const code = await new Promise((settle) => child.once('close', settle));
  if (code !== 0) throw new Error(`"${command}" ended with ${code}`);
  return output.trimEnd().split('\n').at(-1) ?? '';
}

async function measure(program: Program, isQuick: boolean): Promise<void> {
  const flags = isQuick ? ` ${program.quickFlags}` : '';
  console.log(`\n== ${program.name}${isQuick ? '' : ` (about ${program.minutes} min)`}`);
  const lastLine: unknown = JSON.parse(await lastLineOf(`${program.run}${flags}`));
  if (wasSkipped(lastLine)) return console.log(`${program.name}: its last figures stay`);
  const claims = program.claimsOf(lastLine);
  const command = `npm run bench -- ${program.name}${isQuick ? ' --quick' : ''}`;
  // Read again, because another run may have written other figures meanwhile.
  const figures = readFigures();
  figures[program.name] = { date: new Date().toISOString().slice(0, 10), command, claims };
  writeFileSync(figuresFile, `${JSON.stringify(figures, null, 2)}\n`);
  const table = renderTable(figures, programs);
  writeFileSync(readmeFile, replaceTable(readFileSync(readmeFile, 'utf8'), table));
}

function readFigures() {
  return figuresSchema.parse(JSON.parse(readFileSync(figuresFile, 'utf8')));
}

const { values, positionals } = readArguments();
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const unknown = positionals.filter((name) => !programs.some((one) => one.name === name));
if (unknown.length > 0) refuse(`There is no bench called ${unknown.join(', ')}.`);
const chosen = programs.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
);
const failures: string[] = [];
for (const program of values.print ? [] : chosen) {
  try {
    await measure(program, values.quick);
  } catch (error) {
    failures.push(`${program.name}: ${(error as Error).message}`);
  }
}
console.log(`\n${renderTable(readFigures(), programs)}`);
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
