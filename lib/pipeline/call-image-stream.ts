/** One target asked for an image that comes as events. Knows nothing of other targets. */
import { withFirst } from '../async/with-first.ts';
import type { Target } from '../core/catalog/model.ts';
import type { AttemptFacts } from '../core/endpoint.ts';
import { GatewayError } from '../core/errors/errors.ts';
import { withCallerPath } from '../core/generation/caller-path.ts';
import type { ImageEvent, ImageProtocol, ImageRequest } from '../core/generation/image.ts';
import type { HttpResponse } from '../core/ports/http.ts';
import { readLargeEvents } from '../transport/framing/large-events.ts';
import type { ByteBudget } from '../transport/large-json.ts';
import { countedBy, estimatedStream } from './image-use.ts';
import { withoutSecrets } from './secrets.ts';
import { isSandbox, unreadable } from './use/account.ts';
import { isStated, noteEstimate, noteFree, noteUse } from './use/attempt-use.ts';
import { readAnswer } from './use/read-answer.ts';

export interface ImageStream {
  /** As they come; the last one is `completed`. Throws GatewayError for what breaks off. */
  readonly events: AsyncIterable<ImageEvent>;
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
}

interface StreamCall {
  readonly protocol: ImageProtocol;
  readonly readEvent: NonNullable<ImageProtocol['readEvent']>;
  readonly target: Target;
  readonly request: ImageRequest;
  readonly budget: ByteBudget;
  readonly attempt: AttemptFacts;
}

/** Resolves with the first image, finished or not: no other target is tried after it. */
export async function readImageStream(response: HttpResponse, call: StreamCall): Promise<ImageStream> {
  const events = await readAnswer(response, {
    protocol: call.protocol,
    async read() {
      const counted = counting(readEvents(response, call), call);
      const first = await counted.next();
      if (first.done)
        throw new GatewayError('upstream_cut', 'The provider ended its response without an image.');
      return withFirst(first.value, counted);
    },
    located: (error) => withCallerPath(error, {}),
  });
  return { events, sandbox: isSandbox(response) };
}

async function* readEvents(
  response: HttpResponse,
  { readEvent, budget }: StreamCall,
): AsyncGenerator<ImageEvent> {
  try {
    for await (const { body, base64 } of readLargeEvents(response, budget)) {
      const event = readEvent(body, base64);
      if (event) yield event;
    }
  } catch (thrown) {
    throw thrown instanceof GatewayError ? withoutSecrets(thrown, response.secrets) : unreadable(thrown);
  }
}

/** Notes what the stream has used, with its last event. What ends before is estimated, but for what the provider refuses to draw. */
async function* counting(
  events: AsyncGenerator<ImageEvent>,
  { attempt, request }: StreamCall,
): AsyncGenerator<ImageEvent> {
  let partials = 0;
  let state: 'open' | 'refused' | 'completed' = 'open';
  try {
    for await (const event of events) {
      if (event.type === 'partial') partials += 1;
      else {
        state = 'completed';
        const counted = countedBy(event.answer, request, attempt.price?.price);
        if (counted) noteUse(attempt, counted);
      }
      yield event;
      if (event.type === 'completed') return;
    }
    throw new GatewayError('upstream_cut', 'The provider ended its response before the finished image.');
  } catch (thrown) {
    if (state === 'open' && partials === 0 && isStated(thrown)) state = 'refused';
    throw thrown;
  } finally {
    if (state === 'refused') noteFree(attempt);
    if (state === 'open') noteEstimate(attempt, estimatedStream(request, partials));
  }
}
