import { PASSWORD_LENGTH } from '#domain/access/user/password.rules.js';

/**
 * A script that sends the form as JSON, with the secret after `#`, and shows the errors of each field below it.
 *
 * @param page the path of the page, and `target` that of the request, without a slash at the beginning
 */
export const formScript = (page: string, target: string): string => `
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
    const response = await fetch(location.pathname.replace(/${page}\\/?$/, '${target}'), {
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

/** A field of a form. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly hint?: string;
}

/** The field of a password that the person chooses. */
export const NEW_PASSWORD: FormField = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: `At least ${PASSWORD_LENGTH.minimum} characters. A sentence is easy to remember.`,
};

/** The HTML of a field, with a place for its errors. */
export const inputOf = ({ name, label, type = 'text', autocomplete, hint }: FormField): string => `<label>${label}
<input name="${name}" type="${type}" autocomplete="${autocomplete}" required aria-describedby="${name}-error">
${hint === undefined ? '' : `<small>${hint}</small>\n`}<span class="error" id="${name}-error"></span>
</label>`;
