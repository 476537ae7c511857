// Sends the form by one of the clients of Node; see ../record. Used by LiveSendersTest, too.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const TEXT = "Müller";
const TYPE = "application/octet-stream";
const [, , sender, url, file] = process.argv;

function webForm({ FormData, Blob }) {
  const form = new FormData();
  form.append("name", TEXT);
  form.append("photo", new Blob([readFileSync(file)], { type: TYPE }), basename(file));
  return form;
}

function legacyForm(options) {
  const FormData = require("form-data");
  const form = new FormData();
  form.append("name", TEXT);
  form.append("photo", readFileSync(file), options);
  return form;
}

const senders = {
  "node-fetch": async () => (await fetch(url, { method: "POST", body: webForm(globalThis) })).text(),
  "node-undici": async () => {
    const undici = await import("undici");
    return (await undici.fetch(url, { method: "POST", body: webForm({ FormData: undici.FormData, Blob }) })).text();
  },
  "node-axios": async () => (await (await import("axios")).default.post(url, webForm(globalThis), { responseType: "text" })).data,
  "node-form-data": () => submit(legacyForm({ filename: basename(file), contentType: TYPE })),
  // A buffer without a name: a part with a type and no file name.
  "node-form-data-buffer": () => submit(legacyForm({ contentType: TYPE })),
  "node-superagent": async () => {
    const request = (await import("superagent")).default.post(url);
    const response = await request.field("name", TEXT).attach("photo", readFileSync(file), { filename: basename(file), contentType: TYPE });
    return response.text;
  },
};

function submit(form) {
  return new Promise((resolve, reject) =>
    form.submit(url, (error, response) => {
      if (error) {
        reject(error);
        return;
      }
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece) => (text += piece)).on("end", () => resolve(text));
    }),
  );
}

if (sender === "version") {
  const versions = ["undici", "axios", "form-data", "superagent"].map((name) => `${name} ${packageVersion(name)}`);
  console.log([`Node ${process.versions.node}`, ...versions].join(", "));
} else {
  process.stdout.write(String(await senders[sender]()));
}

function packageVersion(name) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url))).version;
}
