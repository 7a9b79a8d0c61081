/** What the playground sends to a model: its settings, the turns before, and the prompt. Nothing of it is kept. */
import { ApiError } from '../../api/api-error.ts';
import type { Answered, ToolCall } from './answer.ts';

export interface Turn {
  readonly prompt: string;
  /** A data URL. */
  readonly image: string;
  /** Who is charged. */
  readonly tenant: string;
  /** What it showed is only what would be sent: it is not part of the conversation. */
  readonly isDry: boolean;
  /** By model. */
  readonly answers: Readonly<Record<string, Answered>>;
}

export interface PlaygroundModel {
  readonly id: string;
  /** Empty: it does not reason. */
  readonly efforts: readonly string[];
  readonly takesImages: boolean;
}

/** As they are typed; empty: not sent. */
export type Settings = Readonly<
  Record<'system' | 'temperature' | 'max_tokens' | 'reasoning_effort' | 'tools', string>
>;

export const noSettings: Settings = {
  system: '',
  temperature: '',
  max_tokens: '1000',
  reasoning_effort: '',
  tools: '',
};

type Message = Readonly<Record<string, unknown>> & { readonly role: string };

/** The body of a chat completion, without what is only for the page. @throws ApiError that names a setting. */
export function bodyOf(
  model: PlaygroundModel,
  settings: Settings,
  turns: readonly Turn[],
  next: Pick<Turn, 'prompt' | 'image'>,
) {
  const { system, temperature, max_tokens: maxTokens, reasoning_effort: effort, tools } = settings;
  return {
    model: model.id,
    messages: [
      ...(system.trim() === '' ? [] : [{ role: 'system', content: system }]),
      ...messagesOf(model.id, turns, next),
    ],
    ...(maxTokens.trim() !== '' && { max_completion_tokens: numberOf('max_tokens', maxTokens) }),
    ...(temperature.trim() !== '' && { temperature: numberOf('temperature', temperature) }),
    ...(effort !== '' && model.efforts.length > 0 && { reasoning_effort: effort }),
    ...(tools.trim() !== '' && { tools: toolsOf(tools) }),
  };
}

export type PlaygroundBody = ReturnType<typeof bodyOf>;

function messagesOf(model: string, turns: readonly Turn[], next: Pick<Turn, 'prompt' | 'image'>) {
  const messages: Message[] = [];
  let calls: readonly ToolCall[] = [];
  for (const { answers, isDry, ...turn } of turns) {
    const answer = answers[model];
    // What failed, or was stopped, is not part of the conversation.
    if (isDry || answer?.state !== 'done') continue;
    messages.push(...asked(turn, calls), said(answer));
    calls = answer.toolCalls;
  }
  return [...messages, ...asked(next, calls)];
}

/** After calls of tools, the prompt is what they returned. */
function asked(
  { prompt, image }: Pick<Turn, 'prompt' | 'image'>,
  calls: readonly ToolCall[],
): readonly Message[] {
  const shown = image === '' ? [] : [{ type: 'image_url', image_url: { url: image } }];
  if (calls.length > 0)
    return [
      ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: prompt })),
      ...(image === '' ? [] : [{ role: 'user', content: shown }]),
    ];
  return [{ role: 'user', content: image === '' ? prompt : [{ type: 'text', text: prompt }, ...shown] }];
}

const said = ({ text, toolCalls }: Answered): Message => ({
  role: 'assistant',
  content: text === '' && toolCalls.length > 0 ? null : text,
  ...(toolCalls.length > 0 && {
    tool_calls: toolCalls.map(({ id, name, arguments: given }) => ({
      id,
      type: 'function',
      function: { name, arguments: given },
    })),
  }),
});

function numberOf(param: keyof Settings, text: string): number {
  const number = Number(text);
  if (!Number.isFinite(number)) throw wrong(param, 'must be a number');
  return number;
}

function toolsOf(text: string): readonly unknown[] {
  const tools = readJson(text);
  if (!Array.isArray(tools)) throw wrong('tools', 'must be a list in JSON, as the field tools of the API');
  return tools;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw wrong('tools', `is no JSON: ${thrown instanceof Error ? thrown.message : ''}`);
  }
}

const wrong = (param: keyof Settings, problem: string) =>
  new ApiError({ status: 400, message: `This ${problem}.`, param });
