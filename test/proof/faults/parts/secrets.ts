// Secrets Manager as a part, over the local cloud's file of secrets.
import { SecretStore, startSecretsManager } from '#infra/local/emulators/secrets-manager.ts';
import { setOffset } from '../clock/cell.ts';
import { begin, startData, takeOrders } from './orders.ts';
import { unguarded } from './unguarded.ts';

const { port, file } = startData<{ port: number; file: string }>();

takeOrders({ clock: setOffset });
await begin(async () => {
  const { url } = await startSecretsManager(
    port,
    new SecretStore(file),
    unguarded('secretsmanager'),
  );
  return { port: Number(new URL(url).port) };
});
