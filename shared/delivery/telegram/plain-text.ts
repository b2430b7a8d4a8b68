// Text in a Telegram message. Telegram makes a link, a mention, a command or a hashtag of every text that looks
// like one, whether or not it is marked up, so names from the market are broken up by an invisible character.

/** WORD JOINER: it has no width, breaks no line, and none of Telegram's rules goes on over it. */
const joiner = '\u2060';

/**
 * Where Telegram begins or continues something that can be tapped, after tdlib's `find_entities`:
 * numbers with a decimal point, which stay; long numbers, which are taken for cards and phones; mentions,
 * addresses and hashtags; cashtags; commands; schemes; the dots of a host name.
 */
const beginnings =
  /(?<decimal>(?<=^|[\s$(])\d[\d,]*\.\d+(?=$|[\s,;)%]))|(?<digits>\+?\d(?:[ ()-]{0,2}\d){6,})|[@#＠＃](?=\S)|\$(?=[A-Z]|1INCH)|(?<![\p{L}\p{N}_])\/(?=[\w/])|:(?=\/\/)|\.(?=[^\s.])/gu;

/** A text whose every part Telegram shows as text. Stays the same to a reader. */
export function untappable(text: string): string {
  return text.replace(beginnings, (found, ...rest) => {
    const { decimal, digits } = rest.at(-1) as { decimal?: string; digits?: string };
    if (decimal !== undefined) return found;
    if (digits !== undefined) return splitDigits(found);
    return found + joiner;
  });
}

/** No more than three digits in a row. */
function splitDigits(digits: string): string {
  return digits.replace(/(?:\d[ ()-]{0,2}){3}(?=\d)/g, `$&${joiner}`);
}

/** Escapes for `parse_mode: HTML`, in a text and in a quoted attribute. */
export function escapeTelegram(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
