/** One target asked to make a conversation short: by the provider's own operation, else by a summary of the model. */
import { GatewayError } from '../core/errors/errors.ts';
import { withCallerPath } from '../core/generation/caller-path.ts';
import type { FinishReason, GenerationEvent } from '../core/generation/events.ts';
import type { JsonObject } from '../core/generation/request.ts';
import type { Usage } from '../core/generation/usage.ts';
import type { Change } from '../normalization/rule.ts';
import { maxAnswerBytes } from './answer-bounds.ts';
import { callGeneration, type GenerationCall, type UpstreamAnswer } from './generation/call-generation.ts';
import { withFetchedMedia } from './media/fetch-media.ts';
import type { CallOptions } from './model-task.ts';
import { expectSuccess, isSandbox, openAccount, readJson } from './use/account.ts';
import { noteUse } from './use/attempt-use.ts';

interface Facts {
  readonly changes: readonly Change[];
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
  readonly usage?: Usage;
}

/** The items of the provider's own operation, or the text of a summary. */
export type Compacted = Facts & ({ readonly items: readonly JsonObject[] } | { readonly summary: string });

type Watch = (answer: UpstreamAnswer) => AsyncIterable<readonly GenerationEvent[]>;

/**
 * `prepared` asks for a summary where the provider has no operation of its own; `watch` sees what the model writes. Rejects
 * with GatewayError when the target fails, or its summary is empty or cut.
 */
export function compact(prepared: GenerationCall, options: CallOptions, watch: Watch): Promise<Compacted> {
  const { compactor } = prepared.generation;
  return compactor ? askProvider(prepared, compactor, options) : summarize(prepared, options, watch);
}

async function askProvider(
  { provider, generation, target, request }: GenerationCall,
  compactor: NonNullable<GenerationCall['generation']['compactor']>,
  { connections, media, signal, lasting = signal, memory, attempt }: CallOptions,
): Promise<Compacted> {
  const { protocol } = generation;
  const ready = await withFetchedMedia(request, generation, media, signal);
  const options = { signal, lasting, memory, attempt, held: media.held };
  const account = await openAccount(provider, target, 'body', connections, options);
  const response = await account.post(compactor.path, compactor.body(protocol.encode(ready, target)));
  await expectSuccess(response, protocol).catch((thrown) => {
    throw withCallerPath(thrown, request);
  });
  const read = compactor.read(await readJson(response, maxAnswerBytes));
  if (read?.usage) noteUse(attempt, { usage: read.usage, raw: read.rawUsage });
  if (!read) throw new GatewayError('upstream_invalid_answer', 'The provider returned no compaction.');
  const { items, usage } = read;
  return { items, ...(usage && { usage }), changes: [], sandbox: isSandbox(response) };
}

async function summarize(prepared: GenerationCall, options: CallOptions, watch: Watch): Promise<Compacted> {
  const answer = await callGeneration(prepared, options);
  const { sandbox, changes } = answer;
  const seen: { text: string; finish?: FinishReason; facts: Pick<Facts, 'usage'> } = {
    text: '',
    facts: {},
  };
  for await (const list of watch(answer)) {
    for (const event of list) {
      if (event.type === 'text') seen.text += event.text;
      else if (event.type === 'finish') seen.finish = event.reason;
      else if (event.type === 'usage') {
        seen.facts = { usage: event.usage };
      }
    }
  }
  const { text, finish, facts } = seen;
  if (finish !== 'stop' || text.trim() === '') {
    throw new GatewayError(
      'upstream_invalid_answer',
      'The model did not finish a summary of the conversation.',
    );
  }
  return { summary: text, changes, sandbox, ...facts };
}
