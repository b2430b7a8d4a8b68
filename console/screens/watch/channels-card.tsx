// Who hears of a watch: the channels with their health, and a mail address where there is none yet.
import { useSignal } from '@preact/signals';
import { addChannel, type ListedChannel } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { Field, Form, submit, useForm } from '../../parts/form.tsx';
import { Link } from '../../parts/link.tsx';
import { told } from '../../parts/toasts.tsx';
import { coarseNow } from '../../state/clock.ts';
import { canWrite } from '../../state/session.ts';
import { zone } from '../../state/status.ts';
import { tellTimesAt } from '../../words/times.ts';
import { channelName, healthOf } from '../channels/channel-words.ts';
import { chosenChannels } from './chosen-channels.ts';
import type { Composition } from './composition.ts';
import type { Channels } from './use-channels.ts';

interface ChannelsCardProps {
  composition: Composition;
  /** undefined while it is asked for. */
  known: Channels | undefined;
}

export function ChannelsCard({ composition, known }: ChannelsCardProps) {
  const isAdding = useSignal(false);
  const isEmpty = known?.channels.length === 0;
  return (
    <Card
      title="Who hears of it"
      also={
        canWrite.value &&
        known &&
        !isEmpty && (
          <button
            type="button"
            aria-expanded={isAdding.value}
            onClick={() => {
              isAdding.value = !isAdding.value;
            }}
          >
            Add
          </button>
        )
      }
    >
      {known && <ChannelList {...{ composition, ...known }} />}
      {canWrite.value && (isAdding.value || isEmpty) && (
        <AddMail
          isFirst={isEmpty === true}
          onAdded={({ id }) => {
            isAdding.value = false;
            const chosen = known ? chosenChannels(composition, known) : [];
            composition.channels.value = [...chosen, id];
          }}
        />
      )}
    </Card>
  );
}

interface ChannelListProps extends Channels {
  composition: Composition;
}

function ChannelList({ composition, channels, defaults }: ChannelListProps) {
  const chosen = chosenChannels(composition, { channels, defaults });
  const fault = composition.faults.value.get('channels');
  const clock = tellTimesAt(coarseNow.value, zone.value);
  return (
    <div class="list">
      {channels.map((channel) => {
        const health = healthOf(channel, undefined, clock);
        const isChosen = chosen.includes(channel.id);
        return (
          <div key={channel.id}>
            <label>
              <input
                type="checkbox"
                checked={isChosen}
                disabled={!canWrite.value}
                onChange={() => {
                  composition.channels.value = isChosen
                    ? chosen.filter((id) => id !== channel.id)
                    : [...chosen, channel.id];
                }}
              />{' '}
              <span class="long">{channelName(channel)}</span>
            </label>
            <span class={`small ${lookClass[health.look]}`} title={health.text}>
              {health.state}
            </span>
          </div>
        );
      })}
      {channels.length > 1 && (
        <label class="small muted">
          If that fails, tell{' '}
          <select
            class="slot"
            value={composition.fallback.value}
            disabled={!canWrite.value}
            onChange={({ currentTarget }) => {
              composition.fallback.value = currentTarget.value;
            }}
          >
            <option value="">nobody else</option>
            {channels.map((channel) => (
              <option key={channel.id} value={channel.id}>
                {channelName(channel)}
              </option>
            ))}
          </select>
        </label>
      )}
      {fault && (
        <p class="alarm-text" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

const lookClass = {
  ...{ armed: 'muted', fired: 'muted', wait: 'wait-text', trouble: 'alarm-text' },
} as const;

interface AddMailProps {
  isFirst: boolean;
  onAdded: (channel: ListedChannel) => void;
}

/** The channel that everybody has; the others are added on their own screen. */
function AddMail({ isFirst, onAdded }: AddMailProps) {
  const form = useForm();
  const address = useSignal('');
  const add = () =>
    submit(form, async () => {
      const body = { kind: 'email', address: address.value.trim() };
      onAdded(await send(addChannel, { body }));
      told(`A mail to ${body.address} is on its way: open its link, then alerts come there.`);
      address.value = '';
    });
  return (
    <Form form={form} class="add-mail" onSubmit={add}>
      <Field form={form} name="address" label={isFirst ? 'Your mail address' : 'Mail address'}>
        {(control) => (
          <input
            {...control}
            type="email"
            autocomplete="email"
            placeholder="you@example.com"
            value={address.value}
            onInput={({ currentTarget }) => {
              address.value = currentTarget.value;
            }}
          />
        )}
      </Field>
      <button type="submit" disabled={form.isBusy.value}>
        Add
      </button>
      <span class="small muted">
        Or{' '}
        <Link to="/channels" class="link">
          add a chat, a webhook or another kind
        </Link>
        .
      </span>
    </Form>
  );
}
