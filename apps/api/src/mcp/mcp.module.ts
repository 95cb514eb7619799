import { Module } from '@nestjs/common';
import { McpEndpoint } from './mcp-endpoint.service.js';

@Module({ providers: [McpEndpoint] })
export class McpModule {}
