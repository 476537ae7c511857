"""Certificates of servers under trial, and clients that trust anybody."""
import ssl, subprocess
from pathlib import Path

from .jdk import tool


def make_store(folder, algorithm="EC"):
    """Makes a key store whose password is `secret`."""
    store = Path(folder) / f"{algorithm}.p12"
    subprocess.run([tool("keytool"), "-genkeypair", "-keyalg", algorithm, "-dname", "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1",
                    "-keystore", str(store), "-storepass", "secret"], check=True, capture_output=True)
    return store


def clients():
    """Gives the TLS of clients that trust anybody."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["http/1.1"])
    return context
