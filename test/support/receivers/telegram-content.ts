// What Telegram accepts as the content of a message: its text, its preview, its buttons.
import * as z from 'zod';
import { type Entity, findTappable, readHtml } from './telegram-text.ts';

/** Thrown for an answer that refuses. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly parameters: object | undefined;

  constructor(status: number, description: string, parameters?: object) {
    super(description);
    this.status = status;
    this.parameters = parameters;
  }
}

/** An answer with status 400. */
export const bad = (description: string, parameters?: object) =>
  new Refusal(400, `Bad Request: ${description}`, parameters);

const buttonSchema = z
  .strictObject({
    text: z.string().min(1),
    url: z.url({ protocol: /^(https?|tg)$/ }).optional(),
    callback_data: z.string().min(1).optional(),
  })
  .refine(({ url, callback_data: data }) => (url === undefined) !== (data === undefined));
export type EmulatedButton = z.infer<typeof buttonSchema>;

const previewSchema = z.strictObject({
  is_disabled: z.boolean().optional(),
  url: z.url({ protocol: /^https?$/ }).optional(),
  prefer_small_media: z.boolean().optional(),
  prefer_large_media: z.boolean().optional(),
  show_above_text: z.boolean().optional(),
});

const textLimit = 4_096;
const mostButtons = 100;
const mostBytesOfData = 64;

/** The content of a message. */
export interface EmulatedContent {
  /** Without markup. */
  text: string;
  html: string;
  entities: Entity[];
  preview: Record<string, unknown>;
  keyboard: EmulatedButton[][];
}

export type Given = Record<string, unknown>;

/** @throws Refusal */
export function contentOf({
  text,
  parse_mode,
  reply_markup,
  link_preview_options = {},
}: Given): EmulatedContent {
  if (typeof text !== 'string' || text.trim() === '') throw bad('message text is empty');
  if (parse_mode !== undefined && parse_mode !== 'HTML') throw bad('unsupported parse_mode');
  const read = parse_mode === 'HTML' ? readHtml(text) : { text, entities: [] };
  if ('error' in read) throw bad(`can't parse entities: ${read.error}`);
  if ([...read.text].length > textLimit) throw bad('message is too long');
  const preview = previewSchema.safeParse(link_preview_options);
  if (!preview.success) throw bad('link preview options are invalid');
  return {
    ...{ html: text, text: read.text, preview: preview.data },
    entities: [...read.entities, ...findTappable(read.text)],
    keyboard: keyboardOf(reply_markup),
  };
}

/** @throws Refusal */
export function keyboardOf(markup: unknown): EmulatedButton[][] {
  if (markup === undefined) return [];
  const { inline_keyboard: rows } = z
    .object({ inline_keyboard: z.array(z.array(z.unknown())) })
    .parse(markup);
  if (rows.flat().length > mostButtons) throw bad('reply markup is too long');
  return rows.map((row) => row.map(buttonOf));
}

function buttonOf(given: unknown): EmulatedButton {
  const button = buttonSchema.safeParse(given);
  if (!button.success) throw bad("can't parse inline keyboard button");
  const { callback_data: data = '' } = button.data;
  if (Buffer.byteLength(data) > mostBytesOfData) throw bad('BUTTON_DATA_INVALID');
  return button.data;
}
