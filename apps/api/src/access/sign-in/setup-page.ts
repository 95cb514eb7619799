import type { Request, Response } from 'express';
import { pageSender } from '../../http/pages.js';
import { type FormField, formScript, inputOf, NEW_PASSWORD } from './form-page.js';

const FIELDS: readonly FormField[] = [
  { name: 'first_name', label: 'First name', autocomplete: 'given-name' },
  { name: 'last_name', label: 'Last name', autocomplete: 'family-name' },
  { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' },
  NEW_PASSWORD,
  { name: 'organization', label: 'Organization', autocomplete: 'organization' },
];

const BODY = `<p>Create the first user of this deployment. This user may do everything, and can create the others.</p>
<form novalidate>
${FIELDS.map(inputOf).join('\n')}
<p class="error" role="alert"></p>
<button>Create the first user</button>
</form>
<section id="done" tabindex="-1" hidden>
<p>Done: you are signed in, and this link no longer works.</p>
<p><a href="./">Open Merlon</a></p>
</section>`;

const send = pageSender(formScript('setup', 'auth/setup/'));

/** Serves the page of the setup link. Its secret stays in the browser until the form is sent. */
export function serveSetupPage(router: { get(path: string, handler: unknown): unknown }): void {
  router.get('/setup', (_request: Request, response: Response) => send(response, { title: 'Set up', body: BODY }));
}
