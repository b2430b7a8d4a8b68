// What the desk asks the API for: a call names its operation, and the type of its answer.

export type CallMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** One operation of the API. `answer` exists for the compiler only. */
export interface ApiCall<Answer> {
  method: CallMethod;
  /** As in the API's document: `/v1/watches/{id}`. */
  path: string;
  /** The parameters of the query that the desk sends. */
  query: readonly string[];
  /** Whether a POST changes nothing, so that a repeat needs no key. */
  isRead?: boolean;
  answer?: Answer;
}

/** Declares a call whose answer has this type. */
export function call<Answer>(
  method: CallMethod,
  path: string,
  query: readonly string[] = [],
): ApiCall<Answer> {
  return { method, path, query };
}

/** The details of one request. */
export interface Details {
  path?: Readonly<Record<string, string>>;
  /** A list is sent as one parameter for each of its values. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, in place of `body`. */
  file?: { type: string; content: Blob };
  /** The version that is changed; `*` for any. */
  ifMatch?: string;
  signal?: AbortSignal;
}

/** The address of a request, with its parameters. */
export function addressOf({ path }: Pick<ApiCall<unknown>, 'path'>, details: Details): string {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(details.path?.[name] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(details.query ?? {})) {
    for (const each of [value].flat()) {
      if (each !== undefined && each !== '') query.append(name, String(each));
    }
  }
  return query.size === 0 ? place : `${place}?${query}`;
}
