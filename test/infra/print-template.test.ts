/** `npm run synth` prints where the template is. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

test('every stack in the output of the CDK is printed with its template', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-synth-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await mkdir(join(directory, 'cdk.out'));
  const artifacts = {
    'Test.assets': { type: 'cdk:asset-manifest', properties: { file: 'Test.assets.json' } },
    Test: { type: 'aws:cloudformation:stack', properties: { templateFile: 'Test.template.json' } },
    Tree: { type: 'cdk:tree' },
  };
  await writeFile(join(directory, 'cdk.out/manifest.json'), JSON.stringify({ artifacts }));
  const program = join(root, 'infra/print-template.ts');
  const { status, stdout } = spawnSync(process.execPath, [program], { cwd: directory, encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'Template: cdk.out/Test.template.json\n' });
});

test('the printed path follows a synthesis', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect(scripts.synth).toBe('node build/build.ts && node infra/synth.ts');
  expect(await readFile(join(root, 'infra/synth.ts'), 'utf8')).toContain("import('./print-template.ts')");
});
