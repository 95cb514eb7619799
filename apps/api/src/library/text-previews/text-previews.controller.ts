import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { MarkdownThreads } from '#platform/markdown/markdown-threads.js';
import * as schema from '#query/schema.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { Caller } from '../../http/request.js';
import { Action } from '../../http/routes/route.decorators.js';
import { PreviewText } from './text-previews.dto.js';

const PREVIEW = schema.object({
  html: schema.string({
    description: 'Safe HTML, as `to_html=true` returns it.',
    example: '<p>Store passwords <strong>only</strong> as slow, salted hashes.</p>\n',
  }),
});

/** Shows editors a text before they save it. Markdown is rendered here only: one place has to make it safe. */
@ApiTags('Countermeasures')
@InFamily('library')
@Controller('library/preview')
export class TextPreviewsController {
  constructor(private readonly markdown: MarkdownThreads) {}

  @Action({
    method: 'POST',
    status: 200,
    responseSchema: PREVIEW,
    keyed: false,
    success: 'The text as HTML. Nothing was saved.',
    summary: 'Show a text as HTML before it is saved',
  })
  @Access({ permission: 'customize_content' })
  async show(@Caller() actor: Actor, @Body() { text }: PreviewText) {
    const [html = ''] = await this.markdown.render([text], actor.organizationId);
    return { html };
  }
}
