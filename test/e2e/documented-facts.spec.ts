import type { z } from 'zod';
import { answersOf, questionsOf } from '#content/library/schema/library-parts.js';
import { defaultLibraryFolder } from '#content/library/schema/library-files.js';
import { type Library, readLibrary } from '#content/library/schema/library-schema.js';
import { documentation as documentationOf } from '#platform/setting.js';
import { settings } from '#platform/settings.js';
import { useTestApi } from '../support/api.js';
import { rowsOf } from '../support/client.js';
import { documentation, sectionOf } from '../support/shell-examples.js';

const test = useTestApi();
const README = documentation('README.md');
const FEATURES = documentation('docs/understand/features.md');
const CONFIGURATION = documentation('docs/operate/configuration.md');

/** What the page calls the kinds of the starter library. */
const COUNTED: Readonly<Record<string, (library: Library) => number>> = {
  weaknesses: ({ weaknesses }) => weaknesses.length,
  countermeasures: ({ countermeasures }) => countermeasures.length,
  'how-tos': ({ howTos }) => howTos.length,
  'additional requirements': ({ additionalRequirements }) => additionalRequirements.length,
  components: ({ components }) => components.length,
  threats: ({ threats }) => threats.length,
  answers: (library) => questionsOf(library).flatMap(answersOf).length,
  sections: ({ sections }) => sections.length,
  'frameworks and laws': ({ regulations }) => regulations.length,
};

describe('The documentation', () => {
  it('states the correct counts of the starter library', async () => {
    const library = await readLibrary(defaultLibraryFolder());
    const [, sentence = ''] =
      /The \[starter library\][^ ]+ has (.*?)\. /s.exec(sectionOf(FEATURES, 'What exists')) ?? [];
    const named = [...sentence.matchAll(/(\d+)\s+([a-z -]+?)(?=,| in |$)/g)].map(([, count, kind = '']) => [
      kind,
      Number(count),
    ]);
    expect(Object.fromEntries(named)).toEqual(
      Object.fromEntries(Object.entries(COUNTED).map(([kind, count]) => [kind, count(library)])),
    );
    const [, least] = /a library of more than (\d+)\s+countermeasures/.exec(README) ?? [];
    expect(library.countermeasures.length).toBeGreaterThan(Number(least));
  });

  it('states the correct number of starter reports', async () => {
    const [, count] = /(\d+) starter reports are included/.exec(FEATURES) ?? [];
    expect(await rowsOf(test.api.get<{ results: object[] }>('/queries/templates/'))).toHaveLength(Number(count));
  });

  it('lists the actual defaults of the settings', () => {
    const rows = [...sectionOf(CONFIGURATION, 'Configuration').matchAll(/^\| (`[^|]+`) \| ([^|]+) \|/gm)];
    expect(rows.length).toBeGreaterThan(15);
    for (const [, names = '', values = ''] of rows) {
      const isValues = /^`[^`]*`(, `[^`]*`)*$/.test(values);
      const shown = [...values.matchAll(/`([^`]*)`/g)].map(([, value]) => value);
      const real = [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => {
        const schema = (settings.shape as Readonly<Record<string, z.ZodType>>)[name];
        return (schema && documentationOf.get(schema)?.default) ?? '';
      });
      // Words stand for what is worked out, and a dash for what stays unset.
      if (isValues) expect([names, shown]).toEqual([names, real]);
      else if (!shown.length) expect([names, real.filter((value) => value !== '')]).toEqual([names, []]);
    }
  });

  it('installs the version of the SDK of OpenTelemetry that the tests use', () => {
    const { devDependencies } = JSON.parse(documentation('package.json')) as {
      devDependencies: Record<string, string>;
    };
    const version = devDependencies['@opentelemetry/sdk-node'];
    expect(version).toMatch(/^[\d.]+$/);
    expect(documentation('docs/operate/telemetry.md')).toContain(`@opentelemetry/sdk-node@${version}\n`);
  });

  it.each([
    ['README.md', '\ncurl '],
    ['docs/integrate/api.md', '\nmerlon '],
    ['docs/use/walk-through.md', '\nmerlon '],
  ])('asks for a second terminal before the first request of %s', (page, request) => {
    const text = documentation(page);
    expect(text.slice(0, text.indexOf(request))).toMatch(/second\s+terminal/);
  });
});
