/** One row for each provider, for tests that hold for all of them. */
export interface ProviderRow {
  readonly provider: string;
  /** A model of it that takes text and writes JSON. */
  readonly model: string;
  /** A model of it that reasons; absent where there is none. */
  readonly reasoning?: string;
  /** Whether the reasoning is shown. */
  readonly showsReasoning?: boolean;
  /** How images come to the model: it fetches them itself, or gets bytes. Absent: it takes none. */
  readonly images?: 'by-url' | 'as-bytes';
  /** Whether the wire tells the type of an image, so that the gateway must know it. */
  readonly typesImages?: boolean;
  /** What the model does with tools: calls them, also when told to; only as it likes; or nothing. */
  readonly tools: 'as-told' | 'as-it-likes' | 'none';
  /** Parameters that it refuses where nothing is normalized; absent for one that takes all. */
  readonly refused?: object;
}

const sampling = { temperature: 0.4, seed: 7, logit_bias: { 50256: -100 } };
const penalty = { frequency_penalty: 0.5 };

export const providerRows: readonly ProviderRow[] = [
  {
    provider: 'openai',
    model: 'openai/gpt-4.1',
    reasoning: 'openai/gpt-5.5',
    showsReasoning: false,
    images: 'by-url',
    tools: 'as-told',
    refused: sampling,
  },
  {
    provider: 'anthropic',
    model: 'anthropic/claude-haiku-4-5',
    reasoning: 'anthropic/claude-opus-5',
    images: 'by-url',
    typesImages: true,
    tools: 'as-told',
    refused: sampling,
  },
  {
    provider: 'google',
    model: 'google/gemini-2.5-flash',
    reasoning: 'google/gemini-3.5-flash',
    images: 'as-bytes',
    typesImages: true,
    tools: 'as-told',
    refused: sampling,
  },
  {
    provider: 'bedrock',
    model: 'amazon/nova-pro',
    reasoning: 'amazon/nova-2-lite',
    images: 'as-bytes',
    typesImages: true,
    tools: 'as-told',
    refused: sampling,
  },
  {
    provider: 'azure',
    model: 'openai/gpt-4.1:azure',
    reasoning: 'openai/gpt-5.5:azure',
    showsReasoning: false,
    images: 'by-url',
    tools: 'as-told',
    refused: sampling,
  },
  {
    provider: 'google-vertex',
    model: 'google/gemini-2.5-flash:google-vertex',
    reasoning: 'google/gemini-3.5-flash:google-vertex',
    images: 'as-bytes',
    typesImages: true,
    tools: 'as-told',
    refused: sampling,
  },
  {
    provider: 'google-vertex-anthropic',
    model: 'anthropic/claude-haiku-4-5:google-vertex-anthropic',
    reasoning: 'anthropic/claude-sonnet-5:google-vertex-anthropic',
    images: 'as-bytes',
    typesImages: true,
    tools: 'as-told',
    refused: sampling,
  },
  {
    provider: 'cohere',
    model: 'cohere/command-a-vision-07-2025',
    reasoning: 'cohere/command-a-reasoning-08-2025',
    images: 'by-url',
    tools: 'as-told',
    refused: sampling,
  },
  {
    provider: 'mistral',
    model: 'mistral/mistral-large-2512',
    reasoning: 'mistral/mistral-medium-2604',
    images: 'by-url',
    tools: 'as-told',
    refused: sampling,
  },
  {
    provider: 'xai',
    model: 'xai/grok-4.20-0309-non-reasoning',
    reasoning: 'xai/grok-4.3',
    images: 'by-url',
    tools: 'as-told',
    refused: sampling,
  },
  {
    provider: 'deepseek',
    model: 'deepseek/deepseek-flash',
    reasoning: 'deepseek/deepseek-v4-pro',
    images: 'by-url',
    tools: 'as-told',
    refused: sampling,
  },
  {
    provider: 'groq',
    model: 'meta/llama-4-scout',
    reasoning: 'openai/gpt-oss-120b',
    images: 'by-url',
    tools: 'as-told',
    refused: sampling,
  },
  { provider: 'together', model: 'minimax/minimax-m2.7', tools: 'as-told' },
  { provider: 'fireworks', model: 'zai/glm-5.1', reasoning: 'zai/glm-5.1', tools: 'as-told' },
  {
    provider: 'cerebras',
    model: 'zai/glm-4.7',
    // Its switch has no word for on, so the sandbox cannot see that it is wanted.
    reasoning: 'zai/glm-4.7',
    showsReasoning: false,
    tools: 'as-told',
    refused: penalty,
  },
  {
    provider: 'openrouter',
    model: 'meta/llama-4-maverick',
    reasoning: 'moonshotai/kimi-k2-thinking',
    images: 'by-url',
    tools: 'as-told',
  },
  {
    provider: 'huggingface',
    model: 'qwen/qwen3.6-27b',
    reasoning: 'qwen/qwen3.6-27b',
    images: 'by-url',
    tools: 'as-told',
  },
  {
    provider: 'moonshot',
    model: 'moonshotai/kimi-k2.5',
    reasoning: 'moonshotai/kimi-k3',
    images: 'as-bytes',
    tools: 'as-told',
    refused: { temperature: 0.4 },
  },
  {
    provider: 'alibaba',
    model: 'alibaba/qwen3.7-plus',
    reasoning: 'alibaba/qwen3.7-max',
    images: 'by-url',
    tools: 'as-told',
    refused: penalty,
  },
  {
    provider: 'zai',
    model: 'zai/glm-5.2',
    reasoning: 'zai/glm-5.2',
    tools: 'as-it-likes',
    refused: penalty,
  },
  {
    provider: 'minimax',
    model: 'minimax/MiniMax-M3',
    reasoning: 'minimax/MiniMax-M3',
    images: 'by-url',
    tools: 'as-it-likes',
    refused: penalty,
  },
  { provider: 'perplexity', model: 'perplexity/sonar-pro', images: 'by-url', tools: 'none' },
];

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
