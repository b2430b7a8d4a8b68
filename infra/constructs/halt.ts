/**
 * Whether the stack works: by a parameter, everything that could change a table or send something stands still. That is
 * every schedule, every queue's event source, and the API, which then answers 503. Messages wait in their queues.
 */
import { CfnCondition, Fn, Stack } from 'aws-cdk-lib';
import {
  CfnEventSourceMapping,
  type CfnFunction,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import type { WorkState } from '../restored-names.ts';

export interface HaltProps {
  /** The value of the parameter `Work`. */
  readonly work: string;
  /** The API's function. */
  readonly api: LambdaFunction;
}

export class Halt extends Construct {
  readonly #works: string;

  /** Applies to what the stack has by now, so it is made last. */
  constructor(scope: Construct, id: string, { work, api }: HaltProps) {
    super(scope, id);
    this.#works = new CfnCondition(this, 'Works', {
      expression: Fn.conditionEquals(work, 'on' satisfies WorkState),
    }).logicalId;
    for (const one of Stack.of(this).node.findAll()) {
      if (one instanceof CfnSchedule) one.state = this.#pick('ENABLED', 'DISABLED').toString();
      if (one instanceof CfnEventSourceMapping) one.enabled = this.#pick(true, false);
    }
    const { node } = api;
    const handler = node.defaultChild as CfnFunction;
    const { reservedConcurrentExecutions: usual } = handler;
    handler.addPropertyOverride('ReservedConcurrentExecutions', this.#pick(usual, 0));
  }

  #pick(whenOn: unknown, whenOff: unknown) {
    return Fn.conditionIf(this.#works, whenOn, whenOff);
  }
}
