/** The provider commands on this machine: where they store credentials, and that they never show them. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { newApiKey } from '../../lib/core/names/api-key.ts';
import { parsed, useOperator } from './operator.ts';

const operator = useOperator();

const file = () => readFile(operator.environmentFile, 'utf8');

describe('setting a key', () => {
  test('creates a file that only its owner can read, and does not show the key', async () => {
    const { code, output, stderr } = await operator.run('providers set-key anthropic', {
      input: 'sk-ant-1\n',
    });
    expect(code).toBe(0);
    expect(await file()).toBe('ANTHROPIC_API_KEY=sk-ant-1\n');
    expect((await stat(operator.environmentFile)).mode & 0o777).toBe(0o600);
    expect([...output, stderr].join('\n')).not.toContain('sk-ant-1');
    expect(output.join('\n')).toContain('ANTHROPIC_API_KEY');
  });

  test('replaces an earlier key and leaves every other line unchanged', async () => {
    const before =
      '# mine\nPORT=1\nexport OPENAI_API_KEY="old"\n\nGOOGLE_API_KEY=g # note\nOPENAI_API_KEY=older';
    await writeFile(operator.environmentFile, before, { mode: 0o644 });
    expect((await operator.run('providers set-key openai', { input: 'sk-new' })).code).toBe(0);
    expect(await file()).toBe('# mine\nPORT=1\nOPENAI_API_KEY=sk-new\n\nGOOGLE_API_KEY=g # note\n');
    expect((await stat(operator.environmentFile)).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['comment characters', 'sk-#1', 'openai api-key', 'OPENAI_API_KEY'],
    ['quotes', 'sk-"1', 'openai api-key', 'OPENAI_API_KEY'],
    [
      'credentials in JSON',
      JSON.stringify({ client_email: 'a@acme.example', private_key: '-----BEGIN\\nAB#C=\\n' }),
      'google-vertex credentials',
      'GOOGLE_VERTEX_CREDENTIALS',
    ],
  ])('%s are read back unchanged', async (_, input, typed, name) => {
    expect((await operator.run(`providers set ${typed}`, { input })).code).toBe(0);
    expect(parseEnv(await file())[name]).toBe(input);
  });

  test('is taken back, and every other line stays', async () => {
    await writeFile(operator.environmentFile, 'PORT=1\nOPENAI_API_KEY=sk-old\n# mine\n');
    expect(await operator.run('providers remove openai api-key')).toMatchObject({
      code: 0,
      output: [expect.stringMatching(/^Removed OPENAI_API_KEY in /)],
    });
    expect(await file()).toBe('PORT=1\n# mine\n');
    expect((await operator.run('providers remove openai api-key')).stderr).toContain('Nothing is stored');
    const variables = { OPENAI_API_KEY: 'sk-of-the-shell' };
    expect((await operator.run('providers remove openai api-key', { variables })).stderr).toContain(
      'unset the variable OPENAI_API_KEY',
    );
    expect((await operator.run('providers test openai')).stderr).toContain('--url');
  });

  test('does not change a file in which the variable cannot be replaced', async () => {
    const before = 'OPENAI_API_KEY="line one\nline two"\nPORT=1\n';
    await writeFile(operator.environmentFile, before);
    const { code, stderr } = await operator.run('providers set-key openai', { input: 'sk-new' });
    expect(code).toBe(2);
    expect(stderr).toContain('by hand');
    expect(await file()).toBe(before);
  });

  test('refuses an API key of the gateway, even if it is cut off, and does not show it', async () => {
    const key = newApiKey();
    for (const input of [key, key.slice(0, 20)]) {
      const { code, stderr } = await operator.run('providers set-key openai', { input });
      expect(code).toBe(2);
      expect(stderr).toContain('API key of the gateway');
      expect(stderr).not.toContain(input);
    }
    await expect(file()).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('the list', () => {
  const rowOf = (rows: readonly { provider: string }[], name: string) =>
    rows.find(({ provider }) => provider === name);

  test('shows which providers have credentials and where, and no value', async () => {
    await operator.run('providers set-key anthropic', { input: 'sk-ant-secret' });
    const variables = {
      ANTHROPIC_API_KEY: 'sk-ant-secret',
      OPENAI_API_KEY: 'sk-secret',
      AZURE_API_KEY: 'az-secret',
    };
    const outcome = await operator.run('providers list --json', { variables });
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const rows = parsed(outcome);
    expect(rowOf(rows, 'anthropic')).toEqual({
      provider: 'anthropic',
      ready: true,
      settings: ['api-key'],
      from: [`ANTHROPIC_API_KEY in ${operator.environmentFile}`],
      problem: null,
    });
    expect(rowOf(rows, 'openai')).toMatchObject({ ready: true, from: ['variable OPENAI_API_KEY'] });
    expect(rowOf(rows, 'azure')).toMatchObject({
      ready: false,
      settings: ['api-key'],
      problem: 'base-url is missing',
    });
    expect(rowOf(rows, 'mistral')).toMatchObject({ ready: false, settings: [], from: [], problem: null });
    expect(rowOf(rows, 'bedrock')).toMatchObject({ ready: false });
    expect(outcome.output.join('\n')).not.toContain('secret');
  });

  test('AWS credentials count as a key for providers that accept them', async () => {
    const variables = { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'hidden' };
    const rows = parsed(await operator.run('providers list --json', { variables }));
    expect(rowOf(rows, 'bedrock')).toMatchObject({
      ready: true,
      from: ['AWS credentials in the environment'],
    });
    expect(rowOf(rows, 'openai')).toMatchObject({ ready: false });
  });

  test.each([
    ['openai', { OPENAI_API_KEY: newApiKey() }, 'variable OPENAI_API_KEY is an API key of this gateway'],
    ['openai', { OPENAI_API_KEY: 'mgw_cut' }, 'variable OPENAI_API_KEY is an API key of this gateway'],
    ['groq', { GROQ_API_KEY: '  ' }, null],
    [
      'google-vertex',
      { GOOGLE_VERTEX_CREDENTIALS: '{bad', GOOGLE_VERTEX_PROJECT: 'acme' },
      'variable GOOGLE_VERTEX_CREDENTIALS is not the JSON key of a service account',
    ],
  ])('says why %s is not ready with %j', async (provider, variables, problem) => {
    const rows = parsed(await operator.run('providers list --json', { variables }));
    expect(rowOf(rows, provider)).toMatchObject({ ready: false, problem });
  });

  test('is a table for people', async () => {
    const { output } = await operator.run('providers list', { variables: { OPENAI_API_KEY: 'sk-secret' } });
    expect(output[0]).toMatch(/^PROVIDER +READY +SETTINGS +FROM$/);
    expect(output.find((line) => line.startsWith('openai '))).toMatch(
      /yes +api-key +variable OPENAI_API_KEY$/,
    );
  });
});
