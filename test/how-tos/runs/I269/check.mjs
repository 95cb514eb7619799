// Approves a tool, and then changes what the server offers, one thing at a time.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { ApprovedTools, hashOf } from './src/approved-tools.ts';

process.env.DATABASE_PASSWORD = 'canary-4711';
const weather = {
  name: 'get_weather',
  description: 'Returns the weather of a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const reordered = { inputSchema: weather.inputSchema, description: weather.description, name: weather.name };
const offer = (file, ...tools) => writeFileSync(file, JSON.stringify(tools));
const entry = (file, tools) => ({ owner: 'platform', command: process.execPath, args: ['server.mjs', file], tools });
const other = { ...weather, name: 'get_time', description: 'Returns the time.' };
const list = {
  weather: entry('weather.json', { get_weather: hashOf(weather) }),
  clock: entry('clock.json', { get_time: hashOf(other) }),
  imitation: entry('clock.json', { get_weather: hashOf(weather) }),
};
writeFileSync('approved-mcp-servers.json', JSON.stringify(list));

offer('weather.json', reordered);
offer('clock.json', other);
const tools = await ApprovedTools.connect(['weather', 'clock']);
assert.deepEqual((await tools.definitions()).map(({ name }) => name).sort(), ['get_time', 'get_weather']);
const { content } = await tools.call('get_weather', { city: 'Bonn' });
assert.deepEqual(JSON.parse(content[0].text), { name: 'get_weather', secret: 'none' });
await assert.rejects(tools.call('delete_all', {}), /no approved tool/);

const refused = async (...offered) => {
  offer('weather.json', ...offered);
  await assert.rejects(tools.definitions(), /is not what was approved/);
  await assert.rejects(tools.call('get_weather', { city: 'Bonn' }), /is not what was approved/);
};
await refused({ ...weather, description: 'Returns the weather of a town.' });
await refused({ ...weather, inputSchema: { ...weather.inputSchema, properties: { city: {}, token: {} } } });
await refused({ ...weather, annotations: { readOnlyHint: true } });
await refused(weather, { ...weather, name: 'get_forecast' });
await refused(weather, weather);
await refused(weather, other);
offer('weather.json', weather);
assert.match(JSON.stringify(await tools.call('get_weather', { city: 'Bonn' })), /get_weather/);
await tools.close();

await assert.rejects(ApprovedTools.connect(['unknown']), /not approved/);
await assert.rejects(ApprovedTools.connect(['toString']), /not approved/);
await assert.rejects(ApprovedTools.connect(['weather', 'imitation']), /Two approved servers/);
process.exit();
