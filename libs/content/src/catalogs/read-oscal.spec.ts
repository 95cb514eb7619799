import { BrokenCatalog } from './catalog.js';
import { parseCatalog } from './read-catalog.js';

const label = (value: string): object => ({ name: 'label', value });
const withdrawn = { name: 'status', value: 'Withdrawn' };
const statement = (prose: string): object[] => [{ name: 'statement', prose }];

const catalog = (...controls: object[]): string =>
  JSON.stringify({ catalog: { metadata: { title: 'Rules for boxes', version: '7' }, controls } });

const BOXES = catalog(
  {
    id: 'bx-1',
    title: 'Dry',
    controls: [{ id: 'bx-1.1', title: 'Warm', controls: [{ id: 'bx-1.1.1', title: 'Hot' }] }],
  },
  { id: 'bx-2', title: 'Closed' },
  { id: 'bx-3', title: 'Labelled' },
);

const profile = (...imports: object[]): string =>
  JSON.stringify({
    profile: {
      metadata: { title: 'Small boxes', version: '2' },
      imports: imports.map((each) => ({ href: '#boxes', ...each })),
    },
  });

const sectionsOf = (text: string, source?: string): unknown => {
  const read = parseCatalog('oscal', text, {}, 'boxes.json', source);
  return 'sections' in read && read.sections.map(({ code, title }) => `${code} ${title}`);
};
const selected = (...imports: object[]): unknown => sectionsOf(profile(...imports), BOXES);

describe('An OSCAL catalog', () => {
  it('has the ids of controls whose labels repeat their titles, such as the categories of CSF 2.0', () => {
    const title = 'Identity Management, Authentication, and Access Control of Boxes';
    expect(
      sectionsOf(
        catalog(
          { id: 'BX.AA', title, props: [label(`${title} (BX.AA)`)] },
          { id: 'BX.OC', title: 'Context', props: [label('Context (BX.OC)')] },
          { id: 'bx-2.1', title: 'Lids', props: [label('BX-2 (1)')] },
          { id: 'bx-3', title: 'Locks', props: [label('A label that is far too long to be the code of a control')] },
        ),
      ),
    ).toEqual([`BX.AA ${title}`, 'BX.OC Context', 'BX-2 (1) Lids', 'bx-3 Locks']);
  });

  it('has the codes that labels show after the title, such as those of 800-171, and not its own ids', () => {
    const title = 'System and Communications Protection of all Boxes';
    expect(
      sectionsOf(
        catalog(
          { id: 'BOXES_03.01.01', title: 'Lids', props: [label('Lids (03.01.01)')] },
          { id: 'BOXES_03.01.02', title, props: [label(`${title} (03.01.02)`)] },
          { id: 'bx-3', title: 'Locks', props: [label('Locks ()')] },
        ),
      ),
    ).toEqual(['03.01.01 Lids', `03.01.02 ${title}`, 'bx-3 Locks']);
  });

  it('takes the statements of controls whose titles only repeat their ids', () => {
    const parts = statement('Boxes are dry after {{ insert: param, bx-1_prm }}.');
    expect(
      sectionsOf(
        catalog(
          { id: 'BX.OC-01', title: 'BX.OC-01', props: [label('BX.OC-01')], parts },
          { id: 'bx-2', title: 'Closed', parts },
          { id: 'bx-3', title: 'bx-3' },
        ),
      ),
    ).toEqual(['BX.OC-01 Boxes are dry after […].', 'bx-2 Closed', 'bx-3 bx-3']);
  });

  it('leaves out withdrawn controls, but not those below them', () => {
    expect(
      sectionsOf(
        catalog(
          { id: 'bx-1', title: 'Dry' },
          { id: 'bx-2', title: 'Gone', props: [withdrawn], controls: [{ id: 'bx-2.1', title: 'Kept' }] },
        ),
      ),
    ).toEqual(['bx-1 Dry', 'bx-2.1 Kept']);
  });
});

describe('An OSCAL profile', () => {
  it('is read with its catalog, whose selected controls keep their order', () => {
    expect(parseCatalog('oscal', profile({ 'include-all': {} }), {}, 'p.json', BOXES)).toMatchObject({
      source: { name: 'Small boxes', version: '2' },
      regulation: { name: 'Small boxes' },
    });
    expect(selected({ 'include-controls': [{ 'with-ids': ['bx-3', 'bx-1'] }] })).toEqual(['bx-1 Dry', 'bx-3 Labelled']);
  });

  it('selects all controls unless it names some, and those below them if it says so', () => {
    expect(selected({})).toHaveLength(5);
    expect(selected({ 'include-controls': [{ 'with-ids': ['bx-1'], 'with-child-controls': 'yes' }] })).toEqual([
      'bx-1 Dry',
      'bx-1.1 Warm',
      'bx-1.1.1 Hot',
    ]);
  });

  it('excludes controls, also from several imports of the same catalog', () => {
    expect(
      selected(
        {
          'include-all': {},
          'exclude-controls': [{ 'with-ids': ['bx-1'], 'with-child-controls': 'yes' }, { 'with-ids': ['bx-2'] }],
        },
        { 'include-controls': [{ 'with-ids': ['bx-1.1'] }] },
      ),
    ).toEqual(['bx-1.1 Warm', 'bx-3 Labelled']);
  });

  const SSP = '{"system-security-plan": {}}';
  it.each<[string, string, string | undefined, RegExp]>([
    ['a profile without its catalog', profile({}), undefined, /is an OSCAL profile.*--catalog/],
    ['a profile of a profile', profile({}), profile({}), /--catalog: The file is a profile too/],
    ['a catalog with another catalog', BOXES, BOXES, /needs no other catalog/],
    ['another model', SSP, undefined, /is an OSCAL system-security-plan, not a catalog or a profile/],
    ['a profile with another model', profile({}), SSP, /--catalog: The file is an OSCAL system-security-plan/],
    ['another file', '{}', undefined, /not an OSCAL catalog/],
    ['controls of two files', profile({}, { href: 'other.json' }), BOXES, /selects controls of 2 files/],
    [
      'a control that the catalog does not contain',
      profile({ 'include-controls': [{ 'with-ids': ['bx-9'] }] }),
      BOXES,
      /does not contain the control "bx-9"/,
    ],
    [
      'selections of a draft of OSCAL 1.0',
      profile({ include: { calls: [{ 'control-id': 'bx-1' }] } }),
      BOXES,
      /imports\[0\]\.include is of a draft of OSCAL 1\.0/,
    ],
    [
      'controls by pattern',
      profile({ 'include-controls': [{ matching: [{ pattern: 'bx-*' }] }] }),
      BOXES,
      /by pattern, which is not supported/,
    ],
  ])('is rejected with a clear error for %s', (_, text, source, message) => {
    const parse = () => parseCatalog('oscal', text, {}, 'p.json', source);
    expect(parse).toThrow(BrokenCatalog);
    expect(parse).toThrow(message);
  });
});
