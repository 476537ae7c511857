// Lists all tools of an application and calls each of them, with the client of the official SDK. The SDK checks each result
// against the output schema of its tool. Prints one line of JSON for each tool.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [, , url] = process.argv;
const client = new Client({ name: "percolate-test", version: "1" });
const transport = new StreamableHTTPClientTransport(new URL(url));
await client.connect(transport);
const { tools } = await client.listTools();
const sent = { method: "GET", target: "/hello?token=abc" };
const { structuredContent } = await client.callTool({ name: "send_request", arguments: sent });
for (const tool of tools) {
  const names = Object.keys(tool.inputSchema.properties ?? {});
  const args = names.includes("target") ? sent : names.includes("id") ? { id: structuredContent.request } : {};
  const result = await client.callTool({ name: tool.name, arguments: args });
  console.log(JSON.stringify({ name: tool.name, error: result.isError, text: result.content[0].text }));
}
const wrong = await client.callTool({ name: "get_request", arguments: { id: 999999 } });
console.log(JSON.stringify({ name: "wrong", error: wrong.isError, text: wrong.content[0].text }));
console.log(JSON.stringify({ server: client.getServerVersion().name, protocol: transport.protocolVersion }));
await client.close();
