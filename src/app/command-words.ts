/** What commands say as the gateway does. A file of its own: they load little before they run. */
export { foreignWords } from '../core/failure/foreign-words.ts';
export { OPERATOR_ACTIONS, type OperatorAction } from '../core/health/operator-action.ts';
