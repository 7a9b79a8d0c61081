/** Whether the gateway itself may store what a caller sends and gets, by its data policies. */
import { GatewayError } from './errors/errors.ts';
import { dataPoliciesOf, type WithPolicies } from './tenancy.ts';

export const mayStore = (key: WithPolicies | undefined): boolean =>
  !dataPoliciesOf(key).some(({ noStore }) => noStore);

/** Throws GatewayError `invalid_request` for a request that asks for something to be stored. `param`: what asks for it. */
export function requireMayStore(key: WithPolicies | undefined, param: string): void {
  if (mayStore(key)) return;
  const message = `'${param}' makes the gateway store what is sent, which the data policy of this API key forbids: 'no_store'.`;
  throw new GatewayError('invalid_request', message, { param, code: 'data_policy' });
}
