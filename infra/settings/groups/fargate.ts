/** The settings of a deployment whose operations run on Fargate. */
import { oneOf, type SettingRow, type SettingText, wholeNumber } from '../values.ts';

export interface FargateSettings {
  /** `minTasks` and `maxTasks`: how many tasks run, by load. Two are in two zones. */
  readonly tasks: { readonly min: number; readonly max: number };
  /** `taskCpu` of each task: 1,024 are one vCPU. */
  readonly cpu: number;
  /** `taskMemory` of each task, in MB. */
  readonly memory: number;
  /** `taskArchitecture` of the processors: that of the machine that builds the image, unless it can emulate the other one. */
  readonly architecture: (typeof architectures)[number];
  /** `balancer`: `public`, which needs a certificate, or `private`: only what is in the network reaches it. */
  readonly balancer: 'public' | 'private';
}

/** `arm64` costs a fifth less. */
const architectures = ['arm64', 'x64'] as const;

/** Targets of one load balancer. Source: docs.aws.amazon.com elasticloadbalancing/latest/application, load-balancer-limits. */
export const maxTasks = 1_000;

/** The memory that AWS offers with a size of processor, in MB. Source: docs.aws.amazon.com AmazonECS, task-cpu-memory-error. */
const memoryOf: Readonly<Record<string, readonly [min: number, max: number]>> = {
  512: [1_024, 4_096],
  1024: [2_048, 8_192],
  2048: [4_096, 16_384],
  4096: [8_192, 30_720],
};
const memoryStep = 1_024;

/** Percent of the processors, above which there are more tasks: room for what comes while a new one starts. */
export const busyPercent = 60;

/** At a time in one process, which is tested with so many for ten minutes. More are served, and call for another task. */
export const provenStreams = 1_000;

/** Processes of the server in a task: one for each processor. */
export const processesOf = (cpu: number): number => Math.max(1, cpu / 1_024);

const hosts = ['fargate'] as const;

export const fargateRows: readonly SettingRow[] = [
  { name: 'minTasks', meaning: 'How many tasks run at least; two are in two zones', hosts },
  {
    name: 'maxTasks',
    meaning: `How many tasks run by load, up to ${maxTasks.toLocaleString('en-US')}`,
    hosts,
  },
  { name: 'taskCpu', meaning: `Of each task: ${Object.keys(memoryOf).join(', ')}; 1024 are one vCPU`, hosts },
  { name: 'taskMemory', meaning: 'Of each task, in MB, as AWS offers it with the size of processor', hosts },
  {
    name: 'taskArchitecture',
    meaning:
      '`arm64` or `x64`: that of the machine that builds the image, unless it can emulate the other one. `arm64` costs a fifth less',
    hosts,
  },
  {
    name: 'balancer',
    meaning: '`public`, which needs `domainName`, or `private`: only what is in the network reaches it',
    hosts,
  },
];

/** `hasDomain`: whether there is a name with a certificate. Throws an Error that names the setting at fault. */
export function readFargate(text: SettingText, hasDomain: boolean): FargateSettings {
  const cpu = oneOf(text, 'taskCpu', Object.keys(memoryOf), '1024');
  const [least, greatest] = memoryOf[cpu] ?? [0, 0];
  const memory = wholeNumber(text, 'taskMemory', least, { min: least, max: greatest });
  if (memory % memoryStep > 0)
    throw new Error(`The setting "taskMemory" must be a multiple of ${memoryStep}, not "${memory}".`);
  const min = wholeNumber(text, 'minTasks', 2, { min: 1, max: maxTasks });
  const max = wholeNumber(text, 'maxTasks', Math.max(min, 10), { min, max: maxTasks });
  const balancer = oneOf(text, 'balancer', ['public', 'private'], 'public');
  if (balancer === 'public' && !hasDomain)
    throw new Error(
      'The settings "domainName" and "certificateArn" are needed with compute=fargate: API keys would cross the internet unencrypted. A load balancer that only its network can reach needs none (balancer=private).',
    );
  const architecture = oneOf(text, 'taskArchitecture', architectures, 'arm64');
  return { tasks: { min, max }, cpu: Number(cpu), memory, architecture, balancer };
}
