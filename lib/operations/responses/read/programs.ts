/** Programs of a model that call tools: they are not run here, so the model calls its tools directly, on record. */
import type { Change } from '../../../normalization/rule.ts';
import type { ToolBody } from './tool-schema.ts';

export const programTool = 'programmatic_tool_calling';
const caller = 'programmatic';

/** Who may call a tool, without programs; undefined: as every tool may be called. */
export function directCallers(callers: readonly string[] | null | undefined): readonly string[] | undefined {
  const direct = callers?.filter((one) => one !== caller);
  return direct?.length ? direct : undefined;
}

export function leftOutPrograms(tools: readonly ToolBody[], path = 'tools'): readonly Change[] {
  return tools.flatMap((tool, position) => {
    const own = `${path}.${position}`;
    if (tool.type === programTool) return [leftOut(own, { type: tool.type })];
    if (tool.type === 'namespace') return leftOutPrograms(tool.tools, `${own}.tools`);
    const isOfPrograms = 'allowed_callers' in tool && tool.allowed_callers?.includes(caller);
    return isOfPrograms ? [leftOut(`${own}.allowed_callers`, caller)] : [];
  });
}

const leftOut = (param: string, before: unknown): Change => ({
  param,
  action: 'strip',
  before,
  after: null,
  reason: 'The gateway does not run programs that call tools. The model calls its tools directly.',
});
