/** The example of a pipeline uses commands, settings and files that exist, and no key of AWS. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../cli/commands.ts';
import { policies } from '../../cli/policies/policies.ts';
import { settingRows } from '../../infra/settings/rows.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(root, 'examples/deploy-pipeline', name), 'utf8');
const [workflow, guide] = [read('deploy.yml'), read('README.md')];
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('each command, setting and file exists', () => {
  const names = Array.from(`${workflow}${guide}`.matchAll(/npm run (?:-s )?(\w+)/g), ([, name]) => name);
  expect(names.filter((name) => !(name && name in scripts))).toEqual([]);
  for (const [, name, value = ''] of workflow.matchAll(/-c ([\w.]+)=(\S+)/g)) {
    expect(settingRows.map((row) => row.name)).toContain(name);
    if (name === 'config') expect(existsSync(join(root, value))).toBe(true);
  }
  for (const [, name] of workflow.matchAll(/npm run gateway -- (\w+)/g))
    expect(commands.map((command) => command.name)).toContain(name);
  for (const [, name] of guide.matchAll(/policies -- (\w+)/g)) expect(Object.keys(policies)).toContain(name);
});

test('there is no long-lived key, and only an approved job may deploy', () => {
  expect(workflow).toContain('id-token: write');
  expect(workflow).not.toMatch(/aws-(access-key-id|secret-access-key)|secrets\./);
  const [diff = '', deploy = ''] = workflow.split(/^ {2}deploy:$/m);
  expect(deploy).toContain('environment: production');
  expect(diff).not.toContain('npm run deploy');
  const [{ Condition }] = JSON.parse(read('trust-policy.json')).Statement;
  expect(Condition.StringEquals['token.actions.githubusercontent.com:sub']).toMatch(
    /^repo:[^*]+:environment:production$/,
  );
});

test('has no tab and no odd indentation, which YAML refuses', () => {
  for (const line of workflow.split('\n')) expect(line).toMatch(/^(?: {2})*(?:[^ \t]|$)/);
});
