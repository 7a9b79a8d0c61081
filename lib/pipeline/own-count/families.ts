/**
 * What the models of each owner count beyond the tokens of `cl100k_base`. All figures are upper bounds, because a client that
 * relies on a count compresses its conversation too late if it is too low.
 */
import type { ImageSize } from '../../core/formats/image-size.ts';

export interface Family {
  /** Tokens of the owner's models for one of `cl100k_base`. */
  readonly perToken: number;
  /** What stands around any conversation: the model's own instructions. */
  readonly perRequest: number;
  /** What explains the use of tools, where there are any. */
  readonly perTools: number;
  /** Tokens of an image; `size` is undefined where its bytes do not say. */
  readonly image: (size: ImageSize | undefined) => number;
  /** Tokens of one page of a PDF, as an image and as text. */
  readonly perPage: number;
}

/** Source: platform.claude.com, "PDF support": 1,500 to 3,000 tokens of text, and an image of each page. */
const textOfPage = 3_000;

/** By area: one token for so many pixels, and at most so many for one image. */
const byArea =
  (pixels: number, max: number) =>
  (size: ImageSize | undefined): number =>
    size ? Math.min(max, Math.ceil((size.width * size.height) / pixels)) : max;

/**
 * In squares: so many tokens for each that is begun, so many more for the whole, and at most so many for one image. A picture
 * whose size is unknown counts as a large one.
 */
const bySquares =
  (side: number, tokens: number, more: number, max: number) =>
  (size: ImageSize | undefined): number => {
    const { width, height } = size ?? unknownSize;
    return Math.min(max, Math.ceil(Math.ceil(width / side) * Math.ceil(height / side) * tokens + more));
  };

const unknownSize: ImageSize = { width: 2048, height: 2048 };

/**
 * Tokens for 28 by 28 pixels, which Llama and Grok count in squares of 336 or 448 with a small image of the whole, and Qwen up to
 * 16,384. Sources: "Llama 4" in huggingface/transformers (336 pixels, 144 tokens); docs.x.ai, "Image understanding"; the model
 * card of Qwen2-VL-7B-Instruct; the configurations of Kimi-K2.5 and Pixtral's followers (patches of 14, merged by two).
 */
const standard: Family = {
  perToken: 1.2,
  perRequest: 100,
  perTools: 200,
  image: bySquares(448, 256, 256, 16_384),
  perPage: textOfPage + 3_000,
};

const families: Readonly<Record<string, Family>> = {
  /**
   * Sources: platform.claude.com, "Images and vision" (750 pixels, 4,784 tokens from Opus 4.7 on), "Token counting" (the newer
   * tokenizer makes about 30 percent more), "Tool use" (up to 346 tokens for the models that are served).
   */
  anthropic: {
    perToken: 1.5,
    perRequest: 50,
    perTools: 650,
    image: byArea(750, 4_784),
    perPage: textOfPage + 4_784,
  },
  /**
   * Patches of 32 pixels, up to 2.46 tokens each, of which newer models take 10,000 and the newest 30,000. The tiles of older
   * ones are fewer. Source: developers.openai.com, "Images and vision".
   */
  openai: {
    perToken: 1.1,
    perRequest: 80,
    perTools: 230,
    image: bySquares(32, 2.46, 100, 30_000),
    perPage: textOfPage + 3_000,
  },
  /** Source: ai.google.dev, "Token counting" and "Media resolution": 258 tokens for a square of 768, 1,120 at most. */
  google: {
    perToken: 1.25,
    perRequest: 20,
    perTools: 100,
    image: bySquares(768, 258, 1_120, 16_384),
    perPage: textOfPage + 1_120,
  },
  /** The instructions on tools are long: 1,400 tokens in a recorded request with one. */
  cohere: { ...standard, perTools: 1_500 },
};

export const familyOf = (owner: string): Family =>
  (Object.hasOwn(families, owner) ? families[owner] : undefined) ?? standard;
