/** What is made of the response of a call for a whole answer: of embeddings, images, moderation and reranking. */
import { GatewayError } from '../../core/errors/errors.ts';
import type { UpstreamFailure } from '../../core/generation/original/protocol.ts';
import type { HttpResponse } from '../../core/ports/http.ts';
import { withoutSecrets } from '../secrets.ts';
import { expectSuccess, unreadable } from './account.ts';

interface Reading<Read> {
  readonly protocol: { readonly readFailure: (failure: UpstreamFailure) => GatewayError };
  readonly read: () => Promise<Read>;
  /** The error with the caller's path of the field at fault. */
  readonly located: (error: GatewayError) => GatewayError;
}

/** What `read` gives. Throws GatewayError without secrets, for an error status and for what cannot be read. */
export async function readAnswer<Read>(
  response: HttpResponse,
  { protocol, read, located }: Reading<Read>,
): Promise<Read> {
  try {
    await expectSuccess(response, protocol);
    return await read();
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw unreadable(thrown);
    throw located(withoutSecrets(thrown, response.secrets));
  }
}
