/**
 * The settings of a stage in a checked-in file, `infra/stages/dev.json` or `prod.json`: values of settings.ts, the
 * account and Region that the stage belongs to, and the names of the variables that hold its secrets.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { closest } from 'fastest-levenshtein';
import type { Stage } from '../config.ts';
import { OperatorError, projectRoot } from './command.ts';
import { fileKeyOf, joined, type SettingName, settingFault, settingNames } from './settings.ts';

/** The secrets that an operator gives, and the variable that each is read from if a file names no other. */
export const usualSecretVariables = {
  marketplace_key: 'MARKETPLACE_KEY',
  operator_webhook: 'OPERATOR_WEBHOOK',
  telegram_bot_token: 'TELEGRAM_BOT_TOKEN',
} as const;

export type OperatorSecret = keyof typeof usualSecretVariables;

export interface StageFile {
  /** The account that the stage belongs to; undefined: any. */
  readonly account?: string | undefined;
  readonly region?: string | undefined;
  readonly settings: Readonly<Partial<Record<SettingName, string>>>;
  /** The environment variable of each secret. */
  readonly secretVariables: Readonly<Record<OperatorSecret, string>>;
}

const accountForm = /^[0-9]{12}$/;
const regionForm = /^[a-z]{2}(-[a-z]+)+-[0-9]$/;
const variableForm = /^[A-Z][A-Z0-9_]*$/;

const ownKeys = ['account', 'region', 'secrets'] as const;
const settingOfKey = new Map(settingNames.map((name) => [fileKeyOf(name), name]));
const fileKeys = [...ownKeys, ...settingOfKey.keys()];

/**
 * @param path another file than the stage's own, which must then exist
 * @throws OperatorError with one line for each fault of the file
 */
export function readStageFile(stage: Stage, path?: string): StageFile {
  const file = path ?? join(projectRoot, 'infra', 'stages', `${stage}.json`);
  if (path === undefined && !existsSync(file)) return parseStageFile({}, file);
  return parseStageFile(readJson(file), path ?? relative(projectRoot, file));
}

/** What is wrong with an account id or a Region, as the end of a sentence. */
export function placeFault(name: 'account' | 'region', text: string): string | undefined {
  if ((name === 'account' ? accountForm : regionForm).test(text)) return undefined;
  const example = name === 'account' ? 'an account id of 12 digits' : 'a Region such as us-east-1';
  return ` takes ${example}, not "${text}"`;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new OperatorError(`${file} ${reason}: ${(cause as Error).message}.`, { cause });
  }
}

/**
 * @param name of the file in messages
 * @throws OperatorError with one line for each fault
 */
export function parseStageFile(content: unknown, name: string): StageFile {
  if (!isObject(content)) throw new OperatorError(`${name}: must be a JSON object.`);
  const entries = Object.entries(content);
  const faults = entries.flatMap(([key, value]) => faultsOf(key, value, name));
  if (faults.length > 0) throw new OperatorError(faults.join('\n'));
  const settings = entries.flatMap(([key, value]) => {
    const setting = settingOfKey.get(key);
    return setting === undefined ? [] : [[setting, textOf(value)]];
  });
  const { account, region, secrets } = content;
  return {
    ...(account !== undefined && { account: String(account) }),
    ...(region !== undefined && { region: String(region) }),
    settings: Object.fromEntries(settings),
    secretVariables: { ...usualSecretVariables, ...(isObject(secrets) ? secrets : {}) },
  };
}

function faultsOf(key: string, value: unknown, name: string): string[] {
  const where = `${name}: ${key}`;
  const setting = settingOfKey.get(key);
  if (setting !== undefined) return settingFaults(setting, value, where);
  if (key === 'secrets') return secretFaults(value, where);
  if (key !== 'account' && key !== 'region') {
    return [`${name}: there is no setting ${key}; did you mean ${closest(key, fileKeys)}?`];
  }
  if (typeof value !== 'string') return [`${where} takes a text in quotes.`];
  const fault = placeFault(key, value);
  return fault === undefined ? [] : [`${where}${fault}.`];
}

function settingFaults(setting: SettingName, value: unknown, where: string): string[] {
  const text = textOf(value);
  if (text === undefined) {
    const list = setting === 'buy-link' ? ', or a list of texts' : '';
    return [`${where} takes a text or a number${list}.`];
  }
  return [settingFault(setting, text, where)].filter((fault) => fault !== undefined);
}

/** A number is written as its text; only links can be a list. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isList ? joined(value) : undefined;
}

/** The file must never have a secret itself, so no message repeats the value. */
function secretFaults(value: unknown, where: string): string[] {
  const names = Object.keys(usualSecretVariables);
  if (!isObject(value)) return [`${where} takes an object of ${names.join(', ')}.`];
  return Object.entries(value).flatMap(([secret, variable]) => {
    if (!(secret in usualSecretVariables)) {
      return [`${where} has no ${secret}; did you mean ${closest(secret, names)}?`];
    }
    if (typeof variable === 'string' && variableForm.test(variable)) return [];
    return [
      `${where}.${secret} takes the name of an environment variable, such as ${usualSecretVariables[secret as OperatorSecret]}; the file must not have the secret itself.`,
    ];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
