/** Decoders get mutated answers: they return a valid answer or throw GatewayError, and never hang. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentOf, decodeBody, decodeStream, faultsOf } from './judge.ts';
import { bodySpoilings, spoilBody, spoilFrames, streamSpoilings } from './mutations.ts';
import { loadSamples } from './samples.ts';
import { bounded } from './seed.ts';

const samples = await loadSamples();

/** Samples are chosen by number, so that their content is not in the report of a failure. */
const oneOf = (samples: readonly unknown[]) => fc.nat(samples.length - 1);

describe.each(samples)('$name', ({ protocol, streams, bodies }) => {
  test('every sample is valid', () => {
    for (const frames of streams) expect(faultsOf(decodeStream(protocol, frames))).toEqual([]);
    for (const body of bodies) expect(faultsOf(decodeBody(protocol, body))).toEqual([]);
  });

  test('a mutated stream is valid or an error', () => {
    const property = fc.property(oneOf(streams), streamSpoilings, (sample, spoilings) => {
      expect(faultsOf(decodeStream(protocol, spoilFrames(streams[sample] ?? [], spoilings)))).toEqual([]);
    });
    fc.assert(property, bounded(4_000, 2_500));
  });

  test('a mutated body is valid or an error', () => {
    const property = fc.property(oneOf(bodies), bodySpoilings, (sample, spoilings) => {
      expect(faultsOf(decodeBody(protocol, spoilBody(bodies[sample], spoilings)))).toEqual([]);
    });
    fc.assert(property, bounded(4_000, 1_500));
  });

  test('two streams joined into one are valid or an error', () => {
    const property = fc.property(oneOf(streams), oneOf(streams), fc.nat(200), fc.nat(200), (...choice) => {
      const [one, other, until, from] = choice;
      const frames = [...(streams[one]?.slice(0, until) ?? []), ...(streams[other]?.slice(from) ?? [])];
      expect(faultsOf(decodeStream(protocol, frames))).toEqual([]);
    });
    fc.assert(property, bounded(2_000, 1_000));
  });

  test('a stream that is cut anywhere is an error or complete', () => {
    for (const frames of streams) {
      const whole = decodeStream(protocol, frames);
      // A sample that is an error itself has no complete answer to compare with.
      if (whole.error !== undefined) continue;
      for (let count = 0; count < frames.length; count++) {
        const cut = decodeStream(protocol, frames.slice(0, count));
        expect(faultsOf(cut)).toEqual([]);
        if (cut.error === undefined) expect(contentOf(cut.events)).toBe(contentOf(whole.events));
      }
    }
  });
});
