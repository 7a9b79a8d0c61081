/** Every table of a run but the first, made of what was measured. */
import type { ContenderName } from '../contenders.ts';
import type { ColdStarts, Load, Measured, OperationCost, Scenario } from '../measured.ts';
import facts from './headlines.json' with { type: 'json' };
import { number, type Table, times } from './table.ts';

export const scenarioTables = (scenarios: readonly Scenario[]): readonly Table[] => [
  scenariosTable('Requests', scenarios, (name) => name !== 'functions'),
  scenariosTable('Event functions', scenarios, (name) => name === 'functions'),
];

function scenariosTable(
  title: string,
  scenarios: readonly Scenario[],
  isShown: (name: ContenderName) => boolean,
): Table {
  const rows = scenarios.flatMap(({ form, protocol, callers, pieces, taken }) =>
    taken
      .filter(({ contender }) => isShown(contender))
      .map(({ contender, cpu, overBare, perSecond, p50, p99, first, requests }) => [
        `${form}, ${protocol}`,
        `${callers}`,
        contender,
        number(cpu),
        times(overBare),
        form === 'body' ? '' : number(cpu / pieces),
        number(p50),
        number(p99),
        form === 'body' ? '' : number(first),
        number(perSecond),
        `${requests}`,
      ]),
  );
  return {
    title,
    note: 'CPU is processor time of the server alone, in µs. Other times are ms that the client saw, on the machine that all share.',
    head: [
      'scenario',
      'callers',
      'server',
      'CPU a request',
      'over bare',
      'CPU a chunk',
      'p50',
      'p99',
      'first token',
      'requests a second',
      'requests',
    ],
    rows,
  };
}

export function operationsTable(costs: readonly OperationCost[]): Table {
  return {
    title: 'Messages and Responses beside chat',
    note: 'CPU of a request in µs, to the same model. A body of Messages passes unchanged to Anthropic; all else is translated.',
    head: ['operation', 'form', 'provider', 'callers', 'chat', 'this', 'over chat'],
    rows: costs.map(({ operation, form, protocol, callers, chat, other, overChat }) => [
      operation,
      form,
      protocol,
      `${callers}`,
      number(chat),
      number(other),
      times(overChat),
    ]),
  };
}

export function coldStartsTable(coldStarts: readonly ColdStarts[]): Table {
  return {
    title: 'Cold start',
    note: 'From the spawn of a process of the Lambda runtime client to the first streamed piece, in ms; medians.',
    head: ['function', 'processes', 'hello', 'this', 'over hello', 'reach'],
    rows: coldStarts.map(({ function: name, processes, hello, own, overHello }) => [
      name,
      `${processes}`,
      number(hello),
      number(own),
      times(overHello),
      `≤ ${times(facts.cold.target)}`,
    ]),
  };
}

export function otherTables(measured: Measured): readonly Table[] {
  const { coldStarts = [], bundles, memory, operations = [] } = measured;
  const tables: readonly Table[] = [
    operationsTable(operations),
    coldStartsTable(coldStarts),
    {
      title: 'Bundles',
      note: 'KB, as built: what a function loads when it starts, and all its files.',
      head: ['function', 'at start', 'all files'],
      rows: bundles.map(({ name, atStart, total }) => [name, number(atStart), number(total)]),
    },
    {
      title: 'Memory',
      note: 'Resident and held by JavaScript, in MB, after collection; for one more stream what JavaScript holds, in KB.',
      head: ['server', 'requests', 'before', 'after', 'streams', 'one more stream', 'resident with them'],
      rows: memory.map(({ contender, requests, before, after, streams, perStream, residentWithStreams }) => [
        contender,
        `${requests}`,
        `${number(before.resident)} (${number(before.held)})`,
        `${number(after.resident)} (${number(after.held)})`,
        `${streams}`,
        number(perStream),
        number(residentWithStreams),
      ]),
    },
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

export function loadTable(load: Load): Table {
  const { date, commit, minutes, streamsAtOnce, streams, bodies, attackers, failed, refused, delay } = load;
  const { firstInRamp, first, firstBesideAttack } = load;
  const megabytes = (warm: number, end: number) => `${number(warm)}, ${number(end)}`;
  return {
    title: 'Load',
    note: `${date}, commit ${commit}: paced streams of chat, Messages and Responses and a steady rate of bodies in one process of the server, in the second half beside an attack; failed is what was refused, cut, lost a piece or had one in the wrong place. Memory in MB after collection, once warm and at the end; the delay of the event loop is that of 99 of 100 turns, in the worst minute before the attack; first tokens are those of 99 of 100 streams while the callers came, then, and beside the attack.`,
    head: [
      'minutes',
      'streams at once',
      'streams',
      'bodies',
      'attackers',
      'failed',
      'refused',
      'heap',
      'resident',
      'event loop delay',
      'first token, ms',
    ],
    rows: [
      [
        ...[minutes, streamsAtOnce, streams, bodies, attackers, failed, refused].map(String),
        megabytes(load.heapWarm, load.heapEnd),
        megabytes(load.residentWarm, load.residentEnd),
        `${number(delay)} ms`,
        [firstInRamp, first, firstBesideAttack].map(number).join(', '),
      ],
    ],
  };
}
