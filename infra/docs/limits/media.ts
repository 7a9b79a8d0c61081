/** Bounds of files and links in requests. */
import { maxTextBytes } from '../../../lib/core/file-type.ts';
import { maxFetched } from '../../../lib/pipeline/fetch-media.ts';
import { maxRedirects } from '../../../lib/transport/media-fetcher.ts';
import type { LimitArea } from './row.ts';

export const mediaLimits: LimitArea = {
  title: 'Media',
  rows: [
    {
      what: 'What the links of a request lead to, together',
      limit: { maxFetched },
      file: 'lib/pipeline/fetch-media.ts',
      unit: 'bytes',
      onExceed: '400',
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
      file: 'lib/core/file-type.ts',
      unit: 'bytes',
      onExceed: '400',
    },
  ],
};
