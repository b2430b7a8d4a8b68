// SES as a part. What it has accepted counts as sent; the run itself keeps a record of that.
import { startSes } from '#infra/local/emulators/ses.ts';
import { setOffset } from '../clock/cell.ts';
import { begin, startData, takeOrders } from './orders.ts';
import { unguarded } from './unguarded.ts';

const { port } = startData<{ port: number }>();

takeOrders({ clock: setOffset });
await begin(async () => {
  const { url } = await startSes(port, unguarded('ses'));
  return { port: Number(new URL(url).port) };
});
