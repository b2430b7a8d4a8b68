// Jobs: their progress and results.
import type { ApiPart } from '../part.ts';
import { jobOperations } from '../routes/jobs.ts';

export const part: ApiPart = {
  operations: jobOperations,
};
