/** The dry run of embeddings. Its tokens are counted in `cl100k_base`, which the models of OpenAI have. */
import { inTurns } from '../../async/in-turns.ts';
import type { Call } from '../../core/endpoint.ts';
import { countTokens } from '../../pipeline/byte-pairs/byte-pairs.ts';
import { dryRun } from '../../pipeline/dry-run/dry-run.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import type { EmbeddingsInput } from './read.ts';
import { embeddingsTask } from './task.ts';

/** Rejects as `dryRun`. */
export async function embeddingsDry(parts: PipelineParts, call: Call<EmbeddingsInput>) {
  const { report, ...first } = await dryRun(parts, embeddingsTask(parts, call.input), call, call.input);
  const { changes, request } = first.prepared;
  let inputTokens = 0;
  for (const text of request.texts) {
    inputTokens += await inTurns(countTokens(text, Number.POSITIVE_INFINITY), call.signal);
  }
  const exact = first.target.model.id.startsWith('openai/');
  return {
    first,
    promptTokens: inputTokens,
    dry: { report: report({ inputTokens, exact }, [...first.changes, ...changes]) },
  };
}
