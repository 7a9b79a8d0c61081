/** The command line over HTTP prints what it prints on the tables, and the gateway knows who called. */

import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFoundation } from '../../lib/runtime/foundation.ts';
import { createAuditLog } from '../../lib/stores/usage/audit.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { operator, startFakeAws } from '../harness/aws/fake-aws.ts';
import { cognitoIdp } from '../harness/cognito/idp.ts';
import { createPool } from '../harness/cognito/pool.ts';
import { gatewayEnvironment } from '../harness/gateways/environment.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { runCommand } from '../harness/operator-command.ts';
import { modelRow } from './operator.ts';

const directory = await mkdtemp(join(tmpdir(), 'gateway-url-'));
const pool = createPool();
const aws = await startFakeAws({ services: [cognitoIdp(pool)] });
afterAll(() => aws.close());
const gateway = useGateway({
  GATEWAY_ENVIRONMENT_FILE: join(directory, '.env'),
  GATEWAY_ADMIN_USER_POOL: pool.id,
  AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: aws.url,
  AWS_ACCESS_KEY_ID: operator.accessKeyId,
  AWS_SECRET_ACCESS_KEY: operator.secretAccessKey,
});

/** `variables`: those of a user's terminal, which name no tables. */
const run = (typed: string, { remote = false, input = '', variables = {} } = {}) =>
  runCommand(directory, remote ? `${typed} --url ${gateway().url}` : typed, {
    input,
    environmentFile: join(directory, '.env'),
    // The variables of this process name the tables of the gateway.
    variables: remote ? { XDG_CONFIG_HOME: directory, ...variables } : gatewayEnvironment(),
  });

const signInFile = join(directory, 'model-gateway', 'sign-in.json');

test('without a sign-in, a command says how to sign in', async () => {
  const { code, stderr } = await run('keys list', { remote: true });
  expect([code, stderr]).toEqual([
    1,
    `Error: You are not signed in, or no longer. Sign in with: login --url ${gateway().url}`,
  ]);
});

test('login takes the one-time address, and keeps its session where only its owner can read', async () => {
  const { code, output, stderr } = await run('login', { remote: true, input: `${gateway().dashboardUrl}\n` });
  expect([code, output]).toEqual([
    0,
    [expect.stringMatching(/^Signed in to http:\/\/127\.0\.0\.1:\d+ as .+ \(operator\)\.$/)],
  ]);
  expect((await stat(signInFile)).mode & 0o777).toBe(0o600);
  const stored = JSON.parse(await readFile(signInFile, 'utf8'))[gateway().url];
  expect(stored).toMatchObject({ way: 'address', token: expect.stringMatching(/^mgs_/) });
  expect([...output, stderr].join()).not.toContain(stored.token);
  const again = await run('login', { remote: true, input: gateway().dashboardUrl });
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('used already')]);
});

describe('prints the same in both ways', () => {
  const model = 'openai/gpt-5.5';
  let limitedKey = '';

  async function chat(user: string) {
    const response = await gateway().post(
      '/v1/chat/completions',
      { model, messages: [{ role: 'user', content: 'Hello.' }] },
      { 'x-gateway-user-id': user },
    );
    expect(response.status).toBe(200);
    await response.text();
  }

  beforeAll(async () => {
    await run('tenants create acme --budget 50');
    await run('tenants set-pricing acme --markup 20 --from 2026-01-01');
    await run('members invite ada@example.com --role operator');
    await run('members invite bob@example.com --role tenant-admin --tenant acme');
    await run('tenants add-credit acme 25');
    await run('management-keys create --name terraform --role operator --by grace');
    const guardrail = JSON.stringify({
      rules: [{ id: 'keys', kind: 'secrets', on: ['input'], action: 'block' }],
    });
    const set = await run('guardrails set acme house', { remote: true, input: guardrail });
    expect(set).toMatchObject({ code: 0, stderr: '' });
    const made = await run('keys create --tenant acme --budget 5 --requests 60 --json');
    limitedKey = JSON.parse(made.output.join('')).id;
    for (const user of ['ada', 'bob']) await chat(user);
    await gateway().settled();
  });

  test.each([
    'tenants list',
    'tenants list --json',
    'tenants show acme',
    'tenants show acme --json',
    'tenants show absent',
    'keys list',
    'keys list --json --tenant local',
    'keys show key_000000000000',
    'guardrails list acme',
    'guardrails list acme --json',
    'guardrails show acme house',
    'guardrails show acme absent',
    'guardrails list absent',
    'catalog list',
    'catalog show openai/gpt-5.5',
    'catalog show openai/absent',
    'catalog price openai/gpt-5.5',
    'catalog list-aliases --json',
    'providers list-hosts --json',
    'catalog list --json --status deprecated',
    'providers list',
    'providers list --json',
    'management-keys list',
    'management-keys list --json',
    'management-keys list --tenant acme',
    'management-keys revoke mkey_0',
    'members list',
    'members list --json --tenant acme',
    'members remove absent@example.com',
    'usage show',
    'usage show --json --by tenant,day,model,key',
    'usage show --format csv --by user,tag:team --tenant local',
    'usage show --by model --from 2020-01-01 --to 2020-01-31',
    'usage show --tenant absent',
    'usage show --by nothing',
    'limits show absent',
    'limits show key_000000000000',
  ])('%s', async (typed) => {
    const here = await run(typed);
    expect(await run(typed, { remote: true })).toEqual(here);
    expect(here.output.length + here.stderr.length).toBeGreaterThan(0);
  });

  test('usage show has what the requests have used', async () => {
    const { output } = await run('usage show --json --by tenant,model', { remote: true });
    expect(JSON.parse(output.join('\n'))).toMatchObject([
      { tenant: 'local', model, requests: 2, cost_usd: expect.stringMatching(/^0\.0*[1-9]/) },
    ]);
  });

  /** Over HTTP, the use of what is not limited is unknown. */
  test.each(['limits show acme --json', 'limits show <key> --json'])('%s', async (typed) => {
    const limited = async (remote: boolean) => {
      const { code, output } = await run(typed.replace('<key>', limitedKey), { remote });
      const rows: readonly Record<string, unknown>[] = JSON.parse(output.join('\n'));
      // A minute may end between the two.
      const set = rows
        .filter((row) => row.set !== null)
        .map((row) => (row.limit === 'requests_per_minute' ? { ...row, resets_at: null } : row));
      return { code, set, unset: rows.length - set.length };
    };
    const here = await limited(false);
    expect(await limited(true)).toEqual(here);
    expect(here.set.map(({ used }) => used)).toContain('0.00');
  });

  /** With `<name>` for a tenant of each way. */
  test.each([
    ['tenants create <name> --budget 10 --requests 5', ''],
    ['tenants create <name>', ''],
    ['tenants create <name> --budget nothing', ''],
    ['tenants set-limits <name> --budget 20 --models-and-more', ''],
    ['tenants set-limits <name> --budget 20', ''],
    ['tenants set-user-limits <name> --requests 5', ''],
    ['tenants set-models <name> openai/*', ''],
    ['tenants set-operations <name> chat-completions', ''],
    ['tenants set-alerts <name> --at 50,90', ''],
    ['tenants set-throughput <name> 100', ''],
    ['tenants set-throughput <name> 1', ''],
    ['tenants set-pricing <name> --markup 20 --from 2027-01-01', ''],
    ['tenants add-credit <name> 25', ''],
    ['tenants adjust <name> -5 --reason late', ''],
    ['tenants suspend <name>', ''],
    ['tenants activate <name>', ''],
    ['keys create --tenant <name> --name laptop --expires 2030-01-01 --json', ''],
    ['keys create --tenant <name> --budget 5', ''],
    ['keys create --tenant <name>x', ''],
    ['keys rotate <key>', ''],
    ['keys set-limits <key> --budget 7', ''],
    ['keys show <key> --json', ''],
    ['keys disable <key>', ''],
    ['guardrails set <name> house', '{"rules":[{"id":"a","kind":"words","on":["input"],"action":"flag"}]}'],
    ['guardrails remove <name> house', ''],
    ['keys set-guardrails <key> house', ''],
    ['keys set-guardrails <key> none', ''],
    ['management-keys create --name ci --role viewer --tenant <name>', ''],
    ['management-keys create --name ci --role operator --operations admin-keys-list --json', ''],
    ['management-keys create --name ci --role operator --operations admin-nothing', ''],
    ['management-keys create --name ci --role operator --expires 2400-01-01', ''],
    ['management-keys create --name ci --role boss', ''],
    ['members invite <name>@example.com --role viewer --tenant acme', ''],
    ['members invite <name>@example.com --role viewer --tenant acme', ''],
    ['members invite <name>@example.com --role operator --tenant acme', ''],
    ['members invite <name>@example.com --role viewer --tenant <name>x', ''],
    ['members invite <name> --role operator', ''],
    ['members remove <name>@example.com', ''],
    ['members remove <name>@example.com', ''],
    ['providers set-key groq', 'gsk-example'],
    ['providers set-key groq', 'two words'],
    ['providers set-key absent', 'key'],
    ['providers remove deepinfra api-key', ''],
    ['providers remove-host <name>-a', ''],
    ['catalog set-alias <name> openai/gpt-5.5=80,openai/gpt-5.4-mini@tools+input-above:5', ''],
    ['catalog set-alias <name> openai/absent', ''],
    ['catalog remove-alias <name>', ''],
    ['catalog remove-alias <name>', ''],
    ['catalog remove openai/gpt-5.5', ''],
    ['catalog set-status openai/gpt-5.5 deprecated --replacement openai/gpt-5.4-mini', ''],
    ['catalog set-status openai/gpt-5.5 deprecated --replacement openai/absent', ''],
    ['catalog set-price openai/gpt-5.5 --input 5 --output 30 --service-tier flex --from 2027-01-01', ''],
    ['catalog set-price openai/gpt-5.5 --input 5', ''],
  ])('%s', async (typed, input) => {
    const ways = [];
    for (const remote of [false, true]) {
      const name = remote ? 'http' : 'base';
      const keys = JSON.parse((await run(`keys list --json --tenant ${name}`)).output.join('') || '[]');
      const line = typed
        .replaceAll('<name>', name)
        .replaceAll(
          '<key>',
          keys.find((key: { name: string }) => key.name === 'laptop')?.id ?? 'key_000000000000',
        );
      ways.push(without(name, await run(line, { remote, input })));
    }
    expect(ways[1]).toEqual(ways[0]);
  });

  /** Without what differs: names, ids, secrets, the times of a second later, and who may be asked. */
  const without = (name: string, { code, output, stderr }: Awaited<ReturnType<typeof run>>) => ({
    code,
    text: [...output, stderr]
      .join('\n')
      .replaceAll(name, '<name>')
      .replaceAll(/key_[0-9a-f]{12}/g, '<key>')
      .replaceAll(/mkey_[0-9a-f]{12}/g, '<key>')
      .replaceAll(/mg[wm]_[\w-]+/g, '<secret>')
      .replaceAll(/grant [0-9a-f]{8}/g, 'grant <id>')
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4,12}){4}/g, '<id>')
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\dZ)?/g, '<time>'),
  });
});

test('a host and a model are added, listed and removed over HTTP', async () => {
  const add = 'providers add-host vllm-a --base-url http://10.0.0.5:8000/v1';
  expect(await run(add, { remote: true })).toMatchObject({
    code: 0,
    output: ['Added vllm-a (http://10.0.0.5:8000/v1). It takes effect within a minute.'],
    stderr: 'Store its API key: providers set-key vllm-a',
  });
  const list = 'providers list-hosts --json';
  expect(await run(list, { remote: true })).toEqual(await run(list));
  const path = join(directory, 'model.json');
  const at = [{ provider: 'vllm-a', region: 'global', upstreamId: 'chat' }];
  await writeFile(path, JSON.stringify(modelRow('acme/chat', { deployments: at })));
  expect((await run(`catalog add ${path}`, { remote: true })).output).toEqual([
    'Stored acme/chat. It takes effect within a minute.',
  ]);
  expect((await run('catalog remove acme/chat', { remote: true })).code).toBe(0);
  const removed = { code: 0, output: ['Removed vllm-a. It takes effect within a minute.'] };
  expect(await run('providers remove-host vllm-a', { remote: true })).toMatchObject(removed);
});

test('the audit log names the user in both ways', async () => {
  const audit = createAuditLog({
    ...createFoundation(createNodeClient(), gatewayEnvironment()).table('usage'),
    now: Date.now,
  });
  const { records } = await audit.list({ action: 'tenants.create', limit: 50 });
  const vias = Object.fromEntries(records.map(({ target, by }) => [target, by.via]));
  expect(vias).toMatchObject({ http: 'address', base: 'command' });
  expect(records.every(({ by }) => by.name.length > 0 && by.role === 'operator')).toBe(true);
  const models = await audit.list({ action: 'models.set', limit: 50 });
  const target = 'openai/gpt-5.5';
  expect(models.records.filter((record) => record.target === target).toReversed()).toMatchObject([
    {
      by: { via: 'command' },
      before: { status: 'active', replacement: null },
      after: { status: 'deprecated', replacement: 'openai/gpt-5.4-mini' },
    },
    { by: { via: 'command' }, after: { laterPrices: [{ from: '2027-01-01' }] } },
  ]);
});

test.each(['limits show acme --user ada', 'setup', 'catalog sync', 'usage invoice acme 2026-10'])(
  '%s needs the database and says so',
  async (typed) => {
    const { code, stderr } = await run(typed, { remote: true });
    expect([code, stderr.split('\n')[0]]).toEqual([2, expect.stringContaining('needs the database')]);
  },
);

test.each([
  ['http://gateway.example', '--url must begin with https://'],
  ['ftp://gateway.example', '--url must be an address'],
  ['https://user:secret@gateway.example', '--url must be an address'],
  ['nowhere', '--url must be an address'],
])('--url %s is refused', async (url, problem) => {
  const { code, stderr } = await run(`keys list --url ${url}`);
  expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
  expect(stderr).not.toContain('user:secret');
});

test('a script gives its token in GATEWAY_ADMIN_TOKEN', async () => {
  const { token } = JSON.parse(await readFile(signInFile, 'utf8'))[gateway().url];
  const elsewhere = { XDG_CONFIG_HOME: join(directory, 'empty') };
  const variables = { ...elsewhere, GATEWAY_ADMIN_TOKEN: token };
  expect((await run('keys list', { remote: true, variables })).code).toBe(0);
  expect((await run('keys list', { remote: true, variables: elsewhere })).code).toBe(1);
});

test('or a management key, until it is revoked', async () => {
  const { output } = await run('management-keys create --name ci --role operator', { remote: true });
  const [, id] = /(mkey_\w+)/.exec(output[0] ?? '') ?? [];
  const variables = { XDG_CONFIG_HOME: join(directory, 'empty'), GATEWAY_ADMIN_TOKEN: output[1] ?? '' };
  expect((await run('tenants create by-ci', { remote: true, variables })).code).toBe(0);
  const more = 'management-keys create --name more --role operator';
  expect(await run(more, { remote: true, variables })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('do not name admin-management-keys-create'),
  });
  expect((await run(`management-keys revoke ${id}`)).output).toEqual([`Revoked management key ${id}.`]);
  expect((await run('keys list', { remote: true, variables })).code).toBe(1);
});

test('logout ends the session at the gateway, and forgets it', async () => {
  const { token } = JSON.parse(await readFile(signInFile, 'utf8'))[gateway().url];
  expect(await run('logout', { remote: true })).toMatchObject({
    code: 0,
    output: [`Signed out of ${gateway().url}.`],
  });
  expect(await readFile(signInFile, 'utf8')).not.toContain(token);
  const variables = { GATEWAY_ADMIN_TOKEN: token };
  expect((await run('keys list', { remote: true, variables })).code).toBe(1);
});
