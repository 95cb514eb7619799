import { trustedHtml } from './trusted-html.ts';

/** A text of the API, which has rendered its Markdown to sanitized HTML. */
export function HtmlText({ html }: { readonly html: string }) {
  return <div className="prose" dangerouslySetInnerHTML={{ __html: trustedHtml(html) }} />;
}
