import { GatewayError } from './errors.ts';

export function invalid(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `'${param}' ${problem}.`, { param });
}
