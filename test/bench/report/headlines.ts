/**
 * The figures that have a target, taken from what was measured. What floor and peers reach, the target, and what stands in
 * the way of it are in `headlines.json`, for people to edit.
 */
import type { ContenderName } from '../contenders.ts';
import type { Measured, Scenario, Taken } from '../measured.ts';
import facts from './headlines.json' with { type: 'json' };
import { number, type Table, times } from './table.ts';

type FigureName = keyof typeof facts;

type ScenarioKey = Pick<Scenario, 'form' | 'protocol' | 'callers'>;

function taken({ scenarios }: Measured, key: ScenarioKey, name: ContenderName): Taken | undefined {
  const scenario = scenarios.find(
    ({ form, protocol, callers }) =>
      form === key.form && protocol === key.protocol && callers === key.callers,
  );
  return scenario?.taken.find(({ contender }) => contender === name);
}

const nothing = Number.NaN;

const overBare = (measured: Measured, key: ScenarioKey) =>
  taken(measured, key, 'gateway')?.overBare ?? nothing;

const atStart = ({ bundles }: Measured, name: string) =>
  bundles.find((bundle) => bundle.name === name)?.atStart ?? nothing;

const figures: Readonly<Record<FigureName, (measured: Measured) => number>> = {
  body: (all) => overBare(all, { form: 'body', protocol: 'openai', callers: 16 }),
  translatedBody: (all) => overBare(all, { form: 'body', protocol: 'anthropic', callers: 16 }),
  // Each answer has as many chunks on both sides, so that the ratio of requests is that of chunks.
  messagesBody: ({ operations = [] }) =>
    operations.find(
      ({ operation, form, protocol }) =>
        operation === 'messages' && form === 'body' && protocol === 'anthropic',
    )?.overChat ?? nothing,
  chunk: (all) => overBare(all, { form: 'paced stream', protocol: 'openai', callers: 16 }),
  firstToken: (all) => {
    const key: ScenarioKey = { form: 'paced stream', protocol: 'openai', callers: 1 };
    return (taken(all, key, 'gateway')?.first ?? nothing) - (taken(all, key, 'bare')?.first ?? nothing);
  },
  cold: ({ coldStarts = [] }) =>
    coldStarts.length > 0 ? Math.max(...coldStarts.map(({ overHello }) => overHello)) : nothing,
  chatBundle: (all) => atStart(all, 'chat-completions'),
  modelsBundle: (all) => atStart(all, 'models'),
  streamMemory: ({ memory }) =>
    memory.find(({ contender }) => contender === 'functions')?.perStream ?? nothing,
};

const write = (value: number, unit: string) => (unit === '×' ? times(value) : `${number(value)} ${unit}`);

const isFigure = (name: string): name is FigureName => name in facts;

export function headlinesTable(measured: Measured): Table {
  const rows = Object.keys(facts)
    .filter(isFigure)
    .map((name) => {
      const { figure, floor, peers, target, unit, obstacle } = facts[name];
      const value = figures[name](measured);
      const state = Number.isNaN(value) ? 'not measured' : value <= target ? 'reached' : obstacle;
      return [figure, write(value, unit), `≤ ${write(target, unit)}`, floor, peers, state];
    });
  return {
    title: 'Where it is',
    head: ['figure', 'measured', 'reach', 'floor', 'peers', 'reached, or what stands in the way'],
    rows,
  };
}
