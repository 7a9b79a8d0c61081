/** What Bedrock caches of a request, and what it refuses in its cache points. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { objectOf, objectsOf, textOf } from '../json.ts';
import { type CacheBlock, type CacheCounts, createPromptCache, maxMarkers } from '../prompt-cache.ts';
import { refuse } from './refuse.ts';

const count = createPromptCache();

/** Models that take cache points, and those that take them beside tools, too. */
const caching = /anthropic\.claude|amazon\.nova/;
const cachingTools = /anthropic\.claude/;

export function countCache(body: JsonObject, model: string): CacheCounts {
  const tools = toBlocks(objectOf(body.toolConfig).tools, 'tool');
  const rest = [
    ...toBlocks(body.system, 'system'),
    ...objectsOf(body.messages).flatMap(({ role, content }) => toBlocks(content, textOf(role))),
  ];
  const blocks = [...tools, ...rest];
  const points = blocks.filter(({ marked }) => marked).length;
  const refused = !caching.test(model) || (tools.some(({ marked }) => marked) && !cachingTools.test(model));
  if (points > 0 && refused) {
    refuse(
      'You invoked an unsupported model or your request did not allow prompt caching.',
      403,
      'AccessDeniedException',
    );
  }
  if (points > maxMarkers)
    refuse(`The request has ${points} cache points; at most ${maxMarkers} are allowed.`);
  return count([{ content: model, marked: false }, ...blocks]);
}

/** A cache point marks the block before it. */
function toBlocks(value: unknown, kind: string): readonly CacheBlock[] {
  const blocks: CacheBlock[] = [];
  for (const block of objectsOf(value)) {
    const last = blocks.pop();
    if (!('cachePoint' in block))
      blocks.push(...(last ? [last] : []), { content: { kind, ...block }, marked: false });
    else if (!last || last.marked) refuse('A cache point must follow a content block.');
    else blocks.push({ ...last, marked: true, hour: objectOf(block.cachePoint).ttl === '1h' });
  }
  return blocks;
}
