/** What Anthropic caches of a request, and what it refuses in its caching markers. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { isObject, objectOf, objectsOf, textOf } from '../json.ts';
import { type CacheBlock, type CacheCounts, createPromptCache, maxMarkers } from '../prompt-cache.ts';
import { refuse } from './refuse.ts';

const count = createPromptCache();

export function countCache(body: JsonObject): CacheCounts {
  const blocks = blocksOf(body);
  // At the top of the body: a marker on the last block.
  const markers = [...blocks.map(({ marker }) => marker), body.cache_control].filter(isObject);
  if (markers.length > maxMarkers) {
    refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${markers.length}.`);
  }
  checkLifetimes(markers);
  const marked = isObject(body.cache_control) ? lastMarked(blocks, body.cache_control) : blocks;
  return count([{ content: body.model, marked: false }, ...marked]);
}

function lastMarked(blocks: readonly MarkedBlock[], marker: JsonObject): readonly MarkedBlock[] {
  const hour = marker.ttl === '1h';
  return blocks.map((block, index) =>
    index === blocks.length - 1 ? { ...block, marked: true, hour } : block,
  );
}

function checkLifetimes(markers: readonly JsonObject[]): void {
  // Source: `CacheControlEphemeral` in @anthropic-ai/sdk 1.12.0; its `scope` belongs to a beta.
  const typeless = markers.find(({ type }) => type !== 'ephemeral');
  if (typeless) refuse("cache_control.type: Input should be 'ephemeral'");
  const odd = markers.find(({ ttl }) => ttl !== undefined && ttl !== '5m' && ttl !== '1h');
  if (odd) refuse("cache_control.ephemeral.ttl: Input should be '5m' or '1h'");
  const short = markers.findIndex(({ ttl }) => ttl !== '1h');
  if (short >= 0 && markers.slice(short).some(({ ttl }) => ttl === '1h')) {
    refuse("a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.");
  }
}

type MarkedBlock = CacheBlock & { readonly marker: unknown };

function blocksOf(body: JsonObject): readonly MarkedBlock[] {
  const system = typeof body.system === 'string' ? [{ text: body.system }] : objectsOf(body.system);
  return [
    ...objectsOf(body.tools).map((tool) => toBlock(tool, 'tool')),
    ...system.map((block) => toBlock(block, 'system')),
    ...objectsOf(body.messages).flatMap(messageBlocks),
  ];
}

function messageBlocks({ role, content }: JsonObject): readonly MarkedBlock[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
  return blocks.map((block) => {
    const unmarkable = block.type === 'thinking' || block.type === 'redacted_thinking';
    if (unmarkable && 'cache_control' in block) refuse('cache_control cannot be set on thinking blocks');
    return toBlock(block, textOf(role));
  });
}

function toBlock({ cache_control: marker, ...content }: JsonObject, kind: string): MarkedBlock {
  const hour = objectOf(marker).ttl === '1h';
  return { content: { kind, ...content }, marker, marked: isObject(marker), hour };
}
