import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');

/** A place in the code that reads or writes a table. */
export interface TableUse {
  readonly file: string;
  readonly verb: 'reads' | 'writes';
  /** The name of the table; `*` stands for what is only known at run time, as in `*_version`. */
  readonly table: string;
}

/** Names of entities and their tables, and the file that declares each table. */
export interface DeclaredTables {
  readonly byEntity: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, string>;
}

/** The TypeScript files of production code below these folders, by path. */
export function sources(...folders: readonly string[]): Map<string, string> {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }));
  const production = files.filter((file) => !file.endsWith('.spec.ts')).sort();
  return new Map(production.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

/** Finds the tables that entities declare. */
export function declaredTables(files: ReadonlyMap<string, string>): DeclaredTables {
  const declarations = [...files].flatMap(([file, text]) =>
    [...text.matchAll(/const (\w+) = defineEntity\(\{(?:(?!defineEntity)[^])*?tableName: '(\w+)'/g)].map(
      ([, entity = '', table = '']) => ({ file, entity, table }),
    ),
  );
  return {
    byEntity: new Map(declarations.map(({ entity, table }) => [entity, table])),
    files: new Map(declarations.map(({ file, table }) => [table, file])),
  };
}

/** Methods of the query builder whose first argument is a table. */
const BUILDER: Readonly<Record<string, TableUse['verb']>> = {
  selectFrom: 'reads',
  from: 'reads',
  using: 'reads',
  innerJoin: 'reads',
  leftJoin: 'reads',
  insertInto: 'writes',
  updateTable: 'writes',
  deleteFrom: 'writes',
  mergeInto: 'writes',
};

/** Methods of the entity manager whose first argument is an entity. What they load is written when it was changed. */
const UNIT_OF_WORK: ReadonlySet<string> = new Set([
  'find',
  'findOne',
  'findOneOrFail',
  'create',
  'insert',
  'insertMany',
  'upsert',
  'upsertMany',
  'nativeUpdate',
  'nativeDelete',
]);

const NAME = '[a-z_*]+';
const WRITES = new RegExp(
  String.raw`\b(?:INSERT INTO|DELETE FROM|MERGE INTO|TRUNCATE|(?<!(?:FOR|FOR NO KEY|DO|THEN) )UPDATE) (?:ONLY )?(${NAME})`,
  'g',
);
const READS = new RegExp(
  String.raw`\b(?<!(?:DELETE|DISTINCT) )(?:FROM|JOIN|USING) (?:ONLY )?(${NAME}(?: ${NAME})?(?:, ${NAME}(?: ${NAME})?)*)`,
  'g',
);

/** The tables in the text of SQL. */
function tablesIn(text: string): Pick<TableUse, 'verb' | 'table'>[] {
  const sqlText = text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').replaceAll('"', '');
  const written = [...sqlText.matchAll(WRITES)].map(([, table = '']) => ({ verb: 'writes' as const, table }));
  const read = [...sqlText.matchAll(READS)].flatMap(([, list = '']) =>
    list.split(', ').map((item) => ({ verb: 'reads' as const, table: item.split(' ')[0] ?? '' })),
  );
  return [...written.filter(({ table }) => table !== 'set'), ...read];
}

/** How often a constant may be defined by another one. */
const MAX_DEFINITIONS = 5;

/** Finds the uses of tables in the code of one file. */
export function tableUses(file: string, code: string, { byEntity }: DeclaredTables): TableUse[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const definitions = new Map<string, ts.Expression>();
  const define = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      definitions.set(node.name.text, node.initializer);
    ts.forEachChild(node, define);
  };
  define(source);

  /** The text of an expression in SQL; `*` for what is not known. */
  const textOf = (node: ts.Node | undefined, depth = 0): string => {
    if (!node || depth > MAX_DEFINITIONS) return '*';
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isTemplateExpression(node))
      return (
        node.head.text + node.templateSpans.map((span) => textOf(span.expression, depth) + span.literal.text).join('')
      );
    if (ts.isTaggedTemplateExpression(node)) return textOf(node.template, depth);
    if (ts.isIdentifier(node)) return textOf(definitions.get(node.text), depth + 1);
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return textOf(node.body, depth);
    if (ts.isCallExpression(node)) {
      // A function of this file that returns SQL, or one such as `sql.table(…)`, which returns its argument.
      if (ts.isIdentifier(node.expression) && definitions.has(node.expression.text))
        return textOf(node.expression, depth);
      return node.arguments.length === 1 ? textOf(node.arguments[0], depth) : '*';
    }
    return '*';
  };

  /** The table whose rows a `Lease` writes. */
  const leasedTable = (node: ts.NewExpression): string => {
    const [argument] = node.arguments ?? [];
    const properties = argument && ts.isObjectLiteralExpression(argument) ? argument.properties : [];
    const table = [...properties].find((property) => property.name?.getText(source) === 'table');
    return textOf(table && ts.isPropertyAssignment(table) ? table.initializer : undefined);
  };

  const uses: TableUse[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateLiteral(node) || ts.isStringLiteral(node))
      uses.push(...tablesIn(textOf(node)).map((use) => ({ file, ...use })));
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const method = node.expression.name.text;
      const [argument] = node.arguments;
      const verb = BUILDER[method];
      if (verb && argument) uses.push({ file, verb, table: textOf(argument).split(' ')[0] ?? '*' });
      const entity = argument && ts.isIdentifier(argument) ? byEntity.get(argument.text) : undefined;
      if (entity !== undefined && UNIT_OF_WORK.has(method)) uses.push({ file, verb: 'writes', table: entity });
    }
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'Lease')
      uses.push({ file, verb: 'writes', table: leasedTable(node) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

/** Whether a use can be one of this table. */
export const isUseOf = ({ table: pattern }: TableUse, table: string): boolean =>
  new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(table);
