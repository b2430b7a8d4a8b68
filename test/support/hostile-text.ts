// Arbitrary names that are made of what products read as markup, mentions, emoji, links and dates.
import fc from 'fast-check';
import { hostileNames } from './alerts.ts';

const pieces = [
  ...[
    '*',
    '**',
    '_',
    '__',
    '~',
    '~~',
    '`',
    '```',
    '|',
    '||',
    '#',
    '# ',
    '## ',
    '> ',
    '>>> ',
    '-# ',
  ],
  ...[
    '- ',
    '* ',
    '+ ',
    '1. ',
    '• ',
    '\\',
    '/',
    ':',
    '.',
    ',',
    '!',
    '?',
    '=',
    '&',
    ';',
    '%',
    '$',
    '^',
  ],
  ...['<', '>', '</', '<!', '<@', '<#', '[', ']', '](', '(', ')', '{', '}', '{{', '}}', '@', '@@'],
  ...['everyone', '@everyone', '@here', '<@123>', '<@&123>', '<#123>', '<!channel>', '<!here>'],
  ...['<!subteam^S1|all>', '<@U1|ann>', '<!date^1392734382^{date}|x>', '<t:1:R>', '</buy:1>'],
  ...[
    '<id:browse>',
    ':fire:',
    ':+1:',
    ':100:',
    '<:x:1>',
    '<a:x:1>',
    '<at>Ann</at>',
    '&lt;!here&gt;',
  ],
  ...[
    '&amp;lt;',
    '&#64;everyone',
    '{{DATE(2026-01-01T00:00:00Z, SHORT)}}',
    '{{TIME(2026-01-01T00:00:00Z)}}',
  ],
  ...['https://evil.example', 'http://evil.example/a?b=c', 'www.evil.com', 'evil.com', 'evil.io/x'],
  ...[
    '[x](https://evil.example)',
    '<https://evil.example|x>',
    '<https://evil.example>',
    'mailto:a@evil.com',
  ],
  ...[
    'a@evil.com',
    '=?UTF-8?B?PGI+',
    '=?UTF-8?Q?=40everyone?=',
    '<b>',
    '<a href="https://evil.example">',
  ],
  ...[
    '\n',
    '\r\n',
    '\t',
    ' ',
    '  ',
    'Cup',
    'Final',
    'é',
    '😀',
    'ال',
    '中',
    '\u200b',
    '\u202e',
    'x',
  ],
] as const;

/**
 * A name with such pieces, which is never blank. Sometimes the pieces stand at its start or its end, where they
 * meet our own words.
 */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...hostileNames).map((name) => name.slice(0, 60)) },
  {
    weight: 6,
    arbitrary: fc
      .record({
        parts: fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }),
        side: fc.constantFrom('start', 'end', 'middle'),
      })
      .map(({ parts, side }) => {
        const text = parts.join('');
        if (side === 'middle') return `x ${text} x`;
        return side === 'start' ? `${text} x` : `x ${text}`;
      }),
  },
);
