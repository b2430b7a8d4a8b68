/**
 * `npm run check:messages`: programs that others wrote check the messages of each kind of channel. A check whose
 * program is not there says so, and never that it passed.
 */
import { cardCheck } from './cards.ts';
import { type MessageCheck, runChecks } from './check.ts';
import { discordCheck } from './discord.ts';
import { mailHtmlCheck, pageHtmlCheck } from './html.ts';
import { mailFeatureCheck } from './mail-features.ts';
import { spamCheck, strictMailCheck } from './mails.ts';
import { slackSdkCheck, slackTypesCheck } from './slack.ts';
import { goWebhookCheck, pythonWebhookCheck } from './webhooks.ts';

const checks: readonly MessageCheck[] = [
  ...[slackSdkCheck, slackTypesCheck, discordCheck, cardCheck],
  ...[strictMailCheck, spamCheck, mailHtmlCheck, mailFeatureCheck, pageHtmlCheck],
  ...[pythonWebhookCheck, goWebhookCheck],
];

const isPassed = await runChecks(checks, (line) => console.log(line));
process.exitCode = isPassed ? 0 : 1;
