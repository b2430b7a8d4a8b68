/** The clients of the operator's commands; account and Region are those of the environment. */
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESClient } from '@aws-sdk/client-ses';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { STSClient } from '@aws-sdk/client-sts';

export interface OperatorClients {
  readonly cloudFormation: CloudFormationClient;
  readonly dynamoDb: DynamoDBClient;
  readonly lambda: LambdaClient;
  readonly secrets: SecretsManagerClient;
  readonly ses: SESClient;
  readonly sesV2: SESv2Client;
  readonly sts: STSClient;
}

export function connectAws(): OperatorClients {
  return {
    cloudFormation: new CloudFormationClient({}),
    dynamoDb: new DynamoDBClient({}),
    lambda: new LambdaClient({}),
    secrets: new SecretsManagerClient({}),
    ses: new SESClient({}),
    sesV2: new SESv2Client({}),
    sts: new STSClient({}),
  };
}
