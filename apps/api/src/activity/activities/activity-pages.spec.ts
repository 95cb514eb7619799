import { Client } from 'pg';
import { bodyOf, rejectedFields } from '#test/support/client.js';
import { type Stream, allPages, writeActivity } from '#test/support/activities.js';
import { makeWeakness, unique } from '#test/support/factories.js';
import { makeProject } from '#test/support/projects.js';
import { STREAM_PATH, useActivityStream } from '#test/support/activity-streams.js';

const { test, streamOf } = useActivityStream();

describe('Pagination of an activity stream', () => {
  it('contains 100 activities by default and never more than 1,000, and rejects an invalid page_size', async () => {
    const name = unique('Many').replaceAll(' ', '');
    await writeActivity(test, { name, count: 1200 });
    expect((await streamOf({ name })).results).toHaveLength(100);
    expect((await streamOf({ name, page_size: 1000 })).results).toHaveLength(1000);
    expect((await streamOf({ name, page_size: 9_999_999 })).results).toHaveLength(1000);
    for (const size of ['0', '-1', 'x', '1.5'])
      expect(await rejectedFields(test.api.get(STREAM_PATH, { page_size: size }))).toEqual(['page_size']);
  });

  it('links pages by next and previous, which keep every other parameter and the time window', async () => {
    const name = unique('Linked').replaceAll(' ', '');
    await writeActivity(test, { name, count: 7 });
    const pages = await allPages(test.api, STREAM_PATH, { name, page_size: 3, exclude: 'text' });
    expect(pages.map(({ results }) => results.length)).toEqual([3, 3, 1]);
    const ids = pages.flatMap(({ results }) => results.map(({ id }) => id));
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(new Set(ids).size).toBe(7);
    const [first] = pages as [Stream];
    expect(first.previous).toBeNull();
    expect(pages.at(-1)?.next).toBeNull();
    expect(new Set(pages.map(({ date_from: from, date_to: to }) => `${from} ${to}`)).size).toBe(1);
    expect(first.next).toMatch(new RegExp(`^${test.origin}/api/v2/activity-stream/\\?.*name=${name}.*&cursor=`));
    let back = pages.at(-1) as Stream;
    for (const page of pages.slice(0, -1).toReversed()) {
      back = await bodyOf(test.api.get<Stream>(back.previous ?? ''));
      expect(back.results).toEqual(page.results);
    }
    expect(back.previous).toBeNull();
    expect((await bodyOf(test.api.get<Stream>(back.next ?? ''))).results).toEqual(pages[1]?.results);
  });

  it('orders activities of the same moment by id, and returns each once', async () => {
    const name = unique('Same').replaceAll(' ', '');
    await writeActivity(test, { name, count: 50, occurredAt: "'2026-01-01T00:00:00Z'" });
    const pages = await allPages(test.api, STREAM_PATH, { name, page_size: 7 });
    const ids = pages.flatMap(({ results }) => results.map(({ id }) => id));
    expect(ids).toHaveLength(50);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
  });

  it('returns 404 for an invalid cursor, and 400 for two cursors', async () => {
    const name = unique('Cursor').replaceAll(' ', '');
    await writeActivity(test, { name, count: 2 });
    const { next } = await streamOf({ name, page_size: 1 });
    const good = new URL(next ?? '').searchParams.get('cursor') ?? '';
    const changed = Buffer.from(good, 'base64url');
    changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
    const bad = [
      'x',
      '1',
      'null',
      '"',
      good.slice(0, -1),
      `${good}A`,
      good.toLowerCase(),
      changed.toString('base64url'),
      'A'.repeat(500),
      'ü',
      '🙂',
      `${good}=`,
    ];
    for (const cursor of bad)
      expect(await bodyOf(test.api.get(STREAM_PATH, { name, cursor }), 404)).toEqual({ detail: 'Invalid cursor.' });
    expect((await streamOf({ name, cursor: good })).results).toHaveLength(1);
    expect(await rejectedFields(test.api.get(STREAM_PATH, { cursor: ['x', 'y'] }))).toEqual(['cursor']);
  });

  it('returns 404 for the cursor of another caller', async () => {
    const { next } = await streamOf({ page_size: 1 });
    const lead = await test.newUser({ role: 'UR2' });
    const other = await test.newOrganization();
    for (const api of [lead.api, other.api])
      expect(await bodyOf(api.get(next ?? ''), 404)).toEqual({ detail: 'Invalid cursor.' });
  });

  it('returns 404 for the cursor of another stream, also for the same caller', async () => {
    const project = await makeProject(test);
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { description: 'x' }));
    const paths = [STREAM_PATH, '/users/me/activity-stream/', `/projects/${project.id}/activity-stream/`];
    for (const path of paths) {
      const { next } = await streamOf({ page_size: 1 }, path);
      const cursor = new URL(next ?? '').searchParams.get('cursor') ?? '';
      await streamOf({ cursor }, path);
      for (const other of paths.filter((one) => one !== path))
        expect(await bodyOf(test.api.get(other, { cursor }), 404)).toEqual({ detail: 'Invalid cursor.' });
    }
  });

  it('neither repeats nor skips an activity while others are being written', async () => {
    const name = unique('Race').replaceAll(' ', '');
    const there = new Set<number>();
    for (let n = 0; n < 30; n += 1) there.add(await writeActivity(test, { name }));
    const stop = new AbortController();
    const writers = [1, 2, 3, 4].map(async () => {
      for (let n = 0; n < 50 && !stop.signal.aborted; n += 1)
        await writeActivity(test, { name, pause: Math.random() * 0.02 });
    });
    try {
      for (let round = 0; round < 5; round += 1) {
        const pages = await allPages(test.api, STREAM_PATH, { name, page_size: 9 });
        const ids = pages.flatMap(({ results }) => results.map(({ id }) => id));
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of there) expect(ids).toContain(id);
        for (const id of ids) there.add(id);
      }
    } finally {
      stop.abort();
      await Promise.all(writers);
    }
  });

  it('excludes activities that were not yet committed when the first page was read, whatever their time', async () => {
    const name = unique('Late').replaceAll(' ', '');
    const late = new Client({ connectionString: test.database.url });
    await late.connect();
    try {
      await writeActivity(test, { name, count: 3 });
      await late.query('BEGIN');
      await writeActivity(test, { name }, late);
      await writeActivity(test, { name, count: 3 });
      const first = await streamOf({ name, page_size: 3 });
      await late.query('COMMIT');
      const second = await bodyOf(test.api.get<Stream>(first.next ?? ''));
      expect([...first.results, ...second.results]).toHaveLength(6);
      expect(second.next).toBeNull();
      expect((await bodyOf(test.api.get<Stream>(second.previous ?? ''))).results).toEqual(first.results);
      expect((await streamOf({ name })).results).toHaveLength(7);
    } finally {
      await late.end();
    }
  });

  it('shows what the caller has just done, even while older transactions are still running', async () => {
    const old = new Client({ connectionString: test.database.url });
    await old.connect();
    try {
      await old.query('BEGIN');
      await writeActivity(test, { name: 'OldActivity' }, old);
      const { id } = await makeWeakness(test.api);
      expect((await streamOf({ page_size: 1 })).results[0]?.data['weakness']).toBe(id);
    } finally {
      await old.end();
    }
  });

  it('includes old activities without a transaction id', async () => {
    const name = unique('Before').replaceAll(' ', '');
    await writeActivity(test, { name, count: 3 });
    await test.database.query('UPDATE activity SET transaction_id = NULL WHERE name = $1', [name]);
    const pages = await allPages(test.api, STREAM_PATH, { name, page_size: 2 });
    expect(pages.flatMap(({ results }) => results)).toHaveLength(3);
  });
});
