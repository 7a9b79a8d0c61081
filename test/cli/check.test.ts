import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountChecks, checkPolicy, stackChecks } from '../../cli/check/checks.ts';
import { createTable, startDatabase } from '../../local/database.ts';
import { type FakeAccount, healthyAccount, region, servicesOf } from '../harness/aws/account.ts';
import { account, type FakeAws, operator, startFakeAws } from '../harness/aws/fake-aws.ts';
import { freePort } from '../harness/free-port.ts';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { newDirectory } from '../harness/new-directory.ts';
import { type Outcome, runCommand } from '../harness/operator-command.ts';
import { use } from '../harness/use.ts';
import { wrongAccounts } from './wrong-accounts.ts';

interface Line {
  readonly check: string;
  readonly level: string;
  readonly text: string;
  readonly remedy?: string;
}

const directory = newDirectory();
let aws: FakeAws;
let fake: FakeAccount;

const database = use(() => startDatabase({ dataDirectory: directory }));
const gateway = use(() => startTestGateway({}, { database }));

beforeEach(async () => {
  fake = healthyAccount(`${gateway.url}/v1`);
  aws = await startFakeAws({ services: servicesOf(fake, database.endpoint) });
  vi.stubEnv('AWS_ACCESS_KEY_ID', operator.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', operator.secretAccessKey);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await aws.close();
});

const run = (typed: string, variables: Readonly<Record<string, string>> = {}): Promise<Outcome> =>
  runCommand(directory, typed, {
    variables: { AWS_REGION: region, AWS_ENDPOINT_URL: aws.url, ...variables },
  });

async function lines(typed = 'check --stack Gateway', variables = {}): Promise<readonly Line[]> {
  const { output } = await run(`${typed} --json`, variables);
  return JSON.parse(output.join('\n'));
}

/** The lines that are not ok. */
const problems = (all: readonly Line[]) => all.filter(({ level }) => level !== 'ok');

describe('check', () => {
  test('of a gateway in which nothing is wrong has only lines that are ok', async () => {
    const { code, output, stderr } = await run('check --stack Gateway --planned-rps 20');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(output.filter((line) => /^(?:warning|failed)/.test(line))).toEqual([]);
    expect(output.join('\n')).toContain(`${operator.arn} of account ${account}, in ${region}.`);
    expect(output.join('\n')).not.toContain(operator.secretAccessKey);
    expect(output.join('\n')).not.toContain('sk-secret');
    expect(output.at(-1)).toMatch(/^\d+ ok, 0 warnings, 0 failed\.$/);
    expect(aws.calls.filter(({ error }) => error !== undefined)).toEqual([]);
    // Nothing is changed, and no value of a key is read.
    const changing = aws.calls.filter(({ action }) => !/:(?:Get|List|Describe|Scan)/.test(action));
    expect(changing).toEqual([]);
    expect(aws.calls.filter(({ input }) => input.WithDecryption === true)).toEqual([]);
  });

  test('of an account needs no stack', async () => {
    const found = await lines('check --account');
    expect(problems(found)).toEqual([]);
    expect(found.map(({ check }) => check)).not.toContain('stack');
    expect(aws.calls.map(({ action }) => action)).not.toContain('cloudformation:DescribeStacks');
  });

  test.each(wrongAccounts)('finds what is wrong: $check is $level, "$text"', async (wrong) => {
    wrong.change(fake);
    const found = await lines(`check --stack Gateway ${wrong.options ?? ''}`);
    const texts = problems(found.filter(({ check }) => check === wrong.check));
    expect(texts).toContainEqual(expect.objectContaining({ level: wrong.level }));
    expect(texts.map(({ text, remedy }) => `${text} ${remedy}`).join()).toContain(wrong.text);
  });

  test('a base URL that cannot be reached is a warning', async () => {
    const url = `http://127.0.0.1:${await freePort()}/v1`;
    Object.assign(fake.stacks.Gateway?.outputs ?? {}, { OpenAiBaseUrl: url });
    const [found] = problems(await lines());
    expect(found).toMatchObject({ check: 'answers', level: 'warning' });
    expect(found?.text).toContain('ECONNREFUSED');
  });

  test('of a stack that does not exist has one line about it', async () => {
    delete fake.stacks.Gateway;
    const [found, ...others] = problems(await lines());
    expect(found).toMatchObject({ check: 'stack', level: 'failed' });
    expect(found?.remedy).toContain('npm run deploy');
    expect(others).toEqual([]);
  });

  test('a table that an earlier creation has left is named, and no table of another stack', async () => {
    const left = 'GatewayData-UsageTable0A1B2C3D-1ABCDEFGHIJKL';
    const others = ['Gateway-prodData-UsageTable0A1B2C3D-1ABCDEFGHIJKL', 'GatewayData-mine'];
    for (const name of [left, ...others]) await createTable(database.call, name);
    const [found, ...more] = problems(await lines());
    expect(found).toMatchObject({
      check: 'orphan-tables',
      level: 'warning',
      text: expect.stringContaining(left),
    });
    for (const name of others) expect(found?.text).not.toContain(name);
    expect(more).toEqual([]);
    for (const name of [left, ...others])
      await database.call('DynamoDB_20120810.DeleteTable', { TableName: name });
  });

  test('ends with 1 if a check failed, and with 0 after warnings', async () => {
    fake.form.hasUseCase = false;
    expect(await run('check --account')).toMatchObject({ code: 0, stderr: '' });
    fake.parameters.clear();
    expect(await run('check --account')).toMatchObject({ code: 1, stderr: 'Error: One check failed.' });
  });

  test('a gateway without a dashboard has no line about one', async () => {
    delete fake.stacks.GatewayAdmin;
    const found = await lines();
    expect(problems(found)).toEqual([]);
    expect(found.filter(({ check }) => check.startsWith('dashboard'))).toEqual([]);
  });

  test('an unknown region is a warning', async () => {
    const [warning] = problems(await lines('check --account --region mars-north-1'));
    expect(warning).toMatchObject({ check: 'region', level: 'warning' });
  });
});

test('each check has an id of its own', () => {
  const checks = [...accountChecks, ...stackChecks];
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
});

describe('what may not be looked at', () => {
  test('each denied permission is a warning that names it, and nothing else changes', async () => {
    const all = checkPolicy().Statement.flatMap(({ Action }) => Action);
    for (const action of all) {
      aws.faults.add(action === 'apigateway:GET' ? 'apigateway:Get*' : action, 'denied');
      const { code, output, stderr } = await run('check --stack Gateway --json');
      const found = problems(JSON.parse(output.join('\n')));
      expect({ action, code, stderr, failed: found.filter(({ level }) => level === 'failed') }).toEqual({
        action,
        code: 0,
        stderr: '',
        failed: [],
      });
      // Where another call answers the same question, nothing is missing.
      if (!answeredOtherwise.includes(action))
        expect(
          found.map(({ remedy }) => remedy),
          action,
        ).toContainEqual(expect.stringContaining(action.replace('GET', '')));
      aws.faults.clear();
    }
  });

  /** `lambda:GetAccountSettings` has the quota; the version of the bootstrap is an output of its stack, too. */
  const answeredOtherwise = ['lambda:GetAccountSettings', 'servicequotas:GetServiceQuota'];

  test('a policy with exactly the printed permissions is enough', async () => {
    const { output } = await run('check --policy');
    const { Statement } = JSON.parse(output.join('\n'));
    const allowed: readonly string[] = Statement.flatMap((one: { Action: string[] }) => one.Action);
    await aws.close();
    aws = await startFakeAws({
      services: servicesOf(fake, database.endpoint),
      judge: (_principal, { action }) => allowed.includes(action),
    });
    expect(problems(await lines())).toEqual([]);
  });

  test('without any permission, every check is a warning', async () => {
    aws.faults.add('*', 'denied');
    aws.faults.add('sts:*', 'denied');
    const found = await lines('check --account');
    expect(found).toMatchObject([{ check: 'credentials', level: 'failed' }]);
    aws.faults.clear();
    for (const service of ['ssm', 'lambda', 'servicequotas', 'apigateway', 'bedrock', 'cloudformation'])
      aws.faults.add(`${service}:*`, 'denied');
    const levels = (await lines('check --account')).map(({ level }) => level);
    expect(levels).not.toContain('failed');
    expect(levels.filter((level) => level === 'warning').length).toBeGreaterThan(4);
  });

  test('a throttle that passes is not seen, and one that stays is a warning', async () => {
    aws.faults.add('lambda:GetAccountSettings', 'throttled', { times: 1 });
    expect(problems(await lines('check --account'))).toEqual([]);
    aws.faults.add('lambda:GetAccountSettings', 'throttled');
    const [found] = problems(await lines('check --account'));
    expect(found).toMatchObject({ check: 'lambda-concurrency', level: 'warning' });
    expect(found?.text).toContain('throttles');
  });

  test('a service that is down is a warning, and one that drops connections a failure', async () => {
    aws.faults.add('ssm:GetServiceSetting', 'unavailable');
    aws.faults.add('bedrock:GetUseCaseForModelAccess', 'disconnected');
    const found = problems(await lines('check --account'));
    expect(found.map(({ check, level }) => [check, level])).toEqual([
      ['parameter-store', 'warning'],
      ['bedrock-anthropic-form', 'failed'],
    ]);
  });

  test('without a network there is one line, which says so', async () => {
    const variables = { AWS_ENDPOINT_URL: `http://127.0.0.1:${await freePort()}` };
    const { code, output } = await run('check --stack Gateway --json', variables);
    const found: readonly Line[] = JSON.parse(output.join('\n'));
    expect({ code, found }).toMatchObject({ code: 1, found: [{ check: 'credentials', level: 'failed' }] });
    expect(found[0]?.text).toContain('ECONNREFUSED');
  });

  test('credentials that AWS does not accept, and none at all, are one line', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another');
    const refused = await lines('check --account');
    expect(refused).toMatchObject([{ check: 'credentials', level: 'failed' }]);
    expect(refused[0]?.text).toContain('SignatureDoesNotMatch');
    vi.stubEnv('AWS_ACCESS_KEY_ID', '');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(directory, 'none'));
    vi.stubEnv('AWS_CONFIG_FILE', join(directory, 'none'));
    const none = await lines('check --account');
    expect(none).toMatchObject([{ level: 'failed', text: 'there are no credentials of AWS.' }]);
  });
});

describe('calls of providers', () => {
  test('only when asked for, one token of each provider that is ready, through the gateway', async () => {
    const found = await lines('check --stack Gateway --call', { GATEWAY_API_KEY: gateway.apiKey });
    const calls = found.filter(({ check }) => check === 'provider-calls');
    expect(calls.map(({ level, text }) => [level, text.split(' ')[0]])).toEqual([
      ['ok', 'openai'],
      ['ok', 'bedrock'],
    ]);
    const without = await lines('check --stack Gateway');
    expect(without.map(({ check }) => check)).not.toContain('provider-calls');
  });

  test('a refusal of the gateway is a failed line with its status and code', async () => {
    const found = await lines('check --stack Gateway --call', { GATEWAY_API_KEY: 'sk-gw-wrong' });
    const [call] = found.filter(({ check }) => check === 'provider-calls');
    expect(call).toMatchObject({ level: 'failed', text: expect.stringContaining('status 401') });
  });

  test.each([
    ['check', 'Give --stack'],
    ['check --stack Gateway --account', '--stack or --account'],
    ['check --account --call', '--call needs a deployed gateway'],
    ['check --stack Gateway --call', 'GATEWAY_API_KEY'],
    ['check --account --planned-seconds 8', '--planned-rps'],
    ['check --account --planned-rps 0', '--planned-rps must be'],
  ])('%s is a usage error', async (typed, message) => {
    const { code, stderr } = await run(typed);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
