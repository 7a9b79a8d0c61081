/** opencode with a provider of the user's own, as its documentation sets one up, and with its providers for OpenAI and Anthropic. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiKey, baseUrl, command, expectIn, models, operation } from './driver.ts';

const home = process.env.HOME ?? '';
const opencode = join(home, '../node_modules/.bin/opencode');
const options = { baseURL: baseUrl, apiKey };
const ofGateway = Object.fromEntries(models.map((model) => [model, { name: model }]));
const provider = {
  gateway: { npm: '@ai-sdk/openai-compatible', name: 'Gateway', options, models: ofGateway },
  openai: { options, models: ofGateway },
  anthropic: { options, models: ofGateway },
};

/** What it printed, after it worked in a new directory. */
async function run(model: string, message: string): Promise<{ said: string; directory: string }> {
  const directory = await mkdtemp(join(home, 'work-'));
  const settings = { provider, permission: 'allow', autoupdate: false, share: 'disabled' };
  await writeFile(join(directory, 'opencode.json'), JSON.stringify(settings));
  const said = await command(opencode, ['run', '-m', model, message], directory);
  return { said, directory };
}

const bash = (line: string) => {
  const input = JSON.stringify({ command: line, description: 'Runs a command' });
  return `sandbox call bash ${input}`;
};

await operation('stream', async (model) => {
  expectIn('zebra', (await run(`gateway/${model}`, 'Say zebra.')).said);
});

await operation('tools', async (model) => {
  const message = `${bash('echo ze""bra')}, then ${bash('echo whi""te')}`;
  expectIn('white', (await run(`gateway/${model}`, message)).said);
});

await operation('extras', async (model) => {
  const edit = { filePath: 'note.txt', oldString: '', newString: 'zebra' };
  const { directory } = await run(`gateway/${model}`, bash(`echo ${edit.newString} > ${edit.filePath}`));
  expectIn('zebra', await readFile(join(directory, 'note.txt'), 'utf8'));
});

await operation('extras', async (model) => {
  expectIn('zebra', (await run(`openai/${model}`, 'Say zebra.')).said);
});

await operation('extras', async (model) => {
  const message = `${bash('echo ze""bra')}, then ${bash('echo whi""te')}`;
  expectIn('white', (await run(`anthropic/${model}`, message)).said);
});
