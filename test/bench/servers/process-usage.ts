/** What processes have used that cannot be asked, as Linux reports it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Usage } from './answer-usage.ts';

const inSecond = () => Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** The fields of `/proc/<pid>/stat` that follow the name: times in ticks, the resident size in pages. */
const fields = { user: 11, system: 12, resident: 21 };

const pageBytes = 4_096;

/** Of a process and those that it has started. */
export function usageOfTree(pid: number): Usage {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  const all = [pid, ...children.map(Number)].map(usageOfProcess);
  const sum = (field: 'cpu' | 'resident') => all.reduce((total, one) => total + one[field], 0);
  return { cpu: sum('cpu'), held: Number.NaN, resident: sum('resident') };
}

export function usageOfProcess(pid: number): Usage {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name is in parentheses and may contain blanks.
  const values = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (index: number) => Number(values[index]);
  const cpu = ((at(fields.user) + at(fields.system)) * 1_000_000) / inSecond();
  return { cpu, held: Number.NaN, resident: at(fields.resident) * pageBytes };
}
