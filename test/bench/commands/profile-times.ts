/**
 * Reads a processor profile of V8: which functions the time went to, by themselves and with what they called. Those of a
 * bundle are identified by their position in the sources, because their names are shortened.
 */
import { basename } from 'node:path';
import { type SourceMaps, toSources } from '../../../build/where.ts';

export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** The node of each sample, and the microseconds from the one before. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    /** From 0, as the column. */
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
  readonly children?: readonly number[];
}

type Shares = ReadonlyMap<string, number>;

/** Shares of the time in which the process worked, from `afterMs` on. `maps`: those of the bundle, by file. */
export function timesOf(
  profile: CpuProfile,
  afterMs: number,
  maps: SourceMaps,
): { readonly self: Shares; readonly total: Shares } {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const names = namesOf(profile, maps);
  const spent = spentIn(profile, afterMs);
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  const isIdle = (node: ProfileNode) => node.callFrame.functionName === '(idle)';
  const worked = [...spent].reduce((sum, [id, time]) => {
    const node = nodes.get(id);
    return node && !isIdle(node) ? sum + time : sum;
  }, 0);
  const visit = (node: ProfileNode, above: ReadonlySet<string>): number => {
    if (isIdle(node)) return 0;
    const name = names.get(node.id) ?? '';
    const own = (spent.get(node.id) ?? 0) / worked;
    let all = own;
    const path = new Set(above).add(name);
    for (const id of node.children ?? []) {
      const child = nodes.get(id);
      if (child) all += visit(child, path);
    }
    self.set(name, (self.get(name) ?? 0) + own);
    // What calls itself counts once.
    if (!above.has(name)) total.set(name, (total.get(name) ?? 0) + all);
    return all;
  };
  const [root] = profile.nodes;
  if (root) visit(root, new Set());
  total.delete('(root)');
  return { self, total };
}

function spentIn({ samples, timeDeltas }: CpuProfile, afterMs: number): ReadonlyMap<number, number> {
  const spent = new Map<number, number>();
  let time = 0;
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0;
    time += delta;
    if (time >= afterMs * 1_000) spent.set(id, (spent.get(id) ?? 0) + delta);
  }
  return spent;
}

function namesOf({ nodes }: CpuProfile, maps: SourceMaps): ReadonlyMap<number, string> {
  const environment = nodes.map(({ callFrame }) => placeOf(callFrame));
  const sources = toSources(environment.join('\n'), maps).split('\n');
  return new Map(
    nodes.map(({ id, callFrame }, index) => {
      const source = sources[index] ?? '';
      return [id, source === environment[index] ? nameOf(callFrame) : withoutColumn(source)];
    }),
  );
}

type CallFrame = ProfileNode['callFrame'];

const placeOf = ({ url, lineNumber, columnNumber }: CallFrame) =>
  `${url}:${lineNumber + 1}:${columnNumber + 1}`;

const withoutColumn = (position: string) => position.replace(/:\d+$/, '');

function nameOf({ functionName, url, lineNumber }: CallFrame): string {
  const name = functionName || '(anonymous)';
  return url === '' ? name : `${name} ${url.startsWith('node:') ? url : basename(url)}:${lineNumber + 1}`;
}
