/** `keys set-limits`, `tenants set-limits`: rate limits, budget and credit of a key, or of all keys of a tenant. */
import type { Command } from '../command.ts';
import { describeLimits, limitOptions, requireLimits } from './limit-options.ts';
import { changeSubject, keySubject, type Subject, soon, tenantSubject } from './subject.ts';

const setLimits = (subject: Subject): Command => ({
  name: `${subject.noun} set-limits`,
  summary: `Change the limits of a ${subject.one}`,
  description:
    'Give none to remove a limit. Other limits stay unchanged. A budget counts what was used in its period before it was set.',
  arguments: [subject.argument],
  options: limitOptions,
  examples: [`${subject.noun} set-limits ${subject.example} --budget 50 --requests none`],
  async run({ options, terminal, ...context }) {
    const limits = requireLimits(options, limitOptions);
    const changed = await changeSubject(subject, context, { limits });
    terminal.write(`The ${changed.called} has ${describeLimits(changed.limits)}. ${soon}`);
  },
});

export const keysSetLimits = setLimits(keySubject);
export const tenantsSetLimits = setLimits(tenantSubject);
