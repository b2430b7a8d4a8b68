/** What a person asks of `npm run deploy`: the flags, the stage's file and the variables with secrets, validated. */
import type { Stage } from '../config.ts';
import type { ReleasePace } from '../releases.ts';
import { OperatorError, readFlags, stageFlag } from './command.ts';
import type { Pin } from './place.ts';
import {
  isHttps,
  joined,
  parametersOf,
  type SettingName,
  settingFault,
  settingNames,
  settingsUsage,
} from './settings.ts';
import { placeFault, readStageFile, type StageFile } from './stage-file.ts';

export interface DeployRequest {
  readonly stage: Stage;
  readonly pin: Pin;
  /** The template's parameters that were given; the stack keeps the others. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Undefined: the stack keeps the stored one. */
  readonly marketplaceKey?: string | undefined;
  /** Undefined: the stack keeps the stored one; empty: it is removed. */
  readonly operatorWebhook?: string | undefined;
  /** The variable that the marketplace's key is read from. */
  readonly keyVariable: string;
  /** Look only. */
  readonly isCheck: boolean;
  readonly isConfirmed: boolean;
  readonly pace: ReleasePace;
  /** Deploy although something would be lost. */
  readonly acceptsLoss: boolean;
}

export const deployUsage = `npm run deploy -- [flags]

  --stage S            dev or prod (dev)
  --check              look only: says what is missing and what would change
  --yes                deploy what the command said; prod needs it for each deployment, dev where
                       something is deleted or replaced, or gets more permissions
  --accept-loss        deploy although a table, a secret, a queue or an address would be lost
  --at-once            release without a canary, whatever alarm rings
  --settings FILE      another file than infra/stages/S.json
  --account ID         refuse another account than this one
  --region R           the Region; another one in the environment is refused

Settings, each also a key of infra/stages/S.json (with _ for -; infra/stages/example.json has them
all). A flag wins over the file; a setting that is in neither stays as it is in the stack. ""
clears one.

${settingsUsage()}

The marketplace's key is read from the variable MARKETPLACE_KEY, or from the one that "secrets" in the
file names; without it the stack keeps its key. OPERATOR_WEBHOOK may have a chat's or a program's webhook
for the notices that also go to --operator-email; empty takes it away, without the variable it stays.`;

const ownFlags = {
  stage: { type: 'string', default: 'dev' },
  settings: { type: 'string' },
  account: { type: 'string' },
  region: { type: 'string' },
  check: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  'accept-loss': { type: 'boolean', default: false },
  'at-once': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const settingFlags = Object.fromEntries(
  settingNames.map((name) => [name, { type: 'string', multiple: true } as const]),
);

/**
 * @returns `help` when that is asked for
 * @throws OperatorError with one line for each fault
 */
export function readDeployRequest(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): DeployRequest | 'help' {
  const { values } = readFlags({ args: [...args], options: { ...settingFlags, ...ownFlags } });
  if (values.help) return 'help';
  const stage = stageFlag(values.stage);
  const file = readStageFile(stage, values.settings);
  const given = { ...file.settings, ...settingsIn(values) };
  return {
    stage,
    pin: pinOf(stage, { account: values.account, region: values.region }, file),
    parameters: parametersOf(given),
    ...secretsIn(environment, file),
    isCheck: values.check,
    isConfirmed: values.yes,
    acceptsLoss: values['accept-loss'],
    pace: values['at-once'] ? 'at-once' : 'canary',
  };
}

function settingsIn(values: Readonly<Record<string, unknown>>) {
  const given: Partial<Record<SettingName, string>> = {};
  for (const name of settingNames) {
    const texts = values[name];
    if (!Array.isArray(texts)) continue;
    if (texts.length > 1 && name !== 'buy-link') {
      throw new OperatorError(`--${name} is given ${texts.length} times; give it once.`);
    }
    const text = joined(texts.map(String));
    const fault = settingFault(name, text, `--${name}`);
    if (fault !== undefined) throw new OperatorError(fault);
    given[name] = text;
  }
  return given;
}

function pinOf(
  stage: Stage,
  flags: Readonly<{ account: string | undefined; region: string | undefined }>,
  file: StageFile,
): Pin {
  for (const name of ['account', 'region'] as const) {
    const text = flags[name];
    const fault = text === undefined ? undefined : placeFault(name, text);
    if (fault !== undefined) throw new OperatorError(`--${name}${fault}.`);
  }
  return {
    stage,
    account: flags.account ?? file.account,
    region: flags.region ?? file.region,
  };
}

/** The messages don't repeat the values, which are secrets. */
function secretsIn(
  environment: Readonly<Record<string, string | undefined>>,
  { secretVariables }: StageFile,
) {
  const { marketplace_key: keyVariable, operator_webhook: webhookVariable } = secretVariables;
  const operatorWebhook = environment[webhookVariable];
  if (operatorWebhook && !isHttps(operatorWebhook)) {
    throw new OperatorError(`${webhookVariable} is not an https address.`);
  }
  return { keyVariable, operatorWebhook, marketplaceKey: environment[keyVariable] || undefined };
}
