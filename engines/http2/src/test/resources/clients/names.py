"""Follows redirects and downloads by Python's own client: python3 names.py ORIGIN NAMES. Prints "ok", or what was wrong."""
import json
import re
import sys
import urllib.parse
import urllib.request

origin, file = sys.argv[1:]
with open(file, encoding="utf-8") as text:
    names = json.load(text)
for i, name in enumerate(names):
    with urllib.request.urlopen(f"{origin}/go/{i}") as page:
        said = page.read().decode("utf-8")
        assert said == name, f"{name!a}: redirected to {page.geturl()}: {said!a}"
    with urllib.request.urlopen(f"{origin}/download/{i}") as download:
        header = download.headers["Content-Disposition"]
        encoded = re.search(r"filename\*=UTF-8''([^;]*)", header)
        saved = urllib.parse.unquote(encoded.group(1)) if encoded else re.search(r'filename="([^"]*)"', header).group(1)
        assert saved == name and download.read() == b"content", f"{name!a}: {header}"
try:
    import requests
except ImportError:
    print("ok")
    sys.exit()
for i, name in enumerate(names):
    assert requests.get(f"{origin}/go/{i}").content.decode("utf-8") == name, f"{name!a} by requests"
print("ok")
