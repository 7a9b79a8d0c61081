/**
 * Reads a processor profile of V8 as the stages of a request: a sample belongs to the stage of the innermost function on its stack
 * whose source is one of a stage's. What no stage has called is of Node and V8.
 */
import { type SourceMaps, toSources } from '../../../build/where.ts';
import stages from './stages.json' with { type: 'json' };
import { number, type Table } from './table.ts';

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

const outside = 'Node and V8';
const collector = 'garbage';

/** Shares of the time in which the process worked, from `afterMs` on, by stage. `maps`: those of the bundle, by file. */
export function sharesOf(
  profile: CpuProfile,
  afterMs: number,
  maps: SourceMaps,
): ReadonlyMap<string, number> {
  const stageOf = stagesOf(profile, maps);
  const shares = new Map<string, number>();
  let time = 0;
  let worked = 0;
  for (const [index, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0;
    time += delta;
    const stage = stageOf.get(id);
    if (time < afterMs * 1_000 || stage === undefined) continue;
    worked += delta;
    shares.set(stage, (shares.get(stage) ?? 0) + delta);
  }
  return new Map([...shares].map(([stage, spent]) => [stage, spent / worked]));
}

/** Of each node by its id; none for what is idle. */
function stagesOf({ nodes }: CpuProfile, maps: SourceMaps): ReadonlyMap<number, string> {
  const positions = nodes.map(
    ({ callFrame: { url, lineNumber, columnNumber } }) => `${url}:${lineNumber + 1}:${columnNumber + 1}`,
  );
  const sources = toSources(positions.join('\n'), maps).split('\n');
  const own = new Map(nodes.map(({ id }, index) => [id, stageOfSource(sources[index] ?? '')]));
  const found = new Map<number, string>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (node: ProfileNode, above: string): void => {
    const name = node.callFrame.functionName;
    const stage = name === '(garbage collector)' ? collector : (own.get(node.id) ?? above);
    if (name !== '(idle)') found.set(node.id, stage);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) visit(child, stage);
    }
  };
  const [root] = nodes;
  if (root) visit(root, outside);
  return found;
}

/** The longest beginning counts. */
function stageOfSource(source: string): string | undefined {
  const path = source.replace(/^.*node_modules\/(?:@[\w-]+\/)?/, '');
  let longest = '';
  let found: string | undefined;
  for (const { stage, sources } of stages) {
    for (const start of sources) {
      if (!path.startsWith(start) || start.length <= longest.length) continue;
      longest = start;
      found = stage;
    }
  }
  return found;
}

/** `cpu`: microseconds of processor time of a request. Budgets are those of a body. */
export function stagesTable(title: string, cpu: number, shares: ReadonlyMap<string, number>): Table {
  const rows = [
    ...stages,
    { stage: collector, budget: undefined },
    { stage: outside, budget: undefined },
  ].map(({ stage, budget }) => {
    const share = shares.get(stage) ?? 0;
    return [
      stage,
      number(share * cpu),
      `${(share * 100).toFixed(1)} %`,
      budget === undefined ? '' : `${budget}`,
    ];
  });
  return { title: `${title}: ${number(cpu)} µs`, head: ['stage', 'µs', 'share', 'budget'], rows };
}
