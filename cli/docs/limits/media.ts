/** Bounds of files and links in requests. */
import { maxTextBytes } from '../../../lib/core/formats/file-type.ts';
import { maxSentMedia } from '../../../lib/pipeline/media/fetch-media.ts';
import {
  maxFetchedAtOnce,
  maxLinks,
  maxMediaBytes,
  maxMediaRequests,
} from '../../../lib/pipeline/media/request-media.ts';
import {
  maxConnectionsToHost,
  maxDocumentBytes,
  maxFetchMs,
  maxImageBytes,
  maxLookups,
  maxRedirects,
  maxVideoBytes,
} from '../../../lib/transport/media-fetcher.ts';
import type { LimitArea } from './row.ts';

export const mediaLimits: LimitArea = {
  title: 'Media',
  rows: [
    {
      what: 'Different links of a request that the gateway fetches',
      limit: { maxLinks },
      file: 'lib/pipeline/media/request-media.ts',
      unit: 'count',
      onExceed: '400, with the field of the first one too many',
    },
    {
      what: 'Links of a request that are fetched at the same time',
      limit: { maxFetchedAtOnce },
      file: 'lib/pipeline/media/request-media.ts',
      unit: 'count',
      onExceed: 'waits',
    },
    {
      what: 'HTTP requests for the links of a request, redirects included',
      limit: { maxMediaRequests },
      file: 'lib/pipeline/media/request-media.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Media of a request where the gateway fetches some of them, together',
      limit: { maxMediaBytes },
      file: 'lib/pipeline/media/request-media.ts',
      unit: 'bytes',
      onExceed: '400',
    },
    {
      what: 'The same as base64 in the body for a provider, each as often as it is sent',
      limit: { maxSentMedia },
      file: 'lib/pipeline/media/fetch-media.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Connections for media to one address, of all requests of a process',
      limit: { maxConnectionsToHost },
      file: 'lib/transport/media-fetcher.ts',
      unit: 'count',
      onExceed: 'waits',
    },
    {
      what: 'Names of hosts of media that a process looks up at the same time',
      limit: { maxLookups },
      file: 'lib/transport/media-fetcher.ts',
      unit: 'count',
      onExceed: 'waits',
    },
    {
      what: 'Redirects of a link',
      limit: { maxRedirects },
      file: 'lib/transport/media-fetcher.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Text file',
      limit: { maxTextBytes },
      file: 'lib/core/formats/file-type.ts',
      unit: 'bytes',
      onExceed: '400',
    },
    {
      what: 'Time of the fetch of a link, redirects included',
      limit: { maxFetchMs },
      file: 'lib/transport/media-fetcher.ts',
      unit: 'ms',
      onExceed: '400',
    },
    {
      what: 'Image that is fetched',
      limit: { maxImageBytes },
      file: 'lib/transport/media-fetcher.ts',
      unit: 'bytes',
      onExceed: '400',
    },
    {
      what: 'Document that is fetched',
      limit: { maxDocumentBytes },
      file: 'lib/transport/media-fetcher.ts',
      unit: 'bytes',
      onExceed: '400',
    },
    {
      what: 'Video that is fetched',
      limit: { maxVideoBytes },
      file: 'lib/transport/media-fetcher.ts',
      unit: 'bytes',
      onExceed: '400',
    },
  ],
};
