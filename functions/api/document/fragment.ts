// A fragment of the OpenAPI document as JSON, and how one names a schema.

/** A fragment of the document. */
export type Json = Record<string, unknown>;

/** The reference to a schema of the document. */
export const reference = (id: string) => `#/components/schemas/${id}`;
