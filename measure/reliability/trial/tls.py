"""Certificates of servers under trial, and clients that trust any certificate."""
import ssl, subprocess
from pathlib import Path

from .jdk import tool


def make_store(folder, algorithm="EC"):
    """Creates a key store with the password `secret`."""
    store = Path(folder) / f"{algorithm}.p12"
    subprocess.run([tool("keytool"), "-genkeypair", "-keyalg", algorithm, "-dname", "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1",
                    "-keystore", str(store), "-storepass", "secret"], check=True, capture_output=True)
    return store


def clients():
    """Returns a TLS context that trusts any certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["http/1.1"])
    return context
