import type { Request, Response } from 'express';
import { pageSender } from '../../http/pages.js';
import { formScript, inputOf, NEW_PASSWORD } from './form-page.js';

/** Offers the identity providers too: before the browser goes to one, the service remembers the invitation. */
const PROVIDERS_SCRIPT = `
const base = location.pathname.replace(/invitation\\/?$/, '');
const providers = document.getElementById('providers');
const offer = ({ name, start }) => {
  const button = document.createElement('button');
  button.textContent = 'Sign in with ' + name;
  button.addEventListener('click', async () => {
    const response = await fetch(base + 'auth/invitation/link/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: location.hash.slice(1) }),
    });
    if (response.ok) location.assign(start);
    else show(await response.json());
  });
  providers.append(button);
  providers.hidden = false;
};
fetch(base + 'auth/session/')
  .then((response) => response.json())
  .then(({ methods }) => methods.oidc.forEach(offer));
`;

const BODY = `<p>You have been invited to Merlon. Choose how you want to sign in.</p>
<section id="providers" hidden></section>
<form novalidate>
${inputOf(NEW_PASSWORD)}
<p class="error" role="alert"></p>
<button>Set the password</button>
</form>
<section id="done" tabindex="-1" hidden>
<p>Done: you are signed in, and this link no longer works.</p>
<p><a href="./">Open Merlon</a></p>
</section>`;

const send = pageSender(formScript('invitation', 'auth/invitation/') + PROVIDERS_SCRIPT);

/** Serves the page of an invitation. Its secret stays in the browser until the form is sent. */
export function serveInvitationPage(router: { get(path: string, handler: unknown): unknown }): void {
  router.get('/invitation', (_request: Request, response: Response) =>
    send(response, { title: 'Invitation', body: BODY }),
  );
}
