/**
 * EventBridge Scheduler, which takes schedules that run once. Sources: docs.aws.amazon.com scheduler, API_CreateSchedule (lengths and
 * patterns) and API_Target; "Schedule types" (the format of `at`); "Identity-based policies" (the role is passed); and Service Authorization
 * Reference, Amazon EventBridge Scheduler (the resource of a schedule). That a time in the past is refused: DefangLabs/pulumi-defang,
 * cd/program/selfdestruct_aws.go.
 */
import { AwsRefusal, type FakeService, type Input } from '../service.ts';

export interface FakeSchedule {
  readonly name: string;
  readonly group: string;
  readonly at: string;
  readonly functionArn: string;
  readonly event: unknown;
}

/** Members that must be there, what they must be, and which there may be. */
const members: Readonly<Record<string, { readonly of?: RegExp; readonly isRequired?: true }>> = {
  ActionAfterCompletion: { of: /^(?:NONE|DELETE)$/ },
  ClientToken: { of: /^[a-zA-Z0-9-_]{1,64}$/ },
  FlexibleTimeWindow: { isRequired: true },
  GroupName: { of: /^[0-9a-zA-Z-_.]{1,64}$/ },
  Name: { of: /^[0-9a-zA-Z-_.]{1,64}$/, isRequired: true },
  ScheduleExpression: { of: /^at\(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\)$/, isRequired: true },
  Target: { isRequired: true },
};

const roleArn = /^arn:aws[\w-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/;

/** `groups`: the names of those that were made; absent: any. `made` gets every schedule. */
export const scheduler = (made: FakeSchedule[] = [], groups?: readonly string[]): FakeService => ({
  name: 'scheduler',
  protocol: 'rest',
  routes: { CreateSchedule: 'POST /schedules/{Name}' },
  needs: (_action, input, { region, account }) => [
    {
      action: 'scheduler:CreateSchedule',
      resource: `arn:aws:scheduler:${region}:${account}:schedule/${input.GroupName ?? 'default'}/${input.Name}`,
    },
    {
      action: 'iam:PassRole',
      resource: String(targetOf(input).RoleArn),
      context: { 'iam:PassedToService': ['scheduler.amazonaws.com'] },
    },
  ],
  actions: {
    CreateSchedule(input) {
      for (const [name, { of, isRequired }] of Object.entries(members)) {
        const value = input[name];
        const isValid = value === undefined ? !isRequired : (of?.test(String(value)) ?? true);
        if (!isValid) throw new AwsRefusal('ValidationException', `${name} is invalid.`);
      }
      const { Mode } = input.FlexibleTimeWindow as Input;
      const { Arn, RoleArn, Input: event } = targetOf(input);
      if (Mode !== 'OFF') throw new AwsRefusal('ValidationException', 'MaximumWindowInMinutes is missing.');
      if (!roleArn.test(String(RoleArn))) throw new AwsRefusal('ValidationException', 'RoleArn is invalid.');
      if (!/^arn:aws[\w-]*:/.test(String(Arn)))
        throw new AwsRefusal('ValidationException', 'Arn is invalid.');
      const group = String(input.GroupName ?? 'default');
      if (groups && !groups.includes(group))
        throw new AwsRefusal('ResourceNotFoundException', `Schedule group ${group} does not exist.`, 404);
      const name = String(input.Name);
      if (made.some((one) => one.name === name && one.group === group))
        throw new AwsRefusal('ConflictException', `Schedule ${name} already exists.`, 409);
      const at = String(input.ScheduleExpression).slice(3, -1);
      if (Date.parse(`${at}Z`) <= Date.now())
        throw new AwsRefusal('ValidationException', 'ScheduleExpression is in the past.');
      made.push({ name, group, at, functionArn: String(Arn), event: JSON.parse(String(event)) });
      return { ScheduleArn: `arn:aws:scheduler:us-east-1:123456789012:schedule/${group}/${name}` };
    },
  },
});

const targetOf = ({ Target }: Input): Input => (Target ?? {}) as Input;
