import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';
import config, { exhaustive } from './vitest.config.ts';

export default mergeConfig(
  { ...config, test: { ...config.test, include: [], exclude: [] } },
  defineConfig({ test: { include: [exhaustive], exclude: configDefaults.exclude } }),
);
