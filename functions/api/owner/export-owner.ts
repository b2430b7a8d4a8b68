// The export of everything stored of an owner, page by page: first the owner's own items and costs, then list by list
// with what belongs to each listed item.
import type { RawItem } from '#shared/dynamo/attribute-readings.ts';
import type { KnownSettings } from '#shared/dynamo/budget-shares.ts';
import type { OwnedPage, PageRequest } from '#shared/dynamo/owner-index.ts';
import { type OwnerItemStore, ownerDayKeys } from '#shared/dynamo/owner-items.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import { isExpired } from '#shared/retention.ts';
import { isExported, type OwnerList, ownerLists } from '#shared/watchlist/owner-data.ts';
import { storedJson } from './stored-json.ts';

/** An item of the export, with the items that belong to it. */
export interface ExportedItem {
  kind: string;
  item: Record<string, unknown>;
  parts: { kind: string; item: Record<string, unknown> }[];
}

interface ExportDeps {
  ownerItems: Pick<OwnerItemStore, 'list' | 'partition' | 'found'>;
  readSettings: () => Promise<KnownSettings>;
}

/** A position: the number of the list, and the sort value in it after which to go on. */
export const exportPlaces = /^list\d(\/\S+)?$/;

/** Sums per day are kept for 40 days. */
const daysKept = 41;
const dayMs = 86_400_000;
/** Lists whose items have others in their partitions that an export has too. */
const withOthers: ReadonlySet<OwnerList> = new Set(['channel', 'watch', 'deletedWatch', 'alert']);
const partitionsAtOnce = 25;
/** Lambda's answers are limited to 6 MB. A listed item with all that belongs to it has some 30 KB at most. */
const mostBytes = 3_000_000;
const itemsAtOnce = 50;

/** One page; `now` is epoch milliseconds. */
export function createExportOwner({ ownerItems, readSettings }: ExportDeps) {
  return async function exportOwner(
    ownerId: string,
    { limit, after = 'list0' }: PageRequest,
    now: number,
  ): Promise<OwnedPage<ExportedItem>> {
    const rows: ExportedItem[] = [];
    let [first = '0', sort] = splitAt(after);
    if (first === '0') {
      rows.push(...(await ownItems(ownerId, now)));
      first = '1';
    }
    let bytes = 0;
    for (let number = Number(first); number <= ownerLists.length; number += 1) {
      do {
        const { items, next } = await listed(ownerId, number, {
          limit: Math.min(itemsAtOnce, Math.max(1, limit - rows.length)),
          after: sort,
        });
        const shown = items.filter((raw) => !isExpired(raw, now));
        const hasParts = withOthers.has(ownerLists[number - 1] ?? 'apiKey');
        const whole = hasParts
          ? await inLots(shown, partitionsAtOnce, withParts)
          : shown.map((raw) => exported(raw));
        rows.push(...whole);
        bytes += whole.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
        sort = next;
        if (sort !== undefined && (rows.length >= limit || bytes >= mostBytes)) {
          return { rows, next: `list${number}/${sort}` };
        }
      } while (sort !== undefined);
      const isFull = rows.length >= limit || bytes >= mostBytes;
      if (isFull && number < ownerLists.length) return { rows, next: `list${number + 1}` };
    }
    return { rows };
  };

  async function listed(
    ownerId: string,
    number: number,
    page: PageRequest,
  ): ReturnType<OwnerItemStore['list']> {
    const list = ownerLists[number - 1];
    return list === undefined ? { items: [] } : ownerItems.list(ownerId, list, page);
  }

  /** The owner, its defaults, its share of the budget, and what its watches cost per day. */
  async function ownItems(ownerId: string, now: number): Promise<ExportedItem[]> {
    const days = Array.from({ length: daysKept }, (_, back) =>
      new Date(now - back * dayMs).toISOString().slice(0, 10),
    );
    const [own, sums, { ownerShares }] = await Promise.all([
      ownerItems.partition(`OWNER#${ownerId}`),
      ownerItems.found(ownerDayKeys(ownerId, days)),
      readSettings(),
    ]);
    const share = ownerShares[ownerId];
    return [
      ...[...own, ...sums].filter((raw) => isExported(kindOf(raw))).map((raw) => exported(raw)),
      ...(share === undefined
        ? []
        : [{ kind: 'budgetSettings', item: { owner_share: share }, parts: [] }]),
    ];
  }

  async function withParts(raw: RawItem): Promise<ExportedItem> {
    const all = await ownerItems.partition(String(raw.pk));
    const parts = all.filter((each) => each.sk !== raw.sk && isExported(kindOf(each)));
    return exported(raw, parts);
  }
}

function splitAt(place: string): [string, string | undefined] {
  const [, number = '0', sort] = /^list(\d)(?:\/(.+))?$/.exec(place) ?? [];
  return [number, sort];
}

function exported(raw: RawItem, parts: readonly RawItem[] = []): ExportedItem {
  return {
    ...{ kind: kindOf(raw), item: storedJson(raw) },
    parts: parts.map((part) => ({ kind: kindOf(part), item: storedJson(part) })),
  };
}

/** The name under which shared/dynamo stores the item. */
function kindOf({ entity }: RawItem): string {
  return typeof entity === 'string' ? entity : 'unknown';
}
