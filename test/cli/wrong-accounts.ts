/** What can be wrong with an account or a deployed gateway, one thing each, and what `check` must say of it. */
import { type FakeAccount, topic } from '../harness/aws/account.ts';
import type { FakeStack } from '../harness/aws/services/cloudformation.ts';
import type { FakeTable } from '../harness/aws/services/dynamodb.ts';

interface WrongAccount {
  readonly check: string;
  readonly level: 'warning' | 'failed';
  /** A part of what was found, or of what to do. */
  readonly text: string;
  readonly change: (account: FakeAccount) => void;
  readonly options?: string;
}

const warns = (check: string, text: string, change: WrongAccount['change'], options = ''): WrongAccount => ({
  ...{ check, level: 'warning', text, change, options },
});
const fails = (check: string, text: string, change: WrongAccount['change'], options = ''): WrongAccount => ({
  ...{ check, level: 'failed', text, change, options },
});

const version = '/cdk-bootstrap/hnb659fds/version';
const asPlanned = () => {};
const busy = '--planned-rps 20 --planned-seconds 8';
const short = '--planned-seconds 0.01';

const limit = (value: number) => (account: FakeAccount) => {
  account.concurrency.limit = value;
};
const model = (access: FakeAccount['models'][string]) => (account: FakeAccount) => {
  account.models['cohere.embed-v4:0'] = access;
};
const stack = (change: Partial<FakeStack>) => (account: FakeAccount) => {
  Object.assign(account.stacks.Gateway ?? {}, change);
};
const admin =
  (change: Partial<FakeStack>) =>
  ({ stacks }: Pick<FakeAccount, 'stacks'>) => {
    Object.assign(stacks.GatewayAdmin ?? {}, change);
  };
const output = (name: string, value: string | undefined) => (account: FakeAccount) => {
  const outputs = { ...account.stacks.Gateway?.outputs };
  delete outputs[name];
  stack({ outputs: { ...outputs, ...(value !== undefined && { [name]: value }) } })(account);
};
const table = (name: string, change: FakeTable) => (account: FakeAccount) => {
  account.tables[name] = change;
};
const maximum = (metric: string, value: number) => (account: FakeAccount) => {
  account.maxima[metric] = value;
};

const complete: FakeTable = { timeToLive: 'expires_at', recovery: true, isProtected: true };
const confirmed = { endpoint: 'ops@acme.example', isConfirmed: false };
const age = 'AWS/Lambda/IteratorAge';
const queue = 'AWS/SQS/ApproximateNumberOfMessagesVisible';
const openAiKey = '/Gateway/providers/openai/api-key';

const mapping = (change: Partial<FakeAccount['mapping']>) => (account: FakeAccount) => {
  Object.assign(account.mapping, change);
};

export const wrongAccounts: readonly WrongAccount[] = [
  fails('aggregator', 'its event source mapping is Disabled', mapping({ State: 'Disabled' })),
  fails(
    'aggregator',
    'PROBLEM: Lambda cannot access your stream',
    mapping({ LastProcessingResult: 'PROBLEM: Lambda cannot access your stream' }),
  ),
  fails('bootstrap', 'cdk bootstrap aws://123456789012/', ({ parameters }) => parameters.delete(version)),
  fails('bootstrap', '6 is needed', ({ parameters }) => parameters.set(version, { value: '5' })),
  warns('lambda-concurrency', 'New accounts begin with so few', limit(10)),
  fails('lambda-concurrency', 'needs 160 at a time, and 10 are possible', limit(10), busy),
  warns('lambda-concurrency', 'little left for peaks', limit(170), busy),
  fails('api-account-throttle', '20000 are planned', asPlanned, `--planned-rps 20000 ${short}`),
  fails('api-stage-throttle', '-c throttleRate', asPlanned, `--planned-rps 2000 ${short}`),
  warns('parameter-store', 'high-throughput-enabled', asPlanned, '--planned-rps 100'),
  warns('bedrock-models', 'AWS Marketplace', model({ agreement: 'NOT_AVAILABLE' })),
  warns('bedrock-models', 'policy forbids', model({ agreement: 'AVAILABLE', isAuthorized: false })),
  warns('bedrock-anthropic-form', 'Model catalog', ({ form }) => Object.assign(form, { hasUseCase: false })),
  fails('stack', 'delete the stack', stack({ status: 'ROLLBACK_COMPLETE', outputs: {} })),
  fails('stack', 'continue-update-rollback', stack({ status: 'UPDATE_ROLLBACK_FAILED' })),
  warns('stack', 'the one before it serves', stack({ status: 'UPDATE_ROLLBACK_COMPLETE' })),
  warns('stack', 'Wait until it has ended', stack({ status: 'UPDATE_IN_PROGRESS' })),
  warns('stack', 'enable-termination-protection', ({ stacks }) => {
    stacks.GatewayData = { status: 'CREATE_COMPLETE' };
  }),
  fails('stack', 'GatewayAdmin is UPDATE_ROLLBACK_FAILED', admin({ status: 'UPDATE_ROLLBACK_FAILED' })),
  fails('outputs', 'missing: UsageTable', output('UsageTable', undefined)),
  warns('tables', 'no recovery, no deletion protection', table('access', { timeToLive: 'expires_at' })),
  warns('tables', 'no expiry by expires_at', table('state', { isProtected: true })),
  fails('tables', 'no stream', table('usage', { ...complete, stream: 'KEYS_ONLY' })),
  fails('tables', 'does not exist', output('StateTable', 'gone')),
  warns('provider-keys', 'providers set-key', ({ parameters }) => parameters.delete(openAiKey)),
  warns('provider-keys', 'azure has settings, but', ({ parameters }) =>
    parameters.set('/Gateway/providers/azure/api-key', { value: 'x' }),
  ),
  warns('aggregator', '600 s behind', maximum(age, 600_000)),
  fails('aggregator', '7200 s behind', maximum(age, 7_200_000)),
  fails('aggregator', '3 batches of changes were given up', maximum(queue, 3)),
  warns('alarm-mail', 'has not confirmed', ({ topics }) => Object.assign(topics, { [topic]: [confirmed] })),
  warns('alarm-mail', 'no address is subscribed', ({ topics }) => Object.assign(topics, { [topic]: [] })),
  fails('alarms', 'on: Gateway errors', ({ alarms }) => {
    alarms[0] = { name: 'Gateway errors', state: 'ALARM', actions: [] };
  }),
  fails('dashboard', 'status 404, and not with the dashboard', ({ stacks }) => {
    const url = `${stacks.Gateway?.outputs?.AnthropicBaseUrl}/nothing`;
    admin({ outputs: { DashboardUrl: url } })({ stacks });
  }),
  warns(
    'dashboard',
    'cannot be reached from here',
    admin({ outputs: { DashboardUrl: 'https://127.0.0.1:1/' } }),
  ),
  warns('dashboard-operator', 'operatorEmail', ({ pool }) => pool.users.clear()),
  warns('dashboard-operator', 'ResourceNotFoundException', admin({ outputs: { UserPoolId: 'gone' } })),
  fails('log-groups', 'missing: Gateway-ChatLogs-1', ({ groups }) => delete groups['Gateway-ChatLogs-1']),
  warns('log-groups', 'kept without a limit', ({ groups }) => {
    groups['Gateway-ChatLogs-1'] = undefined;
  }),
];
