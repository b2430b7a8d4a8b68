/**
 * The template's parameters: the values that differ between deployments and local runs. Sizes are
 * in the config instead.
 */
import { CfnParameter, type Stack } from 'aws-cdk-lib';
import { usualRetention } from '#shared/retention.ts';
import { paceParameter, paces } from './releases.ts';
import { ownTable, restoredParameters, workParameter, workStates } from './restored-names.ts';

const octet = '(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])';
const label = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const host = `((${label}[.]){0,126}[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?|(${octet}[.]){3}${octet})`;
const port = '([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';
/**
 * URLs that the functions accept and can append paths to: `httpAddress` of shared/lambda/config.ts.
 */
const httpPattern = `https?://${host}(:${port})?(/[A-Za-z0-9._~-]+){0,20}`;
const atom = "[A-Za-z0-9_!#$%&'*+/=?^`{|}~-]+";
/** Stored addresses of `mailAddress` of shared/delivery/channels/mail-address.ts. */
const mailPattern = `${atom}([.]${atom})*@(${label}[.])+(?=[0-9-]*[A-Za-z])${label}`;

const buyLinkLabel = '[A-Za-z0-9]([A-Za-z0-9 .&-]{0,28}[A-Za-z0-9])?';
/** One link of `buyLinkTemplates` of shared/alerts/ticket-link.ts. */
const buyLink =
  ` *${buyLinkLabel} *= *(?=[^| ]{1,300}( |[|]|$))https://${host}(:${port})?([/?#]` +
  '([A-Za-z0-9._~:/?#@!$&()*+,;=%-]|[{](event_id|tm_event_id|event_name|event_date)[}])*)? *';

/** Declares the parameters on the stack, under the names that deployments use. */
export function declareParameters(stack: Stack) {
  return {
    marketplaceUrl: new CfnParameter(stack, 'MarketplaceUrl', {
      description: 'Base URL of the ticket marketplace data service, without a trailing slash',
      allowedPattern: httpPattern,
      constraintDescription:
        'must be an http or https address: a host name of letters, digits and hyphens (an international name as xn--...) or an IPv4 address, a port and a path if needed; no user name, query, fragment or slash at the end',
    }),
    emailSender: new CfnParameter(stack, 'EmailSender', {
      description: 'The verified address that alerts come from',
      allowedPattern: mailPattern,
      maxLength: 254,
    }),
    senderDomain: new CfnParameter(stack, 'SenderDomain', {
      description: 'Domain for a new SES identity; empty if SES has an identity for the sender',
      allowedPattern: '|[a-z0-9.-]+[.][a-z]{2,}',
      default: '',
    }),
    operatorEmail: new CfnParameter(stack, 'OperatorEmail', {
      description:
        'Mail address for notices about the deployment, such as a used-up budget; empty: none',
      allowedPattern: `|${mailPattern}`,
      maxLength: 254,
      default: '',
    }),
    dailyPullCap: new CfnParameter(stack, 'DailyPullCap', {
      description: 'Pulls that can be spent in a UTC day; the API can lower the cap, not raise it',
      allowedPattern: '[0-9]{1,9}',
      default: '500',
    }),
    monthlyPullCap: new CfnParameter(stack, 'MonthlyPullCap', {
      description: 'Pulls that can be spent in a billing period of the marketplace',
      allowedPattern: '[0-9]{1,9}',
      default: '10000',
    }),
    ownerWatchQuota: new CfnParameter(stack, 'OwnerWatchQuota', {
      description: 'Watches that one owner can have',
      allowedPattern: '[1-9][0-9]{0,5}',
      default: '10000',
    }),
    alertRetentionDays: new CfnParameter(stack, 'AlertRetentionDays', {
      description: 'Days that alerts and deliveries are kept',
      allowedPattern: '[3-9][0-9]|[1-9][0-9]{2}|[1-2][0-9]{3}|3[0-5][0-9]{2}|36[0-4][0-9]|3650',
      constraintDescription: 'must be a whole number of days, 30 to 3650',
      default: String(usualRetention.alertDays),
    }),
    versionRetentionDays: new CfnParameter(stack, 'VersionRetentionDays', {
      description: 'Days that an earlier version of a watch is kept after the change',
      allowedPattern: '[3-9][0-9]|[1-9][0-9]{2}|[1-2][0-9]{3}|3[0-5][0-9]{2}|36[0-4][0-9]|3650',
      constraintDescription: 'must be a whole number of days, 30 to 3650',
      default: String(usualRetention.versionDays),
    }),
    flatPlanChargesFreePolls: new CfnParameter(stack, 'FlatPlanChargesFreePolls', {
      description: 'Whether the flat plan charges a poll that finds nothing new',
      allowedValues: ['yes', 'no'],
      default: 'yes',
    }),
    datedStatsWithoutMatchCharged: new CfnParameter(stack, 'DatedStatsWithoutMatchCharged', {
      description: 'Whether a stats query with a start date is charged when it matches nothing',
      allowedValues: ['yes', 'no'],
      default: 'yes',
    }),
    buyLinkTemplates: new CfnParameter(stack, 'BuyLinkTemplates', {
      description:
        'Links to marketplaces for alerts, beside Ticketmaster: Label=https://... with {event_id}, {tm_event_id}, {event_name} or {event_date}; several separated by |, at most 5',
      allowedPattern: `|${buyLink}([|]${buyLink}){0,4}`,
      constraintDescription:
        'must be up to 5 links separated by |, each a name of at most 30 letters, digits, spaces and .&-, an equals sign and an https address of at most 300 characters; placeholders only after the event_id, tm_event_id, event_name, event_date',
      default: '',
    }),
    syntheticEvent: new CfnParameter(stack, 'SyntheticEvent', {
      description:
        'Id of the event of the synthetic watch, which proves every ten minutes that alerts arrive; empty: none',
      allowedPattern: '([1-9][0-9]{0,14})?',
      default: '',
    }),
    apiDomain: new CfnParameter(stack, 'ApiDomain', {
      description: 'Your own domain for the API; empty: the domain that AWS assigns',
      allowedPattern: '|[a-z0-9.-]+[.][a-z]{2,}',
      default: '',
    }),
    apiCertificate: new CfnParameter(stack, 'ApiCertificate', {
      description: 'ARN of the certificate for ApiDomain, in this Region',
      allowedPattern: '|arn:aws[a-z-]*:acm:.+',
      default: '',
    }),
    telegramApiUrl: new CfnParameter(stack, 'TelegramApiUrl', {
      description: "Base URL of Telegram's Bot API, or of a server of your own, without a slash",
      allowedPattern: httpPattern,
      constraintDescription: 'must be an http or https address, without a slash at the end',
      default: 'https://api.telegram.org',
    }),
    tableProtection: new CfnParameter(stack, 'TableProtection', {
      description: 'Whether the tables are protected from deletion; npm run deploy sets it in prod',
      allowedValues: ['on', 'off'],
      default: 'off',
    }),
    restoredWatchlist: restoredTable(stack, restoredParameters.watchlist),
    restoredSnapshots: restoredTable(stack, restoredParameters.snapshots),
    work: new CfnParameter(stack, workParameter, {
      description: 'Whether schedules, queues and the API work; npm run restore halts them',
      allowedValues: [...workStates],
      default: workStates[0],
    }),
    releasePace: new CfnParameter(stack, paceParameter, {
      description: 'Whether a release of the API, evaluate and the senders begins with a canary',
      allowedValues: [...paces],
      default: paces[0],
    }),
    loopbackWebhooks: new CfnParameter(stack, 'LoopbackWebhooks', {
      description: 'Whether webhooks can be sent to plain http on a loopback address',
      allowedValues: ['refused', 'allowed'],
      default: 'refused',
    }),
  };
}

function restoredTable(stack: Stack, id: string): CfnParameter {
  return new CfnParameter(stack, id, {
    description: `The table that npm run restore made, by name; ${ownTable}: the stack’s own`,
    allowedPattern: '[A-Za-z0-9_.-]{3,255}',
    default: ownTable,
  });
}
