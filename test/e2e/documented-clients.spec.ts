import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { useTestApi } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { documentation, jsonIn, sectionOf } from '../support/shell-examples.js';

const test = useTestApi();

interface McpServer {
  readonly type: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

describe('The pages about clients', () => {
  it('show a configuration of MCP with which the official client finds the documented tools', async () => {
    const page = documentation('docs/integrate/mcp.md');
    const [configuration = {}, ...others] = jsonIn(page);
    expect(others).toEqual([]);
    const { merlon, ...servers } = configuration['mcpServers'] as unknown as Record<string, McpServer>;
    expect([Object.keys(servers), merlon?.type]).toEqual([[], 'http']);
    const { admin } = test.organization;
    const headers = Object.fromEntries(
      Object.entries(merlon?.headers ?? {}).map(([name, value]) => [name, value.replace('<token>', admin.token)]),
    );
    const url = new URL(merlon?.url.replace('https://merlon.example.com', test.origin) ?? '');
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    const { tools } = await client.listTools();
    await client.close();
    const rows = [...sectionOf(page, 'Tools').matchAll(/^\| (`[^|]+) \|/gm)].map(([, names = '']) => names);
    const documented = rows.flatMap((names) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(new Set(documented)).toEqual(new Set(tools.map(({ name }) => name)));
  });

  it('show a composite request with its response', async () => {
    const [request, response, ...others] = jsonIn(documentation('docs/integrate/api-batches.md'));
    expect(others).toEqual([]);
    const { api } = await test.newOrganization();
    expect(await bodyOf(api.post('/composite/', request))).toMatchObject(response ?? {});
  });
});
