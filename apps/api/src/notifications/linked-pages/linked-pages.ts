import type { NextFunction, Request, Response } from 'express';
import { NUMERIC_ID } from '#domain/kernel/item-id.js';
import { EVENTS } from '#domain/notifications/webhook/webhook.rules.js';
import { escapeHtml } from '#platform/escape-html.js';
import { pageSender } from '../../http/pages.js';
import type { ApiRequest } from '../../http/request.js';

/** The kind of item that a page is about: `project` in the folder `projects`. */
interface LinkedItem {
  readonly folder: string;
  readonly subject: string;
}

/** The address of the operation in Swagger UI that reads one item. */
const operationOf = ({ folder }: LinkedItem): string =>
  `${folder.charAt(0).toUpperCase()}${folder.slice(1)}/${folder.replaceAll('-', '_')}_get`;

const titleOf = ({ subject }: LinkedItem, id: string): string =>
  `${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${id}`;

/** The content of the page. `id` is a number, so it needs no escaping. The origin is taken from the request. */
function bodyOf(linked: LinkedItem, id: string, origin: string): string {
  const base = escapeHtml(origin);
  return `<p>You followed a link to a ${linked.subject} in Merlon. Merlon has no web pages for content yet, so this page
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
  ${base}/api/v2/users/me/tokens/</pre>`;
}

const send = pageSender();

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
      const { origin } = request as unknown as ApiRequest;
      send(request, response, { title: titleOf(linked, id), body: bodyOf(linked, id, origin) });
    });
}
