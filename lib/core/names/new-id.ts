/** Random ids. OpenAI's chat protocol takes ids of tool calls with at most 40 characters, so prefixes are short. */
import { randomUUID } from 'node:crypto';

/** The prefix, and 32 hexadecimal digits. */
export const newId = (prefix: string): string => prefix + randomUUID().replaceAll('-', '');

/** The id of a tool call whose provider gave none: 37 characters. */
export const newCallId = (): string => newId('call_');
