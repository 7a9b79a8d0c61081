/** What Anthropic does beside generating: left out for targets of other protocols, or refused where the request is about it. */
import { isJsonObject } from '../../../core/formats/json-object.ts';
import { sizeOf } from '../../../normalization/conversation/summarize.ts';
import { leaveOut, type Notes, refuse } from './notes.ts';
import type { MessagesBody } from './schema.ts';

/** Without it the answer would be another one. */
const needed = {
  mcp_servers: 'is only supported by Anthropic: other models call no MCP servers',
  compaction: 'is only supported by Anthropic',
} as const;

/** Without them the answer costs more, or fails where it need not. */
const helpful = ['context_management', 'fallbacks'] as const;

/** Anywhere, as every provider does without it. */
const anywhere = 'global';

export function noteFeatures(body: MessagesBody, notes: Notes): void {
  for (const [name, problem] of Object.entries(needed)) {
    if (isGiven(body[name as keyof typeof needed])) refuse(notes, name, problem);
  }
  noteContainer(body, notes);
  for (const name of helpful) {
    if (isGiven(body[name])) leaveOut(notes, name, sizeOf(body[name]));
  }
  const { inference_geo: region } = body;
  if (region != null && region !== anywhere) {
    refuse(notes, 'inference_geo', `is only supported by Anthropic, unless it is '${anywhere}'`);
  }
}

/** Code is run there only by tools that are refused; skills are run without any. */
function noteContainer({ container }: MessagesBody, notes: Notes): void {
  if (isJsonObject(container) && isGiven(container.skills)) {
    refuse(notes, 'container', 'is only supported by Anthropic: other models run no skills');
  } else if (isGiven(container)) leaveOut(notes, 'container', 'an id');
}

const isGiven = (value: unknown): boolean => value != null && !(Array.isArray(value) && value.length === 0);
