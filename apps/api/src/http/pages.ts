import { createHash } from 'node:crypto';
import type { Response } from 'express';

const STYLE = `
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif; }
pre { padding: .8rem 1rem; overflow-x: auto; border: 1px solid #8888; border-radius: .3rem; font-size: .9rem; }
blockquote { margin: .5rem 0 .5rem 1rem; }
blockquote pre { white-space: pre-wrap; margin: 0; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; }
form { display: grid; gap: 1rem; max-width: 26rem; margin: 2rem 0; }
label { display: grid; gap: .25rem; font-weight: 600; }
input { font: inherit; font-weight: 400; padding: .5rem .6rem; border: 1px solid #8888; border-radius: .3rem; }
button {
  justify-self: start; font: inherit; font-weight: 600; padding: .5rem 1.1rem;
  color: #fff; background: #2358c8; border: 0; border-radius: .3rem; cursor: pointer;
}
button:disabled { background: #666; cursor: default; }
:focus-visible { outline: 3px solid #5b8def; outline-offset: 2px; }
small { font-weight: 400; }
.error { color: light-dark(#b3261e, #ff9c94); font-weight: 400; }
.error:empty { display: none; }
[hidden] { display: none; }
@media print {
  :root { color-scheme: light; }
  body { max-width: none; margin: 0; font-size: 10.5pt; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  h2, h3 { break-after: avoid; }
  h3 + p, tr, li, blockquote { break-inside: avoid; }
}
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The content security policy of a page. It loads nothing, submits no forms and can't be framed. */
const policyOf = (script: string): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(STYLE)}`,
    ...(script ? [`script-src ${hashOf(script)}`, "connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join(';');

interface Page {
  readonly title: string;
  readonly body: string;
}

/** The policy of pages without scripts. */
export const PAGE_POLICY = policyOf('');

/** An HTML page with its style sheet. `title` and `body` are HTML. */
export const htmlPage = ({ title, body }: Page, script = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Merlon</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>${script && `\n<script>${script}</script>`}
</body>
</html>
`;

/**
 * Returns a function that sends a small HTML page. Its style sheet is inline, and so is the `script`, if there is one,
 * which may only send requests to the service.
 */
export function pageSender(script = ''): (response: Response, page: Page) => void {
  const policy = policyOf(script);
  return (response, page) => {
    response.set('Content-Security-Policy', policy).type('html').send(htmlPage(page, script));
  };
}
