/** cfn-lint, the linter of CloudFormation's own team: the schemas of all resource types, and what templates may do with them. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StackTemplate } from './rehearsal/graph.ts';

export const lintVersion = '1.58.0';

const cache = join(import.meta.dirname, `../../node_modules/.cache/cfn-lint-${lintVersion}`);
const folder = join(cache, process.platform === 'win32' ? 'Scripts' : 'bin');
const program = join(folder, 'cfn-lint');
const wanted = `cfn-lint==${lintVersion}`;

/** What can install it into the cache, each as commands that follow one another. */
const installers: readonly (readonly (readonly [command: string, ...words: string[]])[])[] = [
  [
    ['uv', 'venv', '--quiet', cache],
    ['uv', 'pip', 'install', '--quiet', '--python', cache, wanted],
  ],
  [
    ['python3', '-m', 'venv', cache],
    [join(folder, 'python'), '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', wanted],
  ],
];

/** Rules that are not asked, each with the reason. */
export const ignoredRules: Readonly<Record<string, string>> = {
  W3005: 'the library writes a DependsOn for roles that a property names, too',
};

export const hasLint = (): boolean => existsSync(program);

/** Why it could not be installed; undefined if it is there. Needs the network the first time, for at most three minutes each way. */
export function installLint(): string | undefined {
  if (hasLint()) return undefined;
  for (const commands of installers) {
    if (commands.every(succeeds) && hasLint()) return undefined;
    // What was installed in part is not taken for the whole.
    rmSync(cache, { recursive: true, force: true });
  }
  return 'neither uv nor Python with pip could install it';
}

const succeeds = ([command, ...words]: readonly [string, ...string[]]): boolean =>
  spawnSync(command, words, { stdio: 'ignore', timeout: 180_000 }).status === 0;

/** Findings, one for each line; empty if there are none. Throws if the linter itself does not run. */
export function lint(templates: Readonly<Record<string, StackTemplate>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'lint-template-'));
  try {
    const files = Object.entries(templates).map(([name, template]) => {
      const file = join(directory, `${name}.json`);
      writeFileSync(file, JSON.stringify(template, undefined, 1));
      return file;
    });
    const words = ['--regions', 'us-east-1', 'eu-west-1', '--format', 'parseable', '--ignore-checks'];
    const { status, stdout, stderr, error } = spawnSync(
      program,
      [...words, ...Object.keys(ignoredRules), '--template', ...files],
      { encoding: 'utf8', timeout: 300_000 },
    );
    if (status === 0) return '';
    if (error || !stdout) throw new Error(`cfn-lint did not run: ${error?.message ?? stderr}`);
    return stdout.replaceAll(`${directory}/`, '').trim();
  } finally {
    rmSync(directory, { recursive: true });
  }
}
