// Reads the body of an import: its rows, their faults, and the owner's channels, by whose names rows may go.
import type * as z from 'zod';
import type { Channel } from '#shared/delivery/channel.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { SentBody } from '../env.ts';
import { nameChannels } from './channel-names.ts';
import type { FileForm } from './stored-rows.ts';
import { readCsvFile } from './watchlist-csv.ts';
import { type FileReading, readJsonFile, type watchlistFileSchema } from './watchlist-file.ts';

export interface ImportFile extends FileReading {
  form: FileForm;
  /** Lines that are a row or have a fault. */
  lines: number;
  channels: readonly Channel[];
}

interface SentFile {
  ownerId: string;
  sent: SentBody | undefined;
  json: z.infer<typeof watchlistFileSchema>;
}

export async function readImportFile(
  { stores }: { stores: Pick<Stores, 'channels'> },
  { ownerId, sent, json }: SentFile,
): Promise<ImportFile> {
  const channels = await readChannels(stores, ownerId);
  const isCsv = sent?.type === 'csv';
  const reading = isCsv ? await readCsvFile(sent.text, nameChannels(channels)) : readJsonFile(json);
  const { rows, faults } = reading;
  const lines = new Set([...rows, ...faults].map(({ line }) => line)).size;
  return { ...reading, form: isCsv ? 'csv' : 'json', lines, channels };
}

/** Every channel of an owner. */
export async function readChannels(
  { channels }: Pick<Stores, 'channels'>,
  ownerId: string,
): Promise<Channel[]> {
  return (await channels.list(ownerId, { limit: 1_000 })).rows;
}
