// DynamoDB's requests and answers as values: as JSON brings them, and as a document client gives them.
import { unmarshall } from '@aws-sdk/util-dynamodb';

export type Wire = Record<string, unknown>;

/** As JSON in UTF-8 brings values: binary ones as base64, no half of a surrogate pair, and nothing undefined. */
export function toWire(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name.toWellFormed(), toWire(field)]));
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
function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => typeof field !== 'function');
  return Object.fromEntries(
    fields.map(([name, field]) => {
      if (name === 'B' && typeof field === 'string') return [name, bytes(field)];
      if (name === 'BS' && Array.isArray(field)) return [name, field.map(bytes)];
      return [name, withBytes(field)];
    }),
  );
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
