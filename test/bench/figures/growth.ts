/** How the work of a request grows with the length of its conversation and of its answer, and with its tools: it must be linear. */
import { createClient } from '../client.ts';
import type { Contender } from '../contenders.ts';
import type { Growth } from '../measured.ts';
import { protocols } from '../protocols/all.ts';
import type { Protocol, Work } from '../protocols/protocol.ts';
import { runRound } from '../round.ts';
import { shapeOf } from '../statistics.ts';

interface Kind {
  readonly of: Growth['of'];
  readonly stream: boolean;
  readonly sizes: readonly number[];
  work(size: number): Work;
}

const kinds: readonly Kind[] = [
  {
    of: 'conversation',
    stream: false,
    sizes: [1, 10, 100, 500, 2_000],
    work: (messages) => ({ pieces: 10, paceMs: 0, messages }),
  },
  {
    of: 'answer',
    stream: true,
    sizes: [10, 100, 1_000, 5_000, 20_000],
    work: (pieces) => ({ pieces, paceMs: 0, messages: 1 }),
  },
  {
    of: 'tools',
    stream: false,
    sizes: [1, 8, 32, 128],
    work: (tools) => ({ pieces: 10, paceMs: 0, messages: 1, tools }),
  },
];

/** `ms`: for each size. */
export async function measureGrowth(contender: Contender, ms: number): Promise<readonly Growth[]> {
  const client = createClient(contender.url);
  const measured: Growth[] = [];
  for (const kind of kinds) {
    for (const protocol of protocols) measured.push(await measure(kind, protocol));
  }
  await client.close();
  return measured;

  async function measure({ of, stream, sizes, work }: Kind, protocol: Protocol): Promise<Growth> {
    const points: { size: number; cpu: number }[] = [];
    for (const size of sizes) {
      const question = contender.question(protocol, work(size), stream);
      await runRound(contender, client, question, { callers: 1, ms: ms / 2 });
      const { cpu } = await runRound(contender, client, question, { callers: 1, ms });
      points.push({ size, cpu });
    }
    return { of, protocol: protocol.name, points, ...shapeOf(points.map(({ size, cpu }) => [size, cpu])) };
  }
}
