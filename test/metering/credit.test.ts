/** Grants of credit: in which order they are used, and what expires. */
import { describe, expect, test } from 'vitest';
import { allocate, type CreditGrant, creditAt } from '../../lib/core/accounting/credit.ts';

const at = (day: string) => Date.parse(day) / 1000;
const grant = (id: string, amount: number, changes: Partial<CreditGrant> = {}): CreditGrant => ({
  id,
  amount,
  at: at('2026-11-01'),
  priority: 100,
  by: 'ann',
  ...changes,
});
const usedBy = (grants: readonly CreditGrant[]) =>
  Object.fromEntries(grants.map(({ id, used }) => [id, used]));

describe('use is allocated', () => {
  test('by priority, then by expiry, then by age', () => {
    const grants = [
      grant('old', 10),
      grant('new', 10, { at: at('2026-11-02') }),
      grant('soon', 10, { expires: at('2027-01-01') }),
      grant('later', 10, { expires: at('2027-02-01') }),
      grant('first', 10, { priority: 1 }),
    ];
    const after = allocate(grants, [{ day: '2026-11-03', amount: 45 }]);
    expect(usedBy(after)).toEqual({ first: 10, soon: 10, later: 10, old: 10, new: 5 });
  });

  test('day by day: a grant takes nothing after its last day and nothing before it was given', () => {
    const grants = [
      grant('promotion', 10, { expires: at('2026-11-05'), priority: 1 }),
      grant('paid', 100),
      grant('late', 10, { at: at('2026-11-06'), priority: 0 }),
    ];
    const days = [
      { day: '2026-11-04', amount: 4 },
      { day: '2026-11-05', amount: 20 },
      { day: '2026-11-06', amount: 3 },
    ];
    expect(usedBy(allocate(grants, days))).toEqual({ promotion: 4, paid: 20, late: 3 });
  });

  test('in several steps as in one', () => {
    const grants = [grant('one', 5, { expires: at('2026-11-04') }), grant('two', 50)];
    const days = ['2026-11-02', '2026-11-03', '2026-11-04'].map((day) => ({ day, amount: 4 }));
    const steps = days.reduce((all, day) => allocate(all, [day]), grants as readonly CreditGrant[]);
    expect(steps).toEqual(allocate(grants, days));
    expect(usedBy(steps)).toEqual({ one: 5, two: 7 });
  });

  test('more than all credit: no grant is used by more than its amount', () => {
    const grants = [grant('one', 5), grant('taken', -3)];
    expect(usedBy(allocate(grants, [{ day: '2026-11-02', amount: 9 }]))).toEqual({ one: 5, taken: 0 });
  });
});

describe('the credit of a limit', () => {
  const grants = [grant('promotion', 10, { expires: at('2026-12-01') }), grant('paid', 90)];

  test('is all of it until a grant expires', () => {
    expect(creditAt(100, grants, at('2026-12-01') - 1)).toBe(100);
    expect(creditAt(100, undefined, at('2026-12-01'))).toBe(100);
  });

  test('is without an expired grant, but for what is known to be used of it', () => {
    expect(creditAt(100, grants, at('2026-12-01'))).toBe(90);
    const settled = allocate(grants, [{ day: '2026-11-30', amount: 4 }]);
    expect(creditAt(100, settled, at('2026-12-01'))).toBe(94);
  });
});
