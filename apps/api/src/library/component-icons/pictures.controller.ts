import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { ICONS_PATH } from '#domain/library/component/component-icon.projection.js';
import { Public } from '../../http/access/access.decorator.js';
import { FILE_SECURITY } from '../../http/files/file-headers.js';
import { PicturesService } from './pictures.service.js';

/** A picture never changes at its address, and is public. */
const HEADERS = {
  'Content-Type': 'image/svg+xml; charset=utf-8',
  'Cache-Control': 'public, max-age=31536000, immutable',
  ...FILE_SECURITY,
};

@ApiExcludeController()
@Public()
@Controller(ICONS_PATH)
export class PicturesController {
  constructor(private readonly pictures: PicturesService) {}

  @Get(':slug.svg')
  async get(@Param('slug') slug: string, @Res({ passthrough: true }) response: Response): Promise<string> {
    const svg = await this.pictures.get(slug);
    response.set(HEADERS);
    return svg;
  }
}
