/** Decoders are fed with spoiled answers: they give a sound answer or the one error type, and never hang. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentOf, decodeBody, decodeStream, faultsOf } from './judge.ts';
import { bodySpoilings, spoilBody, spoilFrames, streamSpoilings } from './mutations.ts';
import { bounded } from './seed.ts';
import { loadWires } from './wires.ts';

const wires = await loadWires();

/** Samples are chosen by their number: what they say has no place in the report of a failure. */
const oneOf = (samples: readonly unknown[]) => fc.nat(samples.length - 1);

describe.each(wires)('$wire', ({ protocol, streams, bodies }) => {
  test('tells every sample soundly', () => {
    for (const frames of streams) expect(faultsOf(decodeStream(protocol, frames))).toEqual([]);
    for (const body of bodies) expect(faultsOf(decodeBody(protocol, body))).toEqual([]);
  });

  test('a spoiled stream is sound or an error', () => {
    const property = fc.property(oneOf(streams), streamSpoilings, (sample, spoilings) => {
      expect(faultsOf(decodeStream(protocol, spoilFrames(streams[sample] ?? [], spoilings)))).toEqual([]);
    });
    fc.assert(property, bounded(4_000, 2_500));
  });

  test('a spoiled body is sound or an error', () => {
    const property = fc.property(oneOf(bodies), bodySpoilings, (sample, spoilings) => {
      expect(faultsOf(decodeBody(protocol, spoilBody(bodies[sample], spoilings)))).toEqual([]);
    });
    fc.assert(property, bounded(4_000, 1_500));
  });

  test('two streams spliced into one are sound or an error', () => {
    const property = fc.property(oneOf(streams), oneOf(streams), fc.nat(200), fc.nat(200), (...choice) => {
      const [one, other, until, from] = choice;
      const frames = [...(streams[one]?.slice(0, until) ?? []), ...(streams[other]?.slice(from) ?? [])];
      expect(faultsOf(decodeStream(protocol, frames))).toEqual([]);
    });
    fc.assert(property, bounded(2_000, 1_000));
  });

  test('a stream that is cut anywhere ends in an error or lacks nothing', () => {
    for (const frames of streams) {
      const whole = decodeStream(protocol, frames);
      // What ends in an error by itself has no whole to be measured by.
      if (whole.error !== undefined) continue;
      for (let count = 0; count < frames.length; count++) {
        const cut = decodeStream(protocol, frames.slice(0, count));
        expect(faultsOf(cut)).toEqual([]);
        if (cut.error === undefined) expect(contentOf(cut.events)).toBe(contentOf(whole.events));
      }
    }
  });
});
