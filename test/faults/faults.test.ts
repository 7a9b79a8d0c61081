/** The whole gateway against failing providers: what the caller gets, and what load the provider gets. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answer, type Fault, refuse } from './failing-provider.ts';
import { type FailingGateway, startFailingGateway } from './gateway.ts';
import { askStreamed, type Checks, judge, type ScenarioResult, type Seen } from './judge.ts';
import { firstByteMs, idleMs, type Scenario, scenarios } from './scenarios.ts';

let setup: FailingGateway;
let isDown = true;
/** Moves the gateway's clock, so that tests need not wait while a target is suspended. */
let laterMs = 0;
const realNow = Date.now;

const modelOf = (id: string) => `faults/${id}`;
const fallbackOf = (id: string) => `${id}-fallback`;
const flapping: Fault = (...call) => (isDown ? refuse(503, 'overloaded') : answer)(...call);

beforeAll(async () => {
  Date.now = () => realNow() + laterMs;
  const faults = scenarios.flatMap(({ id, fault, fallbackFault }) => [
    [id, fault],
    [fallbackOf(id), fallbackFault ?? answer],
  ]);
  const all = { ...Object.fromEntries(faults), s15: flapping };
  setup = await startFailingGateway(all, [fallbackOf('s15'), 'healthy'], {
    GATEWAY_CONNECT_TIMEOUT_MS: '20000',
    GATEWAY_FIRST_BYTE_TIMEOUT_MS: `${firstByteMs}`,
    GATEWAY_SILENCE_TIMEOUT_MS: `${idleMs}`,
  });
});
afterAll(async () => {
  Date.now = realNow;
  await setup?.close();
});

const ask = (id: string) => askStreamed(setup.gateway, modelOf(id), { fallbacks: [modelOf(fallbackOf(id))] });
const callsOf = (model: string) => setup.provider.calls.filter((call) => call.model === model);

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

async function run({ id, title, best, checks }: Scenario): Promise<Row> {
  const seen = await ask(id);
  const alive = (await askStreamed(setup.gateway, modelOf('healthy'), {})).outcome === 'whole';
  const judged = { seen, alive, primary: callsOf(id), fallback: callsOf(fallbackOf(id)) };
  return rowOf(id, title, best, seen, checks(judged));
}

/**
 * Down for a while, then healthy: requests are served throughout, and by the primary again within half a minute. Three requests
 * call it, twice each; the fourth skips it.
 */
async function runFlapping(): Promise<Row> {
  const during: Seen[] = [];
  for (let request = 0; request < 4; request++) during.push(await ask('s15'));
  const callsWhileDown = callsOf('s15').length;
  isDown = false;
  const resting = await ask('s15');
  laterMs += 20_000;
  const after = await ask('s15');
  const passedOver = ({ routing }: Seen) =>
    routing.map(({ status }) => status).join() === 'skipped,succeeded';
  return rowOf('s15', 'down for a while, then well', 'whole', after, {
    'answered while down': during.every(({ outcome }) => outcome === 'whole'),
    'by the fallback': during.every(({ model }) => model === modelOf(fallbackOf('s15'))),
    'a failing target is left alone for a while': callsWhileDown === 6 && passedOver(resting),
    'and asked again within half a minute': after.model === modelOf('s15'),
  });
}

test('sixteen faults: thirteen are answered, three are reported, none is hidden', async () => {
  const rows = [...(await Promise.all(scenarios.map(run))), await runFlapping()];
  const inOrder = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const lines = inOrder.map(({ id, title, result, broken }) =>
    [id.toUpperCase(), result, title, ...broken.map((name) => `NOT: ${name}`)].join('  '),
  );
  const count = (wanted: ScenarioResult) => rows.filter(({ result }) => result === wanted).length;
  const tally = `${count('pass')} pass, ${count('safe')} safe, ${count('fail')} fail`;
  process.stdout.write(`${[...lines, tally].join('\n')}\n`);
  expect(inOrder.flatMap(({ id, broken }) => broken.map((name) => `${id}: ${name}`))).toEqual([]);
  expect(rows.filter(({ result }) => result === 'safe').map(({ id }) => id)).toEqual(['s08', 's09', 's14']);
  expect(tally).toBe('13 pass, 3 safe, 0 fail');
});
