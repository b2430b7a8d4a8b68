// Alerts and their deliveries.
import type { ApiPart } from '../part.ts';
import { alertOperations } from '../routes/alerts.ts';
import { deliveryOperations } from '../routes/deliveries.ts';

export const part: ApiPart = {
  operations: (deps) => [...alertOperations(deps), ...deliveryOperations(deps)],
};
