// Finds promises that are dropped: calls whose promise no code awaits, returns or stores. TypeScript's
// own checker gives the types, because Biome's rule is slower and finds only half of ours.
import { relative } from 'node:path';
import type { Expression, Node, SourceFile } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isExpressionStatement,
  isIdentifier,
  isPropertyAccessExpression,
  isSpreadAssignment,
} from 'typescript/unstable/ast/is';
import {
  API,
  type Checker,
  type Project,
  SignatureKind,
  type Type,
} from 'typescript/unstable/sync';

/**
 * @param configs absolute paths of the TypeScript projects whose own files are read.
 * @returns one line for each dropped promise: where it is, and the source text.
 */
export function findUnusedPromises(root: string, configs: readonly string[]): string[] {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [...configs] });
    return snapshot.getProjects().flatMap((project) => inProject(root, project));
  } finally {
    api.close();
  }
}

function inProject(root: string, project: Project): string[] {
  return project.rootFiles.flatMap((path) => unusedPromisesIn(root, project, path));
}

/** The same for one file of a project. */
export function unusedPromisesIn(
  root: string,
  { checker, program }: Project,
  path: string,
): string[] {
  const file = program.getSourceFile(path);
  if (!file) return [];
  const values = droppedValues(file);
  const types = checker.getTypeAtLocation(values);
  return values
    .filter((_, index) => isPromise(checker, types[index]))
    .map((node) => describePlace(root, file, node));
}

/** Expressions whose own value is not used, be it a promise or not. */
function droppedValues(file: SourceFile): Expression[] {
  const found: Expression[] = [];
  function look(node: Node): void {
    if (isExpressionStatement(node) && isUnhandled(node.expression)) {
      found.push(node.expression);
    }
    if (isSpreadAssignment(node)) found.push(node.expression);
    node.forEachChild(look);
  }
  look(file);
  return found;
}

/** A name, or a call that isn't the end of a chain with a rejection handler. */
function isUnhandled(node: Expression): boolean {
  if (isIdentifier(node) || isPropertyAccessExpression(node)) return true;
  if (!isCallExpression(node)) return false;
  if (!isPropertyAccessExpression(node.expression)) return true;
  const { name, expression } = node.expression;
  if (name.text === 'finally') return isUnhandled(expression);
  const handlers = node.arguments.length;
  return !(name.text === 'catch' && handlers > 0) && !(name.text === 'then' && handlers > 1);
}

/** A union counts as a promise if one member is a promise. */
function isPromise(checker: Checker, type: Type | undefined): boolean {
  if (type?.isUnionType()) return type.getTypes().some((member) => isPromise(checker, member));
  const isObject = type?.isObjectType() || type?.isIntersectionType() || type?.isTypeParameter();
  const then = isObject ? checker.getPropertyOfType(type, 'then') : undefined;
  const method = then && checker.getTypeOfSymbol(then);
  return method !== undefined && checker.getSignaturesOfType(method, SignatureKind.Call).length > 0;
}

function describePlace(root: string, file: SourceFile, node: Node): string {
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
  const [text = ''] = node.getText(file).split('\n');
  return `${relative(root, file.fileName)}:${line + 1}:${character + 1}  ${text}`;
}
