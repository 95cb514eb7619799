// The fields that bodies are made of: body classes have them all from here.
export * from './field.js';
export * from './list-fields.js';
export * from './object-fields.js';
export * from './scalar-fields.js';
