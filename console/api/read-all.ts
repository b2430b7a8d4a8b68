// All rows of a list, page by page.
import type { ApiCall, Details } from './call.ts';
import type { ListPage } from './calls.ts';
import { send } from './send.ts';

/** The pages that lists have at most, but for that of watches. */
const pageSize = 200;

/** @throws RefusedError | SignedOutError | UnreachableError */
export async function readAll<Row>(
  call: ApiCall<ListPage<Row>>,
  details: Details = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | undefined;
  do {
    const query = { limit: pageSize, ...details.query, starting_after: after };
    const page = await send(call, { ...details, query });
    rows.push(...page.data);
    after = page.next_cursor ?? undefined;
  } while (after !== undefined);
  return rows;
}
