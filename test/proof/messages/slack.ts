/** Slack's own packages read the blocks of both kinds of Slack channels: slack_sdk at run time, @slack/types as types. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, root, run } from '../conformance/programs.ts';
import { type Faults, type MessageCheck, skipped, tryAll } from './check.ts';
import { faultsBy, pythonWith, script } from './python.ts';
import { bodiesOf, type Json } from './samples.ts';

const compileMs = 120_000;

export const slackSdkCheck: MessageCheck = {
  title: 'slack_sdk reads the blocks of Slack, and finds them within the limits',

  async run() {
    const python = pythonWith('slack_sdk==3.48.0');
    if ('missing' in python) return skipped(python.missing);
    const finder = script(python.path, 'slack_blocks.py');
    return tryAll({
      right: withBlocks(messagesOfSlack()),
      wrong: new Map([
        ['a header that is too long', blocks({ type: 'header', text: plain('x'.repeat(151)) })],
        ['a button without a label', blocks({ type: 'actions', elements: [{ type: 'button' }] })],
        ['a section without text', blocks({ type: 'section' })],
        ['a block that Slack does not have', blocks({ type: 'fireworks' })],
      ]),
      faultsIn: (messages) => faultsBy(finder, messages),
    });
  },
};

export const slackTypesCheck: MessageCheck = {
  title: '@slack/types has a type for each block of Slack',

  async run() {
    return tryAll({
      right: withBlocks(messagesOfSlack()),
      wrong: new Map([
        ['a block with an odd field', blocks({ type: 'divider', colour: 'red' })],
        ['a block that Slack does not have', blocks({ type: 'fireworks' })],
      ]),
      faultsIn: compile,
    });
  },
};

function messagesOfSlack(): Map<string, Json> {
  return new Map(
    (['slack', 'slack_bot'] as const).flatMap((kind) =>
      [...bodiesOf(kind)].map(([name, body]) => [`${kind} ${name}`, body] as const),
    ),
  );
}

/** The plainer form has text alone. */
function withBlocks(messages: ReadonlyMap<string, Json>): Map<string, Json> {
  return new Map([...messages].filter(([, { blocks: given }]) => given !== undefined));
}

function blocks(...given: Json[]): Json {
  return { blocks: given };
}

function plain(text: string): Json {
  return { type: 'plain_text', text };
}

/** Each message is a file, so that the compiler's line names it. The files are where imports find the package. */
async function compile(messages: ReadonlyMap<string, Json>): Promise<Faults> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'slack-types-'));
  try {
    const names = [...messages.keys()];
    for (const [index, { blocks: given }] of [...messages.values()].entries()) {
      const text = `import type { KnownBlock } from '@slack/types';\nexport const blocks: KnownBlock[] = ${JSON.stringify(given)};\n`;
      writeFileSync(join(folder, `message-${index}.ts`), text);
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: files(names) }),
    );
    const tsc = join(root, 'node_modules/.bin/tsc');
    const { code, output } = await run(tsc, ['--project', folder], { timeoutMs: compileMs });
    if (code === null) throw new Error(output);
    return faultsByFile(output, names);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const compilerOptions = {
  ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, types: [] },
  ...{ module: 'nodenext', target: 'es2024', skipLibCheck: true },
};

function files(names: readonly string[]): string[] {
  return names.map((_, index) => `message-${index}.ts`);
}

/** @throws Error for output that names no message, because then nothing was compiled */
function faultsByFile(output: string, names: readonly string[]): Faults {
  const faults = new Map<string, string[]>();
  for (const line of output.split('\n').filter((text) => text.includes('error TS'))) {
    const [, index] = /message-(\d+)\.ts/.exec(line) ?? [];
    const name = index === undefined ? undefined : names[Number(index)];
    if (name === undefined) throw new Error(line);
    faults.set(name, [...(faults.get(name) ?? []), line.slice(0, 300)]);
  }
  return faults;
}
