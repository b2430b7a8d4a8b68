import { createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { closeServer, listenOnLoopback, portBlock, serverNames } from '#infra/local/loopback.ts';

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
