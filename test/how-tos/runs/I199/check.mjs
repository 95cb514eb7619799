// Assumes the roles and reads the table with a server that evaluates the policies of the Terraform code as IAM, STS and
// DynamoDB document them, since no account is needed so.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { parse } from '@cdktf/hcl2json';

const ARN = 'arn:aws:iam::111122223333:role';
const TABLE = 'arn:aws:dynamodb:eu-central-1:111122223333:table';
const VALUES = {
  'var.service_role_arn': `${ARN}/orders-service`,
  'var.reports_job_role_arn': `${ARN}/reports-job`,
  'var.vpc_id': 'vpc-1',
  'aws_dynamodb_table.orders.arn': `${TABLE}/orders`,
};
const [one, two] = await Promise.all(
  ['block_1.hcl', 'block_2.hcl'].map(async (file) => parse(file, await readFile(file, 'utf8'))),
);
const documents = { ...one.data.aws_iam_policy_document, ...two.data.aws_iam_policy_document };
const roles = { ...one.resource.aws_iam_role, ...two.resource.aws_iam_role };
const policies = { ...one.resource.aws_iam_role_policy, ...two.resource.aws_iam_role_policy };
const [{ hash_key: HASH }] = one.resource.aws_dynamodb_table.orders;
/** The statements of a document that an attribute refers to. */
const statementsOf = (reference) =>
  documents[/^\$\{data\.aws_iam_policy_document\.(\w+)\.json\}$/.exec(reference)[1]][0].statement;

/** Terraform's references, then IAM's variables, which Terraform writes with two dollars. */
const filled = (text, context) =>
  text
    .replace(/(?<!\$)\$\{([\w.]+)\}/g, (_all, name) => VALUES[name])
    .replace(/\$\$\{([\w:/]+)\}/g, (_all, name) => context[name]?.[0] ?? '\0');
const like = (pattern, text) =>
  new RegExp(
    `^${pattern
      .replace(/[.+^$(){}|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  ).test(text);
const OPERATORS = {
  StringEquals: (present, values) => present?.length > 0 && values.includes(present[0]),
  StringNotEquals: (present, values) => !values.includes(present?.[0]),
  StringEqualsIfExists: (present, values) => !present || values.includes(present[0]),
  StringLike: (present, values) => present?.length > 0 && values.some((value) => like(value, present[0])),
  'ForAllValues:StringEquals': (present = [], values) => present.every((value) => values.includes(value)),
  Null: (present, values) => values.includes(String(!present?.length)),
};
const applies = ({ actions, resources, principals, condition = [] }, action, resource, context) =>
  actions.some((pattern) => like(pattern, action)) &&
  (!resources || resources.some((pattern) => like(filled(pattern, context), resource))) &&
  (!principals ||
    principals.some(({ identifiers }) => identifiers.some((name) => filled(name, context) === context.caller))) &&
  condition.every(({ test, variable, values }) =>
    OPERATORS[test](
      context[variable],
      values.map((value) => filled(value, context)),
    ),
  );
function permits(statements, action, resource, context) {
  const matching = statements.filter((statement) => applies(statement, action, resource, context));
  return matching.length > 0 && matching.every(({ effect = 'Allow' }) => effect === 'Allow');
}

const callers = { AKIDSERVICE: VALUES['var.service_role_arn'], AKIDREPORTS: VALUES['var.reports_job_role_arn'] };
const sessions = new Map();
const items = new Map();
let [vpc, hours] = ['vpc-1', 0];

function assumeRole(caller, fields) {
  const [name, [role]] = Object.entries(roles).find(([, [{ name }]]) => fields.get('RoleArn') === `${ARN}/${name}`);
  const context = { caller };
  for (let index = 1; fields.has(`Tags.member.${index}.Key`); index += 1)
    context[`aws:RequestTag/${fields.get(`Tags.member.${index}.Key`)}`] = [fields.get(`Tags.member.${index}.Value`)];
  const tags = Object.entries(context).filter(([key]) => key.startsWith('aws:RequestTag/'));
  const actions = tags.length ? ['sts:AssumeRole', 'sts:TagSession'] : ['sts:AssumeRole'];
  const trust = statementsOf(role.assume_role_policy);
  if (!actions.every((action) => permits(trust, action, '', context))) return undefined;
  const duration = Number(fields.get('DurationSeconds') ?? 3600);
  if (duration > role.max_session_duration) return undefined;
  const key = `ASIA${randomUUID()}`;
  const session = { role: name, token: randomUUID(), until: hours + duration / 3600, tags: {} };
  for (const [tag, value] of tags) session.tags[tag.replace('Request', 'Principal')] = value;
  sessions.set(key, session);
  return `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
    <AccessKeyId>${key}</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>${session.token}</SessionToken>
    <Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;
}

/** The condition keys of a request, by "Using IAM policy conditions for fine-grained access control". */
function conditionsOf(body) {
  const named = (name) => body.ExpressionAttributeNames?.[name] ?? name;
  const attributes = [...Object.keys(body.Key ?? {}), ...Object.keys(body.Item ?? {})];
  const [, left, right] = /^(#?\w+) = (:\w+)$/.exec(body.KeyConditionExpression ?? '') ?? [];
  if (left) attributes.push(named(left));
  const projected = body.ProjectionExpression?.split(', ').map(named) ?? [];
  const key =
    body.Key?.[HASH] ?? body.Item?.[HASH] ?? (left && named(left) === HASH && body.ExpressionAttributeValues[right]);
  return {
    ...(key && { 'dynamodb:LeadingKeys': [key.S] }),
    ...(attributes.length + projected.length > 0 && { 'dynamodb:Attributes': [...attributes, ...projected] }),
    'dynamodb:Select': [body.Select ?? (projected.length ? 'SPECIFIC_ATTRIBUTES' : 'ALL_ATTRIBUTES')],
  };
}
function access(key, token, action, body) {
  const session = sessions.get(key);
  // Only roles have policies here: the services' own credentials may do nothing.
  if (!session) return 'AccessDeniedException';
  if (session.token !== token) return 'UnrecognizedClientException';
  if (hours > session.until) return 'ExpiredTokenException';
  const [[policy]] = Object.values(policies).filter(([{ role }]) => role === `\${aws_iam_role.${session.role}.id}`);
  const parts =
    action === 'TransactWriteItems'
      ? body.TransactItems.flatMap((item) => Object.entries(item).map(([name, part]) => [`${name}Item`, part]))
      : [[action, body]];
  const allowed = parts.every(([name, part]) => {
    const context = { ...session.tags, 'aws:SourceVpc': vpc && [vpc], ...conditionsOf(part) };
    return permits(statementsOf(policy.policy), `dynamodb:${name}`, `${TABLE}/${part.TableName}`, context);
  });
  if (!allowed) return 'AccessDeniedException';
  for (const [name, { Item }] of parts) if (name === 'PutItem') items.set(`${Item.tenant.S}/${Item.order.S}`, Item);
  return {
    Item: items.get(`${body.Key?.tenant.S}/${body.Key?.order.S}`),
    Items: [...items.values()].filter(({ tenant }) => tenant.S === body.ExpressionAttributeValues?.[':t']?.S),
  };
}
async function answer(request, response) {
  const text = Buffer.concat(await request.toArray()).toString();
  const [, key] = /Credential=([\w-]+)\//.exec(request.headers.authorization);
  const [, action] = request.headers['x-amz-target']?.split('.') ?? [];
  if (action) {
    const result = access(key, request.headers['x-amz-security-token'], action, JSON.parse(text));
    response.writeHead(typeof result === 'string' ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' });
    return response.end(JSON.stringify(typeof result === 'string' ? { __type: result } : result));
  }
  const result = assumeRole(callers[key], new URLSearchParams(text));
  response.writeHead(result ? 200 : 403, { 'content-type': 'text/xml' });
  return response.end(result ?? '<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>');
}
const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = `http://127.0.0.1:${server.address().port}`;
Object.assign(process.env, {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDSERVICE',
  AWS_SECRET_ACCESS_KEY: 'of-the-check',
  AWS_ENDPOINT_URL_STS: address,
  AWS_ENDPOINT_URL_DYNAMODB: address,
  TENANT_ACCESS_ROLE: `${ARN}/orders-tenant-access`,
});
const { clientOf } = await import('./block_3.ts');

const AccessDenied = { name: 'AccessDeniedException' };
const TableName = 'orders';
const send = (client, name, input) => client.send(new dynamodb[`${name}Command`]({ TableName, ...input }));
const item = (tenant) => ({ tenant: { S: tenant }, order: { S: '1' }, total: { N: '5' }, address: { S: 'secret' } });
const key = (tenant) => ({ tenant: { S: tenant }, order: { S: '1' } });
const query = (tenant, more) => ({
  KeyConditionExpression: 'tenant = :t',
  ExpressionAttributeValues: { ':t': { S: tenant } },
  ...more,
});
const update = (tenant) => ({
  Key: key(tenant),
  UpdateExpression: 'SET paid = :t',
  ExpressionAttributeValues: { ':t': { BOOL: true } },
});

const [a, b] = await Promise.all(['a', 'b'].map(clientOf));
for (const [client, tenant] of [
  [a, 'a'],
  [b, 'b'],
]) {
  await send(client, 'PutItem', { Item: item(tenant) });
  await send(client, 'UpdateItem', update(tenant));
  assert.deepEqual((await send(client, 'GetItem', { Key: key(tenant) })).Item, item(tenant));
  assert.deepEqual((await send(client, 'Query', query(tenant))).Items, [item(tenant)]);
}
await a.send(new dynamodb.TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item: item('a') } }] }));
for (const [name, input] of [
  ['GetItem', { Key: key('b') }],
  ['PutItem', { Item: item('b') }],
  ['UpdateItem', update('b')],
  ['Query', query('b')],
  ['Query', query('ab')],
  ['Query', query('*')],
  ['Query', query('a', { TableName: 'invoices' })],
  ['Query', query('a', { KeyConditionExpression: '#o = :t', ExpressionAttributeNames: { '#o': 'order' } })],
  ['Scan', {}],
  ['DeleteItem', { Key: key('a') }],
  ['TransactWriteItems', { TransactItems: ['a', 'b'].map((tenant) => ({ Put: { TableName, Item: item(tenant) } })) }],
  ['ExecuteStatement', { Statement: 'SELECT * FROM orders' }],
  ['DeleteTable', {}],
  ['CreateTable', { KeySchema: [], AttributeDefinitions: [] }],
])
  await assert.rejects(send(a, name, input), AccessDenied, `${name} ${JSON.stringify(input)}`);

// The service's own credentials, and roles that it may not assume in this way.
await assert.rejects(send(new dynamodb.DynamoDBClient({}), 'Query', query('a')), AccessDenied);
const assume = async (RoleArn, Tags, accessKeyId = 'AKIDSERVICE', DurationSeconds = 3600) => {
  const sts = new STSClient({ credentials: { accessKeyId, secretAccessKey: 'of-the-check' } });
  const input = { RoleArn, Tags, RoleSessionName: 'check', DurationSeconds };
  const { Credentials: issued } = await sts.send(new AssumeRoleCommand(input));
  const [id, secretAccessKey] = [issued.AccessKeyId, issued.SecretAccessKey];
  const credentials = { accessKeyId: id, secretAccessKey, sessionToken: issued.SessionToken };
  return new dynamodb.DynamoDBClient({ credentials });
};
const [TENANT, REPORTS] = [process.env.TENANT_ACCESS_ROLE, `${ARN}/orders-reports`];
const tag = [{ Key: 'tenant', Value: 'a' }];
for (const attempt of [
  [TENANT, undefined],
  [TENANT, [{ Key: 'tenant', Value: '' }]],
  [TENANT, [{ Key: 'other', Value: 'a' }]],
  [TENANT, tag, 'AKIDREPORTS'],
  [TENANT, tag, 'AKIDSERVICE', 7200],
  [REPORTS, undefined],
])
  await assert.rejects(assume(...attempt), { name: 'AccessDenied' }, JSON.stringify(attempt));
await assume(TENANT, tag);

// Reports read four attributes of all tenants, and each request names them.
const reports = await assume(REPORTS, undefined, 'AKIDREPORTS');
const some = { ProjectionExpression: 'tenant, total' };
await send(reports, 'Scan', some);
await send(reports, 'Query', query('b', some));
await send(reports, 'GetItem', { Key: key('a'), ...some });
for (const [name, input] of [
  ['Scan', {}],
  ['Scan', { ProjectionExpression: 'tenant, address' }],
  ['Scan', { ProjectionExpression: '#a', ExpressionAttributeNames: { '#a': 'address' } }],
  ['Scan', { Select: 'ALL_ATTRIBUTES' }],
  ['Scan', { ...some, TableName: 'invoices' }],
  ['Query', query('b')],
  ['GetItem', { Key: key('a') }],
  ['PutItem', { Item: key('a') }],
])
  await assert.rejects(send(reports, name, input), AccessDenied, `${name} ${JSON.stringify(input)}`);

for (const elsewhere of ['vpc-2', undefined]) {
  vpc = elsewhere;
  await assert.rejects(send(a, 'Query', query('a')), AccessDenied, elsewhere);
  await assert.rejects(send(reports, 'Scan', some), AccessDenied, elsewhere);
}
vpc = 'vpc-1';
hours = 0.9;
await send(a, 'Query', query('a'));
hours = 1.1;
await assert.rejects(send(a, 'Query', query('a')), { name: 'ExpiredTokenException' });
assert.equal(one.resource.aws_dynamodb_table.orders[0].deletion_protection_enabled, true);
server.close();
server.closeAllConnections();
