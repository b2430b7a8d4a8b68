// Every program whose figures this project claims, in the table's order.
import type { Program } from './program.ts';
import { deskProgram } from './programs/desk.ts';
import {
  apiProgram,
  chartProgram,
  coldstartProgram,
  creationProgram,
  exportProgram,
  footprintProgram,
  importProgram,
  listProgram,
  seriesProgram,
} from './programs/functions.ts';
import { clientProgram, historyProgram, marketplaceProgram } from './programs/marketplace.ts';
import { memoryProgram } from './programs/memory.ts';
import { pollingProgram } from './programs/polling.ts';
import { backtestProgram, rulesProgram, storedRulesProgram } from './programs/rules.ts';
import { scaleProgram } from './programs/scale.ts';
import { deliveryProgram, fairnessProgram } from './programs/sending.ts';
import { structureProgram } from './programs/structure.ts';
import { delaysProgram, faultsProgram, soakProgram } from './programs/whole.ts';

export const programs: readonly Program[] = [
  rulesProgram,
  storedRulesProgram,
  backtestProgram,
  pollingProgram,
  deliveryProgram,
  fairnessProgram,
  marketplaceProgram,
  clientProgram,
  historyProgram,
  apiProgram,
  listProgram,
  seriesProgram,
  importProgram,
  exportProgram,
  creationProgram,
  chartProgram,
  deskProgram,
  coldstartProgram,
  footprintProgram,
  memoryProgram,
  scaleProgram,
  delaysProgram,
  soakProgram,
  faultsProgram,
  structureProgram,
];
