/** A whole run: every figure, printed when it is measured, and stored at the end. */
import {
  type Contender,
  type StartContender,
  startBare,
  startFunctions,
  startGateway,
} from '../contenders.ts';
import { measureBundles } from '../figures/bundles.ts';
import { measureColdStarts } from '../figures/cold.ts';
import { measureMemory } from '../figures/memory.ts';
import { measureOperations } from '../figures/operations.ts';
import { type Effort, nameOf, runScenarios } from '../figures/scenarios.ts';
import type { Measured, Memory, OperationCost, Scenario } from '../measured.ts';
import type { Options, Peer } from '../options.ts';
import { startPeer } from '../peers.ts';
import { headlinesTable } from '../report/headlines.ts';
import { number, times, writeTable } from '../report/table.ts';
import { coldStartsTable, operationsTable, otherTables } from '../report/tables.ts';
import { keepMeasured } from '../report/write.ts';
import { commit, date, machine } from '../run-info.ts';
import type { Session } from '../session.ts';

interface Efforts extends Effort {
  readonly coldStarts: number;
  readonly requests: number;
  readonly streams: number;
}

const full: Efforts = {
  rounds: 5,
  roundMs: 1_000,
  warmUpTurns: 8,
  warmUpMs: 3_000,
  coldStarts: 21,
  requests: 10_000,
  streams: 1_000,
};

const quick: Efforts = {
  rounds: 1,
  roundMs: 250,
  warmUpTurns: 1,
  warmUpMs: 500,
  coldStarts: 3,
  requests: 1_000,
  streams: 100,
};

export async function measure(session: Session, options: Options): Promise<void> {
  const efforts = options.quick ? quick : full;
  const starts = startsOf(session, options);
  const contenders = await startAll(starts, session);
  const measured: Measured = {
    date: date(),
    commit: commit(),
    machine: machine(),
    quick: options.quick,
    bundles: await measureBundles(session.bundles),
    coldStarts: await measureColdStarts(session, efforts.coldStarts),
    scenarios: await runScenarios(contenders, efforts, print),
    operations: await operationCosts(session, efforts),
    memory: await memoryOf(session, options, efforts),
  };
  for (const table of [...otherTables(measured), headlinesTable(measured)]) console.log(writeTable(table));
  await keepMeasured(measured);
}

/** Only the cold starts. */
export async function measureColdStartsOnly(session: Session, options: Options): Promise<void> {
  const { coldStarts } = options.quick ? quick : full;
  console.log(writeTable(coldStartsTable(await measureColdStarts(session, coldStarts))));
}

/** Only the other operations, beside chat. */
export async function measureOperationsOnly(session: Session, options: Options): Promise<void> {
  const operations = await operationCosts(session, options.quick ? quick : full);
  console.log(writeTable(operationsTable(operations)));
}

/** In a process of its own: one that has served other work for a while has other code compiled. */
async function operationCosts(session: Session, effort: Effort): Promise<readonly OperationCost[]> {
  const gateway = await startGateway(session);
  const costs = await measureOperations(gateway, effort);
  await gateway.process.close();
  return costs;
}

/** Only some scenarios, printed and not stored. */
export async function measureSome(session: Session, options: Options): Promise<void> {
  const contenders = await startAll(startsOf(session, options), session);
  await runScenarios(contenders, options.quick ? quick : full, print, options.only);
}

/** What JavaScript holds is known of these alone. */
const inNode = ({ name }: Peer): boolean => name !== 'litellm';

function startsOf(session: Session, { peers }: Pick<Options, 'peers'>): readonly StartContender[] {
  const others = peers.map((peer) => () => startPeer(session, peer));
  const own = [startBare, startGateway, startFunctions];
  return [...own.map((start) => () => start(session)), ...others];
}

async function startAll(
  starts: readonly StartContender[],
  { servers }: Session,
): Promise<readonly Contender[]> {
  const contenders = await Promise.all(starts.map((start) => start()));
  servers.push(...contenders.map(({ process }) => process));
  return contenders;
}

/** Of the functions: what JavaScript holds in the workers of a server, only they could say. */
async function memoryOf(session: Session, { peers }: Options, efforts: Efforts): Promise<readonly Memory[]> {
  const starts: readonly StartContender[] = [
    () => startBare(session),
    () => startFunctions(session),
    ...peers.filter(inNode).map((peer) => () => startPeer(session, peer)),
  ];
  const measured: Memory[] = [];
  for (const start of starts) measured.push(await measureMemory(start, efforts));
  return measured;
}

function print(scenario: Scenario): void {
  const { taken } = scenario;
  const each = taken.map(({ contender, cpu, overBare, p50, p99 }) =>
    [
      contender.padEnd(8),
      `${number(cpu)} µs`.padStart(9),
      times(overBare).padStart(7),
      ` ${number(p50)}/${number(p99)} ms`.padEnd(18),
    ].join(''),
  );
  console.log(nameOf(scenario).padEnd(28), each.join(' '));
}
