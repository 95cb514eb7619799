import type { Request, Response } from 'express';
import { PASSWORD_LENGTH } from '#domain/access/user/password.rules.js';
import { pageSender } from '../../http/pages.js';

/** Sends the form as JSON, with the secret after `#`, and shows the errors of each field below it. */
const SCRIPT = `
const form = document.querySelector('form');
const report = document.querySelector('[role=alert]');
const errorOf = (input) => document.getElementById(input.name + '-error');
const show = (errors) => {
  const inputs = [...form.querySelectorAll('input')];
  for (const input of inputs) {
    const messages = errors[input.name] ?? [];
    errorOf(input).textContent = messages.join(' ');
    input.setAttribute('aria-invalid', String(messages.length > 0));
  }
  const others = Object.entries(errors).filter(([name]) => !inputs.some((input) => input.name === name));
  report.textContent = others.flatMap(([, messages]) => messages).join(' ');
  inputs.find((input) => input.getAttribute('aria-invalid') === 'true')?.focus();
};
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  button.disabled = true;
  show({});
  try {
    const response = await fetch(location.pathname.replace(/setup\\/?$/, 'auth/setup/'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...Object.fromEntries(new FormData(form)), token: location.hash.slice(1) }),
    });
    const body = await response.json();
    if (response.ok) {
      history.replaceState(null, '', location.pathname);
      form.hidden = true;
      const done = document.getElementById('done');
      done.hidden = false;
      done.focus();
    } else show(body);
  } catch {
    report.textContent = 'The service did not respond. Check that it runs, and try again.';
  }
  button.disabled = false;
});
if (location.hash.length < 2)
  report.textContent = 'This address is not complete: open the whole link, with the part after #.';
`;

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly hint?: string;
}

const FIELDS: readonly Field[] = [
  { name: 'first_name', label: 'First name', autocomplete: 'given-name' },
  { name: 'last_name', label: 'Last name', autocomplete: 'family-name' },
  { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' },
  {
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${PASSWORD_LENGTH.minimum} characters. A sentence is easy to remember.`,
  },
  { name: 'organization', label: 'Organization', autocomplete: 'organization' },
];

const inputOf = ({ name, label, type = 'text', autocomplete, hint }: Field): string => `<label>${label}
<input name="${name}" type="${type}" autocomplete="${autocomplete}" required aria-describedby="${name}-error">
${hint === undefined ? '' : `<small>${hint}</small>\n`}<span class="error" id="${name}-error"></span>
</label>`;

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

const send = pageSender(SCRIPT);

/** Serves the page of the setup link. Its secret stays in the browser until the form is sent. */
export function serveSetupPage(router: { get(path: string, handler: unknown): unknown }): void {
  router.get('/setup', (request: Request, response: Response) =>
    send(request, response, { title: 'Set up', body: BODY }),
  );
}
