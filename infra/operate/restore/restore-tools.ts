/** What the steps of a restore work with. */
import type { DeployTools } from '../deployment.ts';
import type { BroughtUpToDate, RestoredTables } from './bring-up-to-date.ts';

export interface RestoreTools extends Omit<DeployTools, 'fetch'> {
  /** Brings the restored table of this name up to date. */
  readonly bringUpToDate: (
    tables: Omit<RestoredTables, 'restored' | 'witness'> & Record<'restored' | 'witness', string>,
  ) => Promise<BroughtUpToDate>;
}
