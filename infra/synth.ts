/**
 * `npm run synth`, after the functions were built: the CDK writes the template, with the settings that were typed, and its path is
 * printed. Not by a `postsynth` script, since npm runs none where install scripts are off.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const cdk = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');
const parameters = [cdk, 'synth', '--quiet', '--no-notices', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, parameters, { stdio: 'inherit' });
if (status === 0) await import('./print-template.ts');
else process.exitCode = status ?? 1;
