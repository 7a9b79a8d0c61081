/** Local data from one command to the next: while a gateway runs, after it ended, and when the data is damaged. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startDatabase } from '../../local/database.ts';
import { compileCache } from '../harness/compile-cache.ts';
import { runCommand } from '../harness/operator-command.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-cli-'));
});

afterEach(() => rm(directory, { recursive: true }));

async function run(line: string, dataDirectory = directory) {
  const { output, ...outcome } = await runCommand(dataDirectory, line);
  return { ...outcome, output: output.join('\n') };
}

const createData = async () => (await startDatabase({ dataDirectory: directory })).close();

const leaveNote = (pid: number, endpoint: string) =>
  writeFile(join(directory, 'database.json'), JSON.stringify({ pid, endpoint }));

const create = 'keys create --tenant acme --create-tenant';

describe('local data', () => {
  test('is kept from one command to the next while no gateway runs', async () => {
    await createData();
    expect(await run(create)).toMatchObject({ code: 0, stderr: '' });
    expect((await run('keys list')).output).toContain('acme');
  });

  test('is reached through a running gateway', async () => {
    const gateway = await startDatabase({ dataDirectory: directory });
    expect(await run(create)).toMatchObject({ code: 0, stderr: '' });
    await gateway.close();
    expect((await run('keys list')).output).toContain('acme');
  });

  test.each([
    // No process can have this id.
    ['is gone', () => leaveNote(2 ** 30, 'http://127.0.0.1:1')],
    ['has a process id that another program uses now', () => leaveNote(process.pid, 'http://127.0.0.1:1')],
    ['was killed while it wrote', () => writeFile(join(directory, 'database.json'), '{"endp')],
  ])('is opened if the gateway that left a note %s', async (_, leave) => {
    await createData();
    await leave();
    expect(await run(create)).toMatchObject({ code: 0, stderr: '' });
  });

  test('that does not exist is not created by a command', async () => {
    const missing = join(directory, 'missing');
    for (const line of ['keys list', create, 'catalog list']) {
      expect(await run(line, missing)).toEqual({
        code: 1,
        output: '',
        stderr: `Error: No gateway data in ${missing}. Run \`npm start\` once to create it.`,
      });
    }
    expect((await run('providers list', missing)).code).toBe(0);
    expect(existsSync(missing)).toBe(false);
  });
});

const tool = join(import.meta.dirname, '../../cli/gateway.ts');
const type = (words: readonly string[], input = '') =>
  spawnSync(process.execPath, [tool, ...words], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...compileCache(), GATEWAY_DATA_DIR: directory },
    encoding: 'utf8',
    input,
  });

describe('a damaged database', () => {
  const cure = `Move or delete that directory and start again; tenants, keys and usage stored there are lost.\n`;

  test('that cannot be opened is reported with its directory and what to do', async () => {
    await createData();
    await writeFile(join(directory, 'database/CURRENT'), 'garbage\n');
    const { status, stdout, stderr } = type(['keys', 'list']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(`Error: The database in ${directory}/database is damaged (`);
    expect(stderr.endsWith(cure)).toBe(true);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  test('that is found damaged by a read is reported alike', async () => {
    await createData();
    await run(create);
    // The second opening writes the log of the first one to a table file.
    await run('keys list');
    const files = await readdir(join(directory, 'database'));
    const [table = ''] = files.filter((name) => name.endsWith('.ldb'));
    const path = join(directory, 'database', table);
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0x5a, 10, Math.floor(bytes.length / 2)));
    const { status, stderr } = type(['keys', 'list']);
    expect(status).toBe(1);
    expect(stderr).toContain(`Error: The database in ${directory}/database is damaged (`);
    expect(stderr.endsWith(cure)).toBe(true);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });
});

test('a provider’s key is stored beside the project, and the next process finds it there', async () => {
  const stored = type(['providers', 'set-key', 'openai'], 'sk-example\n');
  expect(stored).toMatchObject({ status: 0, stderr: '' });
  expect(await readFile(join(directory, '.env'), 'utf8')).toBe('OPENAI_API_KEY=sk-example\n');
  const listed = type(['providers', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toContainEqual({
    provider: 'openai',
    ready: true,
    settings: ['api-key'],
    from: ['OPENAI_API_KEY in .env'],
    problem: null,
  });
  expect([stored.stdout, listed.stdout].join()).not.toContain('sk-example');
  expect(type(['catalog', 'lint', 'nowhere.json']).status).toBe(1);
  expect(type(['catalog', 'fly']).status).toBe(2);
});
