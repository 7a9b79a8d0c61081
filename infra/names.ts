/** `chat-completions` becomes `ChatCompletions`, as in names of constructs and outputs. */
export const pascalCase = (name: string): string =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The name of the stack of a gateway's tables. */
export const dataStackName = (stackName: string): string => `${stackName}Data`;

/** The name of the stack of its dashboard. */
export const adminStackName = (stackName: string): string => `${stackName}Admin`;

/** What the names of its resources begin with: of no other gateway of the account, whose name may begin with this one's. */
export const resourcePrefixes = (stackName: string): readonly string[] =>
  [stackName, dataStackName(stackName), adminStackName(stackName)].map((name) => `${name}-`);
