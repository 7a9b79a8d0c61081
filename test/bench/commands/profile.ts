/** The command `npm run bench -- --profile`: where the gateway's processor time goes, for a body and for a paced stream. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sourceMapsOf } from '../../../build/build.ts';
import { createClient } from '../client.ts';
import { chatOperation } from '../cold/event.ts';
import { startGateway } from '../contenders.ts';
import type { Options } from '../options.ts';
import { protocols } from '../protocols/all.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { writeTable } from '../report/table.ts';
import { runRound } from '../round.ts';
import type { Session } from '../session.ts';
import { type CpuProfile, timesOf } from './profile-times.ts';

const shown = 20;

export async function profile(session: Session, { quick }: Options): Promise<void> {
  const ms = quick ? 3_000 : 10_000;
  for (const protocol of protocols.slice(0, 2)) {
    await profileOne(session, protocol, { stream: false, ms });
    await profileOne(session, protocol, { stream: true, ms });
  }
}

async function profileOne(
  session: Session,
  protocol: Protocol,
  { stream, ms }: { stream: boolean; ms: number },
) {
  const directory = join(session.directory, `profile-${protocol.name}-${stream ? 'stream' : 'body'}`);
  const begun = performance.now();
  const options = ['--cpu-prof', '--cpu-prof-interval=200', `--cpu-prof-dir=${directory}`];
  const gateway = await startGateway(session, options);
  const client = createClient(gateway.url);
  const work = { pieces: 50, paceMs: stream ? 10 : 0, messages: 3 };
  const question = gateway.question(protocol, work, stream);
  await runRound(gateway, client, question, { callers: 16, ms: 1_500 });
  const warmMs = performance.now() - begun;
  const { cpu } = await runRound(gateway, client, question, { callers: 16, ms });
  await client.close();
  await gateway.process.close();
  const [file = ''] = await readdir(directory);
  const read: CpuProfile = JSON.parse(await readFile(join(directory, file), 'utf8'));
  const { self, total } = timesOf(read, warmMs, await sourceMapsOf(chatOperation.name));
  const name = `${stream ? 'paced stream' : 'body'}, ${protocol.name}, 16 callers: ${cpu.toFixed(0)} µs a request`;
  console.log(writeTable(tableOf(`${name}; by itself`, self)));
  console.log(writeTable(tableOf(`${name}; with all that it calls`, total)));
}

function tableOf(title: string, shares: ReadonlyMap<string, number>) {
  const rows = [...shares].toSorted(([, one], [, other]) => other - one).slice(0, shown);
  return {
    title,
    head: ['function', 'share'],
    rows: rows.map(([name, share]) => [name, `${(share * 100).toFixed(1)} %`]),
  };
}
