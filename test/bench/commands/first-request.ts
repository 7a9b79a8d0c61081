/**
 * The command `npm run bench -- --first-request`: writes which functions the first requests of the most called operations run, which
 * the build lets V8 compile while it reads them (`build/eager`). V8 reports them when the process of the functions ends.
 */
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sourceMapsOf } from '../../../build/build.ts';
import { firstRequestFile } from '../../../build/eager/eager-functions.ts';
import { createClient } from '../client.ts';
import { startFunctions } from '../contenders.ts';
import { asked } from '../figures/cold.ts';
import { type Coverage, createRunShares } from '../figures/run-shares.ts';
import { anthropicProtocol } from '../protocols/anthropic.ts';
import { openaiProtocol } from '../protocols/openai.ts';
import type { Session } from '../session.ts';

export async function writeFirstRequest(session: Session): Promise<void> {
  const directory = await mkdtemp(join(session.directory, 'coverage-'));
  await askEach(session, directory);
  const shares = createRunShares();
  const [report = ''] = await readdir(directory);
  const { result }: Coverage = JSON.parse(await readFile(join(directory, report), 'utf8'));
  for (const { name } of asked) {
    const maps = await sourceMapsOf(name);
    for (const script of result) {
      if (script.url.includes(`/dist/${name}/`)) await shares.add(script, maps);
    }
  }
  const lines = shares.mostlyRun().map(([path, names]) => `${[path, ...names].join(' ')}\n`);
  await writeFile(firstRequestFile, lines.join(''));
}

async function askEach(session: Session, directory: string): Promise<void> {
  const { url, question, others, process } = await startFunctions(session, {
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    NODE_V8_COVERAGE: directory,
  });
  const client = createClient(url);
  const work = { pieces: 5, paceMs: 0, messages: 3 };
  for (const isStream of [true, false]) {
    await client.ask(question(openaiProtocol, work, isStream));
    await client.ask(others.messages(anthropicProtocol, work, isStream));
    await client.ask(others.responses(openaiProtocol, work, isStream));
  }
  await client.close();
  const headers = { authorization: `Bearer ${session.apiKey}` };
  const { status } = await fetch(`${url}/v1/models`, { headers });
  if (status !== 200) throw new Error(`The list of models was answered with status ${status}.`);
  await process.close();
}
