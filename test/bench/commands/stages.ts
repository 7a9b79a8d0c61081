/** The command `npm run bench -- --stages`: where the processor time of a request to the server goes, by the stages of a request. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sourceMapsOf } from '../../../build/build.ts';
import { createClient } from '../client.ts';
import { startGateway } from '../contenders.ts';
import type { Options } from '../options.ts';
import { protocols } from '../protocols/all.ts';
import type { Protocol, Work } from '../protocols/protocol.ts';
import { type CpuProfile, sharesOf, stagesTable } from '../report/stages.ts';
import { writeTable } from '../report/table.ts';
import { runRound } from '../round.ts';
import { moveTo } from '../servers/cores.ts';
import type { Session } from '../session.ts';

const works: readonly { readonly name: string; readonly stream: boolean; readonly work: Work }[] = [
  { name: 'body', stream: false, work: { messages: 3, pieces: 50, paceMs: 0 } },
  { name: 'paced stream', stream: true, work: { messages: 3, pieces: 50, paceMs: 10 } },
];

const callers = 16;

export async function measureStages(session: Session, { quick }: Options): Promise<void> {
  moveTo('rest');
  for (const protocol of protocols.slice(0, 2))
    for (const one of works) await measureOne(session, protocol, one, quick ? 3_000 : 10_000);
}

async function measureOne(
  session: Session,
  protocol: Protocol,
  { name, stream, work }: (typeof works)[number],
  ms: number,
): Promise<void> {
  const directory = join(session.directory, `profile-${protocol.name}-${stream}`);
  const begun = performance.now();
  const profiling = ['--cpu-prof', '--cpu-prof-interval=200', `--cpu-prof-dir=${directory}`];
  const gateway = await startGateway(session, profiling);
  const client = createClient(gateway.url);
  const question = gateway.question(protocol, work, stream);
  await runRound(gateway, client, question, { callers, ms });
  const warmMs = performance.now() - begun;
  const { cpu } = await runRound(gateway, client, question, { callers, ms });
  await client.close();
  await gateway.process.close();
  const shares = sharesOf(await busiestOf(directory), warmMs, await sourceMapsOf('server'));
  console.log(writeTable(stagesTable(`${name}, ${protocol.name}, ${callers} callers`, cpu, shares)));
}

/** The primary process has a profile, too, of nearly nothing. */
async function busiestOf(directory: string): Promise<CpuProfile> {
  const texts = await Promise.all(
    (await readdir(directory)).map((file) => readFile(join(directory, file), 'utf8')),
  );
  const [largest = '{}'] = texts.toSorted((one, other) => other.length - one.length);
  return JSON.parse(largest);
}
