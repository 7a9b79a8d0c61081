/** How often an answer used the provider's own tools, by the tool's name. */

export type ToolCounts = Readonly<Record<string, number>>;

/** More than any provider has; the calls of further tools have one name together. */
const maxCountedTools = 32;

/** Names of tools are short words, and none that every object has. The records of the ledger have them. */
const isName = (name: string) => /^[\w.:-]{1,64}$/.test(name) && !(name in Object.prototype);

/** Some more calls of a tool. */
export function addCalls(counts: Record<string, number>, name: string, calls = 1): void {
  const isCounted =
    Object.hasOwn(counts, name) || (Object.keys(counts).length < maxCountedTools && isName(name));
  const counted = isCounted ? name : 'other';
  counts[counted] = (counts[counted] ?? 0) + calls;
}

/** The larger count of each tool: what an answer shows and what its usage counts are the same calls. */
export function mergeToolCounts(one: ToolCounts, other: ToolCounts): ToolCounts {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, Math.max(one[name] ?? 0, other[name] ?? 0)]));
}

/** The field of a usage; none without a call. */
export function hostedCallsOf(counts: ToolCounts): { readonly hostedCalls?: ToolCounts } {
  return Object.keys(counts).length > 0 ? { hostedCalls: counts } : {};
}
