// The whole API, and the document that describes it.
import { documentOperations } from '../document/document-operations.ts';
import type { ApiPart } from '../part.ts';
import { part as alerts } from './alerts.ts';
import { part as budget } from './budget.ts';
import { part as channels } from './channels.ts';
import { part as events } from './events.ts';
import { part as health } from './health.ts';
import { part as jobs } from './jobs.ts';
import { part as links } from './links.ts';
import { part as owners } from './owners.ts';
import { part as published } from './published.ts';
import { part as rules } from './rules.ts';
import { part as sessions } from './sessions.ts';
import { part as telegram } from './telegram.ts';
import { part as watchlist } from './watchlist.ts';

/** In the order in which the document lists their operations. */
const parts: readonly ApiPart[] = [
  ...[watchlist, jobs, rules, events, channels, alerts, budget, owners, sessions],
  ...[published, telegram, health],
];

export const part: ApiPart = {
  ...links,
  operations: (deps) => {
    const operations = parts.flatMap((each) => each.operations(deps));
    return [...operations, ...documentOperations(operations)];
  },
};
