// The list of a channel's newest alerts: none, some with odd names, more than it shows.
import { anAlert, firedAt, hostileNames } from '#test/support/alerts.ts';
import { mailLooks, type Picture } from './picture.ts';
import type { World } from './world.ts';

const games = Array.from({ length: 103 }, (_, index) => `Knicks at Heat, game ${index + 1}`);
const lists: Readonly<Record<string, readonly string[]>> = {
  none: [],
  odd: hostileNames,
  many: games,
};
const minuteMs = 60_000;

export async function alertLists(world: World): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (const [name, eventNames] of Object.entries(lists)) {
    const { stopUrl, channelId } = await world.addChannel({});
    const alerts = eventNames.map((eventName, index) =>
      anAlert({
        ...{ eventName, channelIds: [channelId], alertId: `alt_${name}${index}_1` },
        ...{ base: 7_400 + index * 50, firedAt: firedAt - index * minuteMs },
        observedAt: firedAt - (index + 1) * minuteMs,
      }),
    );
    await world.keep(alerts);
    pictures.push({
      name: `alerts-${name}`,
      looks: mailLooks,
      show: (page) => page.goto(`${stopUrl}?do=alerts`),
      // A list in its whole length would be too large a file.
      ...(alerts.length > 0 && { height: 1_400 }),
    });
  }
  return pictures;
}
