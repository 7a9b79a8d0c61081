/** What a provider charges for a model, by the kinds of its use. */

/** Nano-dollars (1e-9 USD) for one token of each kind, with at most three decimals. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** Null: as `input`. */
  readonly cachedInput: number | null;
  /** Null: as `input`. */
  readonly cacheWrite: number | null;
  /** Of tokens that are kept longer than by default: an hour (Anthropic) or a day (OpenAI). Absent: unknown. */
  readonly cacheWriteHour?: number;
  /** Absent: as `output`. */
  readonly reasoning?: number;
  /** Absent: as `input`. */
  readonly imageInput?: number;
  /** Of images in a cache; absent: unknown, unless images cost as much as text. */
  readonly cachedImageInput?: number;
  /** Absent: unknown. */
  readonly audioInput?: number;
  /** Of audio in a cache; absent: unknown, unless audio costs as much as text. */
  readonly cachedAudioInput?: number;
  /** Absent: as `output`. */
  readonly imageOutput?: number;
}

/** The prices of tokens, by the length of the input. */
export interface TieredPrices extends TokenPrices {
  /** Above this number of input tokens, these prices apply to the whole request. */
  readonly tiers?: readonly (TokenPrices & { readonly aboveInputTokens: number })[];
}

/** The prices of tokens by service tier: those of the default, and of others by the name that answers have for them. */
export interface ServicePrices extends TieredPrices {
  readonly serviceTiers?: Readonly<Record<string, TieredPrices>>;
}

/** The prices of some hours of the day. */
export interface HourPrices extends ServicePrices {
  /** Minutes of the day (UTC): from the first to before the last. */
  readonly ranges: readonly { readonly from: number; readonly to: number }[];
  /** 0 (Sunday) to 6, in UTC; absent: every day. */
  readonly weekdays?: readonly number[];
  /** Days (UTC), as `2027-01-01`, on which they do not apply: public holidays at the provider. */
  readonly exceptDates?: readonly string[];
}

export interface Price extends ServicePrices {
  /** The prices of tokens at other hours; those of the first that matches apply to the whole request. */
  readonly hours?: readonly HourPrices[];
  /** Nano-dollars for each request. */
  readonly request?: number;
  /** Nano-dollars for one web search; absent: unknown, unless `webSearchRequest` is set. */
  readonly webSearch?: number;
  /** Nano-dollars for a request with any number of web searches. */
  readonly webSearchRequest?: number;
  /** Nano-dollars for a call of another tool of the provider, by the tool's name; absent: unknown. */
  readonly hostedTools?: Readonly<Record<string, number>>;
  /** Nano-dollars for one search unit: a query with up to a hundred documents; absent: unknown. */
  readonly searchUnit?: number;
  /** Nano-dollars for one character (code point) that is spoken; absent: nothing but tokens. */
  readonly characters?: number;
  /** Nano-dollars for an hour of audio that is transcribed; absent: nothing but tokens. */
  readonly audioHour?: number;
  /** Milliseconds that are charged at least for the audio of a call. */
  readonly minAudioMs?: number;
  /** Nano-dollars for one generated image, beside its tokens; absent: nothing but its tokens. */
  readonly image?: number;
  /** Nano-dollars for one image that is sent to be edited, beside its tokens; absent: nothing but its tokens. */
  readonly imageInputEach?: number;
  /** Nano-dollars for keeping one token of cached content for an hour; absent: unknown. */
  readonly cacheStorage?: number;
  /** What a region adds to the prices of all tokens, in percent, with at most two decimals. */
  readonly upliftPercent?: number;
  /** Some use is free at the provider. It is billed all the same: whose request it is that was free cannot be known. */
  readonly freeAllowance?: true;
  /** What is done with a cost that the provider itself states: billed, or compared with the computed one. */
  readonly statedCost?: 'believe' | 'compare';
}

/** A price and the Unix second from which it is valid. */
export interface DatedPrice {
  readonly from: number;
  readonly price: Price;
}
