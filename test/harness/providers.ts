/** One row for each provider, for tests that hold for all of them. */
export interface ProviderRow {
  readonly provider: string;
  /** A model of it that takes text and images, calls tools and writes JSON. */
  readonly model: string;
  /** A model of it that reasons. */
  readonly reasoning: string;
}

export const providerRows: readonly ProviderRow[] = [
  { provider: 'openai', model: 'openai/gpt-4.1', reasoning: 'openai/gpt-5.5' },
  { provider: 'anthropic', model: 'anthropic/claude-haiku-4-5', reasoning: 'anthropic/claude-opus-5' },
  { provider: 'google', model: 'google/gemini-2.5-flash', reasoning: 'google/gemini-3.5-flash' },
  { provider: 'bedrock', model: 'amazon/nova-pro', reasoning: 'amazon/nova-2-lite' },
];

/** A PNG of one pixel. */
export const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
