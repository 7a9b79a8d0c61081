/** Shows one item: a line for each field, or JSON. */
import type { CommandContext } from '../command.ts';
import { type Row, writeListing } from './listing.ts';

export function writeOne({ terminal, format }: Pick<CommandContext, 'terminal' | 'format'>, row: Row) {
  if (format === 'json') return terminal.write(JSON.stringify(row, null, 2));
  const rows = Object.entries(row).map(([field, value]) => ({
    field: field.replaceAll('_', ' '),
    value: text(value),
  }));
  writeListing(terminal, { columns: [{ name: 'field' }, { name: 'value' }], rows }, 'table');
}

const text = (value: unknown) => (Array.isArray(value) ? value.join(', ') : value);

/** Unix seconds as an ISO time; null for none. */
export const timeOf = (seconds: number | null | undefined): string | null =>
  seconds === undefined || seconds === null
    ? null
    : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

/** For tables: the day of an ISO time. */
export const showDay = (time: unknown): string => (typeof time === 'string' ? time.slice(0, 10) : '');

/** For tables: an ISO time to the minute. */
export const showMinute = (time: unknown): string =>
  typeof time === 'string' ? time.slice(0, 16).replace('T', ' ') : '';
