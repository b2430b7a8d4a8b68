import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findUnusedPromises } from './unused-promises.ts';

/** The ways in which our code drops a promise, and the ways in which it uses one. */
const source = `
function createStore() {
  return {
    async put(value: number): Promise<void> {},
    find: (id: string): Promise<number> => Promise.resolve(id.length),
    perhaps: (): Promise<void> | undefined => undefined,
    forget: (): void => {},
  };
}
type Store = ReturnType<typeof createStore>;
interface Deps { store: Pick<Store, 'put' | 'find' | 'forget'>; senders: Record<'a' | 'b', Store['put']>; perhaps: Store['perhaps'] }

export async function drop({ store, senders, perhaps }: Deps, kind: 'a' | 'b', begun: Promise<void>) {
  store.put(1);
  if (kind === 'a') store.find('x');
  senders[kind](2);
  perhaps();
  begun;
  store.put(3).then(() => {});
  store.put(4).finally(() => {});
  ({ ...store.find('y') });
}

export async function use({ store, senders, perhaps }: Deps, kind: 'a' | 'b', begun: Promise<void>) {
  await store.put(1);
  const found = store.find('x');
  void senders[kind](2);
  await perhaps();
  await begun;
  store.forget();
  store.put(3).catch(() => {});
  store.put(4).then(() => {}, () => {});
  store.put(5).catch(() => {}).finally(() => {});
  Object.assign({}, { then: 'no method' });
  return found;
}
`;

it('finds the promises that are dropped, and no others', () => {
  const root = mkdtempSync(join(tmpdir(), 'unused-promises-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const config = join(root, 'tsconfig.json');
  const compilerOptions = { target: 'es2024', strict: true, types: [] };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ['store.ts'] }));
  writeFileSync(join(root, 'store.ts'), source);
  expect(findUnusedPromises(root, [config])).toEqual([
    'store.ts:14:3  store.put(1)',
    "store.ts:15:21  store.find('x')",
    'store.ts:16:3  senders[kind](2)',
    'store.ts:17:3  perhaps()',
    'store.ts:18:3  begun',
    'store.ts:19:3  store.put(3).then(() => {})',
    'store.ts:20:3  store.put(4).finally(() => {})',
    "store.ts:21:9  store.find('y')",
  ]);
});
