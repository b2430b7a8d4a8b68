// Events: found by words, their prices now and over time, their zones.
import type { ApiPart } from '../part.ts';
import { eventDetailOperations } from '../routes/event-detail.ts';
import { eventSeriesOperation } from '../routes/event-series.ts';
import { eventZonesOperation } from '../routes/event-zones.ts';
import { searchOperation } from '../routes/events.ts';

export const part: ApiPart = {
  operations: (deps) => [
    searchOperation(deps),
    ...eventDetailOperations(deps),
    eventSeriesOperation(deps),
    eventZonesOperation(deps),
  ],
};
