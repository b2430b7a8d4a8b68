// When an owner wants no alerts, and whether alerts are collected for a digest.
import { useSignal } from '@preact/signals';
import { changeOwner, type OwnerJson } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { Field, Form, submit, useForm } from '../../parts/form.tsx';
import { Link } from '../../parts/link.tsx';
import { told } from '../../parts/toasts.tsx';
import { coarseNow } from '../../state/clock.ts';
import { canWrite } from '../../state/session.ts';
import { clockText } from '../../words/times.ts';
import { DayBar } from './day-bar.tsx';
import { minutesOf, type QuietSpan, quietLength, timeOf } from './quiet-hours.ts';

type Hearing = Pick<OwnerJson, 'quiet_hours' | 'digest'>;

/** Where quiet hours begin when they are switched on. */
const usualNight: QuietSpan = { from: 22 * 60, to: 7 * 60 };

const digestModes = [
  { mode: 'off', label: 'no: each alert at once' },
  { mode: 'hourly', label: 'once an hour' },
  { mode: 'daily', label: 'once a day' },
] as const;

/** @param owner its `key` is its settings, so that a change elsewhere begins the form again */
export function QuietCard({ owner }: { owner: OwnerJson }) {
  const form = useForm();
  const { quiet_hours: stored, digest, time_zone: zone } = owner;
  const isQuiet = useSignal(stored !== null);
  const span = useSignal<QuietSpan>(
    stored ? { from: minutesOf(stored.from), to: minutesOf(stored.to) } : usualNight,
  );
  const mode = useSignal(digest.mode);
  const dailyAt = useSignal(digest.daily_at);

  const wanted: Hearing = {
    quiet_hours: isQuiet.value
      ? { from: timeOf(span.value.from), to: timeOf(span.value.to) }
      : null,
    digest: { mode: mode.value, daily_at: dailyAt.value },
  };
  const isChanged = JSON.stringify(wanted) !== JSON.stringify(hearingOf(owner));

  async function save(): Promise<void> {
    const before = hearingOf(owner);
    if (!(await submit(form, () => send(changeOwner, { body: wanted })))) return;
    told(hearingWords(wanted), () => send(changeOwner, { body: before }));
  }

  return (
    <Card
      title="Quiet hours"
      also={
        <span class="small muted">
          {zone}, {clockText(coarseNow.value, zone)}
        </span>
      }
    >
      <Form form={form} onSubmit={save} class="inside">
        <fieldset disabled={!canWrite.value}>
          <label class="check">
            <input
              type="checkbox"
              checked={isQuiet.value}
              onChange={({ currentTarget }) => {
                isQuiet.value = currentTarget.checked;
              }}
            />
            Hold back alerts at night
          </label>
          {isQuiet.value && (
            <>
              <DayBar
                span={span.value}
                now={minutesOf(clockText(coarseNow.value, zone))}
                onChange={(moved) => {
                  span.value = moved;
                }}
              />
              <Field form={form} name="quiet_hours" label="From">
                {(control) => (
                  <span class="row">
                    <Clock control={control} span={span} edge="from" />
                    to
                    <Clock control={{ 'aria-label': 'To' }} span={span} edge="to" />
                    <span class="muted">{quietLength(span.value)}</span>
                  </span>
                )}
              </Field>
            </>
          )}
          <p class="small muted">
            What fires then is sent in one message at the end, if it is still true.
          </p>
          <Field form={form} name="digest" label="Collect alerts into a digest">
            {(control) => (
              <span class="row">
                <select
                  {...control}
                  value={mode.value}
                  onChange={({ currentTarget: { value } }) => {
                    mode.value = digestModes.find((each) => each.mode === value)?.mode ?? 'off';
                  }}
                >
                  {digestModes.map(({ mode: value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </select>
                {mode.value === 'daily' && (
                  <input
                    type="time"
                    aria-label="Time of the digest"
                    value={dailyAt.value}
                    onInput={({ currentTarget: { value } }) => {
                      if (value !== '') dailyAt.value = value;
                    }}
                  />
                )}
              </span>
            )}
          </Field>
          {canWrite.value && (
            <button type="submit" class="primary" disabled={!isChanged || form.isBusy.value}>
              Save
            </button>
          )}
        </fieldset>
        <p class="small muted">
          Urgent rules ignore both, up to 20 alerts a day, and so do channels that are set to “at
          once”. Your time zone is in the{' '}
          <Link class="link" to="/settings">
            settings
          </Link>
          .
        </p>
      </Form>
    </Card>
  );
}

interface ClockProps {
  control: object;
  span: { value: QuietSpan };
  edge: keyof QuietSpan;
}

function Clock({ control, span, edge }: ClockProps) {
  return (
    <input
      {...control}
      type="time"
      value={timeOf(span.value[edge])}
      onInput={({ currentTarget: { value } }) => {
        if (value !== '') span.value = { ...span.value, [edge]: minutesOf(value) };
      }}
    />
  );
}

/** Midnight is 00:00 on the bar, also where the API has 24:00. */
function hearingOf({ quiet_hours: quiet, digest }: OwnerJson): Hearing {
  const { mode, daily_at } = digest;
  return {
    quiet_hours: quiet && { from: quiet.from, to: timeOf(minutesOf(quiet.to)) },
    digest: { mode, daily_at },
  };
}

function hearingWords({ quiet_hours: quiet, digest }: Hearing): string {
  const nights = quiet ? `Quiet from ${quiet.from} to ${quiet.to}` : 'No quiet hours';
  const digests = {
    off: 'no digest',
    hourly: 'a digest each hour',
    daily: `a digest at ${digest.daily_at}`,
  };
  return `${nights}, ${digests[digest.mode]}`;
}
