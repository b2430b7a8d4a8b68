/** Opens dynalite as it must be to stand for DynamoDB: quick, without a leak, each write whole. */
import type { Server } from 'node:http';
import dynalite from 'dynalite';
import { closeIterators } from './close-iterators.ts';
import { parseOnce } from './parse-once.ts';
import { readAtOnce } from './read-at-once.ts';
import { writeAsOne } from './write-as-one.ts';

// Dynalite's modules are the process's, however many servers it opens.
closeIterators();
parseOnce();
readAtOnce();
writeAsOne();

/** @param folder where the tables are kept; in memory without one. @returns a server that does not listen yet. */
export function openDynalite(folder?: string): Server {
  return dynalite({
    ...(folder !== undefined && { path: folder }),
    ...{ createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 },
  });
}
