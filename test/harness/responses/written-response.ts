/** Events of an answer, written as a response without a gateway around them. */
import type { PublicEvent } from '../../../lib/core/endpoint.ts';
import { asGatewayError } from '../../../lib/core/errors/errors.ts';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import type { ResponseEcho } from '../../../lib/operations/responses/write/echo.ts';
import {
  createResponseWriter,
  type WriteOptions,
  writeBody,
} from '../../../lib/operations/responses/write/write.ts';
import { writeEvent } from '../../../lib/transport/../http/streamed-body.ts';
import { type ResponseStreamSeen, readResponseStream } from './response-stream.ts';

export const echo: ResponseEcho = {
  background: false,
  frequency_penalty: 0,
  presence_penalty: 0,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: 'auto',
  store: true,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
};

export interface WrittenResponse extends ResponseStreamSeen {
  /** The same answer as one body; absent where it broke off. */
  readonly body: JsonObject | undefined;
  /** The response passed to the store. */
  readonly stored: JsonObject | undefined;
}

/** Writes both forms and reads the stream by the grammar. What the events throw ends the stream. */
export async function writtenResponse(
  events: () => Iterable<GenerationEvent>,
  changes: Partial<WriteOptions> = {},
): Promise<WrittenResponse> {
  let stored: JsonObject | undefined;
  const options: WriteOptions = {
    identity: { id: `resp_${'0'.repeat(32)}`, created_at: 1, model: 'acme/one' },
    echo,
    include: [],
    now: () => 2,
    store: async (response) => {
      stored = response;
      return true;
    },
    debug: () => undefined,
    ...changes,
  };
  const written: PublicEvent[] = [];
  const writer = createResponseWriter(options);
  try {
    for await (const list of writer.stream(inLists(events()))) written.push(...list);
  } catch (thrown) {
    written.push(...writer.fail(asGatewayError(thrown)));
  }
  const seen = readResponseStream(written.map(writeEvent).join(''));
  const whole = writeBody(createResponseWriter(options), inLists(events()));
  return { ...seen, stored, body: await whole.catch(() => undefined) };
}

async function* inLists(events: Iterable<GenerationEvent>): AsyncGenerator<readonly GenerationEvent[]> {
  for (const event of events) yield [event];
}
