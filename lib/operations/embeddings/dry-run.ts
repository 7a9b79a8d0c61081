/** The dry run of embeddings. Its tokens are counted in `cl100k_base`, whichever the model has. */
import { inTurns } from '../../async/in-turns.ts';
import type { Call } from '../../core/endpoint.ts';
import type { Change } from '../../normalization/rule.ts';
import { countTokens } from '../../pipeline/byte-pairs/byte-pairs.ts';
import { dryRun } from '../../pipeline/dry-run/dry-run.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import type { EmbeddingsInput } from './read.ts';
import { embeddingsTask } from './task.ts';

/** Rejects as `dryRun`. */
export async function embeddingsDry(
  parts: PipelineParts,
  call: Call<EmbeddingsInput>,
  redacted: readonly Change[],
) {
  const { input } = call;
  const cacheable = async () => (await import('./cached.ts')).cacheableOf(input);
  const { report, ...first } = await dryRun(parts, embeddingsTask(parts, input), call, input, cacheable);
  const { changes, request } = first.prepared;
  let inputTokens = 0;
  for (const text of request.texts) {
    inputTokens += await inTurns(countTokens(text, Number.POSITIVE_INFINITY), call.signal);
  }
  const exact = first.target.model.traits.embedding?.tokenizer === 'cl100k_base';
  return {
    first,
    promptTokens: inputTokens,
    dry: { report: report({ inputTokens, exact }, [...redacted, ...first.changes, ...changes]) },
  };
}
