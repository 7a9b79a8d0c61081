/** One row for each provider that generates text, for tests that apply to all of them. */
import { hostNames } from '../../../lib/providers/hosts/hosts.ts';
import { hostModels, type TestModels } from './host-models.ts';
import { pinnedId } from './pinned-id.ts';

/** Each model is the one at this provider, even where the catalog has it first at another. */
interface ProviderRow extends TestModels {
  readonly provider: string;
  /** Whether the protocol carries the type of an image, so that the gateway must know it. */
  readonly typesImages?: boolean;
}

const sampling = { temperature: 0.4, seed: 7, logit_bias: { 50256: -100 } };

/** Providers with their own code; `host-models.ts` has those of the others. */
const ownRows = (
  [
    {
      provider: 'openai',
      model: 'openai/gpt-4.1',
      reasoning: 'openai/gpt-5.5',
      showsReasoning: false,
      images: 'by-url',
    },
    {
      provider: 'anthropic',
      model: 'anthropic/claude-haiku-4-5',
      reasoning: 'anthropic/claude-opus-5',
      images: 'by-url',
      typesImages: true,
    },
    {
      provider: 'google',
      model: 'google/gemini-2.5-flash',
      reasoning: 'google/gemini-3.5-flash',
      images: 'as-bytes',
      typesImages: true,
    },
    {
      provider: 'bedrock',
      model: 'amazon/nova-pro',
      reasoning: 'amazon/nova-2-lite',
      images: 'as-bytes',
      typesImages: true,
    },
    {
      provider: 'azure',
      model: 'openai/gpt-4.1',
      reasoning: 'openai/gpt-5.5',
      showsReasoning: false,
      images: 'by-url',
    },
    {
      provider: 'google-vertex',
      model: 'google/gemini-3.5-flash',
      reasoning: 'google/gemini-3.5-flash',
      images: 'as-bytes',
      typesImages: true,
    },
    {
      provider: 'google-vertex-anthropic',
      model: 'anthropic/claude-sonnet-4-6',
      reasoning: 'anthropic/claude-sonnet-5',
      images: 'as-bytes',
      typesImages: true,
    },
    {
      provider: 'cohere',
      model: 'cohere/command-a-vision-07-2025',
      reasoning: 'cohere/command-a-reasoning-08-2025',
      images: 'by-url',
    },
  ] as const
).map((row): ProviderRow => ({ tools: 'as-required', refused: sampling, ...row }));

export const providerRows: readonly ProviderRow[] = [
  ...ownRows,
  ...hostNames.flatMap((provider) => {
    const models = hostModels[provider];
    return models ? [{ provider, ...models }] : [];
  }),
].map((row) => ({
  ...row,
  model: pinnedId(row.model, row.provider),
  ...(row.reasoning !== undefined && { reasoning: pinnedId(row.reasoning, row.provider) }),
}));

/** One of each protocol, and a host of OpenAI's that shows its reasoning. */
export const protocolRows: readonly ProviderRow[] = providerRows.filter(({ provider }) =>
  ['openai', 'anthropic', 'google', 'bedrock', 'cohere', 'deepseek'].includes(provider),
);

/** The rows that can show a behaviour. */
export const rowsThat = (can: (row: ProviderRow) => boolean): readonly ProviderRow[] =>
  providerRows.filter(can);

/** Those with a model that reasons. */
export const reasoningRows = providerRows.flatMap((row) =>
  row.reasoning === undefined ? [] : [{ ...row, reasoning: row.reasoning }],
);

/** A PNG of one pixel. */
export const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
