import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { commands } from '../../cli/commands.ts';
import { policyOf } from '../../cli/policies/policies.ts';
import { startDatabase } from '../../local/database.ts';
import { healthyAccount, region, servicesOf } from '../harness/aws/account.ts';
import { account, type FakeAws, operator, startFakeAws } from '../harness/aws/fake-aws.ts';
import { isAllowed } from '../harness/aws/iam/evaluate.ts';
import type { Statement } from '../harness/aws/iam/policies.ts';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { newDirectory } from '../harness/new-directory.ts';
import { runCommand } from '../harness/operator-command.ts';
import { use } from '../harness/use.ts';

const stack = 'ModelGateway';
const denials = /Denied|Authorization/;

const place = { partition: 'aws', account, region, stack };

const statementsOf = (name: string): readonly Statement[] =>
  policyOf(name, place).Statement.map((one) => ({
    effect: one.Effect,
    actions: one.Action,
    resources: one.Resource,
    conditions: one.Condition ?? {},
  }));

const directory = newDirectory();

const database = use(() => startDatabase({ dataDirectory: directory }));
const gateway = use(() => startTestGateway({}, { database }));
beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', operator.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', operator.secretAccessKey);
});

afterAll(async () => {
  vi.unstubAllEnvs();
});

/** The account, whose tables have the names of a deployment as far as policies see them. */
async function startAccount(policy: string): Promise<FakeAws> {
  const fake = healthyAccount(`${gateway.url}/v1`);
  const { Gateway, GatewayData } = fake.stacks;
  if (Gateway && GatewayData) Object.assign(fake.stacks, { [stack]: Gateway, [`${stack}Data`]: GatewayData });
  if (Gateway) Object.assign(Gateway.outputs ?? {}, { ProviderParametersPrefix: `/${stack}/providers` });
  const statements = statementsOf(policy);
  return await startFakeAws({
    services: servicesOf(fake, database.endpoint),
    judge: (_, { resource, ...access }) =>
      isAllowed(statements, { ...access, resource: deployedName(resource) }),
  });
}

/** `…:table/catalog` is `…:table/ModelGatewayData-Catalog1A2B`. */
const deployedName = (resource: string) =>
  resource.replace(
    /:table\/(\w)(\w+)$/,
    (_, first: string, rest: string) => `:table/${stack}Data-${first.toUpperCase()}${rest}1A2B`,
  );

async function run(typed: string, aws: FakeAws) {
  const words = typed.replace(/ < \S+$/, '').replace(/ --stack \S+/, '');
  await runCommand(directory, `${words} --stack ${stack}`, {
    input: 'sk-of-a-provider',
    variables: { AWS_REGION: region, AWS_ENDPOINT_URL: aws.url, GATEWAY_API_KEY: gateway.apiKey },
  });
}

const denied = (aws: FakeAws) =>
  aws.calls
    .filter(({ error }) => denials.test(error ?? ''))
    .map(({ action, access }) => `${action} ${access.map(({ resource }) => resource).join(' ')}`);

const local = new Set(['setup']);
const examples = commands
  .filter(({ name }) => !local.has(name))
  .flatMap(({ examples: all }) => all.filter((line) => !/--(account|policy)\b/.test(line)));

describe('an operator', () => {
  test('may call all that the commands call', async () => {
    const aws = await startAccount('operator');
    for (const line of examples) await run(line, aws);
    const refused = denied(aws);
    const called = new Set(aws.calls.map(({ action }) => action));
    await aws.close();
    expect(refused).toEqual([]);
    expect(called.size).toBeGreaterThan(20);
  }, 60_000);
});

describe('who only looks', () => {
  test('may make every check, and reads no items but those of models', async () => {
    const aws = await startAccount('viewer');
    await run('check --call', aws);
    const checks = denied(aws);
    aws.forgetCalls();
    for (const line of ['keys list', 'tenants list']) await run(line, aws);
    const items = denied(aws);
    await aws.close();
    expect(checks).toEqual([]);
    // Both lists read the table in parts.
    expect(new Set(items.map((call) => call.split(' ')[0]))).toEqual(new Set(['dynamodb:Scan']));
    expect(items.length).toBeGreaterThanOrEqual(2);
  }, 30_000);
});
