// Numbers as people read them. Dollars without cents unless there are any.

const whole = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const withCents = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const counts = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** `$126.50`, `$64`; `–` for no value. */
export function dollars(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return '–';
  return Number.isInteger(amount) ? whole.format(amount) : withCents.format(amount);
}

/** `1,120`; `–` for no value. */
export function count(amount: number | null | undefined): string {
  return amount === null || amount === undefined ? '–' : counts.format(amount);
}

/** `8.2`, without the sign of percent. */
export function decimal(amount: number): string {
  return tenths.format(amount);
}

/** `1 watch`, `3 watches`. */
export function plural(amount: number, one: string, many = `${one}s`): string {
  return `${count(amount)} ${amount === 1 ? one : many}`;
}

/** A value in its unit, as rules have it. */
export function inUnit(value: number | null, unit: 'dollars' | 'count' | 'percent'): string {
  if (value === null) return '–';
  if (unit === 'dollars') return dollars(value);
  return unit === 'count' ? count(value) : `${decimal(value)}%`;
}
