import type { OpenAPIObject } from '@nestjs/swagger';

/** An operation of the API's document. */
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
