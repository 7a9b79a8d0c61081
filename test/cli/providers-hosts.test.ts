/** OpenAI-compatible hosts of the operator's own: added, listed, removed, given a key and models by the command. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { createHostStore } from '../../lib/stores/catalog/hosts.ts';
import { modelRow, parsed, useOneOperator } from './operator.ts';

const operator = useOneOperator();
const hosts = createHostStore(operator.at('catalog'));
beforeEach(async () => {
  for (const { name } of await hosts.list()) await hosts.remove(name);
});

const add = 'providers add-host vllm-a --base-url http://10.0.0.5:8000/v1';
const file = async (name: string, content: unknown) => {
  const path = join(operator.directory, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const model = (provider: string) =>
  modelRow('acme/chat', {
    price: { input: 0, output: 0 },
    deployments: [{ provider, region: 'global', upstreamId: 'chat' }],
  });

describe('adding a host', () => {
  test('stores its row, and the next step is shown', async () => {
    const options =
      '--unsupported seed,logit_bias --takes top_k,metadata --choices 1 --embeddings --image-urls --no-names --native-fields house_style,num_ctx';
    const outcome = await operator.run(`${add} ${options}`);
    expect(outcome).toMatchObject({ code: 0, stderr: 'Store its API key: providers set-key vllm-a' });
    expect(outcome.output).toEqual([
      'Added vllm-a (http://10.0.0.5:8000/v1). It takes effect within a minute.',
    ]);
    expect(await hosts.list()).toEqual([
      {
        name: 'vllm-a',
        source: 'command',
        digest: expect.any(String),
        row: {
          name: 'vllm-a',
          baseUrl: 'http://10.0.0.5:8000/v1',
          unsupported: ['seed', 'logit_bias'],
          takes: ['top_k', 'metadata'],
          choices: 1,
          nativeFields: ['house_style', 'num_ctx'],
          embeddings: {},
          takesImageUrls: true,
          takesNames: false,
        },
      },
    ]);
  });

  test('again replaces it', async () => {
    await operator.run(add);
    const outcome = await operator.run('providers add-host vllm-a --base-url https://a.example/v1 --no-key');
    expect(outcome.output.join()).toContain('Replaced vllm-a (https://a.example/v1)');
    expect(await hosts.list()).toMatchObject([{ row: { baseUrl: 'https://a.example/v1', needsKey: false } }]);
  });

  test('takes a file for settings without an option, which options replace', async () => {
    const path = await file('host.json', {
      name: 'other',
      baseUrl: 'https://a.example/v1',
      dialect: { shortToolIds: true },
      choices: 4,
    });
    expect((await operator.run(`providers add-host vllm-b --file ${path} --choices 2`)).code).toBe(0);
    expect(await hosts.get('vllm-b')).toMatchObject({
      row: { name: 'vllm-b', baseUrl: 'https://a.example/v1', dialect: { shortToolIds: true }, choices: 2 },
    });
  });

  test.each([
    ['providers add-host vllm-a', 2, 'baseUrl'],
    ['providers add-host', 2, 'host'],
    ['providers add-host Vllm --base-url https://a.example', 2, 'name:'],
    ['providers add-host groq --base-url https://a.example', 2, 'name: is the name of a built-in provider'],
    ['providers add-host vllm-a --base-url http://a.example', 2, 'baseUrl: must start with https://'],
    [
      'providers add-host vllm-a --base-url https://k:s@a.example',
      2,
      'baseUrl: must not contain credentials',
    ],
    [`${add} --unsupported temperatur`, 2, 'unsupported.0'],
    [`${add} --takes topk`, 2, 'takes.0'],
    [`${add} --native-fields Model`, 2, 'nativeFields.0: is a field that only the gateway sets'],
    [`${add} --choices many`, 2, '--choices must be a whole number from 1 to 128'],
    [`${add} --file /no/such/file.json`, 1, '/no/such/file.json'],
  ])('"%s" is refused with the name of the field', async (typed, code, message) => {
    const outcome = await operator.run(typed);
    expect([outcome.code, outcome.output]).toEqual([code, []]);
    expect(outcome.stderr).toContain(message);
    expect(await hosts.list()).toEqual([]);
  });

  test('a file that is no object is refused', async () => {
    const path = await file('list.json', []);
    expect(await operator.run(`providers add-host vllm-a --file ${path}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a JSON object'),
    });
  });

  test('does not change a host of the hosts file, nor remove it', async () => {
    const row = { name: 'vllm-a', baseUrl: 'https://file.example/v1' };
    await hosts.put({ name: 'vllm-a', source: 'file', row });
    for (const typed of [add, 'providers remove-host vllm-a']) {
      expect(await operator.run(typed)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('hosts file'),
      });
    }
    expect(await hosts.list()).toMatchObject([{ row }]);
  });
});

describe('an added host', () => {
  test('is a provider: it is listed, takes a key, and is ready with it', async () => {
    await operator.run(add);
    await operator.run('providers add-host open-b --base-url http://10.0.0.6:8000/v1 --no-key');
    const ready = async () => {
      const rows: readonly { provider: string; ready: boolean }[] = parsed(
        await operator.run('providers list --json'),
      );
      return ['vllm-a', 'open-b'].map((name) => rows.find(({ provider }) => provider === name)?.ready);
    };
    expect(await ready()).toEqual([false, true]);
    const outcome = await operator.run('providers set-key vllm-a', { input: 'sk-example' });
    expect(outcome.code).toBe(0);
    expect(await readFile(operator.environmentFile, 'utf8')).toBe('VLLM_A_API_KEY=sk-example\n');
    expect(await ready()).toEqual([true, true]);
    expect(await operator.run('providers set vllm-a project', { input: 'x' })).toMatchObject({ code: 2 });
  });

  test('is shown with its row', async () => {
    await operator.run(add);
    expect((await operator.run('providers list-hosts')).output).toEqual([
      expect.stringMatching(/^HOST +BASE URL +FROM$/),
      expect.stringMatching(/^vllm-a +http:\/\/10\.0\.0\.5:8000\/v1 +providers add-host$/),
    ]);
    expect(parsed(await operator.run('providers list-hosts --json'))).toEqual([
      {
        host: 'vllm-a',
        base_url: 'http://10.0.0.5:8000/v1',
        from: 'providers add-host',
        row: { name: 'vllm-a', baseUrl: 'http://10.0.0.5:8000/v1' },
      },
    ]);
  });

  test('serves models that are added to the catalog, and these are named when it is removed', async () => {
    const path = await file('models.json', [model('vllm-a')]);
    for (const typed of [`catalog add ${path}`, `catalog lint ${path}`]) {
      const outcome = await operator.run(typed);
      expect(outcome.code).not.toBe(0);
      expect([...outcome.output, outcome.stderr].join('\n')).toContain('unknown provider vllm-a');
    }
    await operator.run(add);
    expect((await operator.run(`catalog lint ${path}`)).code).toBe(0);
    expect((await operator.run(`catalog add ${path}`)).output).toEqual([
      'Stored acme/chat. It takes effect within a minute.',
    ]);
    const catalog = createCatalogStore(operator.at('catalog'));
    expect(await catalog.get('acme/chat')).toMatchObject({ source: 'operator', row: model('vllm-a') });
    expect((await operator.run('catalog lint')).code).toBe(0);

    const removed = await operator.run('providers remove-host vllm-a');
    expect(removed).toMatchObject({ code: 0, stderr: 'These models still name it: acme/chat' });
    expect(await hosts.list()).toEqual([]);
    expect((await operator.run('catalog lint')).code).toBe(1);
  });

  test('that does not exist cannot be removed or given a key', async () => {
    expect(await operator.run('providers remove-host nowhere')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No host named nowhere'),
    });
    expect((await operator.run('providers set-key nowhere', { input: 'sk-example' })).code).toBe(2);
  });
});

test('models of a file with a fault are not stored', async () => {
  const path = await file('faulty.json', [model('openai'), { ...model('openai'), id: 'acme' }]);
  const outcome = await operator.run(`catalog add ${path}`);
  expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('acme: id') });
});
