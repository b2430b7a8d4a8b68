// The numbers of an event now, or of the zone that is chosen.
import type { EventDetail, ZonePosition } from '../../api/calls.ts';
import { Change } from '../../parts/change.tsx';
import { count, dollars } from '../../words/amounts.ts';
import { placeText } from './place-words.ts';

interface FactsProps {
  event: EventDetail;
  position: ZonePosition | undefined;
  zone: string | null;
}

export function Facts({ event, position, zone }: FactsProps) {
  const listings = event.latest?.metrics.total_listings_active;
  const change = position?.get_in_change_24h_percent ?? null;
  return (
    <dl class="event-facts">
      <div>
        <dt>Get-in{zone !== null && <>, {zone}</>}</dt>
        <dd>
          {dollars(position?.get_in)}{' '}
          {change !== null && (
            <span class="small" title="Since 24 hours ago">
              <Change percent={change} />
            </span>
          )}
        </dd>
      </div>
      <Fact name="Two together" text={dollars(position?.get_in_qty2plus)} />
      <Fact name="Median" text={dollars(position?.median_price)} />
      <Fact name="Listings" text={count(listings)} />
      <Fact name="In 30 days" text={placeText(position?.get_in_30_days)} />
    </dl>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  );
}
