/**
 * A second calculation of what a call costs: from the counts as the provider writes them, and the row as the operator writes it.
 * It shares nothing with the gateway's own, and computes with whole numbers of a billionth of a nano-dollar.
 */
import type { Amounts, PriceRow, Protocol } from './models.ts';

/** The counts of one call, in the provider's own format. */
export type RawUsage = Readonly<Record<string, unknown>>;

/** The tokens of one call, each in one class only. */
interface Bill {
  /** What the thresholds of long inputs are compared with. */
  readonly input: number;
  readonly lines: readonly (readonly [price: keyof Omit<Amounts, 'tiers'>, tokens: number])[];
  readonly searches: number;
}

const numberAt = (source: unknown, ...path: readonly string[]): number => {
  const value = path.reduce<unknown>(
    (found, name) => (found as Record<string, unknown> | undefined)?.[name],
    source,
  );
  return typeof value === 'number' ? value : 0;
};

/** Of protocols that count what was read from a cache as input, too. */
const textBill = (input: number, cached: number, output: number): Bill => ({
  input,
  lines: [
    ['input', input - cached],
    ['cachedInput', cached],
    ['output', output],
  ],
  searches: 0,
});

const bills: Readonly<Record<Protocol, (usage: RawUsage) => Bill>> = {
  chat: (usage) =>
    textBill(
      numberAt(usage, 'prompt_tokens'),
      numberAt(usage, 'prompt_tokens_details', 'cached_tokens'),
      numberAt(usage, 'completion_tokens'),
    ),
  responses: (usage) =>
    textBill(
      numberAt(usage, 'input_tokens'),
      numberAt(usage, 'input_tokens_details', 'cached_tokens'),
      numberAt(usage, 'output_tokens'),
    ),
  messages(usage) {
    const plain = numberAt(usage, 'input_tokens');
    const read = numberAt(usage, 'cache_read_input_tokens');
    const written = numberAt(usage, 'cache_creation_input_tokens');
    const hour = numberAt(usage, 'cache_creation', 'ephemeral_1h_input_tokens');
    return {
      input: plain + read + written,
      lines: [
        ['input', plain],
        ['cachedInput', read],
        ['cacheWrite', written - hour],
        ['cacheWriteHour', hour],
        ['output', numberAt(usage, 'output_tokens')],
      ],
      searches: numberAt(usage, 'server_tool_use', 'web_search_requests'),
    };
  },
  gemini: (usage) =>
    textBill(
      numberAt(usage, 'promptTokenCount'),
      numberAt(usage, 'cachedContentTokenCount'),
      numberAt(usage, 'candidatesTokenCount') + numberAt(usage, 'thoughtsTokenCount'),
    ),
  embeddings(usage) {
    const input = numberAt(usage, 'prompt_tokens');
    return { input, lines: [['input', input]], searches: 0 };
  },
  images(usage) {
    const input = numberAt(usage, 'input_tokens');
    return {
      input,
      lines: [
        ['input', numberAt(usage, 'input_tokens_details', 'text_tokens')],
        ['imageInput', numberAt(usage, 'input_tokens_details', 'image_tokens')],
        ['imageOutput', numberAt(usage, 'output_tokens')],
      ],
      searches: 0,
    };
  },
  'gemini-images'(usage) {
    const drawn = numberAt(usage, 'candidatesTokenCount');
    const input = numberAt(usage, 'promptTokenCount');
    return {
      input,
      lines: [
        ['input', input],
        ['imageOutput', drawn],
        ['output', numberAt(usage, 'thoughtsTokenCount')],
      ],
      searches: 0,
    };
  },
};

/** Names of the default tier in the answers of providers. */
const usual = new Set(['default', 'standard', 'auto', 'standard_only']);

const scale = 1_000_000;
const scaled = (usd: number) => BigInt(Math.round(usd * scale));

/** In nano-dollars; null where the row has no price for something that was used. */
export function listPrice(protocol: Protocol, usage: RawUsage, row: PriceRow, tier?: string): bigint | null {
  const bill = bills[protocol](usage);
  const isUsual = tier === undefined || usual.has(tier);
  const amounts: Amounts | undefined = isUsual ? row : row.serviceTiers?.[tier];
  if (!amounts) return null;
  const reached = (amounts.tiers ?? []).filter(({ aboveInputTokens }) => bill.input > aboveInputTokens);
  const valid = reached.at(-1) ?? amounts;
  let sum = 0n;
  for (const [name, tokens] of bill.lines) {
    const usd = valid[name] ?? fallbackOf(name, valid);
    if (usd === undefined && tokens > 0) return null;
    // USD for a million tokens, times a million: a thousandth of it is nano-dollars for one token.
    sum += (BigInt(tokens) * scaled(usd ?? 0)) / 1_000n;
  }
  if (bill.searches > 0 && row.webSearch === undefined) return null;
  return sum + BigInt(bill.searches) * scaled(row.webSearch ?? 0);
}

/** What the row leaves out costs as plain input or output, but for content that is kept an hour. */
function fallbackOf(name: keyof Omit<Amounts, 'tiers'>, amounts: Omit<Amounts, 'tiers'>): number | undefined {
  if (name === 'cacheWriteHour') return undefined;
  return name === 'imageOutput' ? amounts.output : amounts.input;
}

/** What a tenant pays: `cost` with a markup in hundredths of a percent, half a nano-dollar up. */
export function markedUp(cost: bigint, markup: number): bigint {
  const tenThousandths = cost * BigInt(10_000 + markup);
  return (tenThousandths + 5_000n) / 10_000n;
}
