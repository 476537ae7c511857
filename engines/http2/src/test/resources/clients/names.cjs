// Follows redirects and downloads by Node's own client: node names.cjs ORIGIN NAMES. Prints "ok", or what was wrong.
const fs = require("node:fs");

const [origin, file] = process.argv.slice(2);
const names = JSON.parse(fs.readFileSync(file, "utf8"));

function assert(name, what, right) {
  if (!right) {
    throw new Error(`${JSON.stringify(name)}: ${what}`);
  }
}

async function main() {
  for (const [i, name] of names.entries()) {
    const page = await fetch(`${origin}/go/${i}`);
    const text = await page.text();
    assert(name, `redirected to ${page.url}: ${text}`, page.redirected && text === name);
    const download = await fetch(`${origin}/download/${i}`);
    const header = download.headers.get("content-disposition");
    const encoded = /filename\*=UTF-8''([^;]*)/.exec(header);
    const plain = /filename="([^"]*)"/.exec(header);
    const saved = encoded ? decodeURIComponent(encoded[1]) : plain[1];
    assert(name, header, saved === name && (await download.text()) === "content");
  }
  console.log("ok");
}

main().catch((error) => {
  console.log(error.message);
  process.exit(1);
});
