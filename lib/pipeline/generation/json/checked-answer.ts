/** The answer of a target, held to the format that the caller asked for; with `repair`, the model is asked once more. */
import { type Piped, pipe } from '../../../async/pipe.ts';
import { asGatewayError } from '../../../core/errors/errors.ts';
import type { GenerationEvent } from '../../../core/generation/events.ts';
import type { Message } from '../../../core/generation/request.ts';
import { type Change, stripped } from '../../../normalization/rule.ts';
import type { Generated } from '../generated.ts';
import { askAgain, type Sent } from './ask-again.ts';
import { type CheckedText, holdToFormat } from './hold-to-format.ts';
import type { JsonFormat } from './json-format.ts';

export interface CheckOptions extends Sent {
  readonly format: JsonFormat;
  /** Whether the model is asked once more if its answer does not fit. Then a stream begins when that is known. */
  readonly repair: boolean;
  readonly stream: boolean;
}

/** An answer that was read to its end. */
interface WholeAnswer {
  readonly generated: Generated;
  readonly events: readonly GenerationEvent[];
  readonly texts: readonly CheckedText[];
}

/** Rejects with GatewayError if the answer is read here, and fails. */
export async function checkedAnswer(generated: Generated, options: CheckOptions): Promise<Generated> {
  if (options.stream && !options.repair) return passedOn(generated, options);
  const first = await readWhole(generated, options.format);
  const second = await repaired(first, options);
  return second ?? finished(first, options, recordsOf(first.texts, options.format));
}

function passedOn(generated: Generated, { format, call: { facts } }: CheckOptions): Generated {
  const changes = [...generated.changes];
  const check = holdToFormat(format, (text) => {
    changes.push(...recordsOf([text], format));
    facts.normalizations = changes.length;
  });
  return { ...generated, changes, events: generated.events.pipe(check) };
}

async function readWhole(generated: Generated, format: JsonFormat): Promise<WholeAnswer> {
  const texts: CheckedText[] = [];
  const events: GenerationEvent[] = [];
  const check = holdToFormat(format, (text) => texts.push(text));
  for await (const list of generated.events.pipe(check)) for (const event of list) events.push(event);
  return { generated, events, texts };
}

/** Undefined where there is nothing to repair, or the model cannot be asked. Of several choices, none is repaired. */
async function repaired(first: WholeAnswer, options: CheckOptions): Promise<Generated | undefined> {
  const { repair, format } = options;
  const [only, ...others] = first.texts;
  if (!repair || !only?.problems?.length || others.length > 0) return undefined;
  const messages = correction(only.text, only.problems);
  const second = await askAgain(first.generated, options, messages)
    .then((again) => readWhole(again, format))
    .catch(() => undefined);
  if (options.call.signal.aborted) throw asGatewayError(options.call.signal.reason);
  if (!second) return undefined;
  const fits = second.texts.some(({ problems }) => problems?.length === 0);
  const record = changeOf(format, `The first answer did not fit. ${only.problems.join(' ')}`);
  return fits
    ? { ...finished(second, options, [record]), schema: 'repaired' }
    : finished(second, options, recordsOf(second.texts, format));
}

function finished(
  { generated, events }: WholeAnswer,
  { call: { facts } }: CheckOptions,
  records: readonly Change[],
): Generated {
  const changes = [...generated.changes, ...records];
  facts.normalizations = changes.length;
  return {
    ...generated,
    changes,
    ...(records.length > 0 && { schema: 'mismatch' }),
    events: readAgain(events),
  };
}

function readAgain(events: readonly GenerationEvent[]): Piped<GenerationEvent> {
  const source = (async function* () {
    yield events;
  })();
  return pipe(source, {
    each(list, out: GenerationEvent[]) {
      for (const event of list) out.push(event);
    },
  });
}

function correction(text: string, problems: readonly string[]): readonly Message[] {
  const asked = [
    'This answer is not valid under the required JSON Schema:',
    ...problems.map((problem) => `- ${problem}`),
    'Write the whole answer again as one valid JSON object. Write nothing before or after it.',
  ].join('\n');
  return [
    { role: 'assistant', content: [{ type: 'text', text }], toolCalls: [], reasoningDetails: [] },
    { role: 'user', content: [{ type: 'text', text: asked }] },
  ];
}

function recordsOf(texts: readonly CheckedText[], format: JsonFormat): readonly Change[] {
  return texts.flatMap(({ problems }) => {
    if (problems === undefined) return [changeOf(format, 'The answer could not be checked.')];
    return problems.length === 0 ? [] : [changeOf(format, `The answer does not fit. ${problems.join(' ')}`)];
  });
}

function changeOf({ param, type }: JsonFormat, reason: string): Change {
  return stripped(param, type, reason);
}
