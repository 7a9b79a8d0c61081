import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeFormat, geminiFormat, openaiFormat } from '../../../lib/core/generation/reasoning-format.ts';
import type { ReasoningDetail } from '../../../lib/core/generation/request.ts';
import {
  encodeDetails,
  isOwnSignature,
  maxSignatureLength,
  openSignature,
} from '../../../lib/operations/messages/signature.ts';

const text = fc.string({ unit: 'binary', maxLength: 40 });
const base = {
  format: fc.string({ maxLength: 20 }).filter((name) => name !== claudeFormat),
  index: fc.nat(),
  id: fc.option(text, { nil: undefined }),
};
const detail = fc
  .oneof(
    fc.record({ type: fc.constant('reasoning.summary'), summary: text, ...base }),
    fc.record({ type: fc.constant('reasoning.encrypted'), data: text, ...base }),
    fc.record({
      type: fc.constant('reasoning.text'),
      text,
      signature: fc.option(text, { nil: undefined }),
      ...base,
    }),
  )
  .map((made) => JSON.parse(JSON.stringify(made)) as ReasoningDetail);

const seal = (details: readonly ReasoningDetail[]) => encodeDetails({ model: 'm', format: 'f', details });

const encode = (value: unknown): string => `mgw1.${Buffer.from(JSON.stringify(value)).toString('base64url')}`;

describe('a signature of the gateway', () => {
  test('gives back every detail byte for byte, with its model', () => {
    fc.assert(
      fc.property(fc.array(detail, { maxLength: 5 }), fc.string(), text, (details, model, unseen) => {
        const encoded = { model, format: 'deepseek', details, ...(unseen !== '' && { unseen }) };
        const signature = encodeDetails(encoded);
        expect(isOwnSignature(signature)).toBe(true);
        expect(signature).toMatch(/^mgw1\.[\w-]*$/);
        expect(openSignature(signature)).toEqual(encoded);
      }),
    );
  });

  test('holds no position, which is that of its block', () => {
    const given: ReasoningDetail = {
      type: 'reasoning.encrypted',
      data: 'a',
      format: openaiFormat,
      index: 0,
      position: 3,
    };
    expect(openSignature(seal([given]))?.details[0]).not.toHaveProperty('position');
  });

  test('that was changed is not read, and never throws', () => {
    const whole = seal([
      { type: 'reasoning.encrypted', data: 'secret', format: geminiFormat, index: 0, id: 'call_1' },
    ]);
    const index = fc.nat({ max: whole.length - 1 });
    fc.assert(
      fc.property(index, fc.string({ unit: 'binary', maxLength: 3 }), (at, put) => {
        const changed = whole.slice(0, at) + put + whole.slice(at + 1);
        const opened = openSignature(changed);
        if (opened) expect(opened.details.every(({ format }) => format !== claudeFormat)).toBe(true);
      }),
    );
    for (let at = 0; at < whole.length; at += 1) expect(openSignature(whole.slice(0, at))).toBeUndefined();
  });

  test('is not read from any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (other) => {
        expect(openSignature(other)).toBeUndefined();
        expect(openSignature(`mgw1.${other}`)).toBeUndefined();
      }),
    );
  });

  test.each<[string, unknown]>([
    ['no object', 'text'],
    ['no details', { model: 'm', format: 'f' }],
    ['no format', { model: 'm', details: [] }],
    ['no model', { format: 'f', details: [] }],
    [
      'a detail of an unknown type',
      { model: 'm', format: 'f', details: [{ type: 'x', format: 'f', index: 0 }] },
    ],
    [
      'an index that is no whole number',
      {
        model: 'm',
        format: 'f',
        details: [{ type: 'reasoning.summary', summary: '', format: 'f', index: 0.5 }],
      },
    ],
    [
      'reasoning of Claude, which has signatures of its own',
      {
        model: 'm',
        format: 'f',
        details: [{ type: 'reasoning.text', text: 'a', signature: 'b', format: claudeFormat, index: 0 }],
      },
    ],
    [
      'more details than a list may have',
      {
        model: 'm',
        format: 'f',
        details: Array.from({ length: 10_001 }, () => {
          return { type: 'reasoning.encrypted', data: '', format: 'f', index: 0 };
        }),
      },
    ],
  ])('with %s is not read', (_, value) => {
    expect(openSignature(encode(value))).toBeUndefined();
  });

  test('is read up to its limit', () => {
    const room = Math.floor(maxSignatureLength * 0.74);
    const of = (length: number) =>
      seal([{ type: 'reasoning.encrypted', data: 'a'.repeat(length), format: 'f', index: 0 }]);
    expect(openSignature(of(room))).toBeDefined();
    expect(of(maxSignatureLength).length).toBeGreaterThan(maxSignatureLength);
    expect(openSignature(of(maxSignatureLength))).toBeUndefined();
  });
});
