/** What an operator may do to a scope: the words of the API's paths and of the command line. */
export const OPERATOR_ACTIONS = ['reset', 'disable', 'enable'] as const;

export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];
