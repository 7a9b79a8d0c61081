/** Keys made on this machine last from one command to the next, whether a gateway runs, ran or broke off meanwhile. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
