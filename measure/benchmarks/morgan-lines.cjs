// Writes combined lines with morgan, as LineWriter does with other libraries; see
// benchmarks/log-lines.
// usage: node morgan-lines.cjs <directory with node_modules> <requests> <file, or - for the
// default, standard output> <lines>
// Prints its times on standard error, because lines may go to standard output.
const fs = require('node:fs');
const readline = require('node:readline');
const { once } = require('node:events');
const [folder, requests, file, lines] = process.argv.slice(2);
const morgan = require(require.resolve('morgan', { paths: [folder] }));

const answered = fs.readFileSync(requests, 'utf8').trimEnd().split('\n').map((line) => {
  const [ip, method, originalUrl, ...headers] = line.split('\t');
  const pairs = headers.map((header) => header.split(/: (.*)/s)).map(([name, value]) => [name.toLowerCase(), value]);
  return { ip, method, originalUrl, httpVersionMajor: 1, httpVersionMinor: 1, headers: Object.fromEntries(pairs) };
});
const response = { headersSent: true, statusCode: 200, getHeader: (name) => (name === 'content-length' ? '13' : undefined) };
const combined = morgan.compile(morgan.combined);
const out = file === '-' ? process.stdout : fs.createWriteStream(file, { flags: 'a' });

async function round() {
  const start = process.hrtime.bigint();
  const cpu = process.cpuUsage();
  const rounds = Math.floor(lines / answered.length);
  for (let i = 0; i < rounds; i++) {
    let room = true;
    for (const request of answered) {
      room = out.write(combined(morgan, request, response) + '\n');
    }
    if (!room) {
      await once(out, 'drain');
    }
  }
  await new Promise((done) => out.write('', done));
  const used = process.cpuUsage(cpu);
  return `${Number(process.hrtime.bigint() - start) / 1e9} ${(used.user + used.system) / 1e6}`;
}

(async () => {
  console.error('ready');
  for await (const _ of readline.createInterface({ input: process.stdin })) {
    console.error(await round());
  }
})();
