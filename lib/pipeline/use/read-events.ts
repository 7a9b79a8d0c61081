/** The events of a stream that no generation protocol reads: of speech and transcription. */
import { GatewayError } from '../../core/errors/errors.ts';
import type { HttpResponse } from '../../core/ports/http.ts';
import { createServerSentEventReader } from '../../transport/framing/sse.ts';
import { withoutSecrets } from '../secrets.ts';
import { unreadable } from './account.ts';

/** What `read` makes of the data of each event. Throws GatewayError without secrets. */
export async function* readEvents<Event>(
  { body, secrets }: HttpResponse,
  read: (data: string) => Event,
): AsyncGenerator<Event> {
  const frames = createServerSentEventReader();
  try {
    for await (const bytes of body) for (const { data } of frames.read(bytes)) yield read(data);
    for (const { data } of frames.end()) yield read(data);
  } catch (thrown) {
    throw thrown instanceof GatewayError ? withoutSecrets(thrown, secrets) : unreadable(thrown);
  }
}
