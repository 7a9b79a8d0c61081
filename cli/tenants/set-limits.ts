/** `keys set-limits`, `tenants set-limits`: rate limits, budget and credit of a key, or of all keys of a tenant. */
import type { Command } from '../command.ts';
import { changeHolder, type Holder, keyHolder, soon, tenantHolder } from './holder.ts';
import { describeLimits, limitOptions, requireLimits } from './limit-options.ts';

const setLimits = (holder: Holder): Command => ({
  name: `${holder.noun} set-limits`,
  summary: `Change the limits of a ${holder.one}`,
  description:
    'Give none to remove a limit. Other limits stay unchanged. A budget counts what was used in its period before it was set.',
  arguments: [holder.argument],
  options: limitOptions,
  examples: [`${holder.noun} set-limits ${holder.example} --budget 50 --requests none`],
  async run({ options, terminal, ...context }) {
    const limits = requireLimits(options, limitOptions);
    const changed = await changeHolder(holder, context, { limits });
    terminal.write(`The ${changed.called} has ${describeLimits(changed.limits)}. ${soon}`);
  },
});

export const keysSetLimits = setLimits(keyHolder);
export const tenantsSetLimits = setLimits(tenantHolder);
