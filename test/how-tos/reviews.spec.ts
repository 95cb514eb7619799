import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { defaultLibraryFolder } from '#content/library/schema/library-files.js';
import { readLibrary } from '#content/library/schema/library-schema.js';

const REVIEWS = path.resolve(import.meta.dirname, 'reviews');
const RUNS = path.resolve(import.meta.dirname, 'runs');
const RESULT = /^(unchanged|new|Corrected: .+)$/s;

const reviewsOf = z.array(
  z.strictObject({
    id: z.string().regex(/^I\d+$/),
    reviewed_at: z.iso.date(),
    read_against: z.string().min(20),
    result: z.string().regex(RESULT),
  }),
);

it('every how-to was either executed or reviewed, and says when', async () => {
  const { howTos } = await readLibrary(defaultLibraryFolder());
  const reviews = readdirSync(REVIEWS).flatMap((file) =>
    reviewsOf.parse(parse(readFileSync(path.join(REVIEWS, file), 'utf8'))),
  );
  const notExecuted = howTos.filter(({ id }) => !existsSync(path.join(RUNS, id)));
  const dates = (list: readonly { id: string; reviewed_at?: string | null | undefined }[]): readonly string[] =>
    list.map(({ id, reviewed_at }) => `${id} ${reviewed_at}`).toSorted();
  expect(dates(reviews)).toEqual(dates(notExecuted));
});
