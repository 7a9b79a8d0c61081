/** Moderation: `POST /v1/moderations`. */
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import type { ModerationRequest } from '../../core/generation/moderation.ts';
import { guardTexts } from '../../pipeline/guard-input.ts';
import type { Moderated, ModerationCall } from '../../pipeline/moderation/call-moderation.ts';
import { moderationsTask, textIn } from '../../pipeline/moderation/task.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { runTargets, type TargetAnswer } from '../../pipeline/run-targets.ts';
import { mayBeFree } from '../../pipeline/use/may-be-free.ts';
import { warmUp } from '../../pipeline/warm-up.ts';
import { gatewayHeaders, writeDebug } from '../answer-facts.ts';
import { type ModerationsInput, readModerations } from './read.ts';
import { moderationsSchema } from './schema.ts';

export function moderationsEndpoint(
  parts: PipelineParts,
): Endpoint<typeof moderationsSchema, ModerationsInput> {
  return {
    schema: moderationsSchema,
    read: readModerations,
    prepare: ({ model }) => warmUp(parts, { model }),
    mayBeFree: mayBeFree(parts, 'moderations'),
    async answer(call) {
      const { request, changes } = await guarded(parts, call);
      const first = await runTargets(parts, moderationsTask(parts, { ...call.input, request }), call);
      parts.health.succeeded(first.target);
      return write(call, { ...first, changes: [...changes, ...first.changes] });
    },
  };
}

/** The request as guardrails let it pass. */
async function guarded(parts: PipelineParts, call: Call<ModerationsInput>) {
  const { input } = call.input.request;
  const isList = input.length > 1;
  const given = input.flatMap((one, index) => {
    const text = textIn(one);
    return text === undefined ? [] : [{ text, path: isList ? `input.${index}` : 'input' }];
  });
  const { texts, changes } = await guardTexts(parts, given, call);
  const left = texts.values();
  const next = () => left.next().value ?? '';
  const isTexts = (list: typeof input): list is readonly string[] => typeof list[0] === 'string';
  const request: ModerationRequest = {
    input: isTexts(input)
      ? [...texts]
      : input.map((one) => (one.type === 'text' ? { ...one, text: next() } : one)),
  };
  return { request, changes };
}

/** An id that is the provider's, or that of the request in the form of OpenAI's. */
const ownId = /^[\w-]{1,100}$/;

function write(
  call: Call<ModerationsInput>,
  { target, attempts, changes, answer }: TargetAnswer<ModerationCall, Moderated>,
): Answer {
  const { id = '', results, sandbox } = answer;
  call.facts.normalizations = changes.length;
  const debug = writeDebug(call, { target, changes, attempts });
  const body = {
    id: ownId.test(id) ? id : `modr-${call.requestId}`,
    model: target.model.id,
    results,
    ...(debug && { debug }),
  };
  return { type: 'json', headers: gatewayHeaders({ changes, sandbox }), body };
}
