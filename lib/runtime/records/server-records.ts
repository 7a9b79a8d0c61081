/** How records outlast the process of a server: it goes on after an answer, and usually has a disk. */
import { newId } from '../../core/names/new-id.ts';
import { createLateRecords } from '../../metering/records/late-records.ts';
import { createTenantStore } from '../../stores/access/tenants.ts';
import { rememberPartitions } from '../../stores/usage/partitions.ts';
import { createUsageStore } from '../../stores/usage/usage.ts';
import { generationFoundation } from '../generation-runtime.ts';
import { openJournal } from './journal.ts';
import { chooseLastingRecords, noteInLog } from './lasting-records.ts';
import { replayJournal } from './replay-journal.ts';

/** Call it before the functions are loaded. `directory`: of the journal; absent: the log has what would be noted there. */
export function keepServerRecords(directory: string | undefined): void {
  const late = createLateRecords();
  process.once('exit', late.loseAll);
  chooseLastingRecords({ note: noteInLog, late });
  if (directory === undefined) return;
  const { environment, log, now, table } = generationFoundation();
  const journal = openJournal({ directory, now, log, otherwise: noteInLog });
  process.once('exit', journal.close);
  chooseLastingRecords({ note: journal.note, late });
  const partitionsOf = rememberPartitions(createTenantStore(table('access')), now);
  const ledgerDays = environment.GATEWAY_LEDGER_DAYS;
  const usage = createUsageStore({ ...table('usage'), now, ledgerDays, partitionsOf });
  void replayJournal({ directory, now, log, newId, usage });
}
