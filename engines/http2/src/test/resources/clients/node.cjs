// Asks a server by Node's own client: node node.cjs ORIGIN CERTIFICATE. Prints "ok", or what was wrong.
const http2 = require("node:http2");
const fs = require("node:fs");

const [origin, certificate] = process.argv.slice(2);
const LARGE = 3_000_000;

function ask(session, headers, body) {
  return new Promise((resolve, reject) => {
    const stream = session.request(headers);
    const pieces = [];
    let status;
    stream.on("response", (head) => (status = head[":status"]));
    stream.on("data", (piece) => pieces.push(piece));
    stream.on("end", () => resolve({ status, body: Buffer.concat(pieces) }));
    stream.on("error", reject);
    stream.end(body);
  });
}

function assert(what, right) {
  if (!right) {
    throw new Error(what);
  }
}

async function main() {
  const session = http2.connect(origin, certificate ? { ca: fs.readFileSync(certificate) } : {});
  const one = await ask(session, { ":path": "/" });
  assert("one answer", one.status === 200 && one.body.toString() === "2.0");
  const many = await Promise.all(Array.from({ length: 300 }, () => ask(session, { ":path": "/" })));
  assert("many answers", many.every((each) => each.body.toString() === "2.0"));
  const sent = Buffer.alloc(LARGE, "0123456789");
  const echoed = await ask(session, { ":path": "/echo", ":method": "POST" }, sent);
  assert("a large body, and back", echoed.body.equals(sent));
  const left = session.request({ ":path": "/endless" });
  left.on("error", () => {});
  await new Promise((resolve) => left.once("data", resolve));
  left.close(http2.constants.NGHTTP2_CANCEL);
  const behind = await ask(session, { ":path": "/" });
  assert("an answer behind one that was left", behind.status === 200);
  await new Promise((resolve) => session.ping(resolve));
  await new Promise((resolve) => session.close(resolve));
  console.log("ok");
}

main().catch((error) => {
  console.log(error);
  process.exit(1);
});
