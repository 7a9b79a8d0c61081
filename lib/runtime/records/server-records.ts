/** How records outlast the process of a server: it goes on after an answer, and usually has a disk. */
import { newId } from '../../core/names/new-id.ts';
import { createLateRecords } from '../../metering/records/late-records.ts';
import { createTenantStore } from '../../stores/access/tenants.ts';
import { createGroupPut } from '../../stores/dynamodb/group-put.ts';
import { rememberPartitions } from '../../stores/usage/partitions.ts';
import { createUsageStore } from '../../stores/usage/usage.ts';
import type { Variables } from '../environment.ts';
import { foundationOf } from '../foundation.ts';
import { openJournal } from './journal.ts';
import { chooseLastingRecords, noteInLog } from './lasting-records.ts';
import { replayJournal } from './replay-journal.ts';

/**
 * Call it before the functions are created. `directory`: of the journal; absent: the log has what would be noted there. What it returns
 * is called when the gateway ends; the end of the process calls it, too.
 */
export function keepServerRecords(variables: Variables, directory: string | undefined): () => void {
  const late = createLateRecords();
  if (directory === undefined) {
    chooseLastingRecords(variables, { note: noteInLog, late, createGroupPut });
    return atExit(late.loseAll);
  }
  const { environment, log, now, table } = foundationOf(variables);
  const journal = openJournal({ directory, now, log, otherwise: noteInLog });
  const { note, written } = journal;
  chooseLastingRecords(variables, { note, written, late, createGroupPut });
  const partitionsOf = rememberPartitions(createTenantStore(table('access')), now);
  const ledgerDays = environment.GATEWAY_LEDGER_DAYS;
  const usage = createUsageStore({ ...table('usage'), now, ledgerDays, partitionsOf });
  void replayJournal({ directory, now, log, newId, usage });
  return atExit(() => {
    late.loseAll();
    journal.close();
  });
}

function atExit(end: () => void): () => void {
  process.once('exit', end);
  return () => {
    process.off('exit', end);
    end();
  };
}
