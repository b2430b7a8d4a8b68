// DynamoDB's requests and answers as values: as JSON brings them, and as a document client gives them.
import { unmarshall } from '@aws-sdk/util-dynamodb';

export type Wire = Record<string, unknown>;

/** As JSON in UTF-8 brings values: binary ones as base64, no half of a surrogate pair, and nothing undefined. */
export function toWire(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return withFields(value, toWire);
}

/**
 * The value with other fields or elements, where `change` changes one; itself where none does, which most are. A name
 * is changed as a text is, and what becomes undefined is left out.
 */
function withFields(value: unknown, change: (inner: unknown, name?: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const changed = value.map((inner) => change(inner));
    return changed.some((inner, index) => inner !== value[index]) ? changed : value;
  }
  let fields: Map<string, unknown> | undefined;
  for (const [name, inner] of Object.entries(value)) {
    const newInner = change(inner, name);
    if (newInner === inner && inner !== undefined && name.isWellFormed()) continue;
    fields ??= new Map(Object.entries(value));
    fields.delete(name);
    if (newInner !== undefined) fields.set(name.toWellFormed(), newInner);
  }
  return fields ? Object.fromEntries(fields) : value;
}

/** An answer with its items as a document client gives them. */
export function fromWire(answer: Wire): Wire {
  const { Item, Attributes, LastEvaluatedKey, Items, Responses, UnprocessedKeys } = answer;
  const { UnprocessedItems } = answer;
  return {
    ...answer,
    ...(Item !== undefined && { Item: document(Item) }),
    ...(Attributes !== undefined && { Attributes: document(Attributes) }),
    ...(LastEvaluatedKey !== undefined && { LastEvaluatedKey: document(LastEvaluatedKey) }),
    ...(Items !== undefined && { Items: documents(Items) }),
    ...(Responses !== undefined && { Responses: byTable(Responses, documents) }),
    ...(UnprocessedKeys !== undefined && { UnprocessedKeys: byTable(UnprocessedKeys, keysLeft) }),
    ...(UnprocessedItems !== undefined && {
      UnprocessedItems: byTable(UnprocessedItems, (requests) => (requests as Wire[]).map(request)),
    }),
    $metadata: { httpStatusCode: 200 },
  };
}

function byTable(tables: unknown, read: (of: unknown) => unknown): Wire {
  return Object.fromEntries(Object.entries(tables as Wire).map(([name, of]) => [name, read(of)]));
}

const keysLeft = (left: unknown) => ({ ...(left as Wire), Keys: documents((left as Wire).Keys) });

function request({ PutRequest, DeleteRequest }: Wire): Wire {
  if (PutRequest) return { PutRequest: { Item: document((PutRequest as Wire).Item) } };
  return { DeleteRequest: { Key: document((DeleteRequest as Wire).Key) } };
}

const documents = (items: unknown) => (items as unknown[]).map(document);

function document(item: unknown): unknown {
  return unmarshall(withBytes(item) as never);
}

/** Binary values as bytes again, and nothing that JSON has not: dynalite may answer with a function. */
function withBytes(value: unknown, name?: string): unknown {
  if (typeof value === 'function') return undefined;
  if (name === 'B' && typeof value === 'string') return bytes(value);
  if (name === 'BS' && Array.isArray(value)) return value.map(bytes);
  return withFields(value, withBytes);
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
