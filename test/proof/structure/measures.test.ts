// Compares the structure with its targets, so that no change worsens it unnoticed.
import { expect, it } from 'vitest';
import { measureStructure } from './measures.ts';

it.each(measureStructure())('$what: at most $aim', ({ value, aim, evidence }) => {
  expect(value > aim ? evidence : []).toEqual([]);
});
