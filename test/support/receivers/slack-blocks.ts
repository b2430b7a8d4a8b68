// Slack's blocks: which it refuses, and what a reader sees of them.
import { isObject } from './receiver.ts';
import { asItIs, joined, type Mark, type ShownText } from './shown-text.ts';
import { readMrkdwn, readPlainText } from './slack-text.ts';

type Block = Record<string, unknown>;

/** Every fault of the blocks, in Slack's words where it has some. */
export function blockFaults(blocks: readonly unknown[]): string[] {
  const ids = blocks.flatMap((block) => (isObject(block) ? (block.block_id ?? []) : []));
  return [
    ...(blocks.length > 50 ? ['no more than 50 items allowed [json-pointer:/blocks]'] : []),
    ...(new Set(ids).size < ids.length ? ['`block_id` already exists [json-pointer:/blocks]'] : []),
    ...blocks.flatMap((block, index) =>
      (isObject(block) ? faultsOf(block) : ['must be an object']).map(
        (fault) => `${fault} [json-pointer:/blocks/${index}]`,
      ),
    ),
  ];
}

function faultsOf(block: Block): string[] {
  const { type, text, block_id: blockId } = block;
  const fields = listIn(block.fields);
  const elements = listIn(block.elements);
  const id = typeof blockId === 'string' && blockId.length > 255 ? ['block_id too long'] : [];
  switch (type) {
    case 'header':
      return [...id, ...textFaults(text, 150, ['plain_text'])];
    case 'section':
      return [
        ...id,
        ...(text === undefined && fields.length === 0 ? ['missing required field: text'] : []),
        ...(text === undefined ? [] : textFaults(text, 3_000)),
        ...(fields.length > 10 ? ['no more than 10 items allowed'] : []),
        ...fields.flatMap((field) => textFaults(field, 2_000)),
        ...(isObject(block.accessory) ? elementFaults(block.accessory) : []),
      ];
    case 'context':
      return [
        ...id,
        ...(elements.length < 1 || elements.length > 10 ? ['1 to 10 items allowed'] : []),
        ...elements.flatMap((element) =>
          element.type === 'image' ? imageFaults(element) : textFaults(element, 3_000),
        ),
      ];
    case 'actions':
      return [
        ...id,
        ...(elements.length < 1 || elements.length > 25 ? ['1 to 25 items allowed'] : []),
        ...elements.flatMap(elementFaults),
        ...repeatedActions(elements),
      ];
    case 'image':
      return [...id, ...imageFaults(block)];
    case 'divider':
      return id;
    default:
      return [`unsupported type: ${String(type)}`];
  }
}

function textFaults(
  object: unknown,
  limit: number,
  types: readonly string[] = ['plain_text', 'mrkdwn'],
): string[] {
  if (!isObject(object)) return ['missing required field: text'];
  const { type, text, emoji, verbatim } = object;
  if (!types.includes(String(type))) return [`unsupported type: ${String(type)}`];
  if (typeof text !== 'string' || text === '') return ['must be more than 0 characters'];
  return [
    ...(text.length > limit ? [`must be less than ${limit + 1} characters`] : []),
    ...(text.isWellFormed() ? [] : ['must be well-formed']),
    ...(type === 'mrkdwn' && emoji !== undefined ? ['invalid additional property: emoji'] : []),
    ...(type === 'plain_text' && verbatim !== undefined
      ? ['invalid additional property: verbatim']
      : []),
  ];
}

function elementFaults(element: Block): string[] {
  if (element.type === 'image') return imageFaults(element);
  if (element.type !== 'button') return [`unsupported type: ${String(element.type)}`];
  const { text, url, action_id: actionId, style } = element;
  return [
    ...textFaults(text, 75, ['plain_text']),
    ...(typeof url === 'string' ? urlFaults(url) : []),
    ...(typeof actionId === 'string' && actionId.length > 255 ? ['action_id too long'] : []),
    ...(style === undefined || style === 'primary' || style === 'danger' ? [] : ['invalid style']),
  ];
}

function repeatedActions(elements: readonly Block[]): string[] {
  const ids = elements.flatMap(({ action_id: id }) => (typeof id === 'string' ? id : []));
  return new Set(ids).size < ids.length ? ['`action_id` already exists'] : [];
}

function imageFaults({ image_url: url, alt_text: alt, title }: Block): string[] {
  return [
    ...(typeof url === 'string' ? urlFaults(url) : ['missing required field: image_url']),
    ...(typeof alt === 'string' && alt !== '' && alt.length <= 2_000 ? [] : ['invalid alt_text']),
    ...(title === undefined ? [] : textFaults(title, 2_000, ['plain_text'])),
  ];
}

function urlFaults(url: string): string[] {
  const isGood = /^(https?|mailto):/.test(url) && URL.canParse(url) && url.length <= 3_000;
  return isGood ? [] : ['invalid url'];
}

/** All characters of the blocks, as Slack seems to count them for `msg_blocks_too_long`. */
export function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + charactersIn(one), 0);
  return isObject(value) ? charactersIn(Object.values(value)) : 0;
}

/** Blocks as a reader sees them, from the top. */
export function readBlocks(blocks: readonly unknown[]): ShownText {
  return joined(blocks.flatMap((block) => (isObject(block) ? readBlock(block) : [])));
}

function readBlock(block: Block): ShownText[] {
  const texts = [block.text, ...listIn(block.fields)].filter(isObject).map(readObject);
  const elements = [block.accessory, ...listIn(block.elements)].filter(isObject);
  const image = block.type === 'image' ? [shownImage(block)] : [];
  return [...texts, ...elements.map(readElement), ...image];
}

function readElement(element: Block): ShownText {
  if (element.type === 'image') return shownImage(element);
  if (element.type !== 'button') return readObject(element);
  const { text } = isObject(element.text) ? readObject(element.text) : asItIs('');
  return marked({ kind: 'button', text, url: String(element.url ?? '') });
}

function shownImage({ image_url: url, alt_text: alt }: Block): ShownText {
  return marked({ kind: 'image', text: String(alt), url: String(url) });
}

function marked(mark: Mark): ShownText {
  return { text: mark.text, marks: [mark] };
}

function readObject({ type, text, verbatim, emoji }: Block): ShownText {
  return type === 'mrkdwn'
    ? readMrkdwn(String(text), verbatim === true)
    : readPlainText(String(text), emoji !== false);
}

function listIn(value: unknown): Block[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
