// Lists every fault that can be put into a source file, by walking its syntax tree.
//
// Left out, because no test should depend on them: log lines, texts, types, and waiting times (constants whose name ends in
// Ms, _MS, Seconds or _SECONDS). Assertions are left out too.

import { resolve } from "node:path";
import { API } from "typescript/unstable/async";
import {
  type BinaryExpression,
  type Block,
  isAwaitExpression,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isExpressionStatement,
  isIfStatement,
  isNumericLiteral,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isThrowStatement,
  isTypeNode,
  type Node,
  type Statement,
  SyntaxKind,
} from "typescript/unstable/ast";
import { type Fault, type FaultKind, shortened } from "./fault.ts";

/** The faults of all files, in the order of the files. Paths are relative to `root`, which must have a tsconfig.json. */
export async function findFaults(root: string, paths: readonly string[]): Promise<Fault[]> {
  const api = new API({ cwd: root });
  try {
    const snapshot = await api.updateSnapshot({ openProject: resolve(root, "tsconfig.json") });
    const project = snapshot.getProjects()[0];
    if (project === undefined) throw new Error(`${root} has no tsconfig.json`);
    const faults: Fault[] = [];
    for (const path of paths) {
      const file = await project.program.getSourceFile(resolve(root, path));
      if (file === undefined) throw new Error(`${path} is not part of the project`);
      const finder = new FaultFinder(path, file.text);
      finder.walk(file);
      faults.push(...finder.faults);
    }
    return faults;
  } finally {
    await api.close();
  }
}

/** The operator that replaces a comparison: negated, or with its boundary moved. */
const TURNED: Readonly<Partial<Record<SyntaxKind, string>>> = {
  [SyntaxKind.LessThanToken]: ">=",
  [SyntaxKind.LessThanEqualsToken]: ">",
  [SyntaxKind.GreaterThanToken]: "<=",
  [SyntaxKind.GreaterThanEqualsToken]: "<",
  [SyntaxKind.EqualsEqualsEqualsToken]: "!==",
  [SyntaxKind.ExclamationEqualsEqualsToken]: "===",
};
const MOVED: Readonly<Partial<Record<SyntaxKind, string>>> = {
  [SyntaxKind.LessThanToken]: "<=",
  [SyntaxKind.LessThanEqualsToken]: "<",
  [SyntaxKind.GreaterThanToken]: ">=",
  [SyntaxKind.GreaterThanEqualsToken]: ">",
};
const OTHER_LOGIC: Readonly<Partial<Record<SyntaxKind, string>>> = {
  [SyntaxKind.AmpersandAmpersandToken]: "||",
  [SyntaxKind.BarBarToken]: "&&",
};
const OPERATOR_FAULTS = [
  ["comparison turned", TURNED],
  ["boundary moved", MOVED],
  ["and for or", OTHER_LOGIC],
] as const;
const OTHER_EXTREME: Readonly<Record<string, string>> = { "Math.min": "Math.max", "Math.max": "Math.min" };

class FaultFinder {
  readonly faults: Fault[] = [];

  constructor(private readonly path: string, private readonly text: string) {}

  walk(node: Node): void {
    if (isTypeNode(node) || isDeclarationOfTypes(node) || this.isUntested(node)) return;
    this.findInExpression(node);
    if (isBlock(node)) this.findInBlock(node);
    if (isIfStatement(node)) this.put("branch dropped", node.expression, "false");
    node.forEachChild((child) => this.walk(child));
  }

  private findInExpression(node: Node): void {
    if (isBinaryExpression(node)) this.findInBinary(node);
    else if (node.kind === SyntaxKind.TrueKeyword) this.put("boolean flipped", node, "false");
    else if (node.kind === SyntaxKind.FalseKeyword) this.put("boolean flipped", node, "true");
    else if (isNumericLiteral(node)) this.findInNumber(node);
    else if (isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
      this.put("negation removed", node, this.textOf(node.operand));
    } else if (isPropertyAccessExpression(node)) {
      const other = OTHER_EXTREME[this.textOf(node)];
      if (other !== undefined) this.put("least for greatest", node, other);
    }
  }

  private findInBinary({ operatorToken }: BinaryExpression): void {
    const { kind } = operatorToken;
    for (const [name, table] of OPERATOR_FAULTS) {
      const other = table[kind];
      if (other !== undefined) this.put(name, operatorToken, other);
    }
  }

  private findInNumber(node: Node): void {
    const value = Number(this.textOf(node).replaceAll("_", ""));
    if (Number.isSafeInteger(value)) this.put("constant off by one", node, String(value + 1));
  }

  private findInBlock(block: Block): void {
    const statements = block.statements;
    statements.forEach((statement, at) => {
      if (this.isUntested(statement)) return;
      const next = statements[at + 1];
      if (isExpressionStatement(statement)) this.put("statement dropped", statement, ";");
      if (isSwappable(statement) && next !== undefined && isSwappable(next) && !this.isUntested(next)) {
        this.swap(statement, next);
      }
      const before = statements[at - 1];
      if (before !== undefined && waits(before) && leaves(statement)) {
        this.put("check after await dropped", statement, ";");
      }
      if (isExpressionStatement(statement) && at > 0 && isFunctionLike(block.parent) && !givesValue(block)) {
        this.put("returns early", statement, "return;");
      }
    });
  }

  private swap(one: Statement, other: Statement): void {
    const [from, to] = [startOf(one, this.text), other.end];
    const between = this.text.slice(one.end, startOf(other, this.text));
    const before = this.text.slice(from, to);
    this.add("statements swapped", from, to, before, this.textOf(other) + between + this.textOf(one));
  }

  private put(kind: FaultKind, node: Node, after: string): void {
    this.add(kind, startOf(node, this.text), node.end, this.textOf(node), after);
  }

  private add(kind: FaultKind, from: number, to: number, before: string, after: string): void {
    const line = this.text.slice(0, from).split("\n").length;
    const sourceLine = shortened(this.text.split("\n")[line - 1] ?? "");
    this.faults.push({ path: this.path, line, sourceLine, kind, from, to, before, after });
  }

  private textOf(node: Node): string {
    return this.text.slice(startOf(node, this.text), node.end);
  }

  private isUntested(node: Node): boolean {
    if (node.kind === SyntaxKind.ImportDeclaration || node.kind === SyntaxKind.ExportDeclaration) return true;
    if (isExpressionStatement(node) || isCallExpression(node)) {
      return /^(await )?(this\.)?#?(options\.|console\.|\w*[lL]og\.(debug|info|warn|error)\(|assert|process\.emitWarning)/
        .test(this.textOf(node));
    }
    const named = node.kind === SyntaxKind.VariableDeclaration || node.kind === SyntaxKind.PropertyAssignment;
    return named && /^\w*(Ms|_MS|Seconds|_SECONDS)\s*[:=]/.test(this.textOf(node));
  }
}

const FUNCTIONS = new Set([
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionExpression,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
]);

function isFunctionLike({ kind }: Node): boolean {
  return FUNCTIONS.has(kind);
}

function isDeclarationOfTypes({ kind }: Node): boolean {
  return kind === SyntaxKind.InterfaceDeclaration || kind === SyntaxKind.TypeAliasDeclaration;
}

/** Offset of a node, after the comments before it. */
function startOf(node: Node, text: string): number {
  return node.getStart ? node.getStart() : text.length;
}

/** A statement that calls something. Two plain assignments are not swapped: their order rarely matters. */
function isSwappable(statement: Statement): boolean {
  return isExpressionStatement(statement) && calls(statement);
}

function calls(node: Node): boolean {
  return isCallExpression(node) || node.forEachChild((child) => calls(child) ? true : undefined) === true;
}

/** Whether it contains an `await`, after which other state may have changed. */
function waits(node: Node): boolean {
  if (isAwaitExpression(node)) return true;
  if (isFunctionLike(node)) return false;
  return node.forEachChild((child) => waits(child) ? true : undefined) === true;
}

/** `if (...) return`, or with throw. */
function leaves(statement: Statement): boolean {
  if (!isIfStatement(statement) || statement.elseStatement !== undefined) return false;
  const { thenStatement } = statement;
  const last = isBlock(thenStatement) ? thenStatement.statements.at(-1) : thenStatement;
  return last !== undefined && (isReturnStatement(last) || isThrowStatement(last));
}

/** Whether a function returns a value: an early `return;` would then be a type error, not a fault. */
function givesValue(node: Node): boolean {
  if (isReturnStatement(node)) return node.expression !== undefined;
  return node.forEachChild((child) => !isFunctionLike(child) && givesValue(child) ? true : undefined) === true;
}
