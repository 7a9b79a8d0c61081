/** The chat function, with media from a server on loopback: its port is in `MEDIA_PORT`, its certificate in `MEDIA_CERTIFICATE`. */
import { readFileSync } from 'node:fs';
import { operationNamed } from '../../../../lib/core/operations.ts';
import { lambdaHandler } from '../../../../lib/http/lambda/handler.ts';
import { serve } from '../../../../lib/http/serve.ts';
import { chatEndpoint } from '../../../../lib/operations/chat/endpoint.ts';
import type { Variables } from '../../../../lib/runtime/environment.ts';
import { generationRuntime } from '../../../../lib/runtime/generation-runtime.ts';
import { createMediaFetcher } from '../../../../lib/transport/media-fetcher.ts';

export function create(variables: Variables) {
  const { MEDIA_PORT = '', MEDIA_CERTIFICATE = '' } = variables;
  const runtime = generationRuntime(variables);
  const fetchMedia = createMediaFetcher({
    lookup: async () => ['127.0.0.1'],
    isAllowed: () => true,
    ports: [Number(MEDIA_PORT)],
    tls: { ca: readFileSync(MEDIA_CERTIFICATE) },
  });
  const parts = { ...runtime, connections: { ...runtime.connections, fetchMedia } };
  return lambdaHandler(serve(operationNamed('chat-completions'), chatEndpoint(parts), parts));
}
