/**
 * What an operator can set of a deployment: one row for each flag of `npm run deploy`, which is also a key of a
 * stage's file and a parameter of the template. A value that isn't given stays as it is in the stack.
 */
import { buyLinkTemplates } from '#shared/alerts/ticket-link.ts';
import { mailAddress } from '#shared/delivery/channels/mail-address.ts';
import { httpAddress } from '#shared/lambda/config.ts';
import { retentionVariables } from '#shared/retention.ts';

export interface SettingRow {
  /** The parameter of the template. */
  readonly parameter: string;
  /** The value in the usage text, such as `URL`. */
  readonly value: string;
  readonly help: string;
  /** What is wrong with a text, as the end of a sentence about the flag; undefined if nothing is. */
  readonly fault: (text: string) => string | undefined;
  /** The form that the template takes. @default the text itself */
  readonly stored?: (text: string) => string;
}

const domainName = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/;

/** A row's check: the text is one of these, or `takes` says what would be. */
function takes(what: string, accepts: (text: string) => boolean): SettingRow['fault'] {
  return (text) =>
    accepts(text) ? undefined : ` takes ${what}, not ${text ? `"${text}"` : 'nothing'}`;
}

const yesOrNo = takes('yes or no', (text) => text === 'yes' || text === 'no');
const pulls = takes('a number of pulls', (text) => /^[0-9]{1,9}$/.test(text));
const days = takes(
  'a number of days from 30 to 3650',
  (text) => retentionVariables.ALERT_RETENTION_DAYS.safeParse(text).success,
);
const domain = takes(
  'a domain in lower case, or "" for none',
  (text) => text === '' || domainName.test(text),
);

export const settingRows = {
  'marketplace-url': {
    parameter: 'MarketplaceUrl',
    value: 'URL',
    help: 'the data service; needed at the first deployment',
    // Credentials in the address would end up in logs.
    fault: takes(
      'an https address without user name, query or fragment',
      (text) => isHttps(text) && httpAddress.safeParse(text).success,
    ),
    stored: (text) => httpAddress.parse(text),
  },
  sender: {
    parameter: 'EmailSender',
    value: 'ADDRESS',
    help: 'where mails come from; needed at the first deployment',
    fault: takes('a mail address', isMailAddress),
  },
  'sender-domain': {
    parameter: 'SenderDomain',
    value: 'D',
    help: 'make an SES identity of this domain; its DNS records are outputs',
    fault: domain,
  },
  'operator-email': {
    parameter: 'OperatorEmail',
    value: 'ADDRESS',
    help: 'where alarms and notices go',
    fault: takes('a mail address, or "" for none', (text) => text === '' || isMailAddress(text)),
  },
  'daily-cap': {
    parameter: 'DailyPullCap',
    value: 'N',
    help: 'pulls that may be spent in a UTC day (500)',
    fault: pulls,
  },
  'monthly-cap': {
    parameter: 'MonthlyPullCap',
    value: 'N',
    help: 'pulls that may be spent in a billing period (10000)',
    fault: pulls,
  },
  'owner-watches': {
    parameter: 'OwnerWatchQuota',
    value: 'N',
    help: 'watches that one owner can have (10000)',
    fault: takes('a number of watches from 1 to 999999', (text) => /^[1-9][0-9]{0,5}$/.test(text)),
  },
  'keep-alerts': {
    parameter: 'AlertRetentionDays',
    value: 'DAYS',
    help: 'how long alerts and deliveries are kept (400)',
    fault: days,
  },
  'keep-versions': {
    parameter: 'VersionRetentionDays',
    value: 'DAYS',
    help: 'how long versions of watches are kept (90)',
    fault: days,
  },
  'flat-plan-charges-free-polls': {
    parameter: 'FlatPlanChargesFreePolls',
    value: 'YES',
    help: 'whether a flat plan charges a poll that finds nothing new (yes)',
    fault: yesOrNo,
  },
  'dated-stats-without-match-charged': {
    parameter: 'DatedStatsWithoutMatchCharged',
    value: 'YES',
    help: 'whether a stats query with a start date is charged without a match (yes)',
    fault: yesOrNo,
  },
  'buy-link': {
    parameter: 'BuyLinkTemplates',
    value: 'LABEL=URL',
    help: "a marketplace's link in alerts, with {event_id}, {tm_event_id}, {event_name} or {event_date}; may be repeated, empty for none",
    fault: buyLinksFault,
  },
  'synthetic-event': {
    parameter: 'SyntheticEvent',
    value: 'ID',
    help: 'an event whose synthetic watch proves every ten minutes that alerts arrive; empty for none',
    fault: takes('the id of an event, or "" for none', (text) =>
      /^([1-9][0-9]{0,14})?$/.test(text),
    ),
  },
  'api-domain': {
    parameter: 'ApiDomain',
    value: 'D',
    help: 'your own domain for the API',
    fault: domain,
  },
  'api-certificate': {
    parameter: 'ApiCertificate',
    value: 'ARN',
    help: 'the certificate for --api-domain, in the same Region',
    fault: takes(
      'the ARN of a certificate, or "" for none',
      (text) =>
        text === '' || /^arn:aws[a-z-]*:acm:[a-z0-9-]+:[0-9]{12}:certificate\/.+$/.test(text),
    ),
  },
  'telegram-api-url': {
    parameter: 'TelegramApiUrl',
    value: 'URL',
    help: 'a Bot API server of your own',
    fault: takes(
      'an https address without user name, query or fragment',
      (text) => isHttps(text) && httpAddress.safeParse(text).success,
    ),
    stored: (text) => httpAddress.parse(text),
  },
} as const satisfies Record<string, SettingRow>;

export type SettingName = keyof typeof settingRows;
export const settingNames = Object.keys(settingRows) as SettingName[];

/** Several values of one setting, as the template takes them. */
const separator = '|';

/** The values of a setting that can be repeated, as one text. */
export function joined(values: readonly string[]): string {
  return values.join(separator);
}

/** The key of a setting in a stage's file. */
export function fileKeyOf(name: SettingName): string {
  return name.replaceAll('-', '_');
}

/** What is wrong with a setting's value, as a sentence that begins with `where`; undefined if nothing is. */
export function settingFault(name: SettingName, text: string, where: string): string | undefined {
  const fault = settingRows[name].fault(text);
  return fault === undefined ? undefined : `${where}${fault}.`;
}

/** The parameters of the template for these settings. */
export function parametersOf(
  given: Readonly<Partial<Record<SettingName, string>>>,
): Record<string, string> {
  return Object.fromEntries(
    settingNames.flatMap((name) => {
      const text = given[name];
      const { parameter, stored = (value: string) => value }: SettingRow = settingRows[name];
      return text === undefined ? [] : [[parameter, stored(text)]];
    }),
  );
}

/** The rows of the usage text. */
export function settingsUsage(): string {
  return settingNames
    .map((name) => `  --${name} ${settingRows[name].value}\n      ${settingRows[name].help}`)
    .join('\n');
}

export function isHttps(address: string): boolean {
  return URL.canParse(address) && address.startsWith('https://');
}

function isMailAddress(text: string): boolean {
  return mailAddress.safeParse(text).success;
}

function buyLinksFault(text: string): string | undefined {
  const parsed = buyLinkTemplates.safeParse(text);
  return parsed.success ? undefined : `: ${parsed.error.issues[0]?.message ?? 'is not valid'}`;
}
