/** What a request offers the model, in the caller's order: as protocols with namespaces and hosted tools send it. */
import type { GenerationRequest, HostedTool, Tool, WebSearchTool } from './request.ts';

/** All tools of a namespace. */
interface NamespaceOffer {
  readonly namespace: string;
  readonly description: string;
  readonly tools: readonly Tool[];
}

export type Offer =
  | { readonly type: 'tool'; readonly tool: Tool }
  | ({ readonly type: 'namespace' } & NamespaceOffer)
  | { readonly type: 'search'; readonly tool: WebSearchTool }
  | { readonly type: 'hosted'; readonly tool: HostedTool };

type Offering = Partial<Pick<GenerationRequest, 'tools' | 'webSearch' | 'hostedTools'>>;

export function offersOf({ tools = [], webSearch, hostedTools = [] }: Offering): readonly Offer[] {
  const offers: Offer[] = [...Map.groupBy(tools, groupOf).values()].map(offerOf);
  const placed = [
    ...(webSearch ? [{ type: 'search', tool: webSearch } as const] : []),
    ...hostedTools.map((tool) => ({ type: 'hosted', tool }) as const),
  ];
  for (const offer of placed.toSorted((one, other) => one.tool.position - other.tool.position)) {
    offers.splice(offer.tool.position, 0, offer);
  }
  return offers;
}

const groupOf = (tool: Tool) => tool.namespace ?? tool;

function offerOf(tools: readonly Tool[]): Offer {
  const [first] = tools;
  if (first && first.namespace === undefined) return { type: 'tool', tool: first };
  const { namespace = '', namespaceDescription: description = '' } = first ?? {};
  return { type: 'namespace', namespace, description, tools };
}

/** Whether the model may call anything: a tool of the request, or one that an item of the conversation adds. */
export function hasTools({ tools, hostedTools, messages }: GenerationRequest): boolean {
  if (tools.length > 0 || hostedTools !== undefined) return true;
  const items = messages.flatMap((message) => (message.role === 'assistant' ? (message.items ?? []) : []));
  return items.some((item) => item.tools !== undefined);
}
