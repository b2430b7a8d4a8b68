/** SES on this machine, with a web inbox: aws-ses-v2-local. Mail lives as long as the process. */
import startServer from 'aws-ses-v2-local';
import { addressOf, closeServer, loopbackAddress, portOf } from '../loopback.ts';
import type { Emulator } from './emulator.ts';

export async function startSes(port: number): Promise<Emulator> {
  const server = await startServer.default({ port, host: loopbackAddress });
  return { url: addressOf(portOf(server)), stop: () => closeServer(server) };
}
