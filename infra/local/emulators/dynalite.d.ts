declare module 'dynalite' {
  import type { Server } from 'node:http';

  export interface DynaliteOptions {
    /** The folder of the LevelDB store; absent: in memory. */
    path?: string;
    createTableMs?: number;
    updateTableMs?: number;
    deleteTableMs?: number;
  }

  export default function dynalite(options: DynaliteOptions): Server;
}
