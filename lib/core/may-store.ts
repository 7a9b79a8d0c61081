/** Refuses what makes the gateway store what a caller sends and gets, where a data policy forbids that. */
import { GatewayError } from './errors/errors.ts';
import { mayStore, type WithPolicies } from './tenancy.ts';

/** Throws GatewayError `invalid_request` for a request that asks for something to be stored. `param`: what asks for it. */
export function requireMayStore(key: WithPolicies | undefined, param: string): void {
  if (mayStore(key)) return;
  const message = `'${param}' makes the gateway store what is sent, which the data policy of this API key forbids: 'no_store'.`;
  throw new GatewayError('invalid_request', message, { param, code: 'data_policy' });
}
