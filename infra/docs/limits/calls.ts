/** Bounds of calls of providers: their number, their waits, and the answers that are no text. */
import { longestSilenceMs } from '../../../lib/http/buffered-deadline.ts';
import { largestAnswer as largestImages } from '../../../lib/pipeline/call-images.ts';
import { largestCount } from '../../../lib/pipeline/count-tokens.ts';
import { largestAnswer } from '../../../lib/pipeline/embeddings/call-embeddings.ts';
import { longestPauseMs } from '../../../lib/routing/health.ts';
import { longestWaitMs, maxTries } from '../../../lib/routing/retry.ts';
import { highWaterBytes } from '../../../lib/transport/http-client/body-queue.ts';
import type { LimitArea } from './row.ts';

const retry = 'lib/routing/retry.ts';

export const callLimits: LimitArea = {
  title: 'Calls of providers',
  rows: [
    {
      what: 'Tries of one target',
      limit: { maxTries },
      file: retry,
      unit: 'count',
      onExceed: 'the next target is asked, or the request fails',
    },
    {
      what: 'Wait before another try',
      limit: { longestWaitMs },
      file: retry,
      unit: 'ms',
      onExceed: 'the next target is asked, or the request fails',
    },
    {
      what: 'Time for which a target that fails comes last',
      limit: { longestPauseMs },
      file: 'lib/routing/health.ts',
      unit: 'ms',
      onExceed: 'it is tried again',
    },
    {
      what: 'Time of an answer that is not streamed',
      limit: { longestSilenceMs },
      file: 'lib/http/buffered-deadline.ts',
      unit: 'ms',
      onExceed: '408',
    },
    {
      what: 'Bytes of an answer that wait for their reader',
      limit: { highWaterBytes },
      file: 'lib/transport/http-client/body-queue.ts',
      unit: 'bytes',
      onExceed: 'the provider has to wait',
    },
    {
      what: 'Answer of a provider that counts tokens',
      limit: { largestCount },
      file: 'lib/pipeline/count-tokens.ts',
      unit: 'bytes',
      onExceed: 'the attempt fails: `provider_invalid_answer`',
    },
    {
      what: 'Answer with embeddings',
      limit: { largestAnswer },
      file: 'lib/pipeline/embeddings/call-embeddings.ts',
      unit: 'bytes',
      onExceed: 'the attempt fails: `provider_invalid_answer`',
    },
    {
      what: 'Images of an answer, together, as base64',
      limit: { largestAnswer: largestImages },
      file: 'lib/pipeline/call-images.ts',
      unit: 'bytes',
      onExceed: 'the attempt fails: `provider_invalid_answer`',
    },
  ],
};
