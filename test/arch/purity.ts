import { isNode, lineOf, listNodes, type SyntaxNode } from './source.ts';

/**
 * What neither the compiler nor the linter sees: clocks and dice that are part of the language. Returns `line: reason`
 * for each place that reads the time or a random number instead of taking it as an argument.
 */
export function findImpurities(code: string): string[] {
  return listNodes(code).flatMap((node) => {
    const reason = reasonOf(node);
    return reason === undefined ? [] : [`${lineOf(code, node.start)}: ${reason}`];
  });
}

/** In core also what depends on the machine's language and time zone. */
export function findLocalities(code: string): string[] {
  return listNodes(code).flatMap((node) => {
    const name = node.type === 'MemberExpression' ? memberName(node) : undefined;
    const isIntl = node.type === 'Identifier' && node['name'] === 'Intl';
    if (!isIntl && (name === undefined || !LOCAL.test(name))) return [];
    return [`${lineOf(code, node.start)}: ${name ?? 'Intl'} depends on the machine's language or time zone`];
  });
}

const LOCAL = /^(toLocale\w*|getTimezoneOffset|[gs]et(FullYear|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds))$/;

const READERS: Readonly<Record<string, string>> = { Date: 'now', Math: 'random' };

function reasonOf(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'NewExpression':
      return isGlobal(node['callee'], 'Date') && isEmpty(node['arguments'])
        ? '`new Date()` reads the clock'
        : undefined;
    case 'CallExpression':
      return isGlobal(node['callee'], 'Date') ? '`Date()` reads the clock' : undefined;
    case 'MemberExpression':
      return readerOf(node);
    case 'VariableDeclarator':
    case 'AssignmentExpression':
      return aliasOf(node);
    default:
      return undefined;
  }
}

function readerOf(node: SyntaxNode): string | undefined {
  const object = globalName(node['object']);
  if (object === undefined) return undefined;
  const property = memberName(node);
  if (property === undefined) return `\`${object}[…]\` may read the clock or roll dice`;
  return READERS[object] === property ? `\`${object}.${property}\` reads the clock or rolls dice` : undefined;
}

/** `const { now } = Date`, `const D = Date`: the same by another name. */
function aliasOf(node: SyntaxNode): string | undefined {
  const object = globalName(node['init'] ?? node['right']);
  return object === undefined ? undefined : `\`${object}\` by another name can't be followed`;
}

function globalName(node: unknown): string | undefined {
  return Object.keys(READERS).find((name) => isGlobal(node, name));
}

/** `Date`, `globalThis.Date`. */
function isGlobal(node: unknown, name: string): boolean {
  if (!isNode(node)) return false;
  if (node.type === 'Identifier') return node['name'] === name;
  return node.type === 'MemberExpression' && isGlobal(node['object'], 'globalThis') && memberName(node) === name;
}

function memberName(node: SyntaxNode): string | undefined {
  const property = node['property'];
  if (!isNode(property)) return undefined;
  if (node['computed'] !== true) return typeof property['name'] === 'string' ? property['name'] : undefined;
  return typeof property['value'] === 'string' ? property['value'] : undefined;
}

const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0;
