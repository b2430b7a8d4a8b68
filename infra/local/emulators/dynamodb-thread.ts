/** Runs dynalite in a thread of its own, so that its work does not hold up the triggers. */
import { parentPort, workerData } from 'node:worker_threads';
import dynalite from 'dynalite';
import { messageOf } from '../errors.ts';
import { closeServer, listenOnLoopback } from '../loopback.ts';

const { path, port } = workerData as { path: string; port: number };
const server = dynalite({ path, createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 });

parentPort?.once('message', async () => {
  await closeServer(server);
  process.exit(0);
});

listenOnLoopback(server, port).then(
  (actualPort) => parentPort?.postMessage({ port: actualPort }),
  (error) => parentPort?.postMessage({ failure: messageOf(error) }),
);
