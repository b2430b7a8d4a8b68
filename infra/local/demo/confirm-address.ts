/**
 * Confirms a mail address as its reader would: waits for the mail in the local inbox and presses
 * the button behind its link.
 */
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { LocalRunError } from '../errors.ts';

const storeSchema = z.object({
  emails: z.array(
    z.object({
      destination: z.object({ to: z.array(z.string()) }),
      body: z.object({ text: z.string().optional() }),
    }),
  ),
});

const lookEveryMs = 250;
/** Two minutes: enough for a cold start on a busy machine. */
const mostLooks = 480;

/** @throws LocalRunError when no mail arrives, or its link does not work */
export async function confirmAddress(
  inbox: string,
  address: string,
  signal?: AbortSignal,
): Promise<void> {
  for (let look = 0; look < mostLooks; look += 1) {
    const link = await findLink(inbox, address);
    if (link !== undefined) return press(link);
    await wait(lookEveryMs, undefined, { signal });
  }
  throw new LocalRunError(`No confirmation mail for ${address} came to the inbox.`);
}

async function findLink(inbox: string, address: string): Promise<string | undefined> {
  const response = await fetch(`${inbox}/store`);
  const { emails } = storeSchema.parse(await response.json());
  const toAddress = emails.filter(({ destination }) => destination.to.includes(address));
  const texts = toAddress.map(({ body }) => body.text ?? '');
  return texts.map((text) => /Confirm this address: (\S+)/.exec(text)?.[1]).find(Boolean);
}

async function press(link: string): Promise<void> {
  const answer = await fetch(link, {
    method: 'POST',
    body: new URLSearchParams({ do: 'confirm' }),
  });
  if (!answer.ok) throw new LocalRunError(`The confirmation link answered ${answer.status}.`);
}
