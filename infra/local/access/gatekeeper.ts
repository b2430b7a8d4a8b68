/**
 * Limits the calls of each function to its role in the template, as IAM does. Calls from others
 * (the operator, tests, the run itself) pass.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { callOf, type ServicePlace, signerOf } from './aws-call.ts';
import { type AccessRequest, isAllowed, type Statement } from './policy.ts';

/** A function's identity in AWS when it calls. */
export interface Principal {
  accessKeyId: string;
  /** For example `arn:aws:sts::000000000000:assumed-role/PollRole/Poll`. */
  arn: string;
  statements: Statement[];
}

export interface GatekeeperOptions extends ServicePlace {
  /** Called once per kind of denial, even if the function retries. */
  onDenied: (message: string) => void;
}

export class Gatekeeper {
  readonly #options: GatekeeperOptions;
  readonly #told = new Set<string>();
  #principals: ReadonlyMap<string, Principal> = new Map();

  constructor(options: GatekeeperOptions) {
    this.#options = options;
  }

  /** From now on, checks these functions against their statements. */
  hold(principals: readonly Principal[]): void {
    this.#principals = new Map(principals.map((one) => [one.accessKeyId, one]));
  }

  /** Whether a function made the request, so that its body must be checked. */
  concerns(headers: IncomingHttpHeaders): boolean {
    return this.#principals.has(signerOf(headers) ?? '');
  }

  /** @returns why the call is denied, in AWS's words; undefined if it is allowed */
  denial(headers: IncomingHttpHeaders, body: string): string | undefined {
    const { accessKeyId, accesses } = callOf({ headers, body }, this.#options);
    const principal = this.#principals.get(accessKeyId);
    if (!principal) return undefined;
    const denied = accesses.find((access) => !isAllowed(principal.statements, access));
    return denied && this.#tell(principal, denied);
  }

  #tell({ arn }: Principal, { action, resource }: AccessRequest): string {
    const message =
      `User: ${arn} is not authorized to perform: ${action} on resource: ${resource} ` +
      `because no identity-based policy allows the ${action} action`;
    if (!this.#told.has(message)) this.#options.onDenied(message);
    this.#told.add(message);
    return message;
  }
}
