// The simulated DynamoDB for tests: as values, in real time, without latencies and limits of a partition.
import { setImmediate as turn } from 'node:timers/promises';
import { type CarryOut, exceptionOf } from '../direct-client.ts';
import { toWire, type Wire } from '../dynamodb-wire.ts';
import { RefusedRequest } from './refused-request.ts';
import { answered } from './requests.ts';
import { type IndexDefinition, SimulatedTable } from './simulated-table.ts';

/** @param indexes of each table, by its name */
export function openDirectSimulation(
  indexes: Readonly<Record<string, readonly IndexDefinition[]>>,
): CarryOut {
  const tables = new Map(
    Object.entries(indexes).map(([name, of]) => [name, new SimulatedTable(of)]),
  );

  return async function carryOut(operation, input) {
    // It answers in a later turn of the event loop, as over a socket.
    await turn();
    try {
      const { text, commit } = answered(tables, operation, toWire(input) as object);
      commit?.();
      return JSON.parse(text) as Wire;
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error;
      throw exceptionOf({ __type: error.kind, message: error.message });
    } finally {
      await turn();
    }
  };
}
