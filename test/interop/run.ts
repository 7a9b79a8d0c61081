/**
 * Real clients against the gateway: `npm run interop`, or `npm run interop -- litellm codex`. Installs each client, runs its
 * driver against a local gateway with the sandbox, and writes docs/clients.md when there are results of all clients. Exits
 * with 1 where an operation failed.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sandboxRoutes } from '../../local/providers.ts';
import { builtVariable, stateOf } from '../harness/built.ts';
import { hideLog } from '../harness/captured-log.ts';
import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { type Client, clients } from './clients.ts';
import { runCommand } from './command.ts';
import { findPython, install } from './install.ts';
import { type ClientResults, failed, readResults, withResults } from './results.ts';

const page = join(import.meta.dirname, '../../docs/clients.md');
const timeoutMs = 10 * 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Keeps the clients and their results there for the next run; without it they go to a directory that is removed. */
    dir: { type: 'string' },
  },
});

const unknown = positionals.find((name) => !clients.some((client) => client.name === name));
if (unknown !== undefined) {
  console.error(`There is no client ${unknown}, but ${clients.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}

/** Keys of real providers would be charged. */
function hideProviders(): void {
  const prefixes = [...sandboxRoutes.map(({ provider }) => variablePrefix(provider)), 'AWS_', 'GATEWAY_'];
  for (const name of Object.keys(process.env)) {
    if (prefixes.some((prefix) => name.startsWith(prefix))) delete process.env[name];
  }
}

function variablePrefix(provider: string): string {
  return `${provider.toUpperCase().replaceAll('-', '_')}_`;
}

async function drive(client: Client, gateway: TestGateway, directory: string, python: string | null) {
  const date = new Date().toISOString().slice(0, 10);
  const folder = join(directory, client.name);
  const none: ClientResults = { client, version: '', date, results: [] };
  try {
    const { version, command, words } = await install(client, folder, python);
    const home = join(folder, 'home');
    await mkdir(home, { recursive: true });
    const env = {
      ...process.env,
      HOME: home,
      OPENAI_BASE_URL: `${gateway.url}/v1`,
      OPENAI_API_KEY: gateway.apiKey,
      ANTHROPIC_BASE_URL: gateway.url,
      ANTHROPIC_API_KEY: gateway.apiKey,
    };
    const done = await runCommand(command, words, { cwd: home, timeoutMs, env });
    const failure = done.code === 0 ? undefined : `its driver failed: ${done.stderr.trim().slice(-600)}`;
    return { ...none, version, results: readResults(done.stdout), failure };
  } catch (thrown) {
    return { ...none, failure: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

async function keep(done: ClientResults, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'results.json'), JSON.stringify(done));
}

/** Of this run, or of an earlier one in the same directory. */
async function resultsOf(
  client: Client,
  all: readonly ClientResults[],
  directory: string,
): Promise<ClientResults | undefined> {
  const done = all.find((one) => one.client === client);
  if (done !== undefined || values.dir === undefined) return done;
  const file = join(directory, client.name, 'results.json');
  return existsSync(file) ? { ...JSON.parse(await readFile(file, 'utf8')), client } : undefined;
}

function report(done: ClientResults): void {
  console.log(`  ${done.client.title} ${done.version}: ${failed(done) ? 'FAILED' : 'all operations work'}`);
  if (done.failure !== undefined) console.log(`    ${done.failure}`);
  for (const { operation, model, ok, detail } of done.results) {
    if (!ok) console.log(`    ${operation}, ${model}: ${detail.slice(0, 600)}`);
  }
}

hideProviders();
hideLog();
const chosen = clients.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const directory = values.dir === undefined ? await mkdtemp(join(tmpdir(), 'interop-')) : resolve(values.dir);
process.env[builtVariable] = join(directory, 'bundles');
await mkdir(stateOf(join(directory, 'bundles')), { recursive: true });
const gateway = await startTestGateway({ GATEWAY_BATCH_POLL_MS: '200', GATEWAY_SANDBOX_BATCH_MS: '1000' });
const python = await findPython();
if (python === null)
  console.log('There is no python3 with venv and pip: clients in Python cannot be installed.');
const all: ClientResults[] = [];
try {
  for (const [index, client] of chosen.entries()) {
    console.log(`[${index + 1}/${chosen.length}] ${client.title}`);
    const done = await drive(client, gateway, directory, python);
    report(done);
    all.push(done);
    await keep(done, join(directory, client.name));
  }
} finally {
  await gateway.close();
  if (values.dir === undefined) await rm(directory, { recursive: true, force: true });
}
const known = await Promise.all(clients.map((client) => resultsOf(client, all, directory)));
const complete = known.filter((one) => one !== undefined);
if (complete.length === clients.length) {
  await writeFile(page, withResults(await readFile(page, 'utf8'), complete));
  console.log('docs/clients.md is written.');
}
const failures = all.filter(failed).length;
console.log(`${all.length - failures} of ${all.length} clients work.`);
process.exitCode = failures === 0 ? 0 : 1;
