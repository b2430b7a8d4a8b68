/** The builders of discord.js, which know Discord's limits, build every embed and button again from its parts. */
import { isDeepStrictEqual } from 'node:util';
import { ActionRowBuilder, ButtonBuilder, EmbedBuilder, embedLength } from '@discordjs/builders';
import { type MessageCheck, oneByOne, tryAll } from './check.ts';
import { bodiesOf, type Json } from './samples.ts';

type Embed = Parameters<typeof embedLength>[0];

interface Row {
  components: { label: string; url: string; style: number }[];
}

/** All embeds of a message together. */
const mostCharacters = 6_000;

export const discordCheck: MessageCheck = {
  title: '@discordjs/builders builds the embeds and buttons of Discord',

  async run() {
    const button = { type: 2, style: 5, label: 'Open', url: 'https://getin.example/' };
    return tryAll({
      right: bodiesOf('discord'),
      wrong: new Map([
        ['a title that is too long', message({ title: 'x'.repeat(257) })],
        [
          'a field that is too long',
          message({ fields: [{ name: 'x', value: 'x'.repeat(1_025) }] }),
        ],
        ['an embed with an odd field', message({ headline: 'x' })],
        ['a description that is too long', message({ description: 'x'.repeat(4_097) })],
        ['a button that is too long', rows([{ ...button, label: 'x'.repeat(81) }])],
        ['a button with an odd address', rows([{ ...button, url: 'javascript:alert(1)' }])],
      ]),
      faultsIn: oneByOne(faultsOf),
    });
  },
};

function message(embed: Json): Json {
  return { embeds: [embed], components: [] };
}

function rows(components: Json[]): Json {
  return { embeds: [], components: [{ type: 1, components }] };
}

function faultsOf(body: Json): string[] {
  const embeds = body.embeds as Embed[];
  const size = embeds.reduce((sum, embed) => sum + embedLength(embed), 0);
  return [
    ...embeds.flatMap((embed) => faultsBetween(embed, () => buildEmbed(embed))),
    ...(body.components as Row[]).flatMap((row) => faultsBetween(row, () => buildRow(row))),
    ...(size > mostCharacters ? [`has ${size} characters in embeds`] : []),
  ];
}

/** What is built from the parts has to be what was given, so no part is unknown. */
function faultsBetween(given: unknown, build: () => unknown): string[] {
  try {
    const built = JSON.parse(JSON.stringify(build()));
    return isDeepStrictEqual(built, given) ? [] : [`has other parts: ${JSON.stringify(built)}`];
  } catch (error) {
    return [String(error)];
  }
}

function buildEmbed({ title, description, url, color, fields, footer, image }: Embed) {
  const builder = new EmbedBuilder();
  if (title !== undefined) builder.setTitle(title);
  if (description !== undefined) builder.setDescription(description);
  if (url !== undefined) builder.setURL(url);
  if (color !== undefined) builder.setColor(color);
  if (fields !== undefined) builder.setFields(fields);
  if (footer !== undefined) builder.setFooter(footer);
  if (image !== undefined) builder.setImage(image.url);
  return builder.toJSON();
}

function buildRow({ components }: Row) {
  const buttons = components.map(({ label, url, style }) =>
    new ButtonBuilder().setLabel(label).setURL(url).setStyle(style),
  );
  return new ActionRowBuilder().setComponents(buttons).toJSON();
}
