import { BrokenLibrary, parseLibrary } from './library-schema.js';

const soundFiles: Readonly<Record<string, string>> = {
  'phases.yaml': '- {id: X1, name: Design, slug: design, description: Draw., tip: Think., ordinal: 1, retain: false}',
  'categories.yaml': '- {id: 1, name: Authentication}',
  'tags.yaml': '- passwords',
  'glossary.yaml': '[]',
  'rule-mappings.yaml': '[]',
  'profiles.yaml': '[]',
  'workflow-prompts.yaml': '[]',
  'attributes.yaml': '- {id: AT1, parent: null, name: Data, description: What it holds.}',
  'component-questions.yaml': '[]',
  'components/all.yaml': '[]',
  'survey/02-second.yaml': 'id: S1\ntitle: Second\nsubsections: []',
  'survey/01-first.yaml': 'id: S2\ntitle: First\nsubsections: []',
  'weaknesses/all.yaml':
    '- id: P1\n  title: Guessing\n  risk_rating: 8\n  category: Authentication\n  cwe: [307]\n  match_conditions: []\n  text: |\n    One.\n\n    Two.\n',
  'countermeasures/all.yaml': '[]',
};

/** Reads a sound library with other text in some files; `null` leaves a file out. */
const read = (changes: Readonly<Record<string, string | null>> = {}) => {
  const files = Object.entries({ ...soundFiles, ...changes }).flatMap(([path, text]) =>
    text === null ? [] : [{ path, text }],
  );
  return parseLibrary(
    files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    { cwes: [], capecs: [], frameworks: [], icons: [] },
  );
};

const problemsOf = (changes: Readonly<Record<string, string | null>>): readonly string[] => {
  try {
    read(changes);
  } catch (error) {
    if (error instanceof BrokenLibrary) return error.errors;
    throw error;
  }
  return [];
};

describe('Reading the library', () => {
  it('orders the survey by file name and removes the trailing line break of texts', () => {
    const library = read();
    expect(library.sections.map(({ title }) => title)).toEqual(['First', 'Second']);
    expect(library.weaknesses[0]?.text).toBe('One.\n\nTwo.');
  });

  it('reports all errors together, with file and path', () => {
    expect(
      problemsOf({
        'phases.yaml':
          '- {id: CX1, name: Design, slug: A b, description: Draw., tip: Think., ordinal: 1.5, colour: red}',
        'categories.yaml': null,
        'survey/01-first.yaml': '[]',
        'weaknesses/all.yaml': 'P1: Guessing',
        'notes.txt': 'Hello',
      }),
    ).toEqual([
      'phases.yaml: [0].id: must be an id such as X12',
      'phases.yaml: [0].slug: must be lower-case words with hyphens between them',
      'phases.yaml: [0].ordinal: must be a whole number from 0 to 1000000',
      'phases.yaml: [0].retain: is missing',
      'phases.yaml: [0].colour: is unknown',
      'categories.yaml: is missing',
      'survey/01-first.yaml: must be a mapping',
      'weaknesses/all.yaml: must be a list',
      'notes.txt: does not belong to a library',
    ]);
  });

  it.each([
    ['an anchor', '- &a {id: 1, name: Authentication}', 'anchors are not allowed: at line 1'],
    ['a tag', '- {id: 1, name: !!str Authentication}', 'tags are not allowed: at line 1'],
    ['a directive', '%YAML 1.1\n---\n- {id: 1, name: Authentication}', 'directives are not allowed'],
    [
      'a tag directive',
      '%TAG ! tag:example.org,2026:\n---\n- {id: 1, name: Authentication}',
      'directives are not allowed',
    ],
    ['a duplicate key', '- {id: 1, id: 2, name: Authentication}', 'Map keys must be unique at line 1, column 11'],
    [
      'a number instead of text',
      '- {id: 1, name: 2021}',
      '[0].name: must be one line of 1 to 100 characters without surrounding spaces',
    ],
    ['an empty file', '', 'must be a list'],
  ])('rejects %s', (_case, text, problem) => {
    expect(problemsOf({ 'categories.yaml': text })).toEqual([`categories.yaml: ${problem}`]);
  });

  it('rejects an alias and its anchor', () => {
    expect(problemsOf({ 'categories.yaml': '- &a {id: 1, name: Authentication}\n- *a' })).toEqual([
      'categories.yaml: anchors are not allowed: at line 1',
      'categories.yaml: aliases are not allowed: at line 2',
    ]);
  });

  it('rejects a second document in a file', () => {
    expect(problemsOf({ 'categories.yaml': '[]\n---\n[]' })).toHaveLength(1);
  });

  it('rejects a duplicate answer in a match condition', () => {
    const twice = soundFiles['weaknesses/all.yaml']?.replace(
      'match_conditions: []',
      'match_conditions: [{id: MC1, required: [A1, A1], excluded: []}]',
    );
    expect(problemsOf({ 'weaknesses/all.yaml': twice ?? '' })).toEqual([
      'weaknesses/all.yaml: [0].match_conditions[0].required: must not contain duplicates',
    ]);
  });

  it('reports invalid entries of a list together with the errors of the list itself', () => {
    const lists = 'match_conditions: [{id: MC1, required: [A1, A1, B2], excluded: []}]';
    const text = soundFiles['weaknesses/all.yaml']?.replace('match_conditions: []', lists);
    expect(problemsOf({ 'weaknesses/all.yaml': text ?? '' })).toEqual([
      'weaknesses/all.yaml: [0].match_conditions[0].required[2]: must be an id such as A12',
      'weaknesses/all.yaml: [0].match_conditions[0].required: must not contain duplicates',
    ]);
  });

  describe('with references and a review date', () => {
    const weaknessWith = (more: string) => ({
      'weaknesses/all.yaml': `${soundFiles['weaknesses/all.yaml'] ?? ''}${more}`,
    });

    it('accepts references in the format of their source and titles of documents', () => {
      const references =
        '[cwe:79, "asvs:5.0:1.2.1", "nist:800-63B-4:3.1.1", "rfc:9700:4.1", rfc:9325, owasp-cheatsheet:XML_External_Entity_Prevention, PostgreSQL 18 documentation]';
      const { weaknesses } = read(weaknessWith(`  references: ${references}\n  reviewed_at: "2026-11-23"\n`));
      expect(weaknesses[0]?.references).toHaveLength(7);
      expect(weaknesses[0]?.reviewed_at).toBe('2026-11-23');
    });

    it.each(['cwe:x', '"asvs:4.0:1.2.1"', 'asvs:5.0', 'nist:800-63B-4', 'rfc:', '"cve:2021:1"', '42'])(
      'rejects the reference %s',
      (reference) => {
        expect(problemsOf(weaknessWith(`  references: [${reference}]\n`))).toEqual([
          'weaknesses/all.yaml: [0].references[0]: must be a reference such as cwe:79, rfc:9700:4.1 or the title of a document',
        ]);
      },
    );

    it.each(['2026-02-30', '23.11.2026', '2026-13-01'])('rejects the date %s', (date) => {
      expect(problemsOf(weaknessWith(`  reviewed_at: "${date}"\n`))).toEqual([
        'weaknesses/all.yaml: [0].reviewed_at: must be a date such as 2026-11-23',
      ]);
    });
  });
});
