/**
 * How a request grows with what is stored: keys, each of a tenant of its own, and rows of the catalog. They are used in turns, so that
 * the caches of the process meet more than they hold. Each size has a fresh gateway.
 */
import { newApiKey } from '../../../lib/core/names/api-key.ts';
import { createClient, type Question } from '../client.ts';
import { askGateway, type Environment, startGateway } from '../contenders.ts';
import type { StoreGrowth } from '../measured.ts';
import { openaiProtocol } from '../protocols/openai.ts';
import { runRound } from '../round.ts';
import { copiedModel } from '../servers/fill-catalog.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import type { Session } from '../session.ts';
import { shapeOf } from '../statistics.ts';

export interface StoreEffort {
  readonly keys: readonly number[];
  /** Beside those that ship with the gateway. */
  readonly rows: readonly number[];
  /** Requests before the measured ones, the same for each size: the longer a process has served, the more of its code is compiled. */
  readonly warmUp: number;
  readonly roundMs: number;
}

interface Kind {
  readonly of: StoreGrowth['of'];
  readonly stored: 'keys' | 'rows';
  /** The questions, one after the other. */
  ask(size: number, gateway: { readonly url: string; readonly apiKey: string }): Promise<() => Question>;
  /** What is asked for is the same each time, and large. */
  readonly isList: boolean;
}

const kinds: readonly Kind[] = [
  { of: 'keys in turns', stored: 'keys', isList: false, ask: async (size) => askWithKeys(size) },
  {
    of: 'models in turns',
    stored: 'rows',
    isList: false,
    ask: async (size, { apiKey }) => askModels(size, apiKey),
  },
  { of: 'model list', stored: 'rows', isList: true, ask: async () => () => modelList },
  { of: 'unchanged model list', stored: 'rows', isList: true, ask: (_, { url }) => askUnchanged(url) },
];

const callers = 16;
const megabyte = 1024 * 1024;
const listWarmUp = 32;

type Points = StoreGrowth['points'];

export async function measureStoreGrowth(
  session: Session,
  effort: StoreEffort,
): Promise<readonly StoreGrowth[]> {
  const measured = new Map<Kind, Points>();
  for (const stored of ['keys', 'rows'] as const) {
    for (const size of effort[stored]) {
      const tables = await session.startTables(
        stored === 'keys' ? { BENCH_ANY_KEY: 'yes' } : { BENCH_ROWS: `${size}` },
      );
      try {
        for (const kind of kinds.filter((one) => one.stored === stored)) {
          const point = await measure({ ...session, ...addressOf(tables) }, kind, size, effort);
          measured.set(kind, [...(measured.get(kind) ?? []), point]);
        }
      } finally {
        await tables.close();
      }
    }
  }
  return [...measured].map(([{ of }, points]) => {
    return { of, points, bend: shapeOf(points.map(({ size, cpu }) => [size, cpu])).bend };
  });
}

function addressOf({ announced }: ServerProcess): Pick<Environment, 'tablesUrl' | 'apiKey'> {
  const { url: tablesUrl = '', apiKey = '' } = announced;
  return { tablesUrl, apiKey };
}

async function measure(
  environment: Environment,
  { ask, isList }: Kind,
  size: number,
  { warmUp, roundMs }: StoreEffort,
): Promise<Points[number]> {
  const gateway = await startGateway(environment);
  const client = createClient(gateway.url);
  try {
    const question = await ask(size, { url: gateway.url, apiKey: environment.apiKey });
    let left = isList ? listWarmUp : warmUp;
    const call = async () => {
      while (left > 0) {
        left -= 1;
        await client.ask(question());
      }
    };
    await Promise.all(Array.from({ length: callers }, call));
    const { cpu } = await runRound(gateway, client, question, { callers, ms: roundMs });
    const { held } = await gateway.process.usage('collect');
    return { size, cpu, held: held / megabyte };
  } finally {
    await client.close();
    await gateway.process.close();
  }
}

const light = { pieces: 10, paceMs: 0, messages: 1 } as const;

function askWithKeys(size: number): () => Question {
  const question = askGateway('', openaiProtocol, light, false);
  const keys = Array.from({ length: size }, newApiKey);
  return inTurns(keys, (key) => ({ ...question, headers: { authorization: `Bearer ${key}` } }));
}

function askModels(size: number, apiKey: string): () => Question {
  const models = Array.from({ length: size }, (_, number) => copiedModel(number));
  return inTurns(models, (model) => askGateway(apiKey, { ...openaiProtocol, model }, light, false));
}

function inTurns<Item>(items: readonly Item[], ask: (item: Item) => Question): () => Question {
  let turn = 0;
  return () => {
    const item = items[turn % items.length];
    if (item === undefined) throw new Error('There is nothing to ask for.');
    turn += 1;
    return ask(item);
  };
}

const modelList: Question = { path: '/v1/models', method: 'GET', headers: {}, body: '', pieces: 0 };

/** As a client asks that has the list already. */
async function askUnchanged(url: string): Promise<() => Question> {
  const answer = await fetch(`${url}${modelList.path}`);
  await answer.arrayBuffer();
  const question = {
    ...modelList,
    headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    status: 304,
  };
  return () => question;
}
