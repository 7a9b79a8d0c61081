/** The whole gateway against failing providers: what the caller gets, and what load the provider gets. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askStreamed, ways } from './ask.ts';
import { answer, type Fault, refuse } from './failing-provider.ts';
import { type FailingGateway, startFailingGateway } from './gateway.ts';
import { type Checks, judge, type ScenarioResult, type Seen } from './judge.ts';
import { firstByteMs, idleMs, type Scenario, scenarios } from './scenarios.ts';

let setup: FailingGateway;
let isDown = true;
/** Moves the gateway's clock, so that tests need not wait while a target is suspended. */
let laterMs = 0;
const realNow = Date.now;

/** Each way has models of its own. */
const all = Object.entries(ways).map(([title, way], index) => ({ ...way, title, index }));
type Way = (typeof all)[number];
const nameOf = ({ index }: Way, id: string) => `${id}-${index}`;
const fallbackOf = (id: string) => `${id}-fallback`;
const modelOf = (way: Way, id: string) => `${way.owner}/${nameOf(way, id)}`;
const flapping: Fault = (...call) => (isDown ? refuse(503, 'overloaded') : answer)(...call);

beforeAll(async () => {
  Date.now = () => realNow() + laterMs;
  const faults = all.flatMap((way) => [
    ...scenarios.flatMap(({ id, fault, fallbackFault }) => [
      [nameOf(way, id), fault],
      [nameOf(way, fallbackOf(id)), fallbackFault ?? answer],
    ]),
    [nameOf(way, 's15'), flapping],
  ]);
  const healthy = all.flatMap((way) => [nameOf(way, fallbackOf('s15')), nameOf(way, 'healthy')]);
  setup = await startFailingGateway(Object.fromEntries(faults), healthy, {
    GATEWAY_CONNECT_TIMEOUT_MS: '20000',
    GATEWAY_FIRST_BYTE_TIMEOUT_MS: `${firstByteMs}`,
    GATEWAY_SILENCE_TIMEOUT_MS: `${idleMs}`,
  });
});
afterAll(async () => {
  Date.now = realNow;
  await setup?.close();
});

const ask = (way: Way, id: string, fallbacks = [modelOf(way, fallbackOf(id))]) =>
  askStreamed(setup.gateway, way.caller, modelOf(way, id), { fallbacks });
const callsOf = (way: Way, id: string) =>
  setup.provider.calls.filter(({ model }) => model === nameOf(way, id));

interface Row {
  readonly id: string;
  readonly title: string;
  readonly result: ScenarioResult;
  readonly broken: readonly string[];
}

function rowOf(id: string, title: string, best: Scenario['best'], seen: Seen, checks: Checks): Row {
  const broken = Object.entries(checks).flatMap(([name, holds]) => (holds ? [] : [name]));
  return { id, title, result: judge(best, seen, checks), broken };
}

async function run(way: Way, { id, title, best, checks }: Scenario): Promise<Row> {
  const seen = await ask(way, id);
  const alive = (await ask(way, 'healthy', [])).outcome === 'whole';
  const judged = {
    seen,
    alive,
    model: modelOf(way, id),
    fallbackModel: modelOf(way, fallbackOf(id)),
    primary: callsOf(way, id),
    fallback: callsOf(way, fallbackOf(id)),
  };
  return rowOf(id, title, best, seen, checks(judged));
}

/**
 * Down for a while, then healthy: requests are served throughout, and by the primary again within half a minute. Three requests
 * call it, twice each; the fourth skips it.
 */
async function runFlapping(way: Way): Promise<Row> {
  isDown = true;
  const during: Seen[] = [];
  for (let request = 0; request < 4; request++) during.push(await ask(way, 's15'));
  const callsWhileDown = callsOf(way, 's15').length;
  isDown = false;
  const resting = await ask(way, 's15');
  laterMs += 20_000;
  const after = await ask(way, 's15');
  const passedOver = ({ routing }: Seen) =>
    routing.map(({ status }) => status).join() === 'skipped,succeeded';
  return rowOf('s15', 'down for a while, then well', 'whole', after, {
    'answered while down': during.every(({ outcome }) => outcome === 'whole'),
    'by the fallback': during.every(({ model }) => model === modelOf(way, fallbackOf('s15'))),
    'a failing target is left alone for a while': callsWhileDown === 6 && passedOver(resting),
    'and asked again within half a minute': after.model === modelOf(way, 's15'),
  });
}

test.each(all)(
  '$title: of sixteen faults some are reported, the others answered, none hidden',
  async (way) => {
    const rows = [...(await Promise.all(scenarios.map((one) => run(way, one)))), await runFlapping(way)];
    const inOrder = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const lines = inOrder.map(({ id, title, result, broken }) =>
      [id.toUpperCase(), result, title, ...broken.map((name) => `NOT: ${name}`)].join('  '),
    );
    const count = (wanted: ScenarioResult) => rows.filter(({ result }) => result === wanted).length;
    const tally = `${count('pass')} pass, ${count('safe')} safe, ${count('fail')} fail`;
    process.stdout.write(`${[way.title, ...lines, tally].join('\n')}\n`);
    expect(inOrder.flatMap(({ id, broken }) => broken.map((name) => `${id}: ${name}`))).toEqual([]);
    const reported = inOrder.filter(({ result }) => result === 'safe').map(({ id }) => id);
    expect([reported, count('fail')]).toEqual([way.reported, 0]);
  },
);
