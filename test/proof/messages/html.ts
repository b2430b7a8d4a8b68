/** The HTML of mails and of the pages that they link to, by the rules of HTML and by what mail programs know. */
import { HtmlValidate, type RuleConfig } from 'html-validate';
import { type MessageCheck, oneByOne, tryAll } from './check.ts';
import { linkPages } from './link-pages.ts';
import { mailPages } from './samples.ts';

/** Rules about matters of taste, in our taste. */
const style: RuleConfig = { 'doctype-style': ['error', { style: 'lowercase' }] };

/** Outlook reads conditional comments, and several mail programs drop the style element. */
const mailRules: RuleConfig = {
  ...style,
  'no-inline-style': 'off',
  'no-conditional-comment': 'off',
};

const wrongPages = new Map([
  [
    'a page with an open element',
    '<!doctype html><html lang="en"><head><title>x</title></head><body><p><b>x</p></body></html>',
  ],
  [
    'a page whose picture has no text',
    '<!doctype html><html lang="en"><head><title>x</title></head><body><img src="x.png"></body></html>',
  ],
]);

export const mailHtmlCheck: MessageCheck = {
  title: 'html-validate finds the mails valid',
  run: () =>
    tryAll({ right: mailPages(), wrong: wrongPages, faultsIn: oneByOne(faultsBy(mailRules)) }),
};

export const pageHtmlCheck: MessageCheck = {
  title: 'html-validate finds the pages that messages link to valid',
  run: async () =>
    tryAll({ right: await linkPages(), wrong: wrongPages, faultsIn: oneByOne(faultsBy(style)) }),
};

function faultsBy(rules: RuleConfig) {
  const validator = new HtmlValidate({ extends: ['html-validate:recommended'], rules });
  return async function faultsOf(html: string): Promise<string[]> {
    const { results } = await validator.validateString(html);
    return results.flatMap(({ messages }) =>
      messages.map(({ line, ruleId, message }) => `line ${line}: ${ruleId}, ${message}`),
    );
  };
}
