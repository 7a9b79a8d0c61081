/** Lists the files of a tenant: `GET /v1/files`. */
import * as z from 'zod/mini';
import { filePrefix, filePurposes } from '../../core/files.ts';
import { queryIntegerBetween } from '../../core/formats/query-schema.ts';
import { idQuery } from '../id-query.ts';
import { plainEndpoint } from '../plain-endpoint.ts';
import { showFile } from './file-object.ts';
import type { FilesParts } from './files-parts.ts';

/** OpenAI's limit; a page has fewer, and says that there are more. */
const maxLimit = 10_000;
const maxListed = 1_000;

export const schema = z.object({
  limit: z._default(queryIntegerBetween(1, maxLimit), 100),
  order: z._default(z.enum(['asc', 'desc']), 'desc'),
  after: idQuery(filePrefix, 'a file'),
  purpose: z.optional(z.enum(filePurposes)),
});

export const listFilesEndpoint = ({ files }: FilesParts) =>
  plainEndpoint({ schema }, async ({ input, key }) => {
    const { limit, ...listing } = input;
    const page = await files.list(key?.tenant ?? '', { ...listing, limit: Math.min(limit, maxListed) });
    const data = page.items.map(showFile);
    const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
    return { type: 'json', body: { object: 'list', data, ...ends, has_more: page.hasMore } };
  });
