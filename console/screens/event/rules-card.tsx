// The owner's rules on an event: what each asks for, how far it is, who hears of it.
import type { ListedWatch } from '../../api/calls.ts';
import { Card } from '../../parts/card.tsx';
import { Link } from '../../parts/link.tsx';
import { coarseNow } from '../../state/clock.ts';
import { canWrite } from '../../state/session.ts';
import { zone as timeZone } from '../../state/status.ts';
import { channelName } from '../channels/channel-words.ts';
import { useChannels } from '../watch/use-channels.ts';
import { ruleStateOf } from './rule-state.ts';

interface RulesCardProps {
  watches: readonly ListedWatch[];
  eventId: number;
  zone: string | null;
}

export function RulesCard({ watches, eventId, zone }: RulesCardProps) {
  const channels = useChannels()?.channels ?? [];
  const names = new Map(channels.map((channel) => [channel.id, channelName(channel)]));
  const query = zone === null ? '' : `&zone=${encodeURIComponent(zone)}`;
  return (
    <Card
      title="Your rules here"
      also={
        canWrite.value && (
          <Link to={`/watches/new?event=${eventId}${query}`} class="button">
            Add
          </Link>
        )
      }
    >
      <div class="list">
        {watches.length === 0 && <p class="muted">You don’t watch this event.</p>}
        {watches.flatMap((watch) =>
          watch.rules.map(({ id, sentence }) => {
            const rule = watch.standing?.rules.find((each) => each.id === id);
            const state = ruleStateOf(watch, rule, { now: coarseNow.value, zone: timeZone.value });
            return (
              <div key={id}>
                <Link to={`/watches/${watch.id}?rule=${id}`} class="name long">
                  {sentence}
                </Link>
                <span class="small muted long">
                  {[rule?.words, watch.channels.map((each) => names.get(each) ?? '').join(', ')]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
                <span>
                  <span class={`state ${state.look}`}>{state.text}</span>
                </span>
              </div>
            );
          }),
        )}
      </div>
    </Card>
  );
}
