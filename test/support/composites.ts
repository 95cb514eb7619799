import { useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf, type Json, rowsOf } from '#test/support/client.js';
import { unique } from '#test/support/factories.js';
import type { List, Weakness } from '#test/support/resources.js';

export interface Sub {
  method: string;
  path: string;
  reference_id: string;
  body?: unknown;
  [name: string]: unknown;
}

interface SubAnswer {
  reference_id: string;
  http_status_code: number;
  body: Json;
}

export const post = (path: string, reference: string, body: unknown): Sub => ({
  method: 'POST',
  path,
  reference_id: reference,
  body,
});

export const get = (path: string, reference: string): Sub => ({ method: 'GET', path, reference_id: reference });

export const weakness = (reference: string, fields: object = {}): Sub =>
  post('library/problems/', reference, { title: unique('Composite'), text: 'x', risk_rating: 5, ...fields });

export const statusesOf = (answers: readonly SubAnswer[]): number[] => answers.map((answer) => answer.http_status_code);

/** A test API and composite requests to it. */
export function useComposites() {
  const test = useTestApi();

  /** The responses of a composite request. */
  async function run(requests: readonly Sub[], options: object = {}, api: ApiClient = test.api): Promise<SubAnswer[]> {
    const body = await bodyOf(
      api.post<{ composite_response: SubAnswer[] }>('/composite/', { ...options, composite_request: requests }),
    );
    expect(Object.keys(body)).toEqual(['composite_response']);
    for (const answer of body.composite_response)
      expect(Object.keys(answer)).toEqual(['reference_id', 'http_status_code', 'body']);
    return body.composite_response;
  }

  const titles = async (search: string): Promise<string[]> =>
    (await rowsOf(test.api.get<List<Weakness>>('/library/problems/', { search }))).map(({ title }) => title);

  return { test, run, titles };
}
