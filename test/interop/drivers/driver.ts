/** What the drivers in TypeScript share. A driver runs beside the packages of its client, outside of the project. */
import { spawn } from 'node:child_process';

/** Set by `run.ts`; also read by the OpenAI SDKs themselves. */
export const baseUrl = process.env.OPENAI_BASE_URL ?? '';
export const apiKey = process.env.OPENAI_API_KEY ?? '';

export const models = ['openai/gpt-5.5', 'anthropic/claude-opus-5', 'google/gemini-3.5-flash'];

/** A question for the sandbox, and what a tool that was called with it says. */
export const weatherQuestion = 'The weather, please: sandbox call get_weather {"city": "Oslo"}';
export const weatherAnswer = 'Four degrees and drizzle';
export const timeQuestion = 'And the time: sandbox call get_time {"city": "Oslo"}';
export const timeAnswer = 'Half past six';

const timeoutMs = 60_000;

/** Runs one operation of the client for each model, and reports what came of it. */
export async function operation(
  name: string,
  run: (model: string) => Promise<void>,
  on: readonly string[] = models,
): Promise<void> {
  for (const model of on) {
    const failure = await Promise.race([run(model), timeout()]).then(
      () => undefined,
      (thrown: unknown) => String(thrown instanceof Error ? thrown.message : thrown),
    );
    const result = { operation: name, model, ok: failure === undefined, detail: failure ?? '' };
    process.stdout.write(`RESULT ${JSON.stringify(result)}\n`);
  }
}

async function timeout(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, timeoutMs).unref());
  throw new Error(`There was no answer in ${timeoutMs / 1000} s.`);
}

/** Runs a command of the client in a directory, and returns what it printed. */
export async function command(path: string, words: readonly string[], cwd: string): Promise<string> {
  // Some commands ask the shell where they are.
  const env = { ...process.env, PWD: cwd };
  const child = spawn(path, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data: Buffer) => {
    stdout += data;
  });
  child.stderr.on('data', (data: Buffer) => {
    stderr += data;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`Exit code ${code}: …${(stderr + stdout).trim().slice(-400)}`);
  return stdout;
}

/** Fails where a text is not in another. */
export function expectIn(part: string, text: unknown): void {
  if (!String(text).includes(part)) throw new Error(`"${part}" is not in: ${String(text).slice(0, 300)}`);
}

export function expectEqual(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  throw new Error(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
}
