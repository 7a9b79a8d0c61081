/**
 * The names under which tools are sent. Providers take letters, digits, `_` and `-`, and few know namespaces. A tool with
 * another name is sent under one that they take, and keeps what the caller calls it in `original`; `restore-calls.ts` writes
 * calls in the caller's words again.
 *
 * Sources: OpenAI `^[a-zA-Z0-9_-]{1,64}$`; Bedrock's ToolSpecification: 64; Anthropic takes 128 of the same characters.
 */
import { createHash } from 'node:crypto';
import { pathOf } from '../../core/generation/original/source.ts';
import type { GenerationRequest, Message, Tool, ToolIdentity } from '../../core/generation/request.ts';
import { type Change, type Normalized, overridden } from '../rule.ts';

const maxLength = 64;

const accepted = /^[a-zA-Z0-9_-]{1,64}$/;

type NameOf = (tool: ToolIdentity) => ToolIdentity;

/** The request with names that every provider takes. `namespaces`: the target knows these, and takes them as they are. */
export function nameTools(request: GenerationRequest, { namespaces }: { namespaces: boolean }): Normalized {
  const sentAs = namer(request.tools, namespaces);
  const changes: Change[] = [];
  const tools = request.tools.map((tool) => {
    const sent = sentAs(tool);
    if (isSame(sent, tool)) return tool;
    const { namespace: _, ...others } = tool;
    changes.push(...changeOf(tool, sent, changes));
    return { ...others, ...sent, original: tool.original ?? identityOf(tool) };
  });
  const declared = new Set(request.tools.map(keyOf));
  const messages = request.messages.map((message) => renameCalls(message, sentAs, declared, changes));
  const { tool_choice: choice } = request.parameters;
  const parameters =
    typeof choice === 'object' ? { ...request.parameters, tool_choice: sentAs(choice) } : request.parameters;
  return { request: { ...request, tools, messages, parameters }, changes };
}

/** Gives two tools two names, and the same tool always the same one. Names that can stay as they are come first. */
function namer(tools: readonly Tool[], keepsNamespaces: boolean): NameOf {
  const owners = new Map<string, string>();
  const sentAs: NameOf = (tool) => {
    const { name, namespace, kind } = identityOf(tool);
    const isJoined = namespace !== undefined && !keepsNamespaces;
    const scope = namespace !== undefined && keepsNamespaces ? { namespace } : {};
    const joined = isJoined ? `${namespace}__${name}` : name;
    const owner = owners.get(keyOf({ name: joined, ...scope }));
    const isFree = owner === undefined || owner === keyOf(tool);
    const sent = accepted.test(joined) && isFree ? joined : shortName(joined, keyOf(tool));
    return { name: sent, ...scope, ...(kind && { kind }) };
  };
  const [joined, plain] = [tools.filter(isNamespaced), tools.filter((tool) => !isNamespaced(tool))];
  for (const tool of [...plain, ...joined]) owners.set(keyOf(sentAs(tool)), keyOf(tool));
  return sentAs;
}

const isNamespaced = ({ namespace }: ToolIdentity) => namespace !== undefined;

const identityOf = ({ name, namespace, kind }: ToolIdentity): ToolIdentity => ({
  name,
  ...(namespace !== undefined && { namespace }),
  ...(kind && { kind }),
});

const keyOf = ({ name, namespace = '' }: ToolIdentity): string => JSON.stringify([namespace, name]);

const isSame = (one: ToolIdentity, other: ToolIdentity) => keyOf(one) === keyOf(other);

/** Depends only on the tool, so that a conversation keeps its names. */
function shortName(name: string, key: string): string {
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 12);
  const readable = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxLength - digest.length - 1);
  return `${readable}_${digest}`;
}

/** One record for a renamed tool, and one for all tools of a namespace. */
function changeOf(tool: Tool, sent: ToolIdentity, earlier: readonly Change[]): readonly Change[] {
  const isJoined = tool.namespace !== undefined && sent.namespace === undefined;
  const param = pathOf(tool, isJoined ? 'namespace' : 'name');
  if (isJoined && earlier.some((change) => change.param === param)) return [];
  const before = isJoined ? { namespace: tool.namespace } : tool.name;
  const after = isJoined ? { namespace: null } : sent.name;
  const reason = isJoined
    ? 'The provider has no namespaces: each tool is sent as a function with the namespace in its name.'
    : 'The provider takes names of 1 to 64 letters, digits, underscores and dashes.';
  return [overridden(param, before, after, reason)];
}

/** A call of a declared tool is named as the tool, without a record of its own. */
function renameCalls(
  message: Message,
  sentAs: NameOf,
  declared: ReadonlySet<string>,
  changes: Change[],
): Message {
  if (message.role !== 'assistant' || message.toolCalls.every((call) => isSame(sentAs(call), call)))
    return message;
  const toolCalls = message.toolCalls.map((call) => {
    const sent = sentAs(call);
    if (isSame(sent, call)) return call;
    if (!declared.has(keyOf(call))) {
      const reason = 'The provider takes names of 1 to 64 letters, digits, underscores and dashes.';
      changes.push(overridden(pathOf(call, 'name'), call.name, sent.name, reason));
    }
    const { namespace: _, ...others } = call;
    return { ...others, ...sent };
  });
  return { ...message, toolCalls };
}
