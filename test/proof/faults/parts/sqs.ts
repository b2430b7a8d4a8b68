// SQS as a part: fauxqs in memory. A kill loses every message, which real SQS never does.
import { startSqs } from '#infra/local/emulators/sqs.ts';
import { setOffset } from '../clock/cell.ts';
import { begin, startData, takeOrders } from './orders.ts';
import { unguarded } from './unguarded.ts';

const { port } = startData<{ port: number }>();

takeOrders({ clock: setOffset });
await begin(async () => {
  const { url } = await startSqs(port, unguarded('sqs'));
  return { port: Number(new URL(url).port) };
});
