/** What the gateway holds for a request that is under way, by the length of its conversation, of its answer so far, and by its tools. */
import { setTimeout } from 'node:timers/promises';
import { type Client, createClient } from '../client.ts';
import type { Contender } from '../contenders.ts';
import type { HeldGrowth } from '../measured.ts';
import type { Protocol, Work } from '../protocols/protocol.ts';
import { shapeOf } from '../statistics.ts';

interface Kind {
  readonly of: HeldGrowth['of'];
  readonly sizes: readonly number[];
  work(size: number): Work;
  /** When it is measured: after so many milliseconds. */
  momentOf(size: number): number;
}

/** A second between the pieces, so that all requests are under way at the moment. */
const slow = { pieces: 5, paceMs: 1_000 } as const;
const slowMoment = 2_500;

const paceMs = 2;
/** Pieces that follow those which are counted. */
const rest = 500;

const kinds: readonly Kind[] = [
  {
    of: 'conversation',
    sizes: [1, 100, 500, 2_000],
    work: (messages) => ({ ...slow, messages }),
    momentOf: () => slowMoment,
  },
  {
    of: 'tools',
    sizes: [1, 32, 64, 128],
    work: (tools) => ({ ...slow, messages: 1, tools }),
    momentOf: () => slowMoment,
  },
  {
    of: 'answer',
    sizes: [250, 1_000, 2_000, 4_000],
    work: (pieces) => ({ pieces: pieces + rest, paceMs, messages: 1 }),
    momentOf: (pieces) => pieces * paceMs,
  },
];

export interface HeldEffort {
  readonly protocols: readonly Protocol[];
  /** At a time. */
  readonly requests: number;
  /** How many of the sizes, at least three. */
  readonly sizes: number;
}

export async function measureHeldGrowth(
  contender: Contender,
  { protocols, requests, sizes }: HeldEffort,
): Promise<readonly HeldGrowth[]> {
  const client = createClient(contender.url);
  const measured: HeldGrowth[] = [];
  for (const kind of kinds) {
    for (const protocol of protocols) {
      const points: { size: number; held: number }[] = [];
      for (const size of kind.sizes.slice(0, sizes)) {
        points.push({ size, held: await heldBy(contender, client, { kind, protocol, size, requests }) });
      }
      const shape = shapeOf(points.map(({ size, held }) => [size, held]));
      measured.push({ of: kind.of, protocol: protocol.name, points, ...shape });
    }
  }
  await client.close();
  return measured;
}

interface Held {
  readonly kind: Kind;
  readonly protocol: Protocol;
  readonly size: number;
  readonly requests: number;
}

/** KB for one request: what is held while they run, without what is still there afterwards. */
async function heldBy(
  contender: Contender,
  client: Client,
  { kind, protocol, size, requests }: Held,
): Promise<number> {
  const question = contender.question(protocol, kind.work(size), true);
  // The first request of a form compiles code, which stays.
  await client.ask(question);
  const running = Promise.all(Array.from({ length: requests }, () => client.ask(question)));
  // An early failure is reported below.
  running.catch(() => {});
  await setTimeout(kind.momentOf(size));
  const during = await contender.process.usage('collect');
  await running;
  const after = await contender.process.usage('collect');
  return (during.held - after.held) / 1024 / requests;
}
