import { scanFields } from '#domain/connections/scan/scan.fields.js';
import { BodyOf } from '../../http/body/body-of.js';

export class CreateScan extends BodyOf(scanFields) {}
