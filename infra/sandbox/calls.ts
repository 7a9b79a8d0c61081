/**
 * Decides which functions the sandbox calls: only those that the last user text asks for (`sandbox call <function>
 * {arguments}`), or that `tool_choice` forces. So an agent never runs a command that nobody wrote, and never loops.
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { Prompt, SandboxCall, SandboxTool } from './exchange.ts';
import { isObject, textOf } from './json.ts';
import { newId } from './new-id.ts';
import { sampleArguments } from './schema-sample.ts';

/** What the user asked for. Without an input the sandbox makes up the arguments. */
interface Command {
  readonly name: string;
  readonly input?: JsonObject | 'broken' | undefined;
}

export function decideCalls(prompt: Prompt): readonly SandboxCall[] {
  if (prompt.toolChoice === 'none' || prompt.toolResults.length > 0) return [];
  const asked = askedCalls(prompt);
  const calls = asked.length > 0 ? asked : forcedTools(prompt).slice(0, 1).map(sampleCall);
  return prompt.parallel ? calls : calls.slice(0, 1);
}

/** What was asked for and cannot be called, in words. */
export function unanswered(prompt: Prompt): readonly string[] {
  if (prompt.tools.length === 0 || prompt.toolResults.length > 0) return [];
  return readCommands(prompt.lastUserText).flatMap(({ name, input }) => {
    if (toolNamed(prompt.tools, name) === undefined) {
      return [`There is no function "${name}", but ${prompt.tools.map((tool) => tool.name).join(', ')}.`];
    }
    return input === 'broken' ? [`What follows "sandbox call ${name}" is not JSON.`] : [];
  });
}

function askedCalls(prompt: Prompt): readonly SandboxCall[] {
  const { toolChoice } = prompt;
  const named = typeof toolChoice === 'object' ? toolChoice.name : undefined;
  return readCommands(prompt.lastUserText).flatMap(({ name, input }) => {
    const tool = toolNamed(prompt.tools, name);
    if (tool === undefined || input === 'broken' || (named ?? name) !== name) return [];
    return [input === undefined ? sampleCall(tool) : askedCall(tool, input)];
  });
}

function forcedTools({ tools, toolChoice }: Prompt): readonly SandboxTool[] {
  if (toolChoice === 'required') return tools;
  return typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.name) : [];
}

function sampleCall(tool: SandboxTool): SandboxCall {
  return callOf(tool, tool.isCustom ? 'sandbox' : sampleArguments(tool.schema));
}

/** A custom tool takes the text of the property `input`. */
function askedCall(tool: SandboxTool, input: JsonObject): SandboxCall {
  return callOf(tool, tool.isCustom ? textOf(input.input) : input);
}

function callOf({ name, namespace }: SandboxTool, input: SandboxCall['arguments']): SandboxCall {
  return { id: newId(''), name, ...(namespace !== undefined && { namespace }), arguments: input };
}

function toolNamed(tools: readonly SandboxTool[], name: string): SandboxTool | undefined {
  return tools.find((tool) => tool.name === name);
}

/** Two words that prompts of agents do not have in a row, and the function's name, quoted or not. */
function readCommands(text: string): readonly Command[] {
  return [...text.matchAll(/\bsandbox call ["'`]?([\w.:/-]*\w)["'`]?\s*/gi)].map((match) => ({
    name: match[1] ?? '',
    input: objectAtStart(text.slice(match.index + match[0].length)),
  }));
}

/** The JSON object that the text begins with. */
function objectAtStart(text: string): Command['input'] {
  if (!text.startsWith('{')) return undefined;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (depth === 0) return parse(text.slice(0, index + 1));
  }
  return 'broken';
}

function parse(text: string): JsonObject | 'broken' {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : 'broken';
  } catch {
    return 'broken';
  }
}
