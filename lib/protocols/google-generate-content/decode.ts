/**
 * Converts answers of the Gemini API, streamed or not, to events. Each frame of a stream is an answer with only its new
 * parts, so both use the same functions. Errors are in `failure.ts`.
 */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { eventsOf, type GenerationEvent } from '../../core/generation/events.ts';
import type { StreamDecoder } from '../../core/generation/original/protocol.ts';
import { addCalls, hostedCallsOf } from '../../core/generation/tools/tool-counts.ts';
import type { Counted } from '../../core/generation/usage.ts';
import { readChoiceIndex, upstreamError } from '../failure.ts';
import { asOptionalText } from '../json.ts';
import { type Choice, countSearches, newChoice, onChoiceEnd, onLogprobs, onPart } from './choice.ts';
import { readReportedFailure } from './failure.ts';
import { groundingOf, readHostedCalls } from './grounding.ts';
import { readTier, readUsage } from './usage.ts';
import type * as wire from './wire.ts';

interface State {
  readonly choices: Map<number, Choice>;
  usage: Counted | undefined;
  serviceTier: string | undefined;
  /** Google blocked the prompt: then there are no candidates. */
  isBlocked: boolean;
  isStarted: boolean;
}

/** The functions below append their events to this list. */
type Events = GenerationEvent[];

const newState = (): State => ({
  choices: new Map(),
  usage: undefined,
  serviceTier: undefined,
  isBlocked: false,
  isStarted: false,
});

/** @throws GatewayError `upstream_invalid_answer` for a body without candidates, or the error in the body. */
export function decodeBody(body: unknown): readonly GenerationEvent[] {
  const state = newState();
  const answer = asObject<wire.Answer>(body);
  return eventsOf((events) => {
    onAnswer(state, answer, events);
    if (state.choices.size === 0 && !state.isBlocked) throw upstreamError('upstream_invalid_answer');
    onEnd(state, events);
  });
}

export function decodeStream(): StreamDecoder {
  const state = newState();
  return {
    onFrame: ({ data }) =>
      eventsOf((events) => onAnswer(state, asObject<wire.Answer>(parseJson(data)), events)),
    usageSoFar: () => state.usage?.usage,
    onEnd: () => eventsOf((events) => onEnd(state, events)),
  };
}

function onAnswer(state: State, answer: wire.Answer, events: Events): void {
  const failure = readReportedFailure(answer);
  if (failure !== undefined) throw failure;
  const candidates = asArray(answer.candidates);
  state.usage = onCount(answer.usageMetadata) ?? state.usage;
  state.serviceTier = readTier(answer.usageMetadata) ?? state.serviceTier;
  state.isBlocked ||=
    asOptionalText(asObject<wire.PromptFeedback>(answer.promptFeedback).blockReason) !== undefined;
  if (candidates.length > 0 || state.isBlocked) onStart(state, events);
  for (const [position, candidate] of candidates.entries()) {
    onCandidate(state, asObject<wire.Candidate>(candidate), position, events);
  }
}

function onCandidate(state: State, candidate: wire.Candidate, position: number, events: Events): void {
  const index = readChoiceIndex(candidate.index, position);
  const choice = state.choices.get(index) ?? newChoice(index);
  state.choices.set(index, choice);
  for (const part of asArray(asObject<wire.Content>(candidate.content).parts))
    onPart(choice, asObject<wire.Part>(part), events);
  onLogprobs(index, asObject<wire.Logprobs>(candidate.logprobsResult), events);
  if (candidate.groundingMetadata !== undefined) {
    choice.grounding = { ...choice.grounding, ...groundingOf(candidate.groundingMetadata) };
  }
  choice.reason = asOptionalText(candidate.finishReason) ?? choice.reason;
}

function onStart(state: State, events: Events): void {
  if (state.isStarted) return;
  state.isStarted = true;
  const { serviceTier } = state;
  events.push({ type: 'start', ...(serviceTier !== undefined && { serviceTier }) });
}

function onCount(metadata: unknown): Counted | undefined {
  const usage = readUsage(metadata);
  return usage && { usage, raw: asObject(metadata) };
}

function onUsage({ usage: counted, serviceTier, choices }: State, events: Events): void {
  if (counted === undefined) return;
  const webSearches = [...choices.values()].reduce((sum, choice) => sum + countSearches(choice), 0);
  const hosted = {};
  for (const { grounding } of choices.values()) {
    for (const tool of readHostedCalls(grounding)) addCalls(hosted, tool);
  }
  const usage = {
    ...counted.usage,
    ...(webSearches > 0 && { webSearches }),
    ...hostedCallsOf(hosted),
  };
  events.push({ type: 'usage', ...counted, usage, ...(serviceTier !== undefined && { serviceTier }) });
}

/** The protocol has no end mark. A candidate without a reason has not ended. */
function onEnd(state: State, events: Events): void {
  if (state.isBlocked) onBlocked(state.choices);
  const choices = [...state.choices.values()];
  const isCut = choices.some(({ reason }) => reason === undefined);
  if (choices.length === 0 || isCut) throw upstreamError('upstream_cut');
  for (const choice of choices) onChoiceEnd(choice, events);
  onUsage(state, events);
}

/** A blocked prompt usually has no candidates. Choices that have not ended then end with `content_filter`. */
function onBlocked(choices: Map<number, Choice>): void {
  if (choices.size === 0) choices.set(0, newChoice(0));
  for (const choice of choices.values()) choice.reason ??= 'SAFETY';
}
