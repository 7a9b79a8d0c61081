/** The command `npm run deploy`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { openAws } from '../installations/aws-access.ts';
import { processTerminal } from '../run.ts';
import { deploy } from './deploy.ts';
import { profileOf } from './typed.ts';

const words = process.argv.slice(2);
const profile = profileOf(words);
if (profile !== undefined) process.env.AWS_PROFILE = profile;

async function run(program: string, parameters: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [program, ...parameters], { stdio: 'inherit' });
  const [code] = await once(child, 'close');
  return code ?? 1;
}

const cdk = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');

process.exitCode = await deploy(words, {
  terminal: processTerminal,
  build: () => run(join(import.meta.dirname, '../../build/build.ts'), []),
  cdk: (parameters) => run(cdk, parameters),
  open: (region) => openAws(region, process.env),
  output: 'cdk.out',
});
