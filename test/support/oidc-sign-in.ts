import type { TestOrganization } from './api.js';
import { type Arrival, BrowserJar } from './browser-jar.js';
import { bodyOf, type Json } from './client.js';
import { unique } from './factories.js';
import { makeIdentityProvider, type Person, useOidcProvider } from './oidc-provider.js';
import { browserWith, COOKIE } from './sessions.js';

interface Me {
  readonly id: number;
  readonly email: string;
  readonly role: string;
}

export interface Activity {
  readonly name: string;
  readonly actor: number | null;
  readonly log_level: string;
  readonly data: Readonly<Record<string, Json>>;
}

/** A random word in lower case. */
export const word = (): string => unique('x').replaceAll(/\W/g, '').toLowerCase();

/** A person at the provider, with an address that it has verified. */
export const newPerson = (claims: Person = {}) => ({
  subject: word(),
  claims: { email: `${word()}@example.com`, email_verified: true, given_name: 'Ada', family_name: 'L', ...claims },
});

/** The text of a page that says why a sign-in failed. */
export const reasonOf = ({ status, text }: Arrival): string => {
  expect(status).toBe(403);
  expect(text).toContain('<h1>Sign-in failed</h1>');
  return text.replaceAll(/<[^>]*>|\n/g, ' ').replaceAll('&#34;', '"');
};

/** Starts an API and an identity provider, and signs people in as a browser does. */
export function useOidcSignIn() {
  const { test, provider } = useOidcProvider();

  const startOf = (id: number, query = ''): string => `${test.origin}/auth/oidc/${id}/start${query}`;

  /** Signs a person in with a new browser. */
  async function signIn(id: number, { subject, claims }: { subject: string; claims: Person }, jar = new BrowserJar()) {
    provider.signIn(subject, claims);
    const arrival = await jar.visit(startOf(id, '?return_to=/openapi.json%3Fa%3D1'));
    const cookie = jar.of(test.origin).get(COOKIE);
    return { arrival, jar, api: browserWith(test, cookie ?? ''), cookie };
  }

  const me = async (signedIn: Awaited<ReturnType<typeof signIn>>): Promise<Me> =>
    bodyOf(signedIn.api.get<Me>('/users/me/'));

  const activities = async (name: string, organization: TestOrganization = test.organization): Promise<Activity[]> => {
    const query = { name, page_size: 100 };
    return (await bodyOf(organization.api.get<{ results: Activity[] }>('/activity-stream/', query))).results;
  };

  /** A provider in an organization of its own, so that its activities are the only ones. */
  async function newProvider(fields: object = {}) {
    const organization = await test.newOrganization();
    const id = await makeIdentityProvider(organization, provider, fields);
    return { organization, id };
  }

  return { test, provider, startOf, signIn, me, activities, newProvider };
}
