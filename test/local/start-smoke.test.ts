/** `npm start` prints a request that works when it is pasted. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useStartCommand } from './start-command.ts';

const { directory, start, stop } = useStartCommand();

test('prints a request that works when pasted', async () => {
  // As for everyone at first: with no data.
  await rm(join(directory(), 'data'), { recursive: true });
  const gateway = await start();
  expect(gateway.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect(gateway.key).toMatch(/^mgw_\w{40}$/);
  // Anthropic's clients add the version, and the second line is for a shell.
  expect(`${gateway.anthropicUrl}/v1`).toBe(gateway.url);
  const [, token = ''] = /^ANTHROPIC_AUTH_TOKEN=(.*?)\r?$/m.exec(gateway.output()) ?? [];
  const shell = await promisify(execFile)('bash', ['-c', `printf %s ${token}`], { cwd: directory() });
  expect(shell.stdout).toBe(gateway.key);
  const curl = /^curl .*$/m.exec(gateway.output())?.[0] ?? '';
  const { stdout } = await promisify(execFile)('bash', ['-c', curl]);
  expect(JSON.parse(stdout)).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { content: expect.stringContaining('sandbox') } }],
  });
  await stop(gateway, 'SIGINT');
});
