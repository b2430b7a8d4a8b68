// Whether the API answers.
import type { ApiPart } from '../part.ts';
import { healthOperation } from '../routes/health.ts';

export const part: ApiPart = {
  operations: () => [healthOperation()],
};
