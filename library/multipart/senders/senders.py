"""Sends the form by one of Python's clients; see record."""
import importlib, sys
from pathlib import Path

TEXT = "Müller"
TYPE = "application/octet-stream"


def requests(url, file):
    import requests
    requests.post(url, data={"name": TEXT}, files={"photo": (file.name, file.read_bytes(), TYPE)}).raise_for_status()


def urllib3_rfc2231(url, file):
    """The formatter that was the default before 1.25: filename*=utf-8''..."""
    import warnings
    import urllib3
    from urllib3.fields import RequestField, format_header_param_rfc2231
    warnings.simplefilter("ignore")
    field = RequestField("photo", file.read_bytes(), filename=file.name, header_formatter=format_header_param_rfc2231)
    field.make_multipart(content_type=TYPE)
    urllib3.PoolManager().request("POST", url, fields=[("name", TEXT), field])


def email(url, file, name=None):
    """The language has no client for forms: they are made as mails are."""
    import http.client
    from email.message import Message
    from email.mime.application import MIMEApplication
    from email.mime.multipart import MIMEMultipart
    from urllib.parse import urlsplit
    form = MIMEMultipart("form-data")
    text = Message()
    text.add_header("Content-Disposition", "form-data", name="name")
    text.set_payload(TEXT.encode().decode("ascii", "surrogateescape"))
    form.attach(text)
    photo = MIMEApplication(b"", "octet-stream", lambda part: None)
    photo.set_payload(file.read_bytes().decode("ascii", "surrogateescape"))
    photo.add_header("Content-Disposition", "form-data", name="photo", filename=name or file.name)
    form.attach(photo)
    body = form.as_bytes(policy=form.policy.clone(linesep="\r\n")).partition(b"\r\n\r\n")[2]
    target = urlsplit(url)
    client = http.client.HTTPConnection(target.netloc)
    client.request("POST", target.path, body, {"Content-Type": f'multipart/form-data; boundary="{form.get_boundary()}"'})
    client.getresponse().read()


def email_long_name(url, file):
    """Its headers are folded at 78 columns."""
    email(url, file, "a name of a file that is so long that its header is folded.bin")


def aiohttp(url, file, charset=None):
    import asyncio
    from aiohttp import ClientSession, FormData
    form = FormData(charset=charset)
    form.add_field("name", TEXT, content_type=f"text/plain; charset={charset}" if charset else None)
    form.add_field("photo", file.read_bytes(), filename=file.name, content_type=TYPE)

    async def send():
        async with ClientSession() as session, session.post(url, data=form) as response:
            await response.read()

    asyncio.run(send())


def aiohttp_charset(url, file):
    aiohttp(url, file, "iso-8859-1")


def version():
    found = [f"Python {sys.version.split()[0]}"]
    for name in ("requests", "urllib3", "aiohttp"):
        try:
            found.append(f"{name} {importlib.import_module(name).__version__}")
        except ImportError:
            pass
    print(", ".join(found))


if sys.argv[1] == "version":
    version()
else:
    globals()[sys.argv[1].removeprefix("python-").replace("-", "_")](sys.argv[2], Path(sys.argv[3]))
