// DynamoDB as a part: dynalite with tables on disk, so that a kill loses nothing that was acknowledged.
import { openDynalite } from '#infra/local/emulators/open-dynalite.ts';
import { listenOnLoopback } from '#infra/local/loopback.ts';
import { setOffset } from '../clock/cell.ts';
import { begin, startData, takeOrders } from './orders.ts';

const { port, folder } = startData<{ port: number; folder: string }>();

takeOrders({ clock: setOffset });
await begin(async () => {
  const server = openDynalite(folder);
  return { port: await listenOnLoopback(server, port) };
});
