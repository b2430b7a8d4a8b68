/** AWS::SecretsManager::Secret → a value in the secret store, generated once and kept. */
import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { arnOf, physicalName } from './cloud.ts';
import { inertProperty, provisioner } from './provisioner.ts';

const generationSchema = z.strictObject({
  PasswordLength: z.number().optional(),
  ExcludeCharacters: z.string().optional(),
  ExcludeLowercase: z.boolean().optional(),
  ExcludeUppercase: z.boolean().optional(),
  ExcludeNumbers: z.boolean().optional(),
  ExcludePunctuation: z.boolean().optional(),
  IncludeSpace: z.boolean().optional(),
  RequireEachIncludedType: z.boolean().optional(),
  SecretStringTemplate: z.string().optional(),
  GenerateStringKey: z.string().optional(),
});

type Generation = z.infer<typeof generationSchema>;

const propertiesSchema = z.strictObject({
  GenerateSecretString: generationSchema.optional(),
  SecretString: z.string().optional(),
  Description: inertProperty,
  KmsKeyId: inertProperty,
  Tags: inertProperty,
});

export const provisionSecret = provisioner(propertiesSchema, (properties, resource, cloud) => {
  const arn = arnOf(cloud, 'secretsmanager', `secret:${physicalName(cloud, resource)}-local1`);
  if (cloud.secrets.get(arn) === undefined) {
    const { SecretString, GenerateSecretString } = properties;
    cloud.secrets.put(arn, SecretString ?? generateSecret(GenerateSecretString ?? {}));
  }
  return { ref: arn, attributes: { Id: arn } };
});

/**
 * Generates a value as Secrets Manager does: the template's JSON with the password under its key.
 */
export function generateSecret(generation: Generation): string {
  const { SecretStringTemplate, GenerateStringKey } = generation;
  const password = generatePassword(generation);
  if (SecretStringTemplate === undefined || GenerateStringKey === undefined) return password;
  return JSON.stringify({ ...JSON.parse(SecretStringTemplate), [GenerateStringKey]: password });
}

function generatePassword(generation: Generation): string {
  const alphabets = alphabetsFor(generation);
  const all = alphabets.join('');
  const length = generation.PasswordLength ?? 32;
  const required = generation.RequireEachIncludedType === false ? [] : alphabets;
  const characters = [...required, ...Array<string>(length).fill(all)].slice(0, length).map(pick);
  return shuffle(characters).join('');
}

function alphabetsFor(generation: Generation): string[] {
  const excluded = new Set(generation.ExcludeCharacters ?? '');
  return [
    generation.ExcludeLowercase ? '' : 'abcdefghijklmnopqrstuvwxyz',
    generation.ExcludeUppercase ? '' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    generation.ExcludeNumbers ? '' : '0123456789',
    generation.ExcludePunctuation ? '' : '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
    generation.IncludeSpace ? ' ' : '',
  ]
    .map((alphabet) => [...alphabet].filter((character) => !excluded.has(character)).join(''))
    .filter((alphabet) => alphabet !== '');
}

function pick(alphabet: string): string {
  return alphabet.charAt(randomInt(alphabet.length));
}

function shuffle(characters: string[]): string[] {
  const order = characters.map((character) => ({ character, at: randomInt(2 ** 47) }));
  return order.sort((left, right) => left.at - right.at).map(({ character }) => character);
}
