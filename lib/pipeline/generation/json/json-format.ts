/** Which answers must be checked: those whose format the target does not guarantee. */
import { isDeepStrictEqual } from 'node:util';
import type { Target } from '../../../core/catalog/model.ts';
import { renamePath } from '../../../core/generation/original/source.ts';
import type { GenerationRequest, JsonObject } from '../../../core/generation/request.ts';

export interface JsonFormat {
  readonly type: 'json_object' | 'json_schema';
  readonly schema: JsonObject;
  /** Whether the model knows the format only in words. */
  readonly inWords: boolean;
  /** The field that asks for the format. */
  readonly param: string;
}

const anyObject: JsonObject = { type: 'object' };

/** Undefined for text, and for a format that the target guarantees. `sent` is the request as the target takes it. */
export function formatToCheck(
  given: GenerationRequest,
  sent: GenerationRequest,
  { model }: Target,
): JsonFormat | undefined {
  const format = given.parameters.response_format;
  if (format === undefined || format.type === 'text') return undefined;
  const inWords = sent.parameters.response_format?.type !== format.type;
  const form = { type: format.type, inWords, param: renamePath('response_format', given.parameterPaths) };
  if (format.type === 'json_object') return inWords ? { ...form, schema: anyObject } : undefined;
  const { schema = anyObject, strict } = format.json_schema;
  const isSame = isDeepStrictEqual(sent.parameters.response_format, format);
  const isGuaranteed = isSame && strict === true && model.traits.structuredOutput === 'schema';
  return isGuaranteed ? undefined : { ...form, schema };
}
