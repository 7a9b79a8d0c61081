/**
 * Lambda. Sources: docs.aws.amazon.com Lambda, API_GetAccountSettings, API_GetFunctionConcurrency, API_GetEventSourceMapping, API_Invoke,
 * and permissions for invocations in lambda-api-permissions-ref.
 */
import { AwsRefusal, type CallContext, type FakeService, type Input, PassedOn } from '../service.ts';

export interface FakeConcurrency {
  /** Of the account and region. */
  limit: number;
  /** By the name of the function. */
  readonly reserved?: Readonly<Record<string, number>>;
}

export interface FakeMapping {
  State: string;
  LastProcessingResult?: string;
}

/** An event that was accepted, and that no function was invoked with yet. */
export interface FakeInvocation {
  /** Its ARN, with the alias that was named. */
  readonly functionArn: string;
  readonly event: unknown;
}

export const lambda = (
  concurrency: FakeConcurrency,
  mapping: FakeMapping = { State: 'Enabled' },
  accepted: FakeInvocation[] = [],
): FakeService => ({
  name: 'lambda',
  protocol: 'rest',
  routes: {
    GetAccountSettings: 'GET /2016-08-19/account-settings',
    GetFunctionConcurrency: 'GET /2019-09-30/functions/{FunctionName}/concurrency',
    GetEventSourceMapping: 'GET /2015-03-31/event-source-mappings/{UUID}',
    Invoke: 'POST /2015-03-31/functions/{FunctionName}/invocations',
  },
  needs: (action, input, context) =>
    action === 'Invoke'
      ? [{ action: 'lambda:InvokeFunction', resource: arnOf(input, context) }]
      : [{ action: `lambda:${action}`, resource: '*' }],
  actions: {
    GetAccountSettings() {
      const { limit, reserved = {} } = concurrency;
      const kept = Object.values(reserved).reduce((sum, one) => sum + one, 0);
      return {
        AccountLimit: { ConcurrentExecutions: limit, UnreservedConcurrentExecutions: limit - kept },
        AccountUsage: { FunctionCount: Object.keys(reserved).length },
      };
    },
    GetEventSourceMapping: ({ UUID }) => ({ UUID, ...mapping }),
    GetFunctionConcurrency({ FunctionName }) {
      const value = concurrency.reserved?.[String(FunctionName)];
      return value === undefined ? {} : { ReservedConcurrentExecutions: value };
    },
    Invoke(input, context) {
      const { headers, body } = context.request;
      if (headers['x-amz-invocation-type'] !== 'Event')
        throw new AwsRefusal('InvalidParameterValueException', 'This fake accepts events only.');
      accepted.push({ functionArn: arnOf(input, context), event: JSON.parse(body.toString()) });
      return new PassedOn(202, {}, Buffer.alloc(0));
    },
  },
});

/** A function is named by its name or its ARN, each with or without an alias. */
function arnOf({ FunctionName }: Input, { region, account }: CallContext): string {
  const name = String(FunctionName);
  return name.startsWith('arn:') ? name : `arn:aws:lambda:${region}:${account}:function:${name}`;
}
