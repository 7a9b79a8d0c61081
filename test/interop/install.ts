/** Installs a client into a folder of its own, or takes it as an earlier run left it. */
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from './clients.ts';
import { runCommand } from './command.ts';

const timeoutMs = 15 * 60_000;
const drivers = join(import.meta.dirname, 'drivers');

/** The command that runs its driver. */
interface Installed {
  readonly version: string;
  readonly command: string;
  readonly words: readonly string[];
}

/** The Python that virtual environments are made with: null where this machine has none. */
export async function findPython(): Promise<string | null> {
  const python = process.env.PYTHON ?? 'python3';
  const { code } = await runCommand(python, ['-c', 'import venv, ensurepip'], {
    cwd: '/',
    timeoutMs: 30_000,
  });
  return code === 0 ? python : null;
}

/** Throws what the package manager said where it failed. */
export async function install(client: Client, folder: string, python: string | null): Promise<Installed> {
  const mark = join(folder, 'installed');
  if (!existsSync(mark)) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await (client.from === 'npm' ? installFromNpm(client, folder) : installFromPip(client, folder, python));
    await writeFile(mark, '');
  }
  return client.from === 'npm' ? nodeDriver(client, folder) : pythonDriver(client, folder);
}

async function installFromNpm({ packages }: Client, folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  await runOrThrow('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], folder);
}

async function installFromPip({ packages }: Client, folder: string, python: string | null): Promise<void> {
  if (python === null) throw new Error('there is no python3 with venv and pip; PYTHON may name one');
  await runOrThrow(python, ['-m', 'venv', join(folder, 'venv')], folder);
  const words = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages];
  await runOrThrow(join(folder, 'venv/bin/python'), words, folder);
}

async function runOrThrow(command: string, words: readonly string[], cwd: string): Promise<void> {
  const { code, stdout, stderr } = await runCommand(command, words, { cwd, timeoutMs });
  if (code !== 0) throw new Error(`cannot be installed: ${(stderr || stdout).trim().slice(-400)}`);
}

async function nodeDriver({ name, driver = name, packages }: Client, folder: string): Promise<Installed> {
  await cp(drivers, folder, { recursive: true, filter: (path) => !path.endsWith('.py') });
  const file = join(folder, 'node_modules', packages[0] ?? '', 'package.json');
  const { version } = JSON.parse(await readFile(file, 'utf8'));
  return { version, command: process.execPath, words: [join(folder, `${driver}.ts`)] };
}

async function pythonDriver({ name, driver = name, packages }: Client, folder: string): Promise<Installed> {
  // Under its own name it would be found in place of the package of that name.
  const main = join(folder, 'main.py');
  await cp(join(drivers, `${driver}.py`), main);
  for (const shared of ['driver.py', 'weather.py']) await cp(join(drivers, shared), join(folder, shared));
  const command = join(folder, 'venv/bin/python');
  const distribution = packages[0]?.replace(/[[<].*/, '');
  const code = `import importlib.metadata as m; print(m.version("${distribution}"))`;
  const { stdout } = await runCommand(command, ['-c', code], { cwd: folder, timeoutMs: 60_000 });
  return { version: stdout.trim(), command, words: [main] };
}
