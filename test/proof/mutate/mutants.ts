// Makes mutants of one file: small changes of its text at places that the syntax tree names.
// They resemble typing errors; none is in a type, an import or a string.
import {
  type Expression,
  type Node,
  type ObjectLiteralElementLike,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import {
  isArrayLiteralExpression,
  isAwaitExpression,
  isBinaryExpression,
  isCallExpression,
  isExpressionStatement,
  isIdentifier,
  isIfStatement,
  isImportDeclaration,
  isNumericLiteral,
  isObjectLiteralExpression,
  isPrefixUnaryExpression,
  isPropertyAssignment,
  isTypeNode,
} from 'typescript/unstable/ast/is';

export interface Mutant {
  /** The change, in two or three words. */
  kind: string;
  /** Positions in the file's text; the part between them is replaced. */
  start: number;
  end: number;
  by: string;
}

const swapped: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
};
/** The comparisons of a conditional write. */
const swappedNames: Readonly<Record<string, string>> = {
  lt: 'lte',
  lte: 'lt',
  gt: 'gte',
  gte: 'gt',
  eq: 'ne',
  ne: 'eq',
};

export function mutantsOf(file: SourceFile): Mutant[] {
  const found: Mutant[] = [];
  const text = file.text;
  function replace(kind: string, node: Node, by: string): void {
    found.push({ kind, start: node.getStart(file), end: node.end, by });
  }
  function look(node: Node): void {
    if (isTypeNode(node) || isImportDeclaration(node)) return;
    if (isBinaryExpression(node)) {
      const { operatorToken } = node;
      const by = swapped[operatorToken.getText(file)];
      if (by) replace('operator', operatorToken, by);
    }
    if (isNumericLiteral(node)) replace('constant', node, `(${node.text} + 1)`);
    if (node.kind === SyntaxKind.TrueKeyword) replace('constant', node, 'false');
    if (node.kind === SyntaxKind.FalseKeyword) replace('constant', node, 'true');
    if (isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
      replace('negation', node, node.operand.getText(file));
    }
    if (isIfStatement(node)) {
      replace('never taken', node.expression, 'false');
      replace('always taken', node.expression, 'true');
    }
    if (isExpressionStatement(node)) lookAtStatement(node.expression, node);
    if (isObjectLiteralExpression(node)) node.properties.forEach(lookAtProperty);
    node.forEachChild(look);
  }
  function lookAtStatement(expression: Expression, statement: Node): void {
    const isAwaited = isAwaitExpression(expression);
    if (isAwaited) replace('no await', expression, expression.expression.getText(file));
    if (isAwaited || isCallExpression(expression)) replace('no call', statement, ';');
  }
  function lookAtProperty(property: ObjectLiteralElementLike): void {
    if (!isPropertyAssignment(property) || !isIdentifier(property.name)) return;
    const { name, initializer } = property;
    const by = swappedNames[name.text];
    if (by) replace('comparison', name, by);
    if (name.text === 'condition') drop(property);
    const isList = name.text === 'and' || name.text === 'or';
    if (isList && isArrayLiteralExpression(initializer)) initializer.elements.forEach(drop);
  }
  /** Removes one element of a list, with the comma after it. */
  function drop(node: Node): void {
    const comma = /^\s*,/.exec(text.slice(node.end))?.[0].length ?? 0;
    const start = node.getStart(file);
    found.push({ kind: 'dropped condition', start, end: node.end + comma, by: '' });
  }
  look(file);
  return found;
}

/** The file's text with the mutant's change. */
export function applyMutant(text: string, { start, end, by }: Mutant): string {
  return text.slice(0, start) + by + text.slice(end);
}

/** The place of a mutant and its change, in one line. */
export function describeMutant(text: string, mutant: Mutant): { line: number; change: string } {
  const line = text.slice(0, mutant.start).split('\n').length;
  const before = text.slice(mutant.start, mutant.end).replaceAll(/\s+/g, ' ').trim();
  return { line, change: `${mutant.kind}: ${before} → ${mutant.by || 'nothing'}` };
}
