"""The data of the arena: a dataset, static files, a table and a certificate, of the kinds and sizes of those in HttpArena."""
import gzip, json, random, shutil, subprocess

WORDS = "margin display color button header footer return function const section width border grid value items total price".split()
SIZES = {"reset.css": 8192, "layout.css": 25600, "theme.css": 18432, "components.css": 204800, "utilities.css": 61440, "analytics.js": 12288,
         "helpers.js": 22528, "app.js": 204800, "vendor.js": 307200, "router.js": 35840, "header.html": 122880, "footer.html": 56320,
         "regular.woff2": 18432, "bold.woff2": 22528, "logo.svg": 15344, "icon-sprite.svg": 71680, "hero.webp": 46080, "thumb1.webp": 8192,
         "thumb2.webp": 6144, "manifest.json": 2883}
CATEGORIES, TAGS = ("electronics", "tools", "books", "office", "garden"), ("fast", "new", "sale", "popular", "heavy-duty", "wireless")
SCHEMA = """CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL, price INTEGER NOT NULL, quantity INTEGER NOT NULL,
  active BOOLEAN NOT NULL, tags JSONB NOT NULL, rating_score INTEGER NOT NULL, rating_count INTEGER NOT NULL);
  SELECT setseed(0.42);
  INSERT INTO items SELECT id, 'Alpha Widget ' || id, (array[%s])[1 + floor(random() * %d)], 1 + floor(random() * 500), 1 + floor(random() * 1000),
  random() < 0.5, to_jsonb((array[%s])[1:1 + floor(random() * 4)::int]), 1 + floor(random() * 50), 1 + floor(random() * 500)
  FROM generate_series(1, 100000) id;
  ANALYZE items;"""
BROTLI = "const fs = require('fs'), zlib = require('zlib'); for (const file of process.argv.slice(1)) fs.writeFileSync(file + '.br', zlib.brotliCompressSync(fs.readFileSync(file)))"


def dataset():
    chance = random.Random(42)
    return [{"id": id, "name": f"Alpha Widget {id}", "category": chance.choice(CATEGORIES), "price": chance.randint(1, 500),
             "quantity": chance.randint(1, 100), "active": chance.random() < 0.5, "tags": chance.sample(TAGS, chance.randint(1, 4)),
             "rating": {"score": chance.randint(1, 50), "count": chance.randint(1, 500)}} for id in range(1, 51)]


def content(name, size):
    """Returns words, or bytes that do not compress."""
    chance = random.Random(name)
    if is_packed(name):
        return chance.randbytes(size)
    text = ""
    while len(text) < size:
        text += chance.choice(WORDS) + chance.choice(" \n;:") + str(chance.randint(0, 99))
    return text[:size].encode()


def is_packed(name):
    return name.endswith((".woff2", ".webp"))


DATASET = dataset()
FILES = {name: content(name, size) for name, size in SIZES.items()}


def write(folder):
    """Writes the dataset, the files, compressed ones too, and a certificate. Brotli needs node."""
    (folder / "dataset.json").write_text(json.dumps(DATASET))
    static = folder / "static"
    static.mkdir()
    for name, bytes_of in FILES.items():
        (static / name).write_bytes(bytes_of)
        if not is_packed(name):
            (static / f"{name}.gz").write_bytes(gzip.compress(bytes_of, 9))
    if shutil.which("node"):
        subprocess.run(["node", "-e", BROTLI, *(str(static / name) for name in FILES if not is_packed(name))], check=True)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-keyout", str(folder / "server.key"), "-out", str(folder / "server.crt")], check=True, capture_output=True)


def fill(database):
    """Creates the table with its rows."""
    def listed(values):
        return ", ".join(f"'{value}'" for value in values)

    database.ask(SCHEMA % (listed(CATEGORIES), len(CATEGORIES), listed(TAGS)))
