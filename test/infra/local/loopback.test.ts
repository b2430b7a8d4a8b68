import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import {
  addressOf,
  closeServer,
  httpServer,
  listenOnLoopback,
  loopbackAddress,
  portBlock,
  serverNames,
} from '#infra/local/loopback.ts';

let occupant: Server | undefined;
afterEach(async () => {
  if (occupant) await closeServer(occupant);
  occupant = undefined;
});

it('names the used port, the server that needs it, and the flag', async () => {
  occupant = createServer();
  const taken = await listenOnLoopback(occupant, 0);
  const first = taken - serverNames.indexOf('inbox');
  await expect(portBlock(first)).rejects.toThrow(
    `Port ${taken} (inbox) is in use. The run takes ports ${first} to ${first + 6}; ` +
      'choose another first one with --port N.',
  );
});

it('takes any free ports for 0', async () => {
  expect(new Set(Object.values(await portBlock(0)))).toEqual(new Set([0]));
});

it('refuses a block that runs past the last port', async () => {
  await expect(portBlock(65_530)).rejects.toThrow(
    '--port 65530 leaves no room for 7 ports in a row.',
  );
});

it('ends a request alone that its client breaks off, as a thread does that is stopped within one', async () => {
  const brokenOff = Promise.withResolvers<unknown>();
  const server = httpServer(async (request, response) => {
    await text(request).catch((error) => {
      brokenOff.resolve(error);
      throw error;
    });
    response.end('here');
  });
  occupant = server;
  const port = await listenOnLoopback(server, 0);
  const client = connect(port, loopbackAddress);
  client.write('POST / HTTP/1.1\r\nhost: getin\r\ncontent-length: 9\r\n\r\nhalf');
  await once(server, 'request');
  client.destroy();

  expect(await brokenOff.promise).toMatchObject({ code: 'ECONNRESET' });
  expect(await (await fetch(addressOf(port))).text()).toBe('here');
});

it('answers 500 for a request that fails', async () => {
  const server = httpServer(() => Promise.reject(new Error('no such secret')));
  occupant = server;
  const response = await fetch(addressOf(await listenOnLoopback(server, 0)));
  expect([response.status, await response.text()]).toEqual([500, 'no such secret']);
});
