/** The environment of the gateway that this process has started last, which is that of the test file that runs. */
import type { Variables } from '../../../lib/runtime/environment.ts';

let current: Variables = {};

export const gatewayEnvironment = (): Variables => current;

export function setGatewayEnvironment(variables: Variables): void {
  current = variables;
}

/** Of the database that helpers of tests read and write. */
export const databaseEndpoint = (): string => current.DYNAMODB_ENDPOINT ?? '';
