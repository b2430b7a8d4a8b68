/** Opens dynalite with what makes it behave like DynamoDB. */
import type { Server } from 'node:http';
import dynalite from 'dynalite';
import './dynalite-fixes.ts';

/** Tables are ready, changed and deleted at once. */
export const noDelays = { createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 };

/**
 * @param folder the folder of the tables; absent: in memory. @returns a server that does not listen
 * yet.
 */
export function openDynalite(folder?: string): Server {
  return dynalite({
    ...(folder !== undefined && { path: folder }),
    ...noDelays,
  });
}
