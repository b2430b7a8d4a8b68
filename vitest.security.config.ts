import { readFileSync } from 'node:fs';
import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** The tests that SECURITY.md's threat table names: a threat without a test can't be added unseen. */
const threats = readFileSync(new URL('./SECURITY.md', import.meta.url), 'utf8');
const named = [...threats.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].flatMap(([, file]) => file ?? []);

export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  defineConfig({ test: { include: [...new Set(named)] } }),
);
