/** What tests of image requests share: a model at each provider that generates images, and a reader of image sizes. */

import { createCatalogStore } from '../../../lib/stores/catalog/catalog.ts';
import { connectDatabase } from '../../../local/database-call.ts';
import { databaseEndpoint } from '../gateways/environment.ts';
import { addPinnedModels } from './pinned-models.ts';

export interface ImageRow {
  readonly provider: string;
  readonly model: string;
  /** The size of the image if 3:2 is requested, as the answer names it. */
  readonly landscape: string;
  /** The format without a request for one. */
  readonly format: string;
  /** Whether it counts tokens. */
  readonly counts: boolean;
}

export const imageRows = [
  { provider: 'openai', model: 'openai/gpt-image-2.5-flare', landscape: '1536x1024' },
  { provider: 'azure', model: 'openai/gpt-image-2:azure', landscape: '1536x1024' },
  { provider: 'google', model: 'google/gemini-3-pro-image', landscape: '1264x848' },
  { provider: 'google-vertex', model: 'google/gemini-3-pro-image:google-vertex', landscape: '1264x848' },
  { provider: 'xai', model: 'xai/grok-imagine-image', landscape: '1296x864', format: 'jpeg', counts: false },
].map((row): ImageRow => ({ format: 'png', counts: true, ...row }));

/** A row of the operator with one deployment that generates images. */
export function imageModel(id: string, provider: string, upstreamId: string, more: object = {}): object {
  return {
    id,
    created: '2026-01-01',
    status: 'active',
    endpoints: ['images_generations'],
    modalities: { input: ['text'], output: ['image'] },
    limits: { context: null, input: null, output: null },
    traits: {},
    price: { input: 1, output: 1 },
    deployments: [{ provider, region: 'global', upstreamId }],
    ...more,
  };
}

/** Adds the models of the rows, and `more`, to the gateway of this process. */
export async function addImageModels(...more: readonly object[]): Promise<void> {
  await addPinnedModels(...imageRows.map(({ model }) => model));
  const { call, close } = connectDatabase(databaseEndpoint());
  const store = createCatalogStore({ call, table: 'catalog' });
  for (const row of more) await store.put(row, { source: 'operator' });
  await close();
}

export interface ImagesBody {
  readonly created: number;
  readonly data: readonly { readonly b64_json: string }[];
  readonly size?: string;
  readonly quality?: string;
  readonly background?: string;
  readonly output_format?: string;
  readonly usage?: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly total_tokens: number;
    readonly input_tokens_details: { readonly text_tokens: number; readonly image_tokens: number };
    readonly output_tokens_details: { readonly text_tokens: number; readonly image_tokens: number };
  };
  readonly debug?: {
    readonly normalizations?: readonly { param: string; action: string; before: unknown; after: unknown }[];
    readonly deprecations?: readonly { param: string; message: string }[];
    readonly routing?: readonly { provider: string; status: string; model: string; reason?: string }[];
  };
  readonly error?: { message: string; type: string; param: string | null; code: string | null };
}

interface PictureSeen {
  readonly format: string;
  readonly size: string;
}

/** The first bytes of an image, and its end mark. */
const signatures: Readonly<Record<string, readonly [start: string, end: string]>> = {
  png: ['89504e470d0a1a0a', '49454e44ae426082'],
  jpeg: ['ffd8ff', 'ffd9'],
  webp: ['52494646', ''],
};

/** The format that the bytes of an image show, and the size that the sandbox wrote after them. */
export function lookAt(base64: string): PictureSeen {
  const bytes = Buffer.from(base64, 'base64');
  const hex = bytes.toString('hex');
  const found = Object.entries(signatures).find(
    ([, [start, end]]) => hex.startsWith(start) && hex.includes(end),
  );
  const size = /\n(\d+x\d+) [^\n]*$/.exec(bytes.toString('latin1'))?.[1] ?? '';
  return { format: found?.[0] ?? 'none', size };
}
