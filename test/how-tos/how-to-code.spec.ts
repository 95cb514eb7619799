import { execFile } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { defaultLibraryFolder } from '#content/library/schema/library-files.js';
import { readLibrary } from '#content/library/schema/library-schema.js';
import { blocksOf, type CodeBlock } from './code-blocks.ts';

/** What parsers and the type checker say of code blocks. */
async function faultsOf(blocks: readonly CodeBlock[]): Promise<readonly string[]> {
  const check = path.resolve(import.meta.dirname, 'check-code.ts');
  const child = execFile(process.execPath, ['--liftoff-only', check]);
  child.stdin!.end(JSON.stringify(blocks));
  const [output, errors] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  if (!output) throw new Error(errors);
  return JSON.parse(output) as string[];
}

/** Code with an error, and a part of what is said of it. */
const FAULTY = [
  ['bash', 'if true; then echo yes', 'fi'],
  ['bicep', "resource a 'x@1' = {", 'line 1'],
  ['csharp', 'class A { void B( { } }', 'line 1'],
  ['dockerfile', 'FROM node:24\nRUNN npm ci', 'Unknown instruction'],
  ['go', 'func main() { x := }', 'line 1'],
  ['hcl', 'resource "a" "b" {', 'Unclosed'],
  ['java', 'class A { int b = ; }', 'line 1'],
  ['json', '{"a": }', 'JSON'],
  ['kotlin', 'fun a( = 1', 'line 1'],
  ['mysql', 'GRANT SELECT ON TO shop;', 'line 1'],
  ['nginx', 'server { listen 80 }', 'Expected'],
  ['nginx', 'server { listen 80;', 'Expected'],
  ['nginx', 'server { listen 80; } }', 'Expected'],
  ['nginx', 'add_header X-Content-Type-Options "nosniff;', 'Expected'],
  ['php', 'function a( { }', 'line'],
  ['plsql', 'CREATE USER shop IDENTIFIED;', 'line 1'],
  ['python', 'def a(:\n  pass', 'line 1'],
  ['ruby', 'def a(\nend)', 'line'],
  ['rust', 'fn a( { }', 'line 1'],
  ['sql', 'SELECT FROM WHERE', 'syntax'],
  ['swift', 'func a( {', 'line 1'],
  ['tsql', 'CREATE SECURITY POLICY ADD;', 'line 1'],
  ['ts', 'const a: number = "text";', 'not assignable'],
  ['xml', '<a><b></a>', 'unexpected close tag'],
  ['yaml', 'a: [1', 'Flow'],
  ['cobol', 'DISPLAY "A".', 'no parser'],
  ['', 'without a language', 'no parser'],
] as const;

describe('The code in how-tos', () => {
  it('is accepted by the parser of its language, and type-checks if it is TypeScript', async () => {
    const { howTos } = await readLibrary(defaultLibraryFolder());
    const blocks = howTos.flatMap(({ id, text: markdown }) => blocksOf(id, markdown));
    expect(blocks.length).toBeGreaterThan(100);
    expect(await faultsOf(blocks)).toEqual([]);
  });

  describe('with an error', () => {
    let faults: readonly string[];

    beforeAll(async () => {
      faults = await faultsOf(FAULTY.map(([language, code], n) => ({ id: `I${n}`, language, code: `${code}\n` })));
    });

    it.each(FAULTY.map(([language, code, message], n) => ({ language, code, message, n })))(
      'is rejected in $language: $code',
      ({ message, n }) => {
        expect(faults.filter((fault) => new RegExp(`^I${n}\\b`).test(fault))).toEqual([
          expect.stringContaining(message),
        ]);
      },
    );
  });
});
