/** The programs of `examples/` run against a local gateway as a reader would run them. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { signInByAddress } from '../harness/admin/admin-client.ts';
import { type GatewayProcess, startGatewayProcess } from '../harness/gateways/gateway-process.ts';
import { use } from '../harness/use.ts';

const run = promisify(execFile);
const directory = join(import.meta.dirname, '../../examples');
const python = process.env.PYTHON ?? 'python3';

/** Whether a program runs without an error. */
const works = (command: string, parameters: readonly string[]) =>
  run(command, parameters).then(
    () => true,
    () => false,
  );

const hasCurl = await works('curl', ['--version']);
const hasPython = await works(python, ['-c', 'import openai']);

/** No server listens there, so that the first model fails. */
const unreachable = { ANTHROPIC_UPSTREAM_URL: 'http://127.0.0.1:9', ANTHROPIC_API_KEY: 'sk-example' };

const gateway = use(
  () => startGatewayProcess({ environment: unreachable }),
  (started) => started.stop(),
);

const printed = (command: string, file: string, ...parameters: string[]): Promise<string> =>
  printedAt(gateway, command, file, ...parameters);

async function printedAt(
  { baseUrl, apiKey }: GatewayProcess,
  command: string,
  file: string,
  ...parameters: string[]
): Promise<string> {
  const environment = {
    OPENAI_BASE_URL: baseUrl,
    OPENAI_API_KEY: apiKey,
    ANTHROPIC_BASE_URL: baseUrl.replace(/\/v1$/, ''),
    ANTHROPIC_AUTH_TOKEN: apiKey,
  };
  const { stdout } = await run(command, [join(directory, file), ...parameters], {
    env: { ...process.env, ...environment },
  });
  return stdout;
}

const node = process.execPath;

test.skipIf(!hasCurl)('chat.sh prints an answer (skipped without curl)', async () => {
  expect(JSON.parse(await printed('bash', 'chat.sh'))).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { content: expect.stringMatching(/hello/i) } }],
  });
});

test('chat.ts streams an answer', async () => {
  expect(await printed(node, 'chat.ts')).toMatch(/hello/i);
});

test('messages.ts streams an answer of another model, and its tokens', async () => {
  expect(await printed(node, 'messages.ts')).toMatch(/hello[\s\S]*\n[1-9]\d* tokens in, [1-9]\d* out\n$/i);
});

test.skipIf(!hasPython)(
  'chat.py prints an answer (skipped without python3 and its package openai)',
  async () => {
    expect(await printed(python, 'chat.py')).toMatch(/hello[\s\S]*answered by google/i);
  },
);

test('agent.ts runs the tool that the model calls, and prints its answer', async () => {
  const [call, ...answer] = (await printed(node, 'agent.ts', 'Weather? sandbox call get_weather')).split(
    '\n',
  );
  expect(call).toMatch(/^get_weather\(\{"city":/);
  expect(answer.join('\n').trim()).not.toBe('');
});

test('fallback.ts is answered by another model, and shows why', async () => {
  expect(await printed(node, 'fallback.ts')).toMatch(
    /anthropic: failed \(provider_unreachable\)[\s\S]*openai: succeeded[\s\S]*^openai\/gpt-4.1 answered: ./m,
  );
});

test('structured-output.ts prints the fields of the schema', async () => {
  expect(await printed(node, 'structured-output.ts')).toMatch(/^.+, -?\d+ minutes, \d+ ingredients$/m);
});

test('batch.ts prints the answers of three models side by side, and what they cost', async () => {
  const environment = { GATEWAY_BATCH_POLL_MS: '100', GATEWAY_SANDBOX_BATCH_MS: '100' };
  const other = await startGatewayProcess({ environment });
  try {
    const text = await printedAt(other, node, 'batch.ts');
    expect(text.match(/^ {2}(openai|anthropic|google)\/.+: .+/gm)).toHaveLength(9);
    expect(text).not.toContain('no answer');
    expect(text.match(/^3 lines for .+, answered native by /gm)).toHaveLength(3);
    expect(text).toMatch(/^completed, cost: 0\.\d+ USD, saved: 0\.\d+ USD$/m);
  } finally {
    await other.stop();
  }
});

test('manage-key.ts makes one key of two requests, changes it once, and ends it', async () => {
  const url = gateway.baseUrl.replace(/\/v1$/, '');
  const dashboardUrl = /http:\S+\/dashboard\/start\?token=[\w-]+/.exec(gateway.startedWith)?.[0] ?? '';
  const { call } = await signInByAddress({ url, dashboardUrl });
  const body = { name: 'example', role: 'operator' };
  const { key } = (await call('POST', '/management-keys', { body })).body;
  const { stdout } = await run(node, [join(directory, 'manage-key.ts')], {
    env: { ...process.env, GATEWAY_URL: url, GATEWAY_ADMIN_TOKEN: key },
  });
  expect(
    stdout
      .replaceAll(/key_[0-9a-f]{12}/g, '<key>')
      .trim()
      .split('\n'),
  ).toEqual([
    'created <key>, and the same key when it was sent again',
    'read: active, 20.00 USD a month',
    'changed: 50.00 USD a month',
    'changed from the earlier state: 409 conflict',
    'ended: disabled',
  ]);
});

test('every example is run here', () => {
  const programs = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map(({ name }) => name);
  expect(programs.sort()).toEqual(
    [
      'agent.ts',
      'batch.ts',
      'chat.py',
      'chat.sh',
      'chat.ts',
      'fallback.ts',
      'manage-key.ts',
      'messages.ts',
      'structured-output.ts',
    ].sort(),
  );
});
