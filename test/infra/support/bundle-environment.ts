/**
 * Values for a function's variables whose template values are references; a bundle must accept
 * them.
 */

/** Variables that do not accept an arbitrary text. */
const particular: Readonly<Record<string, string>> = {
  MARKETPLACE_URL: 'http://127.0.0.1:9',
  PUBLIC_URL: 'http://127.0.0.1:9',
  EMAIL_SENDER: 'alerts@getin.example',
  LOOPBACK_WEBHOOKS: 'refused',
  TELEGRAM_API_URL: 'http://127.0.0.1:9',
  BUY_LINK_TEMPLATES: '',
  SYNTHETIC_EVENT: '',
  DAILY_PULL_CAP: '500',
  MONTHLY_PULL_CAP: '10000',
  OWNER_WATCH_QUOTA: '10000',
  ALERT_RETENTION_DAYS: '400',
  VERSION_RETENTION_DAYS: '90',
  FLAT_PLAN_CHARGES_FREE_POLLS: 'yes',
  DATED_STATS_WITHOUT_MATCH_CHARGED: 'yes',
};

export function bundleEnvironment(variables: Record<string, unknown>): Record<string, string> {
  const values = Object.entries(variables).map(([name, value]) => [
    name,
    particular[name] ?? (typeof value === 'string' ? value : 'some'),
  ]);
  return { AWS_REGION: 'us-east-1', ...Object.fromEntries(values) };
}
