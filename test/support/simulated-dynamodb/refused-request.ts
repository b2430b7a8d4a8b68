// What DynamoDB answers to a request that it refuses.

export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  /** DynamoDB's name of the error. */
  readonly kind:
    | 'ValidationException'
    | 'ConditionalCheckFailedException'
    | 'ProvisionedThroughputExceededException'
    | 'ResourceNotFoundException';

  constructor(kind: RefusedRequest['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** @throws RefusedRequest that calls the request invalid */
export function refuse(message: string): never {
  throw new RefusedRequest('ValidationException', message);
}
