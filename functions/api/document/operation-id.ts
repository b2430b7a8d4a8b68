// The id of an operation: the name that generated clients give to its function, such as `listWatches`. It
// follows from method and path, unless that would not read well.
import type { Method, OperationFacts } from '../operation.ts';

/** Ids that are given instead of made. */
const given: Record<string, string> = {
  'delete /v1/owner': 'deleteOwner',
  'get /docs': 'getDocumentPage',
  'get /l/{token}': 'openLink',
  'get /openapi.json': 'getDocument',
  'get /p/{token}/{view}': 'openPublishedLink',
  'get /v1/events': 'searchEvents',
  'get /v1/owner/export': 'exportOwner',
  'get /v1/owners/{id}': 'getOwnerRecord',
  'get /v1/published-links': 'listPublishedLinks',
  'get /v1/watches/{id}/explain': 'explainWatch',
  'get /v1/watches/{id}/versions': 'listWatchVersions',
  'get /v1/watchlist/export': 'exportWatchlist',
  'post /l/{token}': 'pressLink',
  'post /v1/channels/{id}/confirmation': 'confirmChannel',
  'post /v1/channels/{id}/secret': 'rotateChannelSecret',
  'post /v1/keys/{id}/rotation': 'rotateKey',
  'post /v1/rules/preview': 'previewRule',
  'post /v1/watches/bulk': 'changeWatches',
  'post /v1/watches/bulk/{id}/undo': 'undoBulkChange',
  'post /v1/watches/{id}/versions/{version}/restore': 'restoreWatchVersion',
  'post /v1/watchlist/import': 'importWatchlist',
};

const verbs = {
  get: 'get',
  post: 'create',
  put: 'replace',
  patch: 'change',
  delete: 'delete',
} as const satisfies Record<Method, string>;

/** `listWatches`, `getWatch`, `pauseWatch`, `getEventHistory`. */
export function operationIdOf({ method, path }: Pick<OperationFacts, 'method' | 'path'>): string {
  const known = given[`${method} ${path}`];
  if (known !== undefined) return known;
  const parts = path.replace(/^\/v1\//, '').split('/');
  const nouns = parts.map((part, index) =>
    parts[index + 1]?.startsWith('{') ? singular(part) : part,
  );
  const names = nouns.filter((part) => !part.startsWith('{'));
  const last = names.at(-1) ?? '';
  const isAction = method === 'post' && parts.length === 3;
  if (isAction) return camel([last, ...names.slice(0, -1)]);
  if (parts.at(-1)?.startsWith('{')) return camel([verbs[method], ...names]);
  if (method === 'post') return camel([verbs.post, ...names.slice(0, -1), singular(last)]);
  return camel([isList(method, parts) ? 'list' : verbs[method], ...names]);
}

/** Lists have a path for one of their items too; `/v1/budget` has none. */
function isList(method: Method, parts: readonly string[]): boolean {
  return method === 'get' && parts.length === 1 && lists.has(parts[0] ?? '');
}

const lists = new Set(['alerts', 'channels', 'deliveries', 'jobs', 'keys', 'owners', 'watches']);

function singular(noun: string): string {
  return noun
    .replace(/ies$/, 'y')
    .replace(/(ch)es$/, '$1')
    .replace(/s$/, '');
}

function camel([first = '', ...others]: readonly string[]): string {
  const words = others.flatMap((other) => other.split(/[^a-z0-9]+/i));
  return first + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
