/** Requests side by side: every scenario in rounds with one turn for each contender, in changing order. */
import { createClient } from '../client.ts';
import type { Contender } from '../contenders.ts';
import type { Scenario, Taken } from '../measured.ts';
import { protocols } from '../protocols/all.ts';
import type { Protocol, Work } from '../protocols/protocol.ts';
import { type Round, runRound } from '../round.ts';
import { moveTo } from '../servers/cores.ts';
import { median, quantile } from '../statistics.ts';

export interface Effort {
  readonly rounds: number;
  /** How long a contender's turn is. */
  readonly roundMs: number;
  /** Each is warmed up in all protocols and forms by turns, so that none meets code that was compiled for another alone. */
  readonly warmUpTurns: number;
  /** How long a turn of it is, and what precedes each scenario. */
  readonly warmUpMs: number;
}

interface Plan extends Pick<Scenario, 'form' | 'callers'> {
  readonly protocol: Protocol;
  readonly work: Work;
}

const atOnce: Work = { messages: 3, pieces: 50, paceMs: 0 };
/** At the pace of a model; what comes at once is read in few large parts, which flatters the slow. */
const paced: Work = { ...atOnce, paceMs: 10 };
const shortPaced: Work = { ...paced, pieces: 10 };

/** As fast as a model of the fastest hosts, event by event: what is read at once is one chunk, or a few. */
const fast: Work = { ...atOnce, pieces: 200, paceMs: 1 };

const kinds: readonly (Pick<Plan, 'form' | 'work'> & { readonly callers: readonly number[] })[] = [
  { form: 'body', work: atOnce, callers: [1, 16, 64] },
  { form: 'stream', work: atOnce, callers: [1, 16, 64] },
  // One caller measures the first token; more requests give a better figure.
  { form: 'paced stream', work: shortPaced, callers: [1] },
  { form: 'paced stream', work: paced, callers: [16] },
  { form: 'fast stream', work: fast, callers: [16] },
];

const plans: readonly Plan[] = kinds.flatMap(({ form, work, callers }) =>
  protocols.flatMap((protocol) => callers.map((count) => ({ form, protocol, work, callers: count }))),
);

/** As it is printed. */
export const nameOf = ({
  form,
  protocol,
  callers,
}: Pick<Scenario, 'form' | 'protocol' | 'callers'>): string => `${form}, ${protocol}, ${callers}`;

const planned = ({ form, protocol, callers }: Plan) => ({ form, protocol: protocol.name, callers });

export async function runScenarios(
  contenders: readonly Contender[],
  effort: Effort,
  onMeasured: (scenario: Scenario) => void,
  only: readonly string[] = [''],
): Promise<readonly Scenario[]> {
  const chosen = plans.filter((plan) => only.some((start) => nameOf(planned(plan)).startsWith(start)));
  moveTo('rest');
  for (const contender of contenders) await warmUp(contender, effort, chosen);
  const scenarios: Scenario[] = [];
  for (const plan of chosen) {
    const scenario = await runScenario(contenders, plan, effort);
    onMeasured(scenario);
    scenarios.push(scenario);
  }
  moveTo('all');
  return scenarios;
}

/** Code is compiled as it is used: the first requests of a process cost several times what the later ones do. */
async function warmUp(contender: Contender, effort: Effort, chosen: readonly Plan[]): Promise<void> {
  const client = createClient(contender.url);
  const questions = protocols.flatMap((protocol) =>
    [false, true]
      .filter((stream) =>
        chosen.some((plan) => plan.protocol === protocol && (plan.form !== 'body') === stream),
      )
      .map((stream) => contender.question(protocol, atOnce, stream)),
  );
  for (let turn = 0; turn < effort.warmUpTurns; turn += 1) {
    for (const question of questions)
      await runRound(contender, client, question, { callers: 16, ms: effort.warmUpMs });
  }
  await client.close();
}

async function runScenario(contenders: readonly Contender[], plan: Plan, effort: Effort): Promise<Scenario> {
  const { protocol, form, callers, work } = plan;
  const clients = contenders.map((contender) => ({ contender, client: createClient(contender.url) }));
  const rounds = new Map(contenders.map(({ name }) => [name, [] as Round[]]));
  // The first round is a warm-up and is not counted.
  for (let round = 0; round <= effort.rounds; round += 1) {
    const turns = round % 2 === 0 ? clients : clients.toReversed();
    for (const { contender, client } of turns) {
      const question = contender.question(protocol, work, form !== 'body');
      const ms = round === 0 ? effort.warmUpMs : effort.roundMs;
      const taken = await runRound(contender, client, question, { callers, ms });
      if (round > 0) rounds.get(contender.name)?.push(taken);
    }
  }
  await Promise.all(clients.map(({ client }) => client.close()));
  const bare = rounds.get('bare') ?? [];
  const taken = contenders.map(({ name }) => ({ contender: name, ...summary(rounds.get(name) ?? [], bare) }));
  return { form, protocol: protocol.name, callers, pieces: work.pieces, taken };
}

function summary(rounds: readonly Round[], bare: readonly Round[]): Omit<Taken, 'contender'> {
  const times = rounds.flatMap((round) => round.times);
  const wholes = times.map(({ whole }) => whole);
  return {
    requests: times.length,
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    cpu: median(rounds.map(({ cpu }) => cpu)),
    // Of rounds that stand side by side: what else the machine does meets both.
    overBare: median(rounds.map(({ cpu }, index) => cpu / (bare[index]?.cpu ?? Number.NaN))),
    p50: quantile(wholes, 0.5),
    p99: quantile(wholes, 0.99),
    first: median(times.map(({ first }) => first)),
  };
}
