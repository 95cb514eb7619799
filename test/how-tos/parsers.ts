import { createRequire } from 'node:module';
import { parse as parseHcl } from '@cdktf/hcl2json';
import { validate as validateDockerfile } from 'dockerfile-utils';
import { parse as parsePostgresql } from 'libpg-query';
import saxes from 'saxes';
import treeSitter, { type Language, type Node, type Parser } from '@vscode/tree-sitter-wasm';
import { parseAllDocuments } from 'yaml';
import { parseNginx } from './nginx.ts';
import { findSqlFault } from './sql-dialects.ts';

/** Returns an error message, or undefined for a valid text. */
type FindFault = (code: string) => string | undefined | Promise<string | undefined>;

const resolve = createRequire(import.meta.url).resolve;
const maintained = (name: string): string => resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`);
const further = (name: string): string => resolve(`tree-sitter-wasms/out/tree-sitter-${name}.wasm`);

const GRAMMARS: Readonly<Record<string, string>> = {
  bash: maintained('bash'),
  bicep: resolve('tree-sitter-bicep/tree-sitter-bicep.wasm'),
  cpp: maintained('cpp'),
  csharp: maintained('c-sharp'),
  dart: further('dart'),
  go: maintained('go'),
  html: further('html'),
  ini: maintained('ini'),
  java: maintained('java'),
  js: maintained('javascript'),
  kotlin: further('kotlin'),
  php: maintained('php'),
  powershell: maintained('powershell'),
  python: maintained('python'),
  ruby: maintained('ruby'),
  rust: maintained('rust'),
  swift: further('swift'),
  toml: further('toml'),
  ts: maintained('typescript'),
  tsx: maintained('tsx'),
  vue: further('vue'),
};

/** Languages for which npm has no usable parser: README.md names those that were tried. */
const WITHOUT_PARSER: ReadonlySet<string> = new Set(['cmake', 'properties', 'rego', 'text', 'twig']);

const parsers = new Map<string, Promise<Parser>>();

async function openParser(grammar: string): Promise<Parser> {
  await treeSitter.Parser.init();
  const language: Language = await treeSitter.Language.load(grammar);
  return new treeSitter.Parser().setLanguage(language);
}

function faultyNode(node: Node): Node | undefined {
  if (node.isError || node.isMissing) return node;
  for (const child of node.children) {
    const faulty = child && (child.hasError || child.isMissing) ? faultyNode(child) : undefined;
    if (faulty) return faulty;
  }
  return undefined;
}

/** A syntax tree has ERROR nodes where text does not fit, and MISSING ones where something is left out. */
async function findTreeFault(grammar: string, code: string): Promise<string | undefined> {
  const parser = parsers.get(grammar) ?? openParser(grammar);
  parsers.set(grammar, parser);
  const tree = (await parser).parse(code);
  const node = tree && faultyNode(tree.rootNode);
  if (!node) return tree ? undefined : 'was not parsed';
  const line = node.startPosition.row + 1;
  return node.isMissing ? `line ${line}: ${node.type} is missing` : `line ${line}: ${JSON.stringify(node.text)}`;
}

/** The message of what a parser throws. */
const orMessage =
  (parse: (code: string) => unknown): FindFault =>
  async (code) => {
    try {
      await parse(code);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };

/** With a root of its own: an excerpt may have several elements. */
function parseXml(code: string): void {
  const parser = new saxes.SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(code.trimStart().startsWith('<?xml') ? code : `<excerpt>${code}</excerpt>`).close();
}

/** Of the Language Server Protocol: warnings and hints have higher numbers. */
const ERROR_SEVERITY = 1;

const OTHERS: Readonly<Record<string, FindFault>> = {
  dockerfile: (code) => {
    const fault = validateDockerfile(code).find(({ severity }) => severity === ERROR_SEVERITY);
    return fault && JSON.stringify(fault.message);
  },
  hcl: orMessage((code) => parseHcl('example.tf', code)),
  json: orMessage((code) => JSON.parse(code)),
  mysql: (code) => findSqlFault('mysql', code),
  nginx: orMessage(parseNginx),
  plsql: (code) => findSqlFault('plsql', code),
  sql: orMessage(parsePostgresql),
  tsql: (code) => findSqlFault('tsql', code),
  xml: orMessage(parseXml),
  yaml: (code) => [parseAllDocuments(code)].flat().flatMap(({ errors }) => errors)[0]?.message,
};

/** Returns an error message, or undefined for valid code. PHP may omit its opening tag. */
export function findFault(language: string, code: string): ReturnType<FindFault> {
  const grammar = GRAMMARS[language];
  if (grammar !== undefined)
    return findTreeFault(grammar, language === 'php' && !code.includes('<?') ? `<?php\n${code}` : code);
  if (WITHOUT_PARSER.has(language)) return undefined;
  return OTHERS[language]?.(code) ?? (language in OTHERS ? undefined : `no parser for "${language}"`);
}
