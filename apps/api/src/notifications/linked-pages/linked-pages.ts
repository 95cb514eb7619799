import { createHash } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { NUMERIC_ID } from '#domain/kernel/item-id.js';
import { EVENTS } from '#domain/notifications/webhook/webhook.rules.js';
import { escapeHtml } from '#platform/escape-html.js';
import type { ApiRequest } from '../../http/request.js';

/** The kind of item that a page is about: `project` in the folder `projects`. */
interface LinkedItem {
  readonly folder: string;
  readonly subject: string;
}

const STYLE = `
body {
  max-width: 46rem; margin: 3rem auto; padding: 0 1rem;
  font: 1rem/1.6 system-ui, sans-serif; color-scheme: light dark;
}
pre { padding: .8rem 1rem; overflow-x: auto; border: 1px solid #8888; border-radius: .3rem; font-size: .9rem; }
`;

/** Pages load nothing, run no scripts and submit no forms; their only style sheet is inline. */
const policy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    styleSrc: [`'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** The address of the operation in Swagger UI that reads one item. */
const operationOf = ({ folder }: LinkedItem): string =>
  `${folder.charAt(0).toUpperCase()}${folder.slice(1)}/${folder.replaceAll('-', '_')}_get`;

/** Renders the page. `id` is a number, so it needs no escaping. The origin is taken from the request. */
function pageOf(linked: LinkedItem, id: string, origin: string): string {
  const name = `${linked.subject.charAt(0).toUpperCase()}${linked.subject.slice(1)} ${id}`;
  const base = escapeHtml(origin);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} – Merlon</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${name}</h1>
<p>You followed a link to a ${linked.subject} in Merlon. Merlon has no web pages for content yet, so this page
cannot show it, and does not know whether it exists. To see the ${linked.subject}, you need an API token and access to
it.</p>
<h2>In a browser</h2>
<p>Open <a href="${base}/docs/#/${operationOf(linked)}">the operation in Swagger UI</a>. Click <em>Authorize</em>, enter
<code>Token</code>, a space and your token, then click <em>Try it out</em>, enter the id <code>${id}</code> and click
<em>Execute</em>.</p>
<h2>In a shell</h2>
<pre>curl -H "Authorization: Token $MERLON_TOKEN" ${base}/api/v2/${linked.folder}/${id}/</pre>
<p>To get a token, ask an administrator of your organization, or use your password:</p>
<pre>curl -u you@example.com -H "Content-Type: application/json" -d '{"name": "Shell"}' \\
  ${base}/api/v2/users/me/tokens/</pre>
</body>
</html>
`;
}

/**
 * Serves the pages that chat messages link to, for users without a session: a page explains how to open the item, and
 * contains nothing about it. It is the same for every id, so that it does not reveal which ones exist.
 *
 * The pages are not controllers: the API has resources at the same paths below its prefix, and Nest distinguishes
 * routes by path alone.
 */
export function serveLinkedPages(router: { get(path: string, handler: unknown): unknown }): void {
  for (const linked of Object.values(EVENTS))
    router.get(`/${linked.folder}/:id`, (request: Request<{ id: string }>, response: Response, next: NextFunction) => {
      const { id } = request.params;
      if (!NUMERIC_ID.test(id)) return next();
      policy(request, response, () => {
        response.type('html').send(pageOf(linked, id, (request as unknown as ApiRequest).origin));
      });
    });
}
