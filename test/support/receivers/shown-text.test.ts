// The emulated receivers read texts as the products do: each piece of syntax is found, and none where the product
// finds none.
import { describe, expect, it } from 'vitest';
import { readInline, readMarkdown } from './discord-text.ts';
import { createNtfyServer } from './ntfy.ts';
import { createPushoverApp } from './pushover.ts';
import type { ShownText } from './shown-text.ts';
import { readMrkdwn, readPlainText, readTopText } from './slack-text.ts';
import { readCard } from './teams-card.ts';

const textBlock = (text: string) => readCard({ body: [{ type: 'TextBlock', text }] });
const textRun = (text: string) =>
  readCard({ body: [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] }] });

function ntfyTitle(title: string): ShownText {
  const server = createNtfyServer();
  const body = JSON.stringify({ topic: 't', title, message: 'm' });
  server.answer({ url: 'https://ntfy.sh/', headers: {}, body }, 1);
  return server.messages[0] ?? { text: '', marks: [] };
}

function pushover(message: string, html = 0): ShownText {
  const app = createPushoverApp({ token: 'a', users: { u: [] } });
  const body = JSON.stringify({ token: 'a', user: 'u', message, html });
  const headers = { 'content-type': 'application/json' };
  app.answer({ url: 'https://api.pushover.net/1/messages.json', headers, body }, 1);
  return app.messages[0] ?? { text: '', marks: [] };
}

const summary = ({ text, marks }: ShownText) => [
  text.trim(),
  marks.map(({ kind, url }) => (url === undefined ? kind : `${kind} ${url}`)).join(', '),
];

describe('Slack', () => {
  it.each([
    ['*bold* and _italic_', 'bold and italic', 'style, style'],
    ['snake_case_name 2*3*4', 'snake_case_name 2*3*4', ''],
    ['<https://e.example|Tickets>', 'Tickets', 'link https://e.example'],
    ['<!channel> <@U1> <#C1>', '!channel @U1 #C1', 'mention, mention, mention'],
    ['<!date^1392734382^{date}|today>', 'today', 'date'],
    ['&lt;!channel&gt; &amp;lt;', '<!channel> &lt;', ''],
    [':fire: at 12:30:45', ':fire: at 12:30:45', 'emoji'],
    ['&gt; said', 'said', 'style'],
    ['https://e.example/a', 'https://e.example/a', ''],
  ])('reads the mrkdwn %j', (raw, text, marks) => {
    expect(summary(readMrkdwn(raw, true))).toEqual([text, marks]);
  });

  it('links addresses in mrkdwn that is not verbatim, and in the text of a message', () => {
    const linked = ['https://e.example/a', 'link https://e.example/a'];
    expect(summary(readMrkdwn('https://e.example/a', false))).toEqual(linked);
    expect(summary(readTopText('https://e.example/a', false))).toEqual(linked);
  });

  it('finds only emoji codes in plain text, and with emoji false not even these', () => {
    const raw = '*b* <!here> :fire: &amp;';
    expect(summary(readPlainText(raw, true))).toEqual(['*b* <!here> :fire: &', 'emoji']);
    expect(summary(readPlainText(raw, false))).toEqual(['*b* <!here> :fire: &', '']);
  });
});

describe('Discord', () => {
  it.each([
    [
      '**bold** __under__ ~~gone~~ ||secret||',
      'bold under gone secret',
      'style, style, style, style',
    ],
    ['\\*\\*bold\\*\\* \\:fire:', '**bold** :fire:', ''],
    ['[Tickets](https://e.example)', 'Tickets', 'link https://e.example'],
    ['\\[Tickets](https:\\/\\/e.example)', '[Tickets](https://e.example)', ''],
    ['see https://e.example', 'see https://e.example', 'link https://e.example'],
    [
      '@everyone <@1> <@&2> <#3> </a:4>',
      '@everyone <@1> <@&2> <#3> </a:4>',
      'mention, mention, mention, mention, mention',
    ],
    [':fire: <:x:1> <a:y:2>', ':fire: <:x:1> <a:y:2>', 'emoji, emoji, emoji'],
    ['<t:1:R>', '<t:1:R>', 'date'],
    ['`code`', 'code', 'style'],
  ])('reads the markdown %j', (raw, text, marks) => {
    expect(summary(readMarkdown(raw))).toEqual([text, marks]);
  });

  it.each(['# Heading', '> quote', '-# small', '- item', '1. item'])(
    'begins a block with %j, except in a title',
    (raw) => {
      expect(readMarkdown(raw).marks).toHaveLength(1);
      expect(readInline(raw)).toEqual({ text: raw, marks: [] });
    },
  );
});

describe('Teams', () => {
  it.each([
    ['**b** [x](https://e.example)', 'b x', 'style, link https://e.example'],
    ['{{DATE(2026-01-01T00:00:00Z, SHORT)}}', '{{DATE(2026-01-01T00:00:00Z, SHORT)}}', 'date'],
    ['- item', 'item', 'style'],
    ['\\*\\*b\\*\\*', '**b**', ''],
  ])('reads the text block %j', (raw, text, marks) => {
    expect(summary(textBlock(raw))).toEqual([text, marks]);
  });

  it('expands dates in a text run too, and reads no markdown there', () => {
    expect(summary(textRun('**b** {{TIME(2026-01-01T00:00:00Z)}}'))).toEqual([
      '**b** {{TIME(2026-01-01T00:00:00Z)}}',
      'date',
    ]);
  });
});

describe('phones', () => {
  it('ntfy decodes RFC 2047 in a title', () => {
    expect(summary(ntfyTitle('=?UTF-8?B?aGFja2Vk?='))).toEqual(['hacked\nm', 'style']);
  });

  it('Pushover links addresses, also without a scheme', () => {
    expect(summary(pushover('go to e.example/x or https://f.example'))[1]).toBe(
      'link e.example/x, link https://f.example',
    );
    expect(summary(pushover('St. Louis vs. N.Y. at 7.30pm'))[1]).toBe('');
  });

  it('Pushover reads HTML only where it is asked to', () => {
    expect(summary(pushover('<b>x</b>'))).toEqual(['<b>x</b>', '']);
    expect(summary(pushover('<b>x</b>', 1))).toEqual(['x', 'style, style']);
  });
});
