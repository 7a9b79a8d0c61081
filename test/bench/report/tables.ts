/** Every table of a run but the first, made of what was measured. */
import type { ContenderName } from '../contenders.ts';
import type { Load, Measured, MessagesCost, Scenario } from '../measured.ts';
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

export function messagesTable(costs: readonly MessagesCost[]): Table {
  return {
    title: 'Messages beside chat',
    note: 'CPU of a request in µs, to the same model. What Anthropic serves passes unchanged; what OpenAI serves is translated.',
    head: ['form', 'provider', 'callers', 'chat', 'messages', 'over chat'],
    rows: costs.map(({ form, protocol, callers, chat, messages, overChat }) => [
      form,
      protocol,
      `${callers}`,
      number(chat),
      number(messages),
      times(overChat),
    ]),
  };
}

export function otherTables(measured: Measured): readonly Table[] {
  const { cold, bundles, memory, messages = [] } = measured;
  const coldRows = cold
    ? [[`${cold.processes}`, number(cold.hello), number(cold.gateway), times(cold.overHello)]]
    : [];
  const tables: readonly Table[] = [
    messagesTable(messages),
    {
      title: 'Cold start',
      note: 'From the spawn of a process of the Lambda runtime client to the first streamed piece, in ms; medians.',
      head: ['processes', 'hello', 'gateway', 'over hello'],
      rows: coldRows,
    },
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
  const { date, commit, minutes, streamsAtOnce, streams, bodies, failed, refused, delay } = load;
  const megabytes = (warm: number, end: number) => `${number(warm)}, ${number(end)}`;
  return {
    title: 'Load',
    note: `${date}, commit ${commit}: paced streams and a steady rate of bodies in one process of the server; failed is what was refused, cut, lost a piece or had one in the wrong place. Memory in MB after collection, once warm and at the end; the delay of the event loop is that of 99 of 100 turns, in the worst minute.`,
    head: [
      'minutes',
      'streams at once',
      'streams',
      'bodies',
      'failed',
      'refused',
      'heap',
      'resident',
      'event loop delay',
    ],
    rows: [
      [
        ...[minutes, streamsAtOnce, streams, bodies, failed, refused].map(String),
        megabytes(load.heapWarm, load.heapEnd),
        megabytes(load.residentWarm, load.residentEnd),
        `${number(delay)} ms`,
      ],
    ],
  };
}
