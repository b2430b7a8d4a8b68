/**
 * Opens dynalite with fixes that make it behave like DynamoDB: fast, without leaks, each write
 * atomic.
 */
import type { Server } from 'node:http';
import dynalite from 'dynalite';
import { closeIterators } from './close-iterators.ts';
import { parseOnce } from './parse-once.ts';
import { readAtOnce } from './read-at-once.ts';
import { writeAsOne } from './write-as-one.ts';

// All servers of the process share dynalite's modules.
closeIterators();
parseOnce();
readAtOnce();
writeAsOne();

/**
 * @param folder the folder of the tables; absent: in memory. @returns a server that does not listen
 * yet.
 */
export function openDynalite(folder?: string): Server {
  return dynalite({
    ...(folder !== undefined && { path: folder }),
    ...{ createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 },
  });
}
