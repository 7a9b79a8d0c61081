/** Reads which of its tools a request wants the model to use. */

import { invalid } from '../../../../core/errors/invalid.ts';
import type { GenerationParameters, ToolChoice } from '../../../../core/generation/request.ts';
import { type Notes, refuse } from '../notes.ts';
import type { MessagesBody } from '../schema.ts';
import type { Offered } from './read-tools.ts';
import { isSearch, type ToolBody } from './tool-schema.ts';

type ChoiceBody = NonNullable<MessagesBody['tool_choice']>;
type Choice = Pick<GenerationParameters, 'tool_choice' | 'parallel_tool_calls'>;

/** `bodies`: all tools, with those that other targets do not get. Throws GatewayError `invalid_request` for a tool that is not there. */
export function readChoice(
  choice: ChoiceBody | null | undefined,
  bodies: readonly ToolBody[],
  offered: Offered,
  notes: Notes,
): Choice {
  if (!choice) return {};
  const read = readType(choice, bodies, offered, notes);
  const { disable_parallel_tool_use: isOne } = choice;
  // Anthropic's protocol has no such field beside `none`.
  const parallel = isOne != null && read !== 'none' ? { parallel_tool_calls: !isOne } : {};
  return { ...(read && { tool_choice: read }), ...parallel };
}

const types: Readonly<Record<string, ToolChoice>> = { auto: 'auto', any: 'required', none: 'none' };

function readType(
  { type, name }: ChoiceBody,
  bodies: readonly ToolBody[],
  { tools }: Offered,
  notes: Notes,
): ToolChoice | undefined {
  if (type === 'tool') return readNamed(name ?? undefined, bodies, tools, notes);
  if (!Object.hasOwn(types, type)) {
    refuse(notes, 'tool_choice.type', 'is only known to Anthropic');
    return undefined;
  }
  if (type === 'any' && bodies.length === 0) throw invalid('tool_choice', "requires 'tools'");
  return types[type];
}

function readNamed(
  name: string | undefined,
  bodies: readonly ToolBody[],
  tools: Offered['tools'],
  notes: Notes,
): ToolChoice | undefined {
  if (name === undefined) throw invalid('tool_choice.name', 'is required: the name of one of the tools');
  if (tools.some((tool) => tool.name === name)) return { name };
  const body = bodies.find((tool) => tool.name === name);
  if (!body) throw invalid('tool_choice.name', "must be the name of one of the 'tools'");
  if (isSearch(body)) return 'web_search';
  refuse(notes, 'tool_choice.name', "is a tool that only Anthropic's models have");
  return undefined;
}
