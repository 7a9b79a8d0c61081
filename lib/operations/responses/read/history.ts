/** Finds what a request refers to: an earlier response, and single items of stored responses. */
import type { BackgroundStore, RunRef } from '../../../core/background.ts';
import type { Call } from '../../../core/endpoint.ts';
import { GatewayError, type SpecificCode } from '../../../core/errors/errors.ts';
import { objectsIn } from '../../../core/formats/json-object.ts';
import { wholeSource } from '../../../core/generation/original/source.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { Catalog } from '../../../core/ports/catalog.ts';
import {
  type FoundResponse,
  maxConversationBytes,
  type ResponseStore,
  readInput,
} from '../../../core/stored-response.ts';
import { checkAllowed } from '../../../pipeline/check-allowed.ts';
import { responseOf } from '../write/ids.ts';
import { storedItem } from './full-item.ts';
import type { ConversationItem, InputItem } from './item.ts';
import type { ResponsesInput } from './read.ts';
import { earlierSource } from './sources.ts';

export interface History {
  /** Everything up to and with the earlier response, oldest first. */
  readonly earlier: readonly ConversationItem[];
  /** The request's own items, in their order, with stored items in place of references. */
  readonly items: readonly ConversationItem[];
  /** The earlier response as it is stored; absent: there is none. */
  readonly previous?: PreviousResponse;
}

/** A stored response with all of its input. */
interface PreviousResponse {
  readonly found: FoundResponse;
  /** Every input item, oldest first, and what the model answered. */
  readonly input: readonly JsonObject[];
  readonly output: readonly JsonObject[];
}

type Wanted = Pick<ResponsesInput, 'items' | 'previousResponseId'>;

/** Limits the reads of one request: items are looked up in the newest response, and in so many others. */
const maxOthers = 99;

/** JSON bytes of all stored responses that are read for one request: of the earlier one, and of items that it refers to. */
const maxHistoryBytes = 2 * maxConversationBytes;

/** @throws GatewayError `invalid_request` for what is not stored, or belongs to another tenant. */
export async function findHistory(
  store: ResponseStore,
  tenant: string,
  input: Wanted,
  runs?: FindRun,
): Promise<History> {
  const { items, previousResponseId } = input;
  const stored = readerOf(store, tenant);
  const ids = items.flatMap((item) => referenceOf(item) ?? []);
  // The input of the newest response mostly holds the items of older ones that are referred to.
  const [newest] = ownersOf(ids);
  const [previous] = await Promise.all([
    previousResponseId === undefined
      ? undefined
      : findEarlier(stored, previousResponseId, (id) => unfinished(runs, { tenant, id })),
    newest !== undefined && stored.load(newest),
  ]);
  const others = ownersOf(ids.filter((id) => stored.item(id) === undefined));
  await Promise.all(others.slice(0, maxOthers).map(stored.load));
  const all = previous ? [...previous.input, ...previous.output] : [];
  return {
    earlier: all.map((item) => storedItem(item, earlierSource)),
    items: items.map((item, position) => resolve(item, position, stored)),
    ...(previous && { previous }),
  };
}

/** Whether a request refers to what is stored. */
export const refersToStored = ({ items, previousResponseId }: Wanted): boolean =>
  previousResponseId !== undefined || items.some((item) => referenceOf(item) !== undefined);

/** The responses that items belong to, the latest first. */
function ownersOf(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.toReversed().flatMap((id) => responseOf(id) ?? []))];
}

type Unfinished = (id: string) => Promise<GatewayError | undefined>;

async function findEarlier(
  stored: StoredReader,
  id: string,
  unfinished: Unfinished,
): Promise<PreviousResponse> {
  const previous = await stored.load(id);
  if (previous) return previous;
  throw (
    stored.failure() ??
    (await unfinished(id)) ??
    missing(
      'previous_response_id',
      'previous_response_not_found',
      `Previous response with id '${id.slice(0, 64)}'`,
    )
  );
}

type FindRun = Pick<BackgroundStore, 'find'>;

/** Of a response that is created in the background, or whose creation has ended without one that can be continued. */
async function unfinished(runs: FindRun | undefined, ref: RunRef): Promise<GatewayError | undefined> {
  const run = await runs?.find(ref);
  if (!run) return undefined;
  const { status } = run;
  const message =
    status === 'failed' || status === 'cancelled'
      ? `The previous response '${ref.id}' is ${status}, and cannot be continued.`
      : `The previous response '${ref.id}' is not complete yet: retrieve it until its status is 'completed'.`;
  return new GatewayError('invalid_request', message, { param: 'previous_response_id' });
}

/** The id of the stored item that an item refers to: a reasoning item without its encrypted content refers to itself. */
function referenceOf(item: InputItem): string | undefined {
  if (item.type === 'item_reference') return item.id;
  return item.type === 'reasoning' && item.encrypted_content === undefined ? item.id : undefined;
}

function resolve(item: InputItem, position: number, stored: StoredReader): ConversationItem {
  const id = referenceOf(item);
  const found = id === undefined ? undefined : stored.item(id);
  if (found && (item.type === 'item_reference' || found.type === item.type)) {
    return storedItem(found, wholeSource(`input.${position}`));
  }
  if (item.type !== 'item_reference' && (id === undefined || saysSomething(item))) return item;
  throw (
    stored.failure() ??
    missing(`input.${position}.id`, 'item_not_found', `Item with id '${id?.slice(0, 64)}'`)
  );
}

function saysSomething(item: ConversationItem): boolean {
  return item.type !== 'reasoning' || item.summary.length > 0 || (item.content ?? []).length > 0;
}

/** The same for an id that never existed, one that has expired, and one of another tenant. */
function missing(param: string, code: SpecificCode, subject: string): GatewayError {
  const message = `${subject} not found (expired, deleted, or created with store: false).`;
  return new GatewayError('invalid_request', message, { param, code });
}

/** What has been read of stored responses so far. */
interface StoredReader {
  /** A response, read once; undefined where it is not stored. */
  load(id: string): Promise<PreviousResponse | undefined>;
  /** An item of what has been loaded. */
  item(id: string): JsonObject | undefined;
  /** The failed read because of which a stored item may be missing. */
  failure(): unknown;
}

function readerOf(store: ResponseStore, tenant: string): StoredReader {
  const responses = new Map<string, Promise<PreviousResponse | undefined>>();
  const items = new Map<unknown, JsonObject>();
  let left = maxHistoryBytes;
  let failure: unknown;
  const read = async (id: string): Promise<PreviousResponse | undefined> => {
    const found = await store.find(tenant, id);
    if (!found) return undefined;
    left -= found.bytes;
    if (left < 0) throw tooMuchHistory();
    const [input, response] = await Promise.all([readInput(found), found.readResponse()]);
    if (!input || !response) return undefined;
    const output = objectsIn(response.output);
    for (const item of [...input, ...output]) items.set(item.id, item);
    return { found, input, output };
  };
  const load: StoredReader['load'] = (id) => {
    const loading =
      responses.get(id) ??
      read(id).catch((error) => {
        failure = error;
        return undefined;
      });
    responses.set(id, loading);
    return loading;
  };
  return { load, item: (id) => items.get(id), failure: () => failure };
}

function tooMuchHistory(): GatewayError {
  const size = maxHistoryBytes / (1024 * 1024);
  const message = `The stored responses that this request refers to have more than ${size} MB together.`;
  return new GatewayError('invalid_request', message, { param: 'input' });
}

interface HistoryParts {
  readonly catalog: Catalog;
  readonly responses: ResponseStore;
  /** Absent: no response is created in the background. */
  readonly background?: { readonly runs: FindRun } | undefined;
}

/** Rejects as `checkAllowed` before anything that is stored is read, and as `findHistory`. */
export async function allowedHistory(
  { catalog, responses, background }: HistoryParts,
  call: Call<ResponsesInput>,
  tenant: string,
): Promise<History> {
  const { input } = call;
  if (refersToStored(input)) await checkAllowed({ catalog }, input, call);
  return await findHistory(responses, tenant, input, background?.runs);
}
