/** Bounds of calls of providers: their number, their waits, and the answers that are no text. */
import { maxReadingOn, maxReadOnBytes, maxReadOnMs } from '../../../lib/core/read-on.ts';
import { longestSilenceMs } from '../../../lib/http/buffered-deadline.ts';
import { largestAnswer as largestImages } from '../../../lib/pipeline/call-images.ts';
import { largestCount } from '../../../lib/pipeline/count-tokens.ts';
import { largestAnswer } from '../../../lib/pipeline/embeddings/call-embeddings.ts';
import { largestTokenCount } from '../../../lib/pipeline/embeddings/tokens.ts';
import { maxExact } from '../../../lib/pipeline/own-count/count-own.ts';
import { maxImageHead } from '../../../lib/pipeline/own-count/image-size.ts';
import { maxScanned, maxStream, maxStreams } from '../../../lib/pipeline/own-count/pdf-pages.ts';
import { longestPauseMs, maxFailures } from '../../../lib/routing/health.ts';
import { longestWaitMs, maxTries } from '../../../lib/routing/retry.ts';
import { defaultTimeouts } from '../../../lib/stores/catalog/model-row.ts';
import { highWaterBytes, maxTurnBytes } from '../../../lib/transport/http-client/body-queue.ts';
import { maxConnections } from '../../../lib/transport/http-client/http-client.ts';
import type { LimitArea } from './row.ts';

const retry = 'lib/routing/retry.ts';
const readOn = 'lib/core/read-on.ts';

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
      what: 'Time for which an answer is read on for its counts after the caller has left',
      limit: { maxReadOnMs },
      file: readOn,
      unit: 'ms',
      onExceed: 'the call is closed, and its use estimated',
    },
    {
      what: 'Bytes of a stream that are read on',
      limit: { maxReadOnBytes },
      file: readOn,
      unit: 'bytes',
      onExceed: 'the call is closed, and its use estimated',
    },
    {
      what: 'Requests of a process that are read on at a time',
      limit: { maxReadingOn },
      file: readOn,
      unit: 'count',
      onExceed: 'the call of one more is closed at once, and its use estimated',
    },
    {
      what: 'Bytes of an answer that wait for their reader',
      limit: { highWaterBytes },
      file: 'lib/transport/http-client/body-queue.ts',
      unit: 'bytes',
      onExceed: 'the provider has to wait',
    },
    {
      what: 'Bytes of an answer that are read before other requests have their turn',
      limit: { maxTurnBytes },
      file: 'lib/transport/http-client/body-queue.ts',
      unit: 'bytes',
      onExceed: 'others have their turn first',
    },
    {
      what: 'Answer of a provider that counts tokens',
      limit: { largestCount },
      file: 'lib/pipeline/count-tokens.ts',
      unit: 'bytes',
      onExceed: 'the attempt fails: `provider_invalid_answer`',
    },
    {
      what: 'Text whose tokens the gateway counts exactly, of one request',
      limit: { maxExact },
      file: 'lib/pipeline/own-count/count-own.ts',
      unit: 'bytes',
      onExceed: 'the rest counts as one token for two bytes',
    },
    {
      what: 'Image whose size is looked for, from its beginning',
      limit: { maxImageHead },
      file: 'lib/pipeline/own-count/image-size.ts',
      unit: 'bytes',
      onExceed: 'it counts as a large one',
    },
    {
      what: 'PDF whose pages are counted',
      limit: { maxScanned },
      file: 'lib/pipeline/own-count/pdf-pages.ts',
      unit: 'bytes',
      onExceed: 'the rest counts as what is before it',
    },
    {
      what: 'Packed streams of a PDF that are unpacked to count its pages',
      limit: { maxStreams },
      file: 'lib/pipeline/own-count/pdf-pages.ts',
      unit: 'count',
      onExceed: 'the others have no pages',
    },
    {
      what: 'One of these streams, packed or not',
      limit: { maxStream },
      file: 'lib/pipeline/own-count/pdf-pages.ts',
      unit: 'bytes',
      onExceed: 'it has no pages',
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
    {
      what: 'Failures of a target within half a minute after which it comes last',
      limit: { maxFailures },
      file: 'lib/routing/health.ts',
      unit: 'count',
      onExceed: 'it comes last for some seconds',
    },
    {
      what: 'Connections of a process to one provider',
      limit: { maxConnections },
      file: 'lib/transport/http-client/http-client.ts',
      unit: 'count',
      onExceed: 'waits, within the time of the attempt',
    },
    {
      what: 'Wait for the first byte of an answer, where the row of the model has no other',
      limit: { defaultTimeouts: defaultTimeouts.firstByteMs },
      file: 'lib/stores/catalog/model-row.ts',
      unit: 'ms',
      onExceed: 'the attempt fails: `upstream_timeout`',
    },
    {
      what: 'Answer of a provider that counts the tokens of texts to embed',
      limit: { largestTokenCount },
      file: 'lib/pipeline/embeddings/tokens.ts',
      unit: 'bytes',
      onExceed: 'the attempt fails',
    },
  ],
};
