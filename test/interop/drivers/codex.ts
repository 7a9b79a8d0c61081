/** Codex CLI with its defaults, and a provider of the user's own. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { baseUrl, command, expectIn, models, operation } from './driver.ts';

const home = process.env.HOME ?? '';
const codex = join(home, '../node_modules/.bin/codex');
const provider = `{name="gateway",base_url="${baseUrl}",env_key="OPENAI_API_KEY",wire_api="responses"}`;

const settings = ['-c', 'model_provider="gateway"', '-c', `model_providers.gateway=${provider}`];

/** What it printed as its last answer, after it worked in a new directory. */
async function run(model: string, ...words: readonly string[]): Promise<{ said: string; directory: string }> {
  const directory = await mkdtemp(join(home, 'work-'));
  const parameters = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  const answer = join(directory, 'answer.txt');
  await command(codex, [...parameters, '-m', model, ...settings, '-o', answer, ...words], directory);
  return { said: await readFile(answer, 'utf8'), directory };
}

const exec = (cmd: string) => `sandbox call exec_command ${JSON.stringify({ cmd })}`;

/** Beside the default: models of makers that have no search of the web, which Codex declares by default. */
const makers = [
  ...models,
  'xai/grok-4.7',
  'deepseek/deepseek-v4-pro',
  'mistral/mistral-large-2512',
  'moonshotai/kimi-k3',
  'zai/glm-5.2',
  'alibaba/qwen3-coder-plus',
  'amazon/nova-pro',
];

await operation('stream', async (model) => {
  // Before the words of the user Codex says much of its own, which the sandbox repeats first.
  expectIn('sandbox, in place of', (await run(model, 'Say zebra.')).said);
});

await operation(
  'tools',
  async (model) => {
    const { said } = await run(model, `${exec('echo ze""bra')}, then ${exec('echo whi""te')}`);
    expectIn('white', said);
  },
  makers,
);

await operation(
  'extras',
  async (model) => {
    const patch = '*** Begin Patch\n*** Add File: note.txt\n+zebra\n*** End Patch\n';
    const { directory } = await run(model, `sandbox call apply_patch ${JSON.stringify({ input: patch })}`);
    expectIn('zebra', await readFile(join(directory, 'note.txt'), 'utf8'));
  },
  models.filter((model) => model.startsWith('openai/')),
);

await operation('extras', async (model) => {
  const { directory } = await run(model, exec('echo zebra > note.txt'));
  expectIn('zebra', await readFile(join(directory, 'note.txt'), 'utf8'));
});
