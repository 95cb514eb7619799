import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import type { Mutant } from './mutant.ts';

/** Type-checks files with one change each, without writing any. It reads the project once. */
export class Compiler {
  private readonly changed = new Map<string, string>();
  private readonly service: ts.LanguageService;
  private readonly root: string;
  private version = 0;

  constructor(root: string) {
    this.root = root;
    const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile.bind(ts.sys));
    const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    this.service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => fileNames,
      getScriptVersion: (file) => (this.changed.has(file) ? String(this.version) : '0'),
      getScriptSnapshot: (file) => {
        const text = this.changed.get(file) ?? ts.sys.readFile(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists.bind(ts.sys),
      readFile: ts.sys.readFile.bind(ts.sys),
    });
  }

  /** Why a mutant is none: its text is not in the file exactly once, or the file does not compile with it. */
  problemOf({ file, search, replacement }: Mutant): string | undefined {
    const absolute = path.join(this.root, file);
    const parts = readFileSync(absolute, 'utf8').split(search);
    if (parts.length !== 2) return `The text is in the file ${parts.length - 1} times.`;
    this.version += 1;
    this.changed.clear();
    this.changed.set(absolute, parts.join(replacement));
    const [first] = [
      ...this.service.getSyntacticDiagnostics(absolute),
      ...this.service.getSemanticDiagnostics(absolute),
    ];
    return first && ts.flattenDiagnosticMessageText(first.messageText, ' ');
  }
}
