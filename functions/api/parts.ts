// The paths of each part of the API, and how the function loads it.
import type { ApiPart } from './part.ts';

export interface PartRow {
  /** Paths of its operations, or what their paths begin with before a slash. */
  paths: readonly string[];
  load: () => Promise<{ part: ApiPart }>;
}

/** Answers that there is no such path. */
const elsewhere: PartRow = { paths: ['/v1/health'], load: () => import('./parts/health.ts') };

export const partRows: readonly PartRow[] = [
  { paths: ['/v1/watches', '/v1/watchlist'], load: () => import('./parts/watchlist.ts') },
  { paths: ['/v1/jobs'], load: () => import('./parts/jobs.ts') },
  { paths: ['/v1/rules'], load: () => import('./parts/rules.ts') },
  { paths: ['/v1/events'], load: () => import('./parts/events.ts') },
  { paths: ['/v1/channels', '/v1/channel-kinds'], load: () => import('./parts/channels.ts') },
  { paths: ['/v1/alerts', '/v1/deliveries'], load: () => import('./parts/alerts.ts') },
  { paths: ['/v1/budget'], load: () => import('./parts/budget.ts') },
  {
    paths: ['/v1/owner', '/v1/owners', '/v1/deletions', '/v1/defaults', '/v1/keys', '/v1/status'],
    load: () => import('./parts/owners.ts'),
  },
  { paths: ['/v1/sessions', '/v1/sign-in-links'], load: () => import('./parts/sessions.ts') },
  { paths: ['/p', '/v1/published-links'], load: () => import('./parts/published.ts') },
  { paths: ['/telegram'], load: () => import('./parts/telegram.ts') },
  { paths: ['/l'], load: () => import('./parts/links.ts') },
  { paths: ['/openapi.json', '/docs'], load: () => import('./parts/whole.ts') },
  elsewhere,
];

/** The part that answers a path. */
export function partAt(path: string): PartRow {
  return (
    partRows.find(({ paths }) => paths.some((at) => path === at || path.startsWith(`${at}/`))) ??
    elsewhere
  );
}
