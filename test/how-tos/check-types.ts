import path from 'node:path';
import ts from 'typescript';

/** An excerpt in TypeScript or JavaScript, by the name of a file that does not exist. */
export type Excerpts = ReadonlyMap<string, string>;

/**
 * Names and modules that an excerpt takes from its surroundings: the reader has them, and this check does not. What
 * comes from them has any type.
 */
const OF_SURROUNDINGS: ReadonlySet<number> = new Set([2304, 2307, 2552, 2582, 2593, 2882, 18004]);

const ROOT = path.resolve(import.meta.dirname, '../..');
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noImplicitAny: false,
  noEmit: true,
  allowJs: true,
  checkJs: true,
  experimentalDecorators: true,
  skipLibCheck: true,
  jsx: ts.JsxEmit.Preserve,
  module: ts.ModuleKind.Preserve,
  moduleDetection: ts.ModuleDetectionKind.Force,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ESNext,
  types: ['node'],
  typeRoots: [path.join(ROOT, 'node_modules/@types')],
};

/** What excerpts extend of packages that are not installed here. */
const EXTENDED: Excerpts = new Map([
  [
    '/how-tos/extended.d.ts',
    `declare module 'express-session' {
      interface SessionData { cookie: unknown }
      const session: any;
      export default session;
    }
    declare namespace Express { interface Request { session: any; sessionID: string } }`,
  ],
]);

/** The compiler's files, and the excerpts as if they were among them. */
function hostWith(excerpts: Excerpts): ts.CompilerHost {
  const host = ts.createCompilerHost(OPTIONS);
  return {
    ...host,
    getCurrentDirectory: () => ROOT,
    fileExists: (name) => excerpts.has(name) || host.fileExists(name),
    readFile: (name) => excerpts.get(name) ?? host.readFile(name),
    getSourceFile: (name, target, ...rest) => {
      const text = excerpts.get(name);
      return text === undefined
        ? host.getSourceFile(name, target, ...rest)
        : ts.createSourceFile(name, text, target, true);
    },
  };
}

/** Errors of types within excerpts, by the name of the file. */
export function findTypeErrors(excerpts: Excerpts): [name: string, fault: string][] {
  const files = new Map([...EXTENDED, ...excerpts]);
  const program = ts.createProgram([...files.keys()], OPTIONS, hostWith(files));
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ code, file }) => file && excerpts.has(file.fileName) && !OF_SURROUNDINGS.has(code))
    .map(({ file, start = 0, messageText }) => [
      file?.fileName ?? '',
      `line ${(file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1}: ` +
        ts.flattenDiagnosticMessageText(messageText, ' '),
    ]);
}
