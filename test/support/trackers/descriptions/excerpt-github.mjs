/**
 * Writes github.json: what the fake of GitHub needs of GitHub's own description of its API, which is MIT-licensed and far
 * too large to install.
 *
 *     npm pack @octokit/openapi@23.0.2 && tar -xzf octokit-openapi-23.0.2.tgz package/generated/api.github.com.json
 *     node test/support/trackers/descriptions/excerpt-github.mjs package/generated/api.github.com.json 23.0.2
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [file = '', version = ''] = process.argv.slice(2);
const source = JSON.parse(readFileSync(file, 'utf8'));

const ISSUES = '/repos/{owner}/{repo}/issues';
const ISSUE = `${ISSUES}/{issue_number}`;
const OPERATIONS = [
  ['/user', 'get'],
  ['/repos/{owner}/{repo}', 'get'],
  [ISSUES, 'get'],
  [ISSUES, 'post'],
  [ISSUE, 'get'],
  [ISSUE, 'patch'],
];

/** The properties of responses that the adapter reads, and those that tell one from another. */
const READ = new Set(
  (
    'id login full_name has_issues permissions push node_id number title body state state_reason labels name color ' +
    'html_url repository_url updated_at pull_request url message'
  ).split(' '),
);

const KEYWORDS = ['type', 'format', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'default'];

function resolved(value) {
  if (value?.$ref === undefined) return value;
  const steps = value.$ref.slice('#/'.length).split('/');
  return resolved(steps.reduce((part, step) => part[step], source));
}

/** A schema as JSON Schema, without references, and closed: what the description does not name is a fault. */
function schemaOf(reference, isRead) {
  const schema = resolved(reference);
  const result = {};
  for (const keyword of KEYWORDS) if (schema[keyword] !== undefined) result[keyword] = schema[keyword];
  if (schema.enum) result.enum = schema.nullable ? [...schema.enum, null] : schema.enum;
  if (schema.nullable && schema.type) result.type = [schema.type, 'null'];
  if (schema.items) result.items = schemaOf(schema.items, isRead);
  // Parts of which one has all that is read, such as an issue with suggestions.
  const parts = schema.allOf?.filter((part) => resolved(part).required);
  if (parts) return schemaOf(parts[0], isRead);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) {
    result.anyOf = alternatives.map((one) => schemaOf(one, isRead));
    if (schema.nullable) result.anyOf.push({ type: 'null' });
  }
  if (!schema.properties) return result;
  const names = Object.keys(schema.properties).filter((name) => !isRead || READ.has(name));
  result.properties = Object.fromEntries(names.map((name) => [name, schemaOf(schema.properties[name], isRead)]));
  const required = (schema.required ?? []).filter((name) => names.includes(name));
  if (required.length) result.required = required;
  result.additionalProperties = false;
  return result;
}

function contentOf(owner, isRead) {
  const schema = resolved(owner)?.content?.['application/json']?.schema;
  return schema && { content: { 'application/json': { schema: schemaOf(schema, isRead) } } };
}

function operationOf(route, method) {
  const { operationId, parameters = [], requestBody, responses } = source.paths[route][method];
  const query = parameters.map(resolved).filter((parameter) => parameter.in === 'query');
  return {
    operationId,
    parameters: query.map(({ name, required, schema }) => ({
      name,
      in: 'query',
      ...(required && { required }),
      schema: schemaOf(schema, false),
    })),
    ...(requestBody && { requestBody: contentOf(requestBody, false) }),
    responses: Object.fromEntries(
      Object.entries(responses)
        .filter(([status]) => /^[23]/.test(status) && status !== '304')
        .map(([status, response]) => [status, contentOf(response, true) ?? {}]),
    ),
  };
}

const paths = {};
for (const [route, method] of OPERATIONS) (paths[route] ??= {})[method] = operationOf(route, method);
// Where GitHub redirects requests for a transferred issue.
paths['/repositories/{repository_id}/issues/{issue_number}'] = paths[ISSUE];

const info = { title: 'GitHub: excerpt of @octokit/openapi', version, license: source.info.license };
const target = path.join(import.meta.dirname, 'github.json');
writeFileSync(target, `${JSON.stringify({ openapi: '3.1.0', info, paths }, null, 2)}\n`);
