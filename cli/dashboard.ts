/** `dashboard`: prints an address that signs an operator in to the dashboard, once. */
import { ticketSeconds } from '../lib/stores/sessions/sessions.ts';
import { dashboardUrlOf } from '../local/dashboard-url.ts';
import { operatorName } from '../local/operator-name.ts';
import { byOption } from './call-admin.ts';
import { type Command, UsageError, withInstallation } from './command.ts';

export const dashboard: Command = {
  name: 'dashboard',
  summary: 'Print an address that signs in to the dashboard of this machine, once',
  description: `The address works in a browser of this machine, within ${ticketSeconds / 3_600} hours; who opens it is an operator. With a stack, the dashboard has a sign-in of its own.`,
  options: byOption,
  examples: ['dashboard'],
  async run({ options, terminal, ...context }) {
    await withInstallation(context, async ({ dashboard: local }) => {
      const url = await local?.url();
      if (!local || url === undefined)
        throw new UsageError(
          'This is for a gateway on this machine that was started before: `npm start`. The dashboard of a stack has a sign-in of its own, at the address in its outputs.',
        );
      terminal.write(dashboardUrlOf(url, await local.sessions.makeTicket(operatorName(options))));
    });
  },
};
