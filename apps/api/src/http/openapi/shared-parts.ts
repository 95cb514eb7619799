import type { OpenAPIObject } from '@nestjs/swagger';
import type { Operation } from './operation-descriptions.js';

type Components = NonNullable<OpenAPIObject['components']>;
type Section = 'headers' | 'parameters' | 'responses';

/** Parts that operations have in common, each stored once, by its JSON. */
class SharedParts {
  private readonly counts = new Map<string, number>();
  private readonly names = new Map<string, string>();
  private readonly numbers = new Map<string, number>();
  readonly parts: Record<string, object> = {};

  constructor(private readonly section: Section) {}

  count(part: object): void {
    const text = JSON.stringify(part);
    this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
  }

  /**
   * A reference to the part if several operations have it, otherwise the part itself. The first part of a name keeps
   * it; others have a number.
   */
  shared<Part extends object>(name: string, part: Part): Part | { $ref: string } {
    const text = JSON.stringify(part);
    if ((this.counts.get(text) ?? 0) < 2) return part;
    let key = this.names.get(text);
    if (key === undefined) {
      const number = (this.numbers.get(name) ?? 0) + 1;
      this.numbers.set(name, number);
      key = number === 1 ? name : `${name}_${number}`;
      this.names.set(text, key);
      this.parts[key] = part;
    }
    return { $ref: `#/components/${this.section}/${key}` };
  }
}

/** `404` → `Http404`: three thousand references have this name, and longer ones made up a tenth of the document. */
const nameOf = (status: string): string => `Http${status}`;

/** Moves parameters and responses that several operations share into one place, and replaces them by references. */
export function shareParts(document: OpenAPIObject, operations: readonly Operation[]): void {
  const parameters = new SharedParts('parameters');
  const responses = new SharedParts('responses');
  const headers = new SharedParts('headers');
  const inlineResponses = operations.flatMap((operation) =>
    Object.values(operation.responses).flatMap((response) => (response && !('$ref' in response) ? [response] : [])),
  );
  for (const response of inlineResponses)
    for (const header of Object.values(response.headers ?? {})) headers.count(header);
  for (const response of inlineResponses)
    response.headers &&= Object.fromEntries(
      Object.entries(response.headers).map(([name, header]) => [
        name,
        headers.shared(name.replaceAll('-', ''), header),
      ]),
    );
  for (const operation of operations) {
    for (const parameter of operation.parameters ?? []) parameters.count(parameter);
    for (const response of Object.values(operation.responses)) if (response) responses.count(response);
  }
  for (const operation of operations) {
    operation.parameters = operation.parameters?.map((parameter) =>
      '$ref' in parameter ? parameter : parameters.shared(parameter.name, parameter),
    );
    for (const [status, response] of Object.entries(operation.responses))
      if (response && !('$ref' in response)) operation.responses[status] = responses.shared(nameOf(status), response);
  }
  document.components = {
    ...document.components,
    headers: headers.parts,
    parameters: parameters.parts as Components['parameters'],
    responses: responses.parts as Components['responses'],
  };
}
