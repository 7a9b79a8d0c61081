/**
 * Moderation of a chat's or response's input and output, for targets that do not make it themselves: in OpenAI's shape, by a model of
 * moderation that the caller names. Its calls are free of charge. Source: openai 7.55, `ChatCompletion.Moderation` and its parameters.
 */
import type { Piped, Transform } from '../../async/pipe.ts';
import { priceOf } from '../../core/accounting/price.ts';
import type { Target } from '../../core/catalog/model.ts';
import type { AttemptFacts, Call } from '../../core/endpoint.ts';
import { asGatewayError, GatewayError } from '../../core/errors/errors.ts';
import { invalid } from '../../core/errors/invalid.ts';
import { asObject, isJsonObject, type JsonObject } from '../../core/formats/json-object.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { ModerationRequest } from '../../core/generation/moderation.ts';
import type { GenerationRequest } from '../../core/generation/request.ts';
import type { Asked } from '../generation/prepare.ts';
import { piecesOf } from '../guard/remote/pieces.ts';
import { createRequestMedia } from '../media/request-media.ts';
import type { ModelTask } from '../model-task.ts';
import type { PipelineParts } from '../parts.ts';
import { planTargets } from '../plan-targets.ts';
import type { Moderated } from './call-moderation.ts';
import { inputsOf } from './inputs.ts';
import { moderationsTask } from './task.ts';

/** How one side was classified, in the public shape. */
type Verdict =
  | { readonly type: 'moderation_results'; readonly model: string; readonly results: readonly JsonObject[] }
  | { readonly type: 'error'; readonly code: string; readonly message: string };

type Phase = 'input' | 'output';

/** Pieces are as long as models of moderation read. */
const maxCharacters = 10_000;

/** An answer waits for it at its end. */
const timeoutMs = 5_000;

interface Prepared {
  readonly request: GenerationRequest;
}

/** A target that makes the moderation gets the parameter. */
const makesIt = ({ parameters }: GenerationRequest) => parameters.moderation !== undefined;

export function inlineModeration(parts: PipelineParts, asked: Asked, call: Call<unknown>) {
  const { model, policy } = asObject(asked.request.parameters.moderation);
  const isBlocking = (phase: Phase) => modeOf(policy, phase) === 'block';
  const classify = createClassify(parts, asked, call, `${model}`);
  let input: Promise<Verdict> | undefined;
  const begin = async () => {
    const mustPass = isBlocking('input');
    isBlocking('output');
    const requests = inputsOf(asked.request);
    await classify.check(requests);
    if (asked.dryRun) return;
    input ??= classify.verdict(requests);
    if (mustPass) refuseFlagged(await input);
  };
  return {
    before<Sent extends Prepared, Answer>(task: ModelTask<Sent, Answer>): ModelTask<Sent, Answer> {
      return {
        ...task,
        async call(prepared, options) {
          if (!makesIt(prepared.request)) await begin();
          return await task.call(prepared, options);
        },
      };
    },
    after(events: Piped<GenerationEvent>, sent: GenerationRequest): Piped<GenerationEvent> {
      if (makesIt(sent) || !input) return events;
      const output = (texts: readonly string[]) => classify.verdict([{ input: texts }]);
      return events.pipe(withVerdicts(input, output, isBlocking('output')));
    },
  };
}

const phases: readonly string[] = ['input', 'output'] satisfies readonly Phase[];

/** What OpenAI takes: another word would stop nothing. */
function modeOf(policy: unknown, phase: Phase): 'score' | 'block' {
  const path = 'moderation.policy';
  if (!Object.keys(asObject(policy)).every((name) => phases.includes(name)))
    throw invalid(path, "may only have 'input' and 'output'");
  const given = asObject(policy)[phase] ?? {};
  if (!isJsonObject(given)) throw invalid(`${path}.${phase}`, 'must be an object');
  const { mode = 'score' } = given;
  if (mode === 'score' || mode === 'block') return mode;
  throw invalid(`${path}.${phase}.mode`, "must be 'score' or 'block'");
}

/** Asks the model of moderation. Its target is the first that the plan has. */
function createClassify(parts: PipelineParts, asked: Asked, call: Call<unknown>, model: string) {
  const { preferences } = asked;
  const taskOf = (request: ModerationRequest) =>
    moderationsTask(parts, { model, fallbacks: [], ...(preferences && { preferences }), request });
  let target: Target | undefined;
  const find = async (requests: readonly ModerationRequest[]): Promise<Target> => {
    const parted = requests.find(({ input }) => typeof input[0] !== 'string') ?? { input: [' '] };
    // What this plan notes is not of the request.
    const aside = { ...call, facts: { attempts: [] } };
    const { targets } = await planTargets(parts, taskOf(parted), aside);
    const [first] = targets;
    if (priceOf(first, parts.now() / 1000)?.price.input !== 0) {
      throw invalid('moderation.model', 'must be a model that is free of charge');
    }
    return first;
  };
  const ask = async (found: Target, request: ModerationRequest): Promise<Moderated> => {
    const task = taskOf(request);
    const { provider, region } = found.deployment;
    const attempt: AttemptFacts = {
      provider,
      region,
      model: found.model.id,
      at: parts.now(),
      inputTokens: 0,
    };
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)]);
    const media = createRequestMedia(parts.connections.fetchMedia, call.memory);
    const { connections } = parts;
    const options = {
      connections,
      media,
      signal,
      firstOutputMs: undefined,
      tenant: call.key?.tenant,
      attempt,
    };
    return await task.call(task.prepare(found, found), options);
  };
  return {
    /** Rejects with GatewayError for a model that the caller may not use, or that does not moderate. */
    async check(requests: readonly ModerationRequest[]): Promise<void> {
      target ??= await find(requests).catch((thrown) => {
        const error = asGatewayError(thrown);
        throw error.param === 'model' ? error.with({ param: 'moderation.model' }) : error;
      });
    },
    /** Never rejects. */
    async verdict(requests: readonly ModerationRequest[]): Promise<Verdict> {
      const found = target;
      if (!found) throw new RangeError('The model of moderation has not been looked for.');
      try {
        const answers = await Promise.all(requests.flatMap(inPieces).map((request) => ask(found, request)));
        const { id } = found.model;
        const results = answers.flatMap((answer) => answer.results);
        return {
          type: 'moderation_results',
          model: id,
          results: results.map((result) => ({
            type: 'moderation_result',
            model: id,
            category_applied_input_types: {},
            ...result,
          })),
        };
      } catch (thrown) {
        const { code, kind } = asGatewayError(thrown);
        return { type: 'error', code: code ?? kind, message: 'The moderation failed.' };
      }
    },
  };
}

/** No call without a text: nothing has no verdict. */
function inPieces(request: ModerationRequest): readonly ModerationRequest[] {
  const texts = request.input.flatMap((one) => (typeof one === 'string' ? one : []));
  if (texts.length < request.input.length) return [request];
  const input = texts.flatMap((text, index) =>
    piecesOf(text, index, maxCharacters).map(({ value }) => value),
  );
  return input.length === 0 ? [] : [{ input }];
}

const isFlagged = (verdict: Verdict): boolean =>
  verdict.type === 'moderation_results' && verdict.results.some(({ flagged }) => flagged === true);

/** No other target is asked for it, and none has failed. */
function refuseFlagged(verdict: Verdict): void {
  if (verdict.type === 'error')
    throw new GatewayError('guardrail_unavailable', 'The moderation that the request asks for failed.');
  if (!isFlagged(verdict)) return;
  const message = 'The moderation that the request asks for does not allow its input.';
  throw new GatewayError('guardrail_blocked', message);
}

/** `isBlocking`: nothing is passed on before the output is known to be harmless. */
function withVerdicts(
  input: Promise<Verdict>,
  classify: (texts: readonly string[]) => Promise<Verdict>,
  isBlocking: boolean,
): Transform<readonly GenerationEvent[], GenerationEvent> {
  const texts = new Map<number, string[]>();
  const held: GenerationEvent[] = [];
  return {
    each(events, out) {
      for (const event of events) {
        if (event.type === 'text' || event.type === 'refusal' || event.type === 'tool-arguments')
          addText(texts, event.choice, event.text);
        // The last of the ends says how all was classified.
        const isHeld = isBlocking || event.type === 'finish' || event.type === 'usage';
        (isHeld ? held : out).push(event);
      }
    },
    async end(out) {
      const choices = [...texts.values()].map((pieces) => pieces.join(''));
      const [given, made] = await Promise.all([input, classify(choices)]);
      const mayPass = !isBlocking || (made.type !== 'error' && !isFlagged(made));
      const shown = mayPass ? held : held.flatMap(blocked);
      const last = shown.findLastIndex(({ type }) => type === 'finish');
      const moderation = { input: given, output: made };
      for (const [index, event] of shown.entries()) {
        out.push(index === last && event.type === 'finish' ? { ...event, moderation } : event);
      }
    },
  };
}

function addText(texts: Map<number, string[]>, choice: number, text: string): void {
  const pieces = texts.get(choice) ?? [];
  pieces.push(text);
  texts.set(choice, pieces);
}

/** What is left of a choice that may not be shown. */
function blocked(event: GenerationEvent): readonly GenerationEvent[] {
  if (event.type === 'start' || event.type === 'usage') return [event];
  if (event.type !== 'finish') return [];
  return [{ type: 'finish', choice: event.choice, reason: 'content_filter' }];
}
