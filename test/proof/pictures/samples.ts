// The messages of the pictures: the samples of the tests as Ann gets them, with a chart, and links that work.
import type { Alert } from '#shared/alerts/alert.ts';
import type { ChartPoint } from '#shared/charts/chart.ts';
import type { Outgoing } from '#shared/delivery/channels/channel-kind.ts';
import type { PriceMovement } from '#shared/delivery/message/price-movement.ts';
import { aListingAlert, anAlert } from '#test/support/alerts.ts';
import { outgoingOf, sampleOutgoing } from '#test/support/messages.ts';
import type { World } from './world.ts';

const hourMs = 3_600_000;
const weekHours = 168;
/** Of the event, so that messages link to its tickets. */
const tmEventId = '0C005F2B9A3D1E47';

/** Alerts that only pictures need: no test compares their messages with a golden file. */
const more: Record<string, Outgoing> = {
  no_data: outgoingOf({
    alerts: [anAlert({ role: 'no_data', value: 0, base: 0, withFee: 0, previousBase: 9_000 })],
  }),
  lone_listing: outgoingOf({
    alerts: [{ ...aListingAlert(1), loneListing: { confirmations: 1 } }],
  }),
  rise: outgoingOf({
    alerts: [
      anAlert({
        ...{ direction: 'up', sentence: 'Get-in of Lower Bowl at or above $100' },
        ...{ value: 10_900, base: 10_900, withFee: 10_900, level: 10_000, askedLevel: 10_000 },
      }),
    ],
  }),
};

/** Stores the alerts of all samples. @returns the messages by name */
export async function composeSamples(world: World): Promise<Map<string, Outgoing>> {
  const samples = new Map<string, Outgoing>();
  for (const [name, sample] of Object.entries({ ...sampleOutgoing, ...more })) {
    const alerts = sample.told.map(({ alert }, index) =>
      withChart({ ...alert, tmEventId, alertId: idOf(alert, samples.size * 10 + index) }),
    );
    await world.keep(alerts);
    samples.set(name, alerts.length > 0 ? recompose(sample, alerts, world) : sample);
  }
  return samples;
}

/** The same message about alerts that this world knows. */
function recompose({ told, heldFor }: Outgoing, alerts: Alert[], world: World): Outgoing {
  const moves = new Map<string, PriceMovement>();
  for (const [index, { message }] of told.entries()) {
    const alert = alerts[index];
    if (alert && message.moves) moves.set(alert.alertId, message.moves);
  }
  const readBy = world.reading;
  return outgoingOf({ alerts, moves, readBy, ...(heldFor && { heldFor }) });
}

function idOf({ role }: Alert, number: number): string {
  return `alt_${String(number).padStart(32, '0')}_1${role === 'recovery' ? '_r' : ''}`;
}

/** A week that ends with the alert's earlier value and its value; without a number there is no chart. */
export function withChart(alert: Alert): Alert {
  const { base, previousBase, role, observedAt } = alert;
  if (role === 'no_data') return alert;
  const before = previousBase ?? Math.round(base * 1.15);
  const points: ChartPoint[] = [];
  for (let hour = weekHours; hour > 2; hour -= 2) {
    const wave = Math.sin(hour / 9) * 0.05 + Math.sin(hour / 3.7) * 0.03;
    const value = before * (1 + hour / weekHours / 4 + wave);
    points.push([observedAt - hour * hourMs, Math.round(value / 50) * 50]);
  }
  points.push([observedAt - 2 * hourMs, before], [observedAt, base]);
  return { ...alert, chart: { points, utcOffsetMinutes: -300 } };
}
