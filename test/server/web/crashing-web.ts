/** A Web Function with an operation that a test needs: it says words, or throws where nothing waits. */
import { setTimeout as pause } from 'node:timers/promises';
import type { StreamingHandler } from '../../../server/in-process.ts';
import { serveWeb } from '../../../server/web/serve-web.ts';

const handler: StreamingHandler = async (event, stream) => {
  const { words, crash } = event.queryStringParameters ?? {};
  if (crash) {
    setImmediate(() => {
      throw new TypeError('nothing waits');
    });
    await new Promise((resolve) => stream.once('close', resolve));
    return;
  }
  const answer = awslambda.HttpResponseStream.from(stream, { statusCode: 200, headers: {} });
  for (let word = 0; word < Number(words); word++) {
    answer.write('word\n');
    await pause(50);
  }
  answer.end('the end\n');
};

await serveWeb(process.env, async () => ({ create: () => handler }));
