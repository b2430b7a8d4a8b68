// The data of a sample message with single fields the other way round: a value that may be missing is missing, or is
// there. Only what can come together, so that no template is refused for a message that never comes.
import * as z from 'zod';
import { alertPayloadSchema } from '#shared/delivery/message/alert-payload-schema.ts';
import type { TemplateValue } from '#shared/delivery/template/content-types.ts';
import type { TemplateData } from '#shared/delivery/template/template-data-schema.ts';

/** The fields of an alert that can be missing, empty or false. */
const ofAlerts = Object.entries(alertPayloadSchema.shape)
  .filter(([, field]) =>
    [z.ZodNullable, z.ZodArray, z.ZodBoolean].some((form) => field instanceof form),
  )
  .map(([name]) => name);

/** The same of a message about alerts. */
const ofMessages = ['held_for', 'paragraphs'];

/** Fields that are missing together. */
const together: Readonly<Record<string, readonly string[]>> = {
  now: ['now_with_fee'],
  now_with_fee: ['now'],
  level: ['level_text'],
  level_text: ['level'],
};

type Fields = { readonly [name: string]: TemplateValue };

/** The first value of each field that is not missing, of some data. */
export function valuesIn(all: readonly TemplateData[]): ReadonlyMap<string, TemplateValue> {
  const entries = all
    .flatMap((data) => Object.entries(data as Fields))
    .filter(([, value]) => !isMissing(value));
  return new Map(entries.toReversed());
}

/**
 * The data itself, and for each name the data with that field the other way round.
 * @param names of the sections of a template; other names change no form.
 * @param values what a missing field has instead.
 */
export function* variantsOf(
  data: TemplateData,
  names: readonly string[],
  values: ReadonlyMap<string, TemplateValue>,
): Generator<TemplateValue> {
  const whole = data as Fields & TemplateData;
  yield whole;
  if (data.count === 0) return;
  const turn = (fields: Fields, changed: readonly string[]) => ({
    ...fields,
    ...Object.fromEntries(
      changed.map((name) => [name, turned(fields[name] ?? null, values.get(name) ?? null)]),
    ),
  });
  for (const name of names.flatMap((each) => each.split('.')[0] ?? [])) {
    if (ofMessages.includes(name)) yield turn(whole, [name]);
    const group = [name, ...(together[name] ?? [])];
    if (!group.some((each) => ofAlerts.includes(each))) continue;
    const rows = (list: readonly TemplateValue[]) => list.map((row) => turn(row as Fields, group));
    yield {
      ...(data.count === 1 ? turn(whole, group) : whole),
      alerts: rows(whole.alerts as readonly TemplateValue[]),
      recovered: rows(whole.recovered as readonly TemplateValue[]),
    };
  }
}

function turned(value: TemplateValue, filling: TemplateValue): TemplateValue {
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return value.length === 0 ? filling : [];
  return value === null ? filling : null;
}

function isMissing(value: TemplateValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
