// Each runbook answers the same four questions, with commands, and its flags and queues are those of the commands.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alarmKinds } from '#infra/constructs/alarms.ts';
import { startApi } from '#test/support/api.ts';
import { projectRoot } from './support/code-access.ts';

const text = readFileSync(join(projectRoot, 'infra/runbooks.md'), 'utf8');
const [, ...sections] = text.split(/\n## /);
const runbooks = sections.map((section) => {
  const [title = '', ...lines] = section.split('\n');
  return [title, lines.join('\n')] as const;
});

const parts = ['What is seen', 'What to check', 'What to do', 'How to know that it is over'];

it('are those of the events that an operator must expect', () => {
  expect(runbooks.map(([title]) => title)).toEqual([
    'An address is suppressed',
    "SES has paused the account's mail",
    'A secret was overwritten',
    'Data must be restored',
    'AWS tells of a recursive loop',
  ]);
});

describe.each(runbooks)('%s', (_, body) => {
  it('says what is seen, what to check, what to do, and how to know that it is over', () => {
    expect([...body.matchAll(/^\*\*(.+?)\.\*\*/gm)].map(([, part]) => part)).toEqual(parts);
  });

  it('has commands to check with and to act with', () => {
    const [, check = '', act = ''] = body.split(/^\*\*What to (?:check|do)\.\*\*/m);
    expect(check).toMatch(/^(?:aws|npm run) /m);
    expect(act).toMatch(/(?:aws [a-z0-9]+ [a-z-]+|npm run [a-z]+) /);
  });
});

it('names only alarms that exist', () => {
  const known = new Set<string>(alarmKinds);
  const named = [...text.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, name = '']) => name);
  const ringing = named.filter((name) => !name.startsWith('put-') && !name.startsWith('send-'));
  expect(ringing.length).toBeGreaterThan(8);
  expect(ringing.filter((name) => !known.has(name))).toEqual([]);
});

it('names only routes of the API that exist', async () => {
  const api = await startApi();
  const { paths }: { paths: Record<string, object> } = (
    await api.call('/openapi.json', { key: '' })
  ).body;
  await api.stop();
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const named = [...text.matchAll(/`((?:GET|POST|PATCH|DELETE) \/v1\/[^`? ]+)/g)];
  expect(named.length).toBeGreaterThan(6);
  expect(named.map(([, route = '']) => route).filter((route) => !routes.includes(route))).toEqual(
    [],
  );
});
