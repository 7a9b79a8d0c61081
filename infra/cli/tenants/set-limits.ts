/** `keys set-limits`, `tenants set-limits`: how often and for how much a key, or all keys of a tenant, may be used. */
import { type Command, UsageError } from '../command.ts';
import { changeHolder, type Holder, keyHolder, soon, tenantHolder } from './holder.ts';
import { describeLimits, limitOptions, readLimits } from './tenancy-options.ts';

const setLimits = (holder: Holder): Command => ({
  name: `${holder.noun} set-limits`,
  summary: `Change limits of a ${holder.one}; none takes one away. Those that are not named stay as they are.`,
  arguments: [holder.argument],
  options: limitOptions,
  async run({ options, terminal, ...context }) {
    const limits = readLimits(options);
    if (Object.keys(limits).length === 0) {
      const names = Object.keys(limitOptions).map((key) => `--${key}`);
      throw new UsageError(`Which limit? Give at least one of ${names.join(', ')}.`);
    }
    const changed = await changeHolder(holder, context, { limits });
    terminal.write(`The ${changed.called} has ${describeLimits(changed.limits)}. ${soon}`);
  },
});

export const keysSetLimits = setLimits(keyHolder);
export const tenantsSetLimits = setLimits(tenantHolder);
