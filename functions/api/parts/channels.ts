// Channels, and what kinds there are.
import type { ApiPart } from '../part.ts';
import { channelOperations } from '../routes/channels.ts';
import { createWatchlistUse } from '../watches/watchlist-use.ts';

export const part: ApiPart = {
  operations: (deps) => channelOperations(deps, createWatchlistUse(deps)),
};
