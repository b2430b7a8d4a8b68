// The marketplace as a part: only the operator adds data; its records are in one SQLite file.
import { startMarketplace } from '#marketplace/start.ts';
import { setOffset } from '../clock/cell.ts';
import { begin, startData, takeOrders } from './orders.ts';

const { port, dbFile } = startData<{ port: number; dbFile: string }>();

takeOrders({ clock: setOffset });
await begin(async () => {
  const { url, keys } = await startMarketplace({ port, dbFile, source: { kind: 'none' } });
  return { port: Number(new URL(url).port), key: keys.main, operatorKey: keys.operator };
});
