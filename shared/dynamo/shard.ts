// Spreads items over the shards of an index, so that no partition becomes hot.

/** Shards of the `due` and `unfinished` indexes: 16 × 3,000 read units a second is far more than needed. */
export const shardCount = 16;

/** The shard of an id, always the same for one id (FNV-1a over its UTF-16 units). */
export function shardOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % shardCount;
}

/** The partition value of one shard, such as `stats#07`. */
export function shardKey(name: string, shard: number): string {
  return `${name}#${String(shard).padStart(2, '0')}`;
}
