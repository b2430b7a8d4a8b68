// Sessions of the desk, and links that sign in.
import type { ApiPart } from '../part.ts';
import { sessionOperations } from '../routes/sessions.ts';

export const part: ApiPart = {
  operations: sessionOperations,
};
