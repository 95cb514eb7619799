import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '#orm';
import { useTestApi } from '#test/support/api.js';
import { loadLibrary } from '../library/load/load-library.js';
import type { Catalog, CatalogKind } from './catalog.js';
import { importCatalog } from './import-catalog.js';
import { parseCatalog } from './read-catalog.js';

const test = useTestApi();
let orm: MikroORM;
beforeAll(async () => {
  orm = await MikroORM.init(ormOptions({ url: test.database.url, poolSize: 4, timeZone: 'UTC' }));
});
afterAll(() => orm.close(true));

const CWE = JSON.stringify({
  Version: '4.99',
  Weaknesses: [
    { ID: '79', Name: 'Script in a page', Abstraction: 'Base', Status: 'Stable' },
    { ID: '9001', Name: 'Dust & wear', Abstraction: 'Class', Status: 'Draft' },
  ],
});
const bundle = (...objects: unknown[]): string => JSON.stringify({ type: 'bundle', id: 'bundle--1', objects });
const CAPEC = bundle({
  type: 'attack-pattern',
  modified: '2026-01-02T00:00:00.000Z',
  name: 'Shaking the box',
  x_capec_abstraction: 'Standard',
  x_capec_version: '3.99',
  external_references: [
    { source_name: 'capec', external_id: 'CAPEC-9001' },
    { source_name: 'cwe', external_id: 'CWE-79' },
  ],
});
const technique = (id: string, chain = 'mitre-attack'): object => ({
  type: 'attack-pattern',
  modified: '2026-01-02T00:00:00.000Z',
  name: `Technique ${id}`,
  kill_chain_phases: [{ kill_chain_name: chain, phase_name: 'impact' }],
  external_references: [{ source_name: 'mitre-attack', external_id: id }],
});
const collection = (version: string): object => ({ type: 'x-mitre-collection', x_mitre_version: version });
const asvs = (...requirements: [code: string, text: string, level: string][]): string =>
  JSON.stringify({
    requirements: requirements.map(([req_id, req_description, L]) => ({
      chapter_id: 'V1',
      chapter_name: 'Boxes',
      section_id: 'V1.1',
      section_name: 'Lids',
      req_id,
      req_description,
      L,
    })),
  });
const ASVS = asvs(['V1.1.1', 'Verify that each lid closes.', '1']);
const oscal = (title = 'Keep the boxes dry', second: object = { id: 'bx-1.1', title: 'And warm' }): string =>
  JSON.stringify({
    catalog: {
      metadata: { title: 'Rules for boxes', version: '7' },
      controls: [{ id: 'bx-1', title, props: [{ name: 'label', value: 'BX-1' }], controls: [second] }],
    },
  });

const parse = (kind: CatalogKind, text: string, file = 'catalog-5.0.json'): Catalog =>
  parseCatalog(kind, text, {}, file);
const itemOf = async (path_: string): Promise<unknown> => (await test.api.get(`/library/${path_}`)).body;

describe('Importing a public catalog', () => {
  const recorded = (kind: string) =>
    test.database.query('SELECT name, version, licence, entries FROM catalog_import WHERE kind = $1', [kind]);

  it('updates the tables of the deployment, records the source, and is idempotent', async () => {
    const catalog = parse('cwe', CWE);
    expect(await importCatalog(orm.em, catalog)).toMatchObject({ entries: 2, created: 1, updated: 1, unchanged: 0 });
    expect(await importCatalog(orm.em, catalog)).toMatchObject({ entries: 2, created: 0, updated: 0, unchanged: 2 });
    expect(await itemOf('cwes/79/')).toMatchObject({ title: 'Script in a page' });
    expect(await recorded('cwe')).toEqual([
      { name: 'CWE', version: '4.99', licence: 'CWE Terms of Use (The MITRE Corporation)', entries: 2 },
    ]);
  });

  it('relates CAPECs to their CWEs', async () => {
    await importCatalog(orm.em, parse('capec', CAPEC));
    expect(await itemOf('capecs/9001/')).toMatchObject({ title: 'Shaking the box', cwes: [79] });
    expect(await test.database.query('SELECT 9001 = ANY(capecs) AS named FROM cwe WHERE id = 79')).toEqual([
      { named: true },
    ]);
  });

  it('adds framework entries that threats can refer to', async () => {
    await importCatalog(orm.em, parse('attack', bundle(technique('T9001'))));
    const threat = { title: 'Boxes fall', text: 'They do.', severity: 5, mitre_attack: ['T9001'] };
    expect((await test.api.post('/library/threats/', threat)).status).toBe(201);
  });

  it('takes precedence over the tables of a release, which adds only missing entries afterwards', async () => {
    await test.database.query('DELETE FROM library_release');
    await test.database.query('DELETE FROM cwe WHERE id = 1427');
    await loadLibrary(orm.em.fork());
    expect(await itemOf('cwes/79/')).toMatchObject({ title: 'Script in a page' });
    expect(await itemOf('cwes/1427/')).toMatchObject({ id: 1427 });
  });

  it('creates a regulation, whose sections keep their ids and countermeasures in the next import', async () => {
    const { organization } = test;
    const first = await importCatalog(orm.em, parse('oscal', oscal()), { organization: organization.id });
    expect(first).toMatchObject({ entries: 2, created: 2, regulation: 'CREG1' });
    const sections = `regulations/${first.regulation}/sections/`;
    const before = (await itemOf(sections)) as { results: { id: string; code: string }[] };
    expect(before.results.map(({ code }) => code)).toEqual(['BX-1', 'bx-1.1']);
    await test.database.query(
      `INSERT INTO regulation_section_countermeasure SELECT s.id, c.id FROM regulation_section s, countermeasure c
       WHERE s.code = 'BX-1' AND c.item_id = 'T1'`,
    );

    const again = await importCatalog(orm.em, parse('oscal', oscal('Keep them very dry')), {
      organization: organization.id,
    });
    expect(again).toMatchObject({ created: 0, updated: 1, unchanged: 1, regulation: 'CREG1' });
    expect(await itemOf(sections)).toMatchObject({
      results: [{ id: before.results[0]?.id, title: 'Keep them very dry', countermeasures: ['T1'] }, {}],
    });
    const rows = await test.database.query<{ name: string; actor_id: string | null }>(
      `SELECT name, actor_id FROM activity
       WHERE organization_id = ${organization.id} AND name ~ 'Regulation' ORDER BY id`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'CreatedRegulationActivity',
      'CreatedRegulationSectionActivity',
      'CreatedRegulationSectionActivity',
      'UpdatedRegulationSectionActivity',
    ]);
    expect(rows.every(({ actor_id: actor }) => actor === null)).toBe(true);
  });

  it('for one organization is invisible to another', async () => {
    const other = await test.newOrganization();
    await importCatalog(orm.em, parse('asvs', ASVS), { organization: other.id });
    const { results } = (await itemOf('regulations/?search=ASVS')) as { results: { id: string }[] };
    expect(results.filter(({ id }) => id.startsWith('C'))).toEqual([]);
  });

  it('creates another regulation for another edition, which keeps the mappings of the first', async () => {
    const organization = test.organization.id;
    const four = parse('asvs', asvs(['V1.1.1', 'Verify that each lid closes.', '1']), 'asvs-4.0.3.json');
    const five = parse('asvs', asvs(['V1.1.1', 'Verify that labels are readable.', '2']), 'asvs-5.0.0.json');
    const first = await importCatalog(orm.em, four, { organization });
    await test.database.query(
      `INSERT INTO regulation_section_countermeasure SELECT s.id, c.id FROM regulation_section s
       JOIN regulation r ON r.id = s.regulation_id, countermeasure c
       WHERE r.organization_id = $1 AND r.item_id = $2 AND s.code = 'V1.1.1' AND c.item_id = 'T1'`,
      [organization, first.regulation],
    );
    const second = await importCatalog(orm.em, five, { organization });
    expect(second.regulation).not.toBe(first.regulation);
    const coverageOf = (id: string | null | undefined) => itemOf(`regulations/${id}/coverage/?covered=true`);
    expect(await coverageOf(first.regulation)).toMatchObject({
      summary: { sections: 3, covered: 1, levels: [{ level: 1, sections: 1, covered: 1, complete: null }] },
      results: [{ code: 'V1.1.1', level: 1, title: 'Verify that each lid closes.' }],
    });
    expect(await coverageOf(second.regulation)).toMatchObject({
      summary: { sections: 3, covered: 0, levels: [{ level: 2, sections: 1, covered: 0, complete: null }] },
      results: [],
    });

    const mappingsFrom = { regulation: String(first.regulation), pairs: [{ from: 'V1.1.1', to: 'V1.1.1' }] };
    const taken = await importCatalog(orm.em, five, { organization, mappingsFrom });
    expect(taken).toMatchObject({ updated: 1, mappings: { from: first.regulation, carried: 1, left: [] } });
    expect(await coverageOf(second.regulation)).toMatchObject({ summary: { covered: 1 } });
    await expect(importCatalog(orm.em, four, { organization, mappingsFrom })).rejects.toMatchObject({
      errors: { 'mappings-from': [`"${first.regulation}" is the edition that is imported.`] },
    });
  });

  it('deactivates absent sections of the same edition, which then do not count', async () => {
    const { id: organization } = await test.newOrganization();
    const { regulation } = await importCatalog(orm.em, parse('oscal', oscal()), { organization });
    const withdrawn = oscal(undefined, { id: 'bx-1.1', title: 'x', props: [{ name: 'status', value: 'withdrawn' }] });
    const again = await importCatalog(orm.em, parse('oscal', withdrawn), { organization });
    expect(again).toMatchObject({ regulation, entries: 1, updated: 0, unchanged: 1, deactivated: 1 });
    const rows = await test.database.query(
      `SELECT s.code, s.active FROM regulation_section s WHERE s.organization_id = $1 ORDER BY s.ordinal`,
      [organization],
    );
    expect(rows).toEqual([
      { code: 'BX-1', active: true },
      { code: 'bx-1.1', active: false },
    ]);
  });

  it('shows the difference in a dry run, and changes nothing', async () => {
    const { id: organization } = await test.newOrganization();
    const catalog = parse('oscal', oscal());
    const dryRun = await importCatalog(orm.em, catalog, { organization, dryRun: true });
    expect(dryRun).toMatchObject({ applied: false, regulation: null, created: 2 });
    expect(dryRun.changes?.[0]).toEqual({
      id: 'BX-1',
      title: 'Keep the boxes dry',
      action: 'created',
      changes: { title: { from: null, to: 'Keep the boxes dry' }, ordinal: { from: null, to: 1 } },
    });
    expect(await test.database.query('SELECT 1 FROM regulation WHERE organization_id = $1', [organization])).toEqual(
      [],
    );
    const { changes } = await importCatalog(orm.em, parse('cwe', CWE.replace('Dust', 'Rust')), { dryRun: true });
    expect(changes).toEqual([
      {
        id: '9001',
        title: 'Rust & wear',
        action: 'updated',
        changes: { title: { from: 'Dust & wear', to: 'Rust & wear' } },
      },
    ]);
    expect(await itemOf('cwes/9001/')).toMatchObject({ title: 'Dust & wear' });
  });

  it('updates one domain of a threat framework, with its version, and deactivates its absent entries', async () => {
    const ics = (...ids: string[]) => bundle(...ids.map((id) => technique(id, 'mitre-ics-attack')), collection('19.0'));
    const stateOf = async () => {
      const rows = await test.database.query<{ domain: string; active: number }>(
        `SELECT e.domain, count(*) FILTER (WHERE e.active)::int AS active FROM threat_framework_entry e
         JOIN threat_framework f ON f.id = e.framework_id WHERE f.slug = 'mitre-attack' GROUP BY 1 ORDER BY 1`,
      );
      return Object.fromEntries(rows.map(({ domain, active }) => [domain, active]));
    };
    const before = await stateOf();
    const imported = await importCatalog(orm.em, parse('attack', ics('T0800', 'T9100')));
    expect(imported).toMatchObject({ source: { name: 'MITRE ATT&CK ICS', version: '19.0' }, created: 1 });
    expect(imported.deactivated).toBe(Number(before['ICS']) - 1);
    expect(await stateOf()).toEqual({ ...before, ICS: 2 });
    expect(await itemOf('threat-frameworks/4/')).toMatchObject({ version: expect.stringMatching(/, ICS 19\.0$/) });

    await test.database.query('DELETE FROM library_release');
    await loadLibrary(orm.em.fork());
    expect(await itemOf('threat-frameworks/4/')).toMatchObject({ version: expect.stringMatching(/, ICS 19\.0$/) });
    expect(await stateOf()).toEqual({ ...before, ICS: 2 });
  });
});
