/**
 * The names by which a caller may call a model, beside its id: the id without its owner, the model's own aliases such as dated
 * snapshots, and the aliases of an operator, each for one or several models.
 */

/** What a request must have for a target of an alias to be chosen: everything that is set. */
export interface AliasCondition {
  readonly tools?: true;
  readonly images?: true;
  /** More than so many tokens of input, estimated. */
  readonly inputTokensAbove?: number;
}

export interface AliasTarget {
  /** The id of a model. */
  readonly model: string;
  /** Its share among the targets that may be chosen, as a whole number from 1 on. */
  readonly weight: number;
  /** Targets with a condition that holds are preferred to those without a condition. */
  readonly when?: AliasCondition;
}

/** What a name without an owner stands for. An operator's alias comes before the models. */
export interface Named {
  /** The ids of the models that may have this name; each row says whether it still does. */
  readonly models: readonly string[];
  readonly alias?: readonly AliasTarget[];
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;

/** Whether a text has the shape of a name without an owner. */
export const isName = (text: string): boolean => namePattern.test(text);

/** The names of a model without its owner. */
export const namesOf = ({
  id,
  aliases = [],
}: {
  id: string;
  aliases?: readonly string[];
}): readonly string[] => [id.slice(id.indexOf('/') + 1), ...aliases];

/** What clients of Claude append to a model's name to ask for a context of a million tokens. It is no part of the name. */
const contextSuffix = /\[1m\]$/i;

/** The name without that suffix. The context is that of the model, and a beta that widens it comes in a header of its own. */
export const withoutContextSuffix = (name: string): string => name.replace(contextSuffix, '');
