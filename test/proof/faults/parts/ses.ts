// SES as a part. A mail that it accepted counts as sent; the run keeps a record of those.
import { startSes } from '#infra/local/emulators/ses.ts';
import { setOffset } from '../clock/cell.ts';
import { begin, startData, takeOrders } from './orders.ts';
import { unguarded } from './unguarded.ts';

const { port } = startData<{ port: number }>();

takeOrders({ clock: setOffset });
await begin(async () => {
  const { url } = await startSes({ port, access: unguarded('ses') });
  return { port: Number(new URL(url).port) };
});
