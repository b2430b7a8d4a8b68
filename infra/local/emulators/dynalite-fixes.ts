/**
 * Makes dynalite behave like DynamoDB: fast, without leaks, each write atomic. All servers of a process share
 * dynalite's modules, so one import is enough.
 */
import { closeIterators } from './close-iterators.ts';
import { parseOnce } from './parse-once.ts';
import { readAtOnce } from './read-at-once.ts';
import { writeAsOne } from './write-as-one.ts';

closeIterators();
parseOnce();
readAtOnce();
writeAsOne();
