/** A deployment before it begins, and what its steps work with. */
import type { OperatorClients } from './aws-connection.ts';
import type { DeployRequest } from './deploy-request.ts';
import type { StagePlace } from './place.ts';
import type { DeployedStack } from './stack.ts';

export interface Deployment {
  readonly request: DeployRequest;
  readonly stackName: string;
  readonly place: StagePlace;
  /** Undefined: the deployment creates the stack. */
  readonly stack: DeployedStack | undefined;
}

export interface DeployTools {
  readonly clients: OperatorClients;
  /** Runs the CDK's command line. @returns its exit code */
  readonly runCdk: (args: readonly string[]) => Promise<number>;
  readonly say: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly wait: (ms: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** For the trial of the marketplace's key. @default Node's own */
  readonly fetch?: typeof fetch | undefined;
}
