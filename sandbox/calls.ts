/**
 * Decides which functions the sandbox calls: only those that the last user text asks for (`sandbox call <function>
 * {arguments}`), or that `tool_choice` forces. So an agent runs only commands from its own input, and never loops.
 */
import type { JsonObject } from '../lib/core/generation/request.ts';
import { followExample, followSchema } from './described-json.ts';
import { newId, type Prompt, type SandboxCall, type SandboxTool } from './exchange.ts';
import { isObject, objectAtStart, textOf } from './json.ts';
import { command } from './round.ts';
import { sampleArguments } from './schema-sample.ts';

/** What the user asked for. Without an input the sandbox makes up the arguments. */
interface Command {
  readonly name: string;
  /** In which of the model's answers, from 0: `then` begins the next one. */
  readonly round: number;
  readonly input?: ReturnType<typeof objectAtStart>;
}

export function decideCalls(prompt: Prompt): readonly SandboxCall[] {
  if (prompt.toolChoice === 'none') return [];
  const asked = askedCalls(prompt);
  const calls = asked.length > 0 ? asked : forcedTools(prompt).map((tool) => forcedCall(tool, prompt));
  return prompt.parallel ? calls : calls.slice(0, 1);
}

/** What was asked for and cannot be called, in words. */
export function unanswered(prompt: Prompt): readonly string[] {
  if (prompt.tools.length === 0 || prompt.toolResults.length > 0 || prompt.callRounds > 0) return [];
  return readCommands(taskOf(prompt)).flatMap(({ name, input }) => {
    if (toolNamed(prompt.tools, name) === undefined) {
      return [`There is no function "${name}", but ${prompt.tools.map((tool) => tool.name).join(', ')}.`];
    }
    return input === 'broken' ? [`What follows "sandbox call ${name}" is not JSON.`] : [];
  });
}

function askedCalls(prompt: Prompt): readonly SandboxCall[] {
  const { toolChoice } = prompt;
  const named = typeof toolChoice === 'object' ? toolChoice.name : undefined;
  const commands = readCommands(taskOf(prompt)).filter(({ round }) => round === prompt.callRounds);
  return commands.flatMap(({ name, input }) => {
    const tool = toolNamed(prompt.tools, name);
    if (tool === undefined || input === 'broken' || (named ?? name) !== name) return [];
    return [input === undefined ? sampleCall(tool) : askedCall(tool, input)];
  });
}

/**
 * The one that is named. Where any is required: another one in every turn, and each once before the user says something
 * new, so that agents reach the tool that ends their work.
 */
function forcedTools({ tools, toolChoice, turns, callRounds }: Prompt): readonly SandboxTool[] {
  if (toolChoice === 'required') {
    const next = turns % tools.length;
    return callRounds < tools.length ? tools.slice(next, next + 1) : [];
  }
  if (typeof toolChoice !== 'object' || callRounds > 0) return [];
  return tools.filter(({ name }) => name === toolChoice.name);
}

/** A tool that takes any object is how Claude answers in JSON: the prompt describes it. */
function forcedCall(tool: SandboxTool, { input }: Prompt): SandboxCall {
  const described = 'properties' in tool.schema ? undefined : (followSchema(input) ?? followExample(input));
  return isObject(described) && !tool.isCustom ? callOf(tool, described) : sampleCall(tool);
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

const taskOf = ({ task, lastUserText }: Prompt): string => task ?? lastUserText;

function readCommands(text: string): readonly Command[] {
  const found = text.matchAll(command);
  return [...found].map((match, index, all) => ({
    name: match[2] ?? '',
    round: all.slice(0, index + 1).filter(([, then]) => then !== undefined).length,
    input: objectAtStart(text.slice(match.index + match[0].length)),
  }));
}
