/** The account and the Region that a command works in: those of the credentials, which a stage may be pinned to. */
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import type { Stage } from '../config.ts';
import { connectAws, type OperatorClients } from './aws-connection.ts';
import { OperatorError } from './command.ts';
import { readStageFile } from './stage-file.ts';

/** Where a stage belongs; without a value the credentials and the environment decide. */
export interface Pin {
  readonly stage: Stage;
  readonly account?: string | undefined;
  readonly region?: string | undefined;
}

export interface StagePlace {
  readonly accountId: string;
  readonly region: string;
}

/** The place of a stage by its file. @throws OperatorError as `enterPlace` */
export async function placeOf(stage: Stage): Promise<StagePlace> {
  return enterPlace(enterRegionOf(stage), connectAws());
}

/** Sets the Region that a stage's file names. @returns where the stage belongs. @throws OperatorError as `pinRegion` */
export function enterRegionOf(stage: Stage): Pin {
  const { account, region } = readStageFile(stage);
  const pin = { stage, account, region };
  pinRegion(pin, process.env);
  return pin;
}

/**
 * Sets the stage's Region in the environment, where the SDK and the CDK read it.
 * @throws OperatorError if the environment has another one
 */
export function pinRegion({ stage, region }: Pin, environment: NodeJS.ProcessEnv): void {
  if (region === undefined) return;
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION']) {
    const set = environment[name];
    if (set === undefined || set === '' || set === region) continue;
    throw new OperatorError(
      `Stage ${stage} belongs in ${region}, but ${name} is ${set}: unset it, or use another stage.`,
    );
  }
  environment.AWS_REGION = region;
}

/** @throws OperatorError without a Region or credentials, and in another account than the stage's */
export async function enterPlace(pin: Pin, { sts }: OperatorClients): Promise<StagePlace> {
  const region = await sts.config.region().catch((cause: unknown) => {
    throw new OperatorError('No Region: set AWS_REGION, or a profile that has one.', { cause });
  });
  const accountId = await accountOf(sts);
  if (pin.account === undefined || pin.account === accountId) return { accountId, region };
  throw new OperatorError(
    `Stage ${pin.stage} belongs in account ${pin.account}, but the credentials are of ${accountId}: set AWS_PROFILE.`,
  );
}

async function accountOf(sts: OperatorClients['sts']): Promise<string> {
  try {
    const { Account = '' } = await sts.send(new GetCallerIdentityCommand({}));
    return Account;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(
      `No account: AWS takes none of the credentials here (${reason}). Set AWS_PROFILE, or sign in.`,
      { cause },
    );
  }
}
