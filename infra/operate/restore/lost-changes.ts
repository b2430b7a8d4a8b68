/** What people changed since the moment of the backup, and which therefore is gone: found by comparing both tables. */
import type { RawItem } from '#shared/dynamo/attribute-readings.ts';

const kinds = { OWNER: 'owner', WATCH: 'watch', CHANNEL: 'channel', APIKEY: 'key' } as const;
export type ComparedKind = (typeof kinds)[keyof typeof kinds];

/** Ids by kind, such as "watch wat_…". */
export interface LostChanges {
  /** Made since: not in the restored table. */
  readonly made: string[];
  /** Changed since: back in their earlier form. */
  readonly changed: string[];
  /** Deleted since: back again. */
  readonly deleted: string[];
}

/** Collects the items of the table from before, then those of the restored one. */
export class Differences {
  readonly #before = new Map<string, unknown>();
  readonly #after = new Map<string, unknown>();

  before(raw: RawItem): void {
    note(this.#before, raw);
  }

  after(raw: RawItem): void {
    note(this.#after, raw);
  }

  /** Those between the items so far. */
  get found(): LostChanges {
    const [before, after] = [this.#before, this.#after];
    const made = [...before.keys()].filter((name) => !after.has(name));
    const changed = [...before].filter(
      ([name, version]) => after.has(name) && after.get(name) !== version,
    );
    const deleted = [...after.keys()].filter((name) => !before.has(name));
    return { made, changed: changed.map(([name]) => name), deleted };
  }
}

function note(into: Map<string, unknown>, { pk, sk, version, revision, keyId }: RawItem): void {
  const kind = Object.hasOwn(kinds, String(sk)) ? kinds[sk as keyof typeof kinds] : undefined;
  if (kind === undefined) return;
  // An item is under the hash of a key, which is not shown.
  const id = kind === 'key' ? keyId : String(pk).slice(String(pk).indexOf('#') + 1);
  into.set(`${kind} ${id}`, version ?? revision);
}
