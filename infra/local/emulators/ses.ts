/** SES on this machine, with a web inbox: aws-ses-v2-local. Mail lives as long as the process. */
import { createRequire } from 'node:module';
import { addressOf, closeServer, loopbackAddress, portOf } from '../loopback.ts';
import type { Emulator } from './emulator.ts';

// Required, because loaders differ on what `default` of this CommonJS module is.
const { default: startServer }: typeof import('aws-ses-v2-local') = createRequire(import.meta.url)(
  'aws-ses-v2-local',
);

export async function startSes(port: number): Promise<Emulator> {
  const server = await startServer({ port, host: loopbackAddress });
  return { url: addressOf(portOf(server)), stop: () => closeServer(server) };
}
