/** Runs dynalite in its own thread, so that its work does not delay the triggers. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ServicePlace } from '../access/aws-call.ts';
import type { Principal } from '../access/gatekeeper.ts';
import { guardServer } from '../access/guard-server.ts';
import { messageOf } from '../errors.ts';
import { closeServer, listenOnLoopback } from '../loopback.ts';
import { openDynalite } from './open-dynalite.ts';

/** The messages from the thread. */
export type FromThread = { port: number } | { failure: string } | { denied: string };

interface ThreadStart {
  path: string;
  port: number;
  place: ServicePlace;
}

const { path, port, place } = workerData as ThreadStart;
const say = (message: FromThread): void => parentPort?.postMessage(message);
const server = openDynalite(path);

const gatekeeper = guardServer(server, { ...place, onDenied: (denied) => say({ denied }) });

parentPort?.on('message', async (message: 'stop' | { hold: Principal[] }) => {
  if (message !== 'stop') return gatekeeper.hold(message.hold);
  await closeServer(server);
  process.exit(0);
});

listenOnLoopback(server, port).then(
  (actualPort) => say({ port: actualPort }),
  (error) => say({ failure: messageOf(error) }),
);
