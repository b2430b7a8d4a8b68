// Makes the AWS SDK clients, each with the timeouts that the SDK doesn't set; endpoints come from the
// SDK's own AWS_ENDPOINT_URL_* variables, so this code is the same locally and in AWS.

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESClient } from '@aws-sdk/client-ses';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '#shared/dynamo/document-client.ts';
import { timing } from '#shared/timing.ts';

/**
 * The SDK has no default request timeout, so one stuck socket could outlive a function. With a timeout
 * set, the SDK only logs a warning unless it is told to throw. Retries stay at the SDK's three tries.
 */
const requestHandler = {
  connectionTimeout: 1_000,
  requestTimeout: timing.awsRequestTimeoutMs,
  throwOnRequestTimeout: true,
};

export function createDynamo(): DynamoDBDocumentClient {
  return documentClient(new DynamoDBClient({ requestHandler }));
}

export function createSqs(): SQSClient {
  return new SQSClient({ requestHandler });
}

/** An SES client. A send may take longer than a table read, so it has a longer request timeout. */
export function createSes(): SESClient {
  return new SESClient({
    requestHandler: { ...requestHandler, requestTimeout: timing.mailRequestTimeoutMs },
  });
}

export function createSecrets(): SecretsManagerClient {
  return new SecretsManagerClient({ requestHandler });
}
