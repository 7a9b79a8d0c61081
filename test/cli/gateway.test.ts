/** The operator's command on this machine: keys, and what it says to a wrong command line. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runGateway } from '../../infra/cli/gateway.ts';
import { isWellFormedApiKey } from '../../lib/core/api-key.ts';
import { createFindApiKey } from '../../lib/stores/find-api-key.ts';
import { createKeyStore } from '../../lib/stores/keys.ts';
import { createTenantStore } from '../../lib/stores/tenants.ts';
import { emptyTable, startTestDatabase, type TestDatabase } from '../stores/database.ts';

let database: TestDatabase;
let directory: string;

beforeAll(async () => {
  database = await startTestDatabase(['access']);
  directory = await mkdtemp(join(tmpdir(), 'gateway-cli-'));
  // What a gateway leaves while it runs.
  const note = { endpoint: database.endpoint, pid: process.pid };
  await writeFile(join(directory, 'database.json'), JSON.stringify(note));
});

afterAll(async () => {
  await database.close();
  await rm(directory, { recursive: true });
});

beforeEach(() => emptyTable(database.call, 'access'));

interface Outcome {
  readonly code: number;
  readonly output: readonly string[];
  readonly told: string;
}

async function run(line: string, input = ''): Promise<Outcome> {
  const output: string[] = [];
  const told: string[] = [];
  const code = await runGateway(line.split(' ').filter(Boolean), {
    variables: { GATEWAY_DATA_DIR: directory },
    terminal: {
      write: (text) => output.push(text),
      tell: (text) => told.push(text),
      readValue: async () => input,
    },
  });
  return { code, output, told: told.join('\n') };
}

const findKey = (secret: string) => {
  const access = { call: database.call, table: 'access' };
  const [keys, tenants] = [createKeyStore(access), createTenantStore(access)];
  return createFindApiKey({ keys, tenants, now: Date.now })(secret);
};

describe('keys', () => {
  test('a made key is the last line of the output, and works', async () => {
    const { code, output } = await run('keys create --tenant acme --name laptop');
    expect(code).toBe(0);
    const secret = output.at(-1) ?? '';
    expect(isWellFormedApiKey(secret)).toBe(true);
    expect(await findKey(secret)).toMatchObject({ tenant: 'acme' });
    expect(output.slice(0, -1).join('\n')).not.toContain(secret);
  });

  test('the list shows each key with its state and no secret', async () => {
    const { output: made } = await run('keys create --tenant acme --name laptop');
    await run('keys create --tenant umbrella --expires 2099-01-01');
    const { code, output } = await run('keys list');
    expect(code).toBe(0);
    expect(output[0]).toMatch(/^ID +TENANT +CREATED +STATUS +NAME$/);
    expect(output.slice(1).toSorted()).toEqual([
      expect.stringMatching(
        /^key_[0-9a-f]{12} +(acme .* active +laptop|umbrella .* active until 2099-01-01)$/,
      ),
      expect.stringMatching(/^key_/),
    ]);
    expect(output.join('\n')).not.toContain(made.at(-1));
  });

  test('an empty list says how to make the first key', async () => {
    expect(await run('keys list')).toMatchObject({
      code: 0,
      output: [],
      told: expect.stringContaining('keys create'),
    });
  });

  test('a disabled key does not work any more and is listed as such', async () => {
    const { output } = await run('keys create --tenant acme');
    const id = /key_[0-9a-f]+/.exec(output.join(' '))?.[0] ?? '';
    expect((await run(`keys disable ${id}`)).code).toBe(0);
    expect(await findKey(output.at(-1) ?? '')).toBeUndefined();
    expect((await run('keys list')).output[1]).toContain('disabled');
  });

  test('disabling an id that is none fails and says so', async () => {
    expect(await run('keys disable key_000000000000')).toMatchObject({
      code: 1,
      told: expect.stringContaining('key_000000000000'),
    });
  });
});

describe('a wrong command line', () => {
  test.each([
    ['', 'No command'],
    ['keys', 'no command keys'],
    ['keys destroy', 'no command keys destroy'],
    ['keys create', '--tenant is missing'],
    ['keys create --tenant', 'tenant'],
    ['keys create --tenant acme --colour blue', '--colour'],
    ['keys create --tenant -', 'tenant name'],
    ['keys create --tenant acme --expires soon', 'not a date'],
    ['keys create --tenant acme --expires 2020-01-01', 'in the past'],
    ['keys disable', '<id> is missing'],
    ['keys disable one two', 'two'],
    ['keys list --stack prod', 'region'],
    ['providers set-key nobody', 'no provider nobody'],
    ['providers set-key anthropic', 'no key on standard input'],
  ])('"%s" is explained, with exit code 2', async (line, explanation) => {
    const { code, output, told } = await run(line);
    expect(code).toBe(2);
    expect(output).toEqual([]);
    expect(told).toContain(explanation);
    expect(told).toContain('Usage:');
  });

  test('options may come before the command', async () => {
    expect((await run('--tenant acme keys create')).code).toBe(0);
  });

  test.each(['--help', 'keys create --help', '-h'])('%s explains, with exit code 0', async (line) => {
    const { code, output } = await run(line);
    expect(code).toBe(0);
    expect(output.join('\n')).toContain('keys create --tenant <name>');
  });
});

test('a gateway without data is told from one that is broken', async () => {
  await database.call('DynamoDB_20120810.DeleteTable', { TableName: 'access' });
  expect(await run('keys list')).toMatchObject({ code: 1, told: expect.stringContaining('npm start') });
});
