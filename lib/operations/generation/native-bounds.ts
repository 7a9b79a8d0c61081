/**
 * What a caller's `native_fields` do to the maximum use of a request. A field counts as harmless only where it is known to be:
 * of any other, also of one that is newer than the gateway, no bound is known. So these fields never raise what was reserved.
 *
 * Names are compared without case and without what joins their words: providers accept several spellings.
 */
import { maxFieldDepth, plainName } from '../../core/generation/native-names.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { isJsonObject } from '../../core/json-object.ts';

export interface NativeBounds {
  /** They set the length of the answer or of the reasoning: the bound is the longest answer of the model. */
  readonly hasOwnLength: boolean;
  /** They set how long the prompt is kept in a cache. */
  readonly keptLonger: boolean;
  /** What they ask for has no known bound. */
  readonly endless: boolean;
}

const wordsOf = (names: string): readonly string[] => names.split(/\s+/).filter((name) => name !== '');

/** Fields that change neither how much is read or written nor what it costs, whatever their value. */
const harmless: ReadonlySet<string> = new Set(
  wordsOf(`
    temperature topp topk topa minp typicalp p k seed randomseed logitbias
    frequencypenalty presencepenalty repetitionpenalty repeatpenalty
    stop stopsequences stoptokenids ignoreeos
    logprobs toplogprobs responselogprobs echo include
    responseformat responsemimetype responseschema responsejsonschema responsestructure textformat format verbosity
    rawprompting
    toolchoice stricttools parallelfunctioncalling paralleltoolcalls disableparalleltooluse
    user userid metadata requestmetadata labels safetyidentifier promptcachekey
    safetysettings safetymode safeprompt mediaresolution audiotimestamp
    reasoningeffort effort summary generatesummary reasoningsummary exclude enabled type display
    includereasoning includethoughts thinkinglevel maxreasoningeffort enablethinking clearthinking preservethinking
    reasoningformat reasoningsplit separatereasoning chattemplatekwargs citationoptions
    truncation additionalmodelresponsefieldpaths keepalive usage
  `),
);

/** Objects whose own fields count. */
const containers: ReadonlySet<string> = new Set(
  wordsOf(`
    generationconfig inferenceconfig additionalmodelrequestfields
    thinking thinkingconfig reasoning reasoningconfig outputconfig text options
  `),
);

/** Such as `max_tokens`, `maxOutputTokens`, `max_gen_len`, `num_predict`, `thinkingBudget` and `budget_tokens`. */
const length =
  /^(?:(?:max|min)[a-z]*(?:tokens|tokenstosample|length|len)|numpredict|[a-z]*budget(?:tokens)?)$/;

/** Source: `cache_control` of the Messages API, `prompt_cache_retention` of OpenAI's. */
const caching: ReadonlySet<string> = new Set(['cachecontrol', 'promptcacheretention']);

type Effect = 'none' | keyof NativeBounds;

function effectsOf(fields: JsonObject, depth = 0): readonly Effect[] {
  return Object.entries(fields).flatMap(([name, value]): readonly Effect[] => {
    const plain = plainName(name);
    if (harmless.has(plain)) return ['none'];
    if (length.test(plain)) return ['hasOwnLength'];
    if (caching.has(plain)) return ['keptLonger'];
    if (!containers.has(plain) || depth >= maxFieldDepth) return ['endless'];
    return isJsonObject(value) ? effectsOf(value, depth + 1) : ['none'];
  });
}

export function nativeBounds(fields: JsonObject = {}): NativeBounds {
  const effects = effectsOf(fields);
  return {
    hasOwnLength: effects.includes('hasOwnLength'),
    keptLonger: effects.includes('keptLonger'),
    endless: effects.includes('endless'),
  };
}
