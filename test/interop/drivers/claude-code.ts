/** Claude Code without a terminal, with its own tools, on models of four families. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command, expectEqual, expectIn, models as ofOthers, operation } from './driver.ts';

const home = process.env.HOME ?? '';
// What starts it also where the scripts of packages do not run when they are installed.
const claude = join(home, '../node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs');
const models = [...ofOthers, 'deepseek/deepseek-v4-flash'];

process.env.ANTHROPIC_AUTH_TOKEN = process.env.ANTHROPIC_API_KEY;
delete process.env.ANTHROPIC_API_KEY;
process.env.CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC = '1';

interface Block {
  readonly type: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

/** One line that it prints with `--output-format stream-json`. */
interface Line {
  readonly type: string;
  readonly message?: { readonly content?: string | readonly Block[] };
  readonly result?: string;
  readonly is_error?: boolean;
  readonly structured_output?: unknown;
}

interface Done {
  readonly said: string;
  /** The results of its tools, each as text. */
  readonly results: readonly string[];
  readonly structured: unknown;
}

const newDirectory = (): Promise<string> => mkdtemp(join(home, 'work-'));

async function run(model: string, directory: string, prompt: string, ...words: readonly string[]) {
  const allowed = ['--allowedTools', 'Read', 'Edit', 'Bash', 'WebSearch', 'Agent'];
  const form = ['--output-format', 'stream-json', '--verbose'];
  const printed = await command(
    process.execPath,
    [claude, '-p', prompt, '--model', model, ...form, ...words, ...allowed],
    directory,
  );
  const lines = printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Line => JSON.parse(line));
  const last = lines.findLast(({ type }) => type === 'result');
  if (!last || last.is_error) throw new Error(`It ended with: ${JSON.stringify(last).slice(0, 300)}`);
  return {
    said: last.result ?? '',
    results: lines.flatMap(resultsOf),
    structured: last.structured_output,
  } satisfies Done;
}

function resultsOf({ type, message }: Line): readonly string[] {
  const blocks = type === 'user' && typeof message?.content === 'object' ? message.content : [];
  return blocks.filter((block) => block.type === 'tool_result').map(({ content }) => JSON.stringify(content));
}

const call = (tool: string, input: object) => `sandbox call ${tool} ${JSON.stringify(input)}`;

await operation(
  'stream',
  async (model) => {
    const { said } = await run(model, await newDirectory(), 'Say zebra.');
    expectIn('sandbox, in place of', said);
  },
  models,
);

/** Reads a file, edits it, and counts its lines with a command. */
async function edit(model: string, directory: string, ...words: readonly string[]): Promise<Done> {
  const file = join(directory, 'fruit.txt');
  await writeFile(file, 'one apple\ntwo pears\n');
  const read = call('Read', { file_path: file });
  const change = call('Edit', { file_path: file, old_string: 'one apple', new_string: 'three plums' });
  const count = call('Bash', { command: 'echo lines: $(wc -l < fruit.txt)', description: 'Counts' });
  const done = await run(model, directory, `${read}, then ${change}, then ${count}`, ...words);
  expectEqual(done.results.length, 3);
  expectIn('one apple', done.results[0]);
  expectIn('lines: 2', done.results[2]);
  expectIn('lines: 2', done.said);
  expectEqual(await readFile(file, 'utf8'), 'three plums\ntwo pears\n');
  return done;
}

await operation(
  'tools',
  async (model) => {
    await edit(model, await newDirectory());
  },
  models,
);

await operation(
  'structured',
  async (model) => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const asked = call('StructuredOutput', { city: 'Oslo' });
    const done = await run(model, await newDirectory(), asked, '--json-schema', JSON.stringify(schema));
    expectEqual(done.structured, { city: 'Oslo' });
  },
  models,
);

// Two calls in one answer.
await operation(
  'extras',
  async (model) => {
    const echo = (word: string) => call('Bash', { command: `echo "${word}"`, description: 'Prints' });
    const done = await run(model, await newDirectory(), `${echo('ze""bra')}, ${echo('whi""te')}`);
    expectEqual(done.results.toSorted(), ['"white"', '"zebra"']);
    expectIn('white', done.said);
  },
  models,
);

// A conversation that every other model continues, with the thinking and the calls of those before it.
await operation(
  'extras',
  async (model) => {
    const directory = await newDirectory();
    await edit(model, directory);
    for (const other of [...models.filter((one) => one !== model), model]) {
      await edit(other, directory, '--continue');
    }
  },
  models,
);

// A summary in place of the conversation, and how much of the window it fills.
await operation(
  'extras',
  async (model) => {
    const directory = await newDirectory();
    await edit(model, directory);
    await run(model, directory, '/context', '--continue');
    await run(model, directory, '/compact', '--continue');
    await edit(model, directory, '--continue');
  },
  models,
);
