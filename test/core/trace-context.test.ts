/** Which `traceparent` and `tracestate` are taken: W3C, Trace Context. */
import { describe, expect, test } from 'vitest';
import {
  isSampled,
  maxTraceState,
  maxTraceStateEntries,
  ownTrace,
  parentHeader,
  readTrace,
  spanIdOf,
} from '../../lib/core/trace-context.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const valid = `00-${traceId}-${parentId}-01`;

describe('traceparent', () => {
  test.each([
    [valid, 1],
    [`00-${traceId}-${parentId}-00`, 0],
    // The second bit says that the id is random; the others have no meaning, and are not passed on.
    [`00-${traceId}-${parentId}-ff`, 3],
    // A later version may have more.
    [`01-${traceId}-${parentId}-01`, 1],
    [`cc-${traceId}-${parentId}-01-what-comes-later`, 1],
  ])('%s is taken', (header, flags) => {
    expect(readTrace([header])).toEqual({ traceId, parentId, flags });
  });

  test.each([
    '',
    ` ${valid}`,
    `${valid} `,
    valid.toUpperCase(),
    `ff-${traceId}-${parentId}-01`,
    `0-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01-more`,
    `00-${traceId}-${parentId}-01-`,
    `00-${traceId}-${parentId}-1`,
    `00-${traceId}-${parentId}`,
    `cc-${traceId}-${parentId}-01.more`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}0-${parentId}-01`,
    `00-${traceId.replace('4', 'g')}-${parentId}-01`,
    `00-${traceId}-${parentId}-0x`,
    `${valid}, ${valid}`,
  ])('"%s" is not', (header) => {
    expect(readTrace([header])).toBeUndefined();
  });

  test('more than one header is none', () => {
    expect(readTrace([valid, valid])).toBeUndefined();
    expect(readTrace([])).toBeUndefined();
  });
});

describe('tracestate', () => {
  const stateOf = (...headers: readonly string[]) => readTrace([valid], headers)?.state;

  test.each([
    [['a=1'], 'a=1'],
    [['a=1, b=2 ,\tc=3,,'], 'a=1,b=2,c=3'],
    [['a=1', 'b=2'], 'a=1,b=2'],
    [['0a_-*/=x y!~'], '0a_-*/=x y!~'],
    [['tenant*1@vendor=1'], 'tenant*1@vendor=1'],
    [[`a=${'x'.repeat(256)}`], `a=${'x'.repeat(256)}`],
  ])('%o is taken', (headers, state) => {
    expect(stateOf(...headers)).toBe(state);
  });

  test.each([
    [''],
    [','],
    ['a'],
    ['a='],
    ['=1'],
    ['A=1'],
    ['a=1=2'],
    ['a=1,a=2'],
    ['a b=1'],
    ['a=\u00e9'],
    ['a=1\u0007'],
    ['a@1b=1'],
    ['a@b@c=1'],
    [`a=${'x'.repeat(257)}`],
    [`${'a'.repeat(257)}=1`],
    [Array.from({ length: maxTraceStateEntries + 1 }, (_, index) => `k${index}=1`).join(',')],
    [Array.from({ length: 5 }, (_, index) => `k${index}=${'x'.repeat(maxTraceState / 5)}`).join(',')],
  ])('"%s" is left out, and the trace goes on', (header) => {
    expect(readTrace([valid], [header])).toEqual({ traceId, parentId, flags: 1 });
  });
});

test('a trace that begins here is sampled, and has the id of its request', () => {
  const trace = ownTrace('0199c0de-1234-7abc-8def-0123456789ab');
  expect([trace, isSampled(trace)]).toEqual([
    { traceId: '0199c0de12347abc8def0123456789ab', flags: 1 },
    true,
  ]);
  expect(ownTrace('of another form').traceId).toMatch(/^[0-9a-f]{32}$/);
});

test('ids of spans follow from the request and the number of the attempt', () => {
  const ids = [0, 1, 2].map((index) => spanIdOf('request-1', index));
  expect(ids.map((id) => /^[0-9a-f]{16}$/.test(id))).toEqual([true, true, true]);
  expect(new Set([...ids, spanIdOf('request-2', 0)]).size).toBe(4);
  expect(spanIdOf('request-1', 1)).toBe(ids[1]);
});

test('what is written can be read again', () => {
  expect(readTrace([parentHeader({ traceId, flags: 0 }, parentId)])).toEqual({ traceId, parentId, flags: 0 });
});
