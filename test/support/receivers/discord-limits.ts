// What Discord refuses in the body of a webhook message, in the shape of its error answers.
import { isObject } from './receiver.ts';

interface Fault {
  path: string;
  code: string;
  message: string;
}

type Fields = Record<string, unknown>;

/** Every fault; a path such as `embeds.0.title`. */
export function bodyFaults(body: Fields): Fault[] {
  const embeds = listIn(body.embeds);
  const rows = listIn(body.components);
  return [
    ...lengthFaults('content', body.content, 2_000),
    ...(embeds.length > 10 ? [tooMany('embeds', 10)] : []),
    ...embeds.flatMap((embed, index) => embedFaults(`embeds.${index}`, embed)),
    ...(charactersIn(embeds) > 6_000
      ? [
          {
            path: 'embeds',
            code: 'MAX_EMBED_SIZE_EXCEEDED',
            message: 'Embed size exceeds maximum size of 6000',
          },
        ]
      : []),
    ...(rows.length > 5 ? [tooMany('components', 5)] : []),
    ...rows.flatMap((row, index) => rowFaults(`components.${index}`, row)),
  ];
}

/** The JSON of an answer with status 400. */
export function faultBody(faults: readonly Fault[]) {
  const errors: Fields = {};
  for (const { path, code, message } of faults) {
    let place = errors;
    for (const part of path.split('.')) {
      place[part] ??= {};
      place = place[part] as Fields;
    }
    place._errors = [...((place._errors as Fields[]) ?? []), { code, message }];
  }
  return { message: 'Invalid Form Body', code: 50035, errors };
}

function embedFaults(path: string, embed: Fields): Fault[] {
  const { title, description, footer, author, fields, url, image, thumbnail, color } = embed;
  const list = listIn(fields);
  return [
    ...lengthFaults(`${path}.title`, title, 256),
    ...lengthFaults(`${path}.description`, description, 4_096),
    ...(isObject(footer) ? lengthFaults(`${path}.footer.text`, footer.text, 2_048, 1) : []),
    ...(isObject(author) ? lengthFaults(`${path}.author.name`, author.name, 256, 1) : []),
    ...(list.length > 25 ? [tooMany(`${path}.fields`, 25)] : []),
    ...list.flatMap(({ name, value }, index) => [
      ...lengthFaults(`${path}.fields.${index}.name`, name, 256, 1),
      ...lengthFaults(`${path}.fields.${index}.value`, value, 1_024, 1),
    ]),
    ...urlFaults(`${path}.url`, url),
    ...(isObject(image) ? urlFaults(`${path}.image.url`, image.url) : []),
    ...(isObject(thumbnail) ? urlFaults(`${path}.thumbnail.url`, thumbnail.url) : []),
    ...(color === undefined || (Number.isInteger(color) && Number(color) <= 0xffffff)
      ? []
      : [{ path: `${path}.color`, code: 'NUMBER_TYPE_MAX', message: 'int value' }]),
  ];
}

/** A row of buttons. A webhook that no application owns may have link buttons only. */
function rowFaults(path: string, row: Fields): Fault[] {
  const buttons = listIn(row.components);
  if (row.type !== 1) {
    return [{ path: `${path}.type`, code: 'BASE_TYPE_CHOICES', message: 'not allowed here' }];
  }
  return [
    ...(buttons.length < 1 || buttons.length > 5 ? [tooMany(`${path}.components`, 5)] : []),
    ...buttons.flatMap((button, index) => buttonFaults(`${path}.components.${index}`, button)),
  ];
}

function buttonFaults(path: string, { type, style, label, url }: Fields): Fault[] {
  if (type !== 2 || style !== 5) {
    const message = 'Webhooks can only have non-interactive components';
    return [{ path, code: 'WEBHOOK_COMPONENT', message }];
  }
  return [
    ...lengthFaults(`${path}.label`, label, 80, 1),
    ...lengthFaults(`${path}.url`, url, 512, 1),
    ...urlFaults(`${path}.url`, url),
  ];
}

/** @param least 1 for a text that has to be there. */
function lengthFaults(path: string, text: unknown, most: number, least = 0): Fault[] {
  if (text === undefined && least === 0) return [];
  if (typeof text !== 'string' || (least > 0 && text.trim() === '')) {
    return [{ path, code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }];
  }
  if (text.length <= most) return [];
  const message = `Must be ${most} or fewer in length.`;
  return [{ path, code: 'BASE_TYPE_MAX_LENGTH', message }];
}

function urlFaults(path: string, url: unknown): Fault[] {
  if (url === undefined) return [];
  const isGood = typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url);
  if (isGood) return [];
  return [{ path, code: 'URL_TYPE_INVALID_URL', message: 'Not a well formed URL.' }];
}

function tooMany(path: string, most: number): Fault {
  const message = `Must be between 1 and ${most} in length.`;
  return { path, code: 'BASE_TYPE_BAD_LENGTH', message };
}

/** The characters that count for the limit of all embeds together. */
function charactersIn(embeds: readonly Fields[]): number {
  const texts = embeds.flatMap(({ title, description, footer, author, fields }) => [
    title,
    description,
    isObject(footer) ? footer.text : '',
    isObject(author) ? author.name : '',
    ...listIn(fields).flatMap(({ name, value }) => [name, value]),
  ]);
  return texts.reduce((sum: number, text) => sum + String(text ?? '').length, 0);
}

export function listIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
