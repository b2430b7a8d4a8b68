/** What happens to a resource that holds data when it leaves the stack. */
import { RemovalPolicy } from 'aws-cdk-lib';

/**
 * Kept data stays when the stack is deleted or the resource is replaced. A resource that a failed deployment made is
 * deleted with it: it holds nothing, and the next deployment makes a new one.
 */
export function removalOf(keepData: boolean): RemovalPolicy {
  return keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
