/** Keys made on this machine last from one command to the next, whether a gateway runs, ran or broke off meanwhile. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runGateway } from '../../infra/cli/gateway.ts';
import { startDatabase } from '../../infra/local/database.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-cli-'));
});

afterEach(() => rm(directory, { recursive: true }));

async function run(line: string): Promise<{ code: number; output: string; told: string }> {
  const output: string[] = [];
  const told: string[] = [];
  const code = await runGateway(line.split(' '), {
    variables: { GATEWAY_DATA_DIR: directory },
    terminal: {
      write: (text) => output.push(text),
      tell: (text) => told.push(text),
      readValue: async () => '',
    },
  });
  return { code, output: output.join('\n'), told: told.join('\n') };
}

const leaveNote = (pid: number, endpoint: string) =>
  writeFile(join(directory, 'database.json'), JSON.stringify({ pid, endpoint }));

describe('the data on this machine', () => {
  test('is kept from one command to the next, with no gateway running', async () => {
    expect(await run('keys create --tenant acme')).toMatchObject({ code: 0, told: '' });
    expect((await run('keys list')).output).toContain('acme');
  });

  test('is reached through the gateway while one runs', async () => {
    const gateway = await startDatabase({ dataDirectory: directory });
    expect(await run('keys create --tenant acme')).toMatchObject({ code: 0, told: '' });
    await gateway.close();
    expect((await run('keys list')).output).toContain('acme');
  });

  test.each([
    // A process of this number cannot exist.
    ['is gone', () => leaveNote(2 ** 30, 'http://127.0.0.1:1')],
    ['gave its process id to another program', () => leaveNote(process.pid, 'http://127.0.0.1:1')],
    ['was killed while it wrote', () => writeFile(join(directory, 'database.json'), '{"endp')],
  ])('is opened anew when the gateway that left a note %s', async (_, leave) => {
    await leave();
    expect(await run('keys create --tenant acme')).toMatchObject({ code: 0, told: '' });
  });
});

test('a process keeps a provider’s key beside the project, and the next one finds it there', async () => {
  const tool = join(import.meta.dirname, '../../infra/cli/gateway.ts');
  const type = (words: readonly string[], input = '') =>
    spawnSync(process.execPath, [tool, ...words], {
      cwd: directory,
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
      input,
    });
  const kept = type(['providers', 'set-key', 'openai'], 'sk-example\n');
  expect(kept).toMatchObject({ status: 0, stderr: '' });
  expect(await readFile(join(directory, '.env'), 'utf8')).toBe('OPENAI_API_KEY=sk-example\n');
  const listed = type(['providers', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toContainEqual({
    provider: 'openai',
    ready: true,
    settings: ['api-key'],
    from: ['OPENAI_API_KEY in .env'],
  });
  expect([kept.stdout, listed.stdout].join()).not.toContain('sk-example');
  expect(type(['catalog', 'lint', 'nowhere.json']).status).toBe(1);
  expect(type(['catalog', 'fly']).status).toBe(2);
});
