/**
 * Writes a generation request as an OpenAI chat completion request. What a model refuses is not known here: rules ran
 * before, and what they left goes out under its public name.
 */
import type {
  AssistantMessage,
  ContentPart,
  GenerationRequest,
  JsonObject,
  Message,
  Tool,
  ToolCall,
  ToolChoice,
} from '../../core/generation.ts';
import type { Target } from '../../core/model.ts';

export function encode(request: GenerationRequest, target: Target): JsonObject {
  const { tool_choice: toolChoice, ...parameters } = request.parameters;
  const systemRole = target.model.traits.reasoning === undefined ? 'system' : 'developer';
  return {
    model: target.deployment.upstreamId,
    messages: request.messages.map((message) => encodeMessage(message, systemRole)),
    ...(request.tools.length > 0 && { tools: request.tools.map(encodeTool) }),
    ...parameters,
    ...(toolChoice !== undefined && { tool_choice: encodeToolChoice(toolChoice) }),
    // Usage is always asked for: the gateway bills by it, whether or not the caller sees it.
    ...(request.stream && { stream: true, stream_options: { include_usage: true } }),
  };
}

/** Reasoning and cache markers are no part of this wire; the rules report that they stay behind. */
function encodeMessage(message: Message, systemRole: string): JsonObject {
  const name = message.name === undefined ? {} : { name: message.name };
  switch (message.role) {
    case 'system':
      return { role: systemRole, content: encodeContent(message.content), ...name };
    case 'user':
      return { role: 'user', content: encodeContent(message.content), ...name };
    case 'assistant':
      return { ...encodeAssistant(message), ...name };
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: message.toolCallId,
        content: encodeContent(message.content),
        ...name,
      };
  }
}

function encodeAssistant({ content, refusal, toolCalls }: AssistantMessage): JsonObject {
  const saysNothing = content.length === 0 && (toolCalls.length > 0 || refusal !== undefined);
  return {
    role: 'assistant',
    content: saysNothing ? null : encodeContent(content),
    ...(refusal !== undefined && { refusal }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(encodeToolCall) }),
  };
}

/** A single text is sent as a plain string: every compatible host takes that form. */
function encodeContent(parts: readonly ContentPart[]): string | readonly JsonObject[] {
  const [first, ...others] = parts;
  if (first === undefined) return '';
  if (first.type === 'text' && others.length === 0) return first.text;
  return parts.map(encodePart);
}

function encodePart(part: ContentPart): JsonObject {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { url, detail } = part;
  return { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } };
}

function encodeToolCall({ id, name, arguments: text }: ToolCall): JsonObject {
  return { id, type: 'function', function: { name, arguments: text.trim() === '' ? '{}' : text } };
}

function encodeTool(tool: Tool): JsonObject {
  return { type: 'function', function: { ...tool } };
}

function encodeToolChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}
