/** The README, and docs/laptop.md: their snippets run as they are, their commands work, and their pictures exist. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { runGateway } from '../../cli/gateway.ts';
import { startGateway } from '../../local/gateway.ts';
import { newDirectory } from '../harness/new-directory.ts';
import { use } from '../harness/use.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const laptop = readFileSync(join(root, 'docs/laptop.md'), 'utf8');
const execute = promisify(execFile);

const snippetsIn = (language: string, page = readme) =>
  Array.from(page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')), ([, code = '']) => code);

const hasPackage = (name: string) => spawnSync('python3', ['-c', `import ${name}`]).status === 0;

const directory = newDirectory();

const gateway = use(() => startGateway({ port: 0, dataDirectory: join(directory, 'data'), environment: {} }));
beforeAll(async () => {
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
});

async function run(program: string, ...parameters: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    OPENAI_BASE_URL: `${gateway.url}/v1`,
    OPENAI_API_KEY: gateway.apiKey,
    ANTHROPIC_BASE_URL: gateway.url,
    ANTHROPIC_AUTH_TOKEN: gateway.apiKey,
  };
  const { stdout } = await execute(program, [...parameters], { cwd: directory, env });
  return stdout;
}

describe('a snippet of the README', () => {
  const typescript = snippetsIn('ts');

  test('in the shell gets an answer', async () => {
    const [curl = ''] = snippetsIn('sh').filter((code) => code.includes('curl'));
    const answer = JSON.parse(await run('bash', '-c', curl));
    expect(answer).toMatchObject({ object: 'chat.completion', model: 'anthropic/claude-haiku-4-5' });
  });

  test.each(typescript.map((code, index) => [index + 1, code] as const))(
    'in TypeScript runs: number %i',
    async (index, code) => {
      const file = join(directory, `hello-${index}.ts`);
      await writeFile(file, code);
      expect(await run(process.execPath, file)).toContain('google sandbox');
    },
  );

  // Skipped where Python or the package is not installed.
  test.each(['openai', 'anthropic'])('in Python runs, with the package %s', async (name) => {
    const code = snippetsIn('python').find((one) => one.includes(`from ${name} import`)) ?? '';
    if (hasPackage(name)) expect(await run('python3', '-c', code)).toContain('openai sandbox');
    expect(code).not.toBe('');
  });

  test('exists in each language', () => {
    expect(typescript).toHaveLength(3);
    expect(snippetsIn('python')).toHaveLength(2);
  });
});

describe('a command of docs/laptop.md', () => {
  // Those on AWS have a test of their own, with those of docs/operate/operations.md.
  const commands = snippetsIn('sh', laptop)
    .flatMap((code) => code.split('\n'))
    .filter((line) => /^npm run (-s )?gateway -- /.test(line) && !/--stack|--account/.test(line));

  async function type(line: string, keyId: string) {
    const output: string[] = [];
    const stderr: string[] = [];
    const [command = ''] = line.replace(/^npm run (-s )?gateway -- /, '').split(/ [<>] /);
    const words = command.replaceAll('<key id>', keyId).replaceAll("'", '').split(' ');
    const code = await runGateway(
      words.map((word) => (word.endsWith('.json') ? join(directory, word) : word)),
      {
        variables: { GATEWAY_DATA_DIR: join(directory, 'data') },
        environmentFile: join(directory, '.env'),
        terminal: {
          write: (text) => output.push(text),
          writeError: (text) => stderr.push(text),
          readValue: async () => 'sk-example\n',
        },
      },
    );
    return { code, output: output.join('\n'), stderr: stderr.join('\n') };
  }

  test('succeeds, one after the other', async () => {
    expect(commands.length).toBeGreaterThan(12);
    const { id, ...model } = JSON.parse((await type('catalog show openai/gpt-4o', '')).output);
    await writeFile(join(directory, 'my-models.json'), JSON.stringify([{ ...model, id: 'acme/model' }]));
    const prices = { 'acme-model': { litellm_provider: 'openai', mode: 'chat' } };
    await writeFile(join(directory, 'price-file.json'), JSON.stringify(prices));
    let keyId = '';
    for (const line of commands) {
      const { code, output, stderr } = await type(line, keyId);
      expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' });
      keyId ||= /key_[0-9a-f]{12}/.exec(output)?.[0] ?? '';
    }
  });
});

test('the README shows commands that docs/laptop.md has too', () => {
  const shown = snippetsIn('sh')
    .flatMap((code) => code.split('\n'))
    .filter((line) => line.startsWith('npm run gateway') && !/--stack|--account/.test(line));
  expect(shown.length).toBeGreaterThan(1);
  expect(shown.filter((line) => !laptop.includes(line.split(' --by ')[0] ?? ''))).toEqual([]);
});

test('the README can be read in ten minutes', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(250);
});

test('pictures exist and are small', () => {
  const pictures = Array.from(readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g), ([, path = '']) => path);
  expect(pictures.length).toBeGreaterThan(1);
  for (const path of pictures) expect(statSync(join(root, path)).size).toBeLessThan(60_000);
});
