/** A Web Function with an operation that a test needs: it says words, or throws where nothing waits. */
import { setTimeout as pause } from 'node:timers/promises';
import { serveWeb } from '../../../server/web/serve-web.ts';
import { writing } from '../../harness/http-request.ts';

const handler = writing(async (stream, { query }) => {
  if (query.crash) {
    setImmediate(() => {
      throw new TypeError('nothing waits');
    });
    await new Promise((resolve) => stream.once('close', resolve));
    return;
  }
  for (let word = 0; word < Number(query.words?.[0]); word++) {
    stream.write('word\n');
    await pause(50);
  }
  stream.write('the end\n');
});

await serveWeb(process.env, async () => ({ create: () => handler }));
