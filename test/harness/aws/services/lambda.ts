/** Lambda. Sources: docs.aws.amazon.com Lambda, API_GetAccountSettings, API_GetFunctionConcurrency, API_GetEventSourceMapping. */
import type { FakeService } from '../service.ts';

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

export const lambda = (
  concurrency: FakeConcurrency,
  mapping: FakeMapping = { State: 'Enabled' },
): FakeService => ({
  name: 'lambda',
  protocol: 'rest',
  routes: {
    GetAccountSettings: 'GET /2016-08-19/account-settings',
    GetFunctionConcurrency: 'GET /2019-09-30/functions/{FunctionName}/concurrency',
    GetEventSourceMapping: 'GET /2015-03-31/event-source-mappings/{UUID}',
  },
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
  },
});
