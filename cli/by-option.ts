import type { CommandOption } from './command.ts';

export const byOption: Readonly<Record<'by', CommandOption>> = {
  by: { value: '<name>', description: 'Who does this (default: the user of this machine)' },
};
