/** What is sent again to a target that finds a conversation too long, or rejects a parameter. */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import { pathOf } from '../../../lib/core/generation/original/source.ts';
import type { GenerationRequest, Message } from '../../../lib/core/generation/request.ts';
import { charactersOf } from '../../../lib/normalization/conversation/truncation.ts';
import type { Change } from '../../../lib/normalization/rule.ts';
import type { PreparedGeneration } from '../../../lib/pipeline/generation/prepare.ts';
import {
  type RetriableGeneration,
  reduced,
  shortened,
} from '../../../lib/pipeline/generation/retry-modifiers.ts';
import { hostDialect } from '../../../lib/protocols/openai-chat/dialect.ts';
import { createOpenaiChat } from '../../../lib/protocols/openai-chat/protocol.ts';
import { longConversation } from '../../harness/matrix/long-conversation.ts';
import { testRequest, testTarget } from '../../harness/matrix/model.ts';

const conversation = testRequest({ top_p: 0.5 }, { messages: longConversation });

const generation = {
  protocol: createOpenaiChat(hostDialect),
  takesImageUrls: true,
  rules: { parameters: [], messages: [] },
};
const provider = {
  name: 'acme',
  isConfigured: () => true,
  authorize: <T>(request: T) => request,
  generation,
};
const target = testTarget({ limits: { context: 1_000, input: null, output: null } });

/** A record of a rule on the third message that is sent. */
function record({ messages: [, , third] }: GenerationRequest): Change {
  const param = third ? pathOf<Message>(third, 'name') : 'none';
  return { param, action: 'strip', before: 1, after: null, reason: 'test' };
}

const prepare = (request: GenerationRequest): PreparedGeneration => ({
  provider,
  generation,
  target,
  request,
  changes: [record(request)],
});

const whole: RetriableGeneration = {
  ...prepare(conversation),
  canReduce: true,
  shorter: { whole: conversation, tries: 0, canReduce: true, prepare },
};

const tooLong = new GatewayError('upstream_context_length', 'Too long.');

/** Each form of the conversation that is sent while the target refuses more than so many characters. */
function sentWhile(refuses: (request: GenerationRequest) => boolean): readonly RetriableGeneration[] {
  const sent = [whole];
  for (let next: RetriableGeneration | undefined = whole; next && refuses(next.request); ) {
    next = shortened(tooLong, next);
    if (next) sent.push(next);
  }
  return sent;
}

describe('a conversation that is too long', () => {
  test('is sent shorter until it fits, and every record names the messages as the caller sent them', () => {
    const sent = sentWhile((request) => charactersOf(request) > 350);
    expect(sent.map(({ request }) => request.messages.length)).toEqual([8, 4, 3]);
    const last = sent.at(-1);
    expect(last?.request.messages.at(-1)).toBe(conversation.messages[7]);
    expect(last?.changes.map(({ param }) => param)).toEqual(['messages.7.name', 'messages.2']);
    expect(last?.request.messages.map((message) => pathOf(message))).toEqual([
      'messages.0',
      'messages.1',
      'messages.7',
    ]);
  });

  test('is given up where nothing more can be left out, after ten tries at most', () => {
    const { length } = sentWhile(() => true);
    expect(length).toBeGreaterThan(2);
    expect(length).toBeLessThan(12);
  });

  test('is not sent again after another failure, nor where truncation is disabled', () => {
    expect(shortened(new GatewayError('invalid_request', 'No.'), whole)).toBeUndefined();
    expect(shortened(tooLong, { ...whole, shorter: undefined })).toBeUndefined();
  });
});

describe('a rejected parameter', () => {
  const rejected = new GatewayError('upstream_bad_request', 'No.', {
    providerCode: 'unsupported_parameter',
    upstreamParam: 'top_p',
  });

  test('is left out once, on record', () => {
    const again = reduced(rejected, whole);
    expect(again?.request.parameters).toEqual({});
    expect(again?.changes.map(({ param }) => param)).toEqual(['messages.2.name', 'top_p']);
    expect(again && reduced(rejected, { ...again, request: conversation })).toBeUndefined();
  });

  test('is left out again of a conversation that was shortened after that', () => {
    const reducedOnce = reduced(rejected, whole);
    const shorter = reducedOnce && shortened(tooLong, reducedOnce);
    expect(shorter?.request.parameters).toEqual({ top_p: 0.5 });
    expect(shorter && reduced(rejected, shorter)?.request.parameters).toEqual({});
  });

  test('is the failure where the caller turned normalization off', () => {
    expect(reduced(rejected, { ...whole, canReduce: false })).toBeUndefined();
  });
});
