// What a rule saw when it alerted: the numbers with their times, the decision, the listings.
import { explainWatch, type ListedAlert } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Link } from '../../parts/link.tsx';
import { useLive } from '../../state/live.ts';
import { zone } from '../../state/status.ts';
import { dollars } from '../../words/amounts.ts';
import { wholeTime } from '../../words/times.ts';

/** The past does not change. */
const everyMs = 600_000;

export function WhatItSaw({ alert }: { alert: ListedAlert }) {
  const { watch_id, rule_id, observed_at } = alert;
  const { data, error } = useLive(
    (signal) =>
      send(explainWatch, {
        path: { id: watch_id },
        query: { at: observed_at, rule_id },
        signal,
      }),
    [alert.id],
    everyMs,
  );
  const look = data.value?.data.find((each) => each.alert_id === alert.id) ?? data.value?.data[0];
  const time = (iso: string) => wholeTime(Date.parse(iso), zone.value);
  const facts: [string, string][] = [
    ['The market had', `${alert.value}, ${time(observed_at)}`],
    ...(look?.looked_at ? [['We looked', time(look.looked_at)] as [string, string]] : []),
    ['The alert fired', time(alert.fired_at)],
    ...(alert.previous_value
      ? [
          [
            'Before',
            alert.before_at
              ? `${alert.previous_value}, ${time(alert.before_at)}`
              : alert.previous_value,
          ] as [string, string],
        ]
      : []),
    ...(alert.level_text ? [['Your level', alert.level_text] as [string, string]] : []),
    ...(alert.covered_hours !== null
      ? [['Prices known for', `${alert.covered_hours} h`] as [string, string]]
      : []),
  ];
  return (
    <section>
      <h3>What the rule saw</h3>
      <p>{alert.headline}</p>
      <dl class="facts small">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt class="muted">{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {alert.listings.length > 0 && (
        <ul class="plain-list small">
          {alert.listings.map(({ zone: place, section, row, quantity, price }) => (
            <li key={`${section} ${row} ${quantity} ${price}`}>
              {dollars(price)} · section {section}, row {row} · {quantity} together · {place}
            </li>
          ))}
        </ul>
      )}
      <p class="small muted">
        {error.value
          ? 'The watch or its rule is gone; what is above was kept with the alert.'
          : (look?.text ?? '')}
      </p>
      <p class="small row">
        {!error.value && (
          <Link class="link" to={`/watches/${watch_id}`}>
            Open the watch
          </Link>
        )}
        <Link class="link" to={`/alerts?watch=${watch_id}`}>
          All its alerts
        </Link>
        <Link class="link" to={`/alerts?event=${alert.event_id}`}>
          All alerts of the event
        </Link>
      </p>
    </section>
  );
}
