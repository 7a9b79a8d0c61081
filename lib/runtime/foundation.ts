/**
 * The base of every function: its environment, its log, and the clients for AWS.
 */
import { lazyFor } from '../async/lazy.ts';
import { failureFields } from '../core/errors/failure-fields.ts';
import type { AwsCall, FindEndpoint, Sign } from '../core/ports/aws.ts';
import type { Send, SendForText } from '../core/ports/http.ts';
import type { Log } from '../core/ports/log.ts';
import { type TableName, tables } from '../core/tables.ts';
import { createAwsCall } from '../transport/aws/aws-call.ts';
import { createEndpoints } from '../transport/aws/aws-endpoints.ts';
import { createSigner } from '../transport/aws/sign-action.ts';
import type { HttpClient } from '../transport/http-client/http-client.ts';
import { createNodeClient } from '../transport/http-client/node-client.ts';
import { localDatabase } from '../transport/local-database.ts';
import { createCredentials } from './credentials.ts';
import { type Environment, readEnvironment, type Variables } from './environment.ts';
import { createLog } from './log.ts';

export interface Foundation {
  readonly variables: Variables;
  readonly environment: Environment;
  readonly now: () => number;
  readonly log: Log;
  readonly send: Send;
  readonly sendForText: SendForText;
  readonly preconnect: HttpClient['preconnect'];
  /** Opens a connection for a call that is likely to follow. */
  readonly connectToDatabase: () => void;
  readonly sign: Sign;
  /** Where the services of AWS are. */
  readonly endpointOf: FindEndpoint;
  /** The parameter store. */
  readonly ssm: AwsCall;
  /** The options of a store for its table. */
  readonly table: (name: TableName) => { readonly call: AwsCall; readonly table: string };
}

const chosen = new WeakMap<Variables, HttpClient>();

/** Of a server, before it creates the functions: an event function has the client that starts sooner. */
export function chooseHttpClient(variables: Variables, client: HttpClient): void {
  chosen.set(variables, client);
}

/** The base of an environment. All operations of a server have one set of connections, cached rows and shares of limits. */
export const foundationOf = lazyFor((variables: Variables) =>
  createFoundation(chosen.get(variables) ?? createNodeClient(), variables),
);

/** Opens no connection. Throws if environment variables are missing or invalid. */
export function createFoundation(
  { send, sendForText, preconnect }: Pick<HttpClient, 'send' | 'sendForText' | 'preconnect'>,
  variables: Variables,
): Foundation {
  const environment = readEnvironment(variables);
  const { AWS_REGION: region, DYNAMODB_ENDPOINT: local } = environment;
  const log = createLog();
  const warn = (reason: string, cause: unknown) =>
    log.warn('credentials not refreshed', { ...failureFields(cause), reason });
  const endpointOf = createEndpoints(region, variables);
  const sign = createSigner(createCredentials({ variables, endpointOf, send, now: Date.now, warn }));
  const aws = { sendForText, sign, region };
  const database = {
    ...aws,
    service: 'dynamodb',
    jsonVersion: '1.0' as const,
    ...(local === undefined ? { endpoint: endpointOf('dynamodb') } : localDatabase(local)),
  };
  const dynamodb = createAwsCall(database);
  return {
    variables,
    environment,
    now: Date.now,
    log,
    send,
    sendForText,
    preconnect,
    connectToDatabase: () => preconnect?.(database.endpoint),
    sign,
    endpointOf,
    ssm: createAwsCall({ ...aws, service: 'ssm', endpoint: endpointOf('ssm'), jsonVersion: '1.1' }),
    // A function has only the names of the tables that it may use. Any other table fails at its first read.
    table: (name) => ({
      call: dynamodb,
      table: environment[tables[name].environmentVariable] ?? `no ${name} table`,
    }),
  };
}
