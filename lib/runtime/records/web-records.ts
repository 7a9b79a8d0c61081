/** How records are written by a process of Web Functions: together, as it serves many requests; and noted in the log, as its disk ends with it. */
import { createGroupPut } from '../../stores/dynamodb/group-put.ts';
import type { Variables } from '../environment.ts';
import { chooseLastingRecords, noteInLog } from './lasting-records.ts';

/** Call it before the functions are created. */
export const keepWebRecords = (variables: Variables): void =>
  chooseLastingRecords(variables, { note: noteInLog, createGroupPut });
