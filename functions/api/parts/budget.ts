// Pulls: what they are spent on, caps and shares.
import type { ApiPart } from '../part.ts';
import { budgetOperations } from '../routes/budget.ts';

export const part: ApiPart = {
  operations: budgetOperations,
};
