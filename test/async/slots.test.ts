/** Work on what has a name: so much at a time, in its order, without traces. */
import { expect, test } from 'vitest';
import { createSlots } from '../../lib/async/slots.ts';

const { signal } = new AbortController();

test('of one name, so many run at a time and the others wait in their order', async () => {
  const inSlot = createSlots(2);
  const begun: string[] = [];
  const gates = new Map<string, () => void>();
  const work = (name: string, id: string, ending = signal) =>
    inSlot(name, ending, async () => {
      begun.push(id);
      await new Promise<void>((resolve) => gates.set(id, resolve));
    });
  const leaver = new AbortController();
  const all = [
    work('a', '1'),
    work('a', '2'),
    work('a', 'left', leaver.signal),
    work('a', '3'),
    work('b', '4'),
  ];
  await expect.poll(() => begun).toEqual(['1', '2', '4']);
  leaver.abort(new Error('gone'));
  await expect(all[2]).rejects.toThrow('gone');
  gates.get('2')?.();
  await expect.poll(() => begun).toEqual(['1', '2', '4', '3']);
  for (const id of ['1', '3', '4']) gates.get(id)?.();
  await Promise.all([all[0], all[1], all[3], all[4]]);
});

test('work that fails frees its slot', async () => {
  const inSlot = createSlots(1);
  await expect(inSlot('a', signal, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await inSlot('a', signal, async () => 'next')).toBe('next');
});
